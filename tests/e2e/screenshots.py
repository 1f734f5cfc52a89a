"""`make screenshots`: take the pictures of docs/client.md again, on days made for them."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import django
from playwright.sync_api import Browser, Page, expect

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from tests.e2e.browser import MISSING, chromium, chromium_path  # noqa: E402 (needs the settings)
from tests.e2e.service import (  # noqa: E402
    Competition,
    alone,
    competition,
    open_today,
    practice,
    shortest_win,
)

FOLDER: Final = Path(__file__).resolve().parents[2] / "docs" / "screenshots"
PHONE: Final = {"width": 390, "height": 780}
TABLET: Final = {"width": 820, "height": 1100}
DESK: Final = {"width": 1280, "height": 820}
QUALITY: Final = 80
OTHERS: Final = ("Grace", "Łukasz", "Beatriz", "Sakura", "Olivia", "Matteo", "Zoë", "Noor")


class Camera:
    """A browser with played games, and the folder of its pictures."""

    def __init__(self, browser: Browser, address: str, days: Competition) -> None:
        self.browser = browser
        self.address = address
        self.days = days

    @contextmanager
    def page(
        self, viewport: dict[str, int], *, dark: bool = False, locale: str = "en-GB", **kept: Any
    ) -> Iterator[Page]:
        """Open a page that has what the player's browser keeps."""
        values = [
            {"name": f"dailydeal.{key}", "value": json.dumps(value)}
            for key, value in {"session": self.days.session, **kept}.items()
        ]
        context = self.browser.new_context(
            viewport=viewport,
            locale=locale,
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
            is_mobile=viewport != DESK,
            device_scale_factor=1.5 if viewport == PHONE else 1,
            storage_state={
                "cookies": [],
                "origins": [{"origin": self.address, "localStorage": values}],
            },
        )
        yield context.new_page()
        context.close()

    def take(self, name: str, page: Page) -> None:
        """Take a picture of what is in view."""
        page.screenshot(path=FOLDER / f"{name}.jpg", type="jpeg", quality=QUALITY)

    def shoot(self, name: str, which: str, viewport: dict[str, int], **options: Any) -> None:
        """Take a picture of one of the pages."""
        path, there = self.days.pages[which]
        with self.page(viewport, **options) as page:
            page.goto(f"{self.address}{path}")
            expect(page.locator(there).first).to_be_attached()
            page.wait_for_load_state("networkidle")
            self.take(name, page)

    def table(self, name: str, variant: str, share: float, *viewport: Any, **options: Any) -> None:
        """Take a picture of a game that was played so far."""
        win = shortest_win(variant)
        tokens = win.tokens[: int(len(win.tokens) * share)]
        game = practice(win.code, " ".join(tokens))
        with self.page(*viewport, **game, **options) as page:
            page.goto(f"{self.address}/practice/?code={win.code}")
            expect(page.locator("#table .card").first).to_be_attached()
            self.take(name, page)

    def replay(self, name: str, viewport: dict[str, int]) -> None:
        """Take a picture in the middle of a replay."""
        with self.page(viewport) as page:
            page.goto(f"{self.address}/replay/{self.days.attempt.pk}/#26")
            expect(page.locator("#at")).to_have_text("26")
            self.take(name, page)


def main() -> None:
    """Take all pictures."""
    path = chromium_path()
    if path is None:
        raise SystemExit(f"No pictures: {MISSING}")
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.jpg"):
        old.unlink()
    with alone() as address, chromium(path) as browser:
        camera = Camera(browser, address, competition(open_today(days_late=0), OTHERS))
        camera.shoot("home-desktop", "home", DESK)
        camera.shoot("home-phone-dark", "home", PHONE, dark=True)
        camera.table("easy-harp-desktop", "easy-harp", 0.3, DESK)
        camera.table("easy-harp-phone", "easy-harp", 0.3, PHONE)
        camera.table("easy-harp-tablet-dark", "easy-harp", 0.6, TABLET, dark=True)
        camera.table("eight-off-desktop-dark", "eight-off", 0.5, DESK, dark=True)
        camera.table("eight-off-phone", "eight-off", 0.4, PHONE)
        four = {"settings": {"deck": "four", "hand": "left"}}
        camera.table("eight-off-tablet-four", "eight-off", 0.4, TABLET, locale="it-IT", **four)
        camera.shoot("result-phone", "result", PHONE)
        camera.shoot("result-desktop-dark", "result", DESK, dark=True)
        camera.shoot("leaderboard-desktop", "board, final", DESK)
        camera.shoot("leaderboard-phone", "board", PHONE)
        camera.shoot("archive-tablet", "archive", TABLET)
        camera.shoot("rules-desktop-it", "rules of Easy Harp", DESK, locale="it-IT")
        camera.replay("replay-tablet", TABLET)
        camera.shoot("settings-phone-dark", "settings", PHONE, dark=True)
        camera.shoot("settings-desktop", "settings", DESK)


if __name__ == "__main__":
    main()
