"""The browser, the service, and visitors who notice everything that goes wrong on a page."""

import json
import os
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, expect

from games.models import DailyDeal
from tests.e2e.browser import MISSING, chromium, chromium_path
from tests.e2e.service import Competition, competition, open_today, served
from tests.e2e.table import Table

# There to find what hangs: a busy machine may take a good part of it.
PATIENCE_MS = 60_000
DESK = {"width": 1280, "height": 800}
PHONE = {
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = chromium_path()
    if path is None:
        if os.environ.get("REQUIRE_BROWSER"):
            pytest.fail(MISSING)
        pytest.skip(MISSING)
    expect.set_options(timeout=PATIENCE_MS)
    # To the end of the session, and so these tests run last: this thread has a running event loop.
    with chromium(path) as started:
        yield started


@pytest.fixture(scope="session")
def server(browser: Browser, django_db_setup: None) -> Iterator[str]:
    with served() as address:
        yield address


@pytest.fixture
def today(transactional_db: None, unthrottled: None) -> dict[str, DailyDeal]:
    """Return the open deal of each variant, by the real clock."""
    return open_today()


@pytest.fixture
def filled(today: dict[str, DailyDeal]) -> Competition:
    """Return days with players and results."""
    return competition(today)


class Watch:
    """Everything on the pages of a context that no page of ours should cause."""

    def __init__(self, context: BrowserContext, address: str) -> None:
        self.address = address
        self.found: list[str] = []
        self.allowed = ["Service Worker registration blocked by Playwright"]
        context.add_init_script(
            """addEventListener("securitypolicyviolation", (event) => {
                 console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`);
               });"""
        )
        context.on("console", self._console)
        context.on("weberror", lambda error: self.found.append(f"error: {error.error}"))
        context.on("request", self._request)
        context.on("requestfailed", self._failed)

    def allow(self, *patterns: str) -> None:
        """Declare what a test causes itself."""
        self.allowed += patterns

    def offline(self) -> None:
        """Declare that the network will be away."""
        self.allow("ERR_INTERNET_DISCONNECTED")

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.found.append(f"console: {message.text} ({message.location['url']})")

    def _request(self, request: Request) -> None:
        if not request.url.startswith((f"{self.address}/", "data:", "blob:")):
            self.found.append(f"another host: {request.url}")

    def _failed(self, request: Request) -> None:
        # Aborted: the page was left while it loaded.
        if request.failure != "net::ERR_ABORTED":
            self.found.append(f"failed: {request.failure} ({request.url})")

    def problems(self) -> list[str]:
        """Return undeclared problems."""
        return [
            problem
            for problem in self.found
            if not any(re.search(pattern, problem) for pattern in self.allowed)
        ]


class Visitor:
    """A person with a browser of their own."""

    def __init__(self, context: BrowserContext, address: str) -> None:
        self.context = context
        self.address = address
        self.watch = Watch(context, address)
        self.page: Page = context.pages[0] if context.pages else context.new_page()
        self.table = Table(self.page)

    def open(self, path: str) -> Page:
        """Go to a page of the service."""
        self.page.goto(f"{self.address}{path}")
        return self.page

    def start(self, deal: DailyDeal) -> Table:
        """Start a daily deal."""
        self.open(f"/play/{deal.variant}/{deal.date}/")
        self.table.panel("start").get_by_role("button", name="Start").click()
        self.table.is_laid()
        return self.table

    def practise(self, code: str) -> Table:
        """Lay a deal for practice."""
        self.open(f"/practice/?code={code}")
        self.table.is_laid()
        return self.table

    def session(self) -> dict[str, Any]:
        """Return player and token as this browser keeps them."""
        return self.page.evaluate('JSON.parse(localStorage.getItem("dailydeal.session"))')


Visit = Callable[..., Visitor]


@pytest.fixture
def visit(browser: Browser, server: str, today: dict[str, DailyDeal]) -> Iterator[Visit]:
    """Return a function that makes a visitor.

    `kept` is what the browser remembers from before; everything else are Playwright's options of a
    context. Without motion and without the service worker unless a test asks for
    them: they cost much of a machine's time.
    """
    visitors: list[Visitor] = []

    def come(
        context: BrowserContext | None = None, kept: dict[str, Any] | None = None, **options: Any
    ) -> Visitor:
        options = {"locale": "en-GB", "viewport": DESK, "reduced_motion": "reduce"} | options
        options = {"service_workers": "block"} | options
        values = [
            {"name": f"dailydeal.{key}", "value": json.dumps(value)}
            for key, value in (kept or {}).items()
        ]
        origins = [{"origin": server, "localStorage": values}]
        options["storage_state"] = {"cookies": [], "origins": origins}
        visitor = Visitor(context or browser.new_context(**options), server)
        visitor.context.set_default_timeout(PATIENCE_MS)
        visitors.append(visitor)
        return visitor

    yield come
    for visitor in visitors:
        visitor.context.close()
    assert [problem for visitor in visitors for problem in visitor.watch.problems()] == []


@pytest.fixture
def visitor(visit: Visit) -> Visitor:
    """Return a visitor at a desk."""
    return visit()


@pytest.fixture
def phone(visit: Visit) -> Visitor:
    """Return a visitor with a phone."""
    return visit(**PHONE)
