"""A game continues where it was: after a reload, a crash, a restart."""

from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, expect

from games.models import DailyDeal
from tests.e2e.browser import ARGUMENTS, chromium_path
from tests.e2e.conftest import Visit, Visitor
from tests.e2e.service import shortest_win
from tests.e2e.table import Table

BEGUN = 14  # tokens


def begin(visitor: Visitor, kind: str, today: dict[str, DailyDeal]) -> Table:
    """Play the beginning of a game: of a daily deal, or for practice."""
    win = shortest_win("easy-harp")
    is_daily = kind == "daily"
    table = visitor.start(today["easy-harp"]) if is_daily else visitor.practise(win.code)
    table.keys(" ".join(win.tokens[:BEGUN]))
    assert int(table.counters()[1]) >= BEGUN
    return table


@pytest.mark.parametrize("kind", ["daily", "practice"])
def test_a_reload_continues_exactly_where_it_was(
    kind: str, visitor: Visitor, today: dict[str, DailyDeal]
) -> None:
    table = begin(visitor, kind, today)
    state = table.state()
    visitor.page.reload()
    table.is_laid()
    assert table.state() == state
    # The moves can still be undone and played again.
    visitor.page.keyboard.press("u")
    visitor.page.keyboard.press("u")
    assert table.labels() != state[0]


@pytest.mark.parametrize("kind", ["daily", "practice"])
def test_a_crash_of_the_page_loses_nothing(
    kind: str, visit: Visit, today: dict[str, DailyDeal]
) -> None:
    visitor = visit()
    state = begin(visitor, kind, today).state()
    address = visitor.page.url
    with visitor.page.expect_event("crash"), suppress(Error):
        visitor.page.goto("chrome://crash", wait_until="commit")
    visitor.page = visitor.context.new_page()
    visitor.page.goto(address)
    table = Table(visitor.page)
    table.is_laid()
    assert table.state() == state


def test_a_restart_of_the_browser_loses_nothing(
    browser: Browser, visit: Visit, today: dict[str, DailyDeal], tmp_path: Path
) -> None:
    def open_browser() -> Visitor:
        return visit(
            browser.browser_type.launch_persistent_context(
                tmp_path, executable_path=chromium_path(), args=ARGUMENTS
            )
        )

    visitor = open_browser()
    state = begin(visitor, "daily", today).state()
    visitor.context.close()
    again = open_browser()
    deal = today["easy-harp"]
    again.open("/")
    play = again.page.locator('.deal[data-variant="easy-harp"] [data-play]')
    expect(play).to_have_text("Continue")
    play.click()
    expect(again.page).to_have_url(f"{again.address}/play/easy-harp/{deal.date}/")
    again.table.is_laid()
    assert again.table.state() == state


def test_someone_without_storage_is_warned_and_can_play(visit: Visit) -> None:
    visitor = visit()
    visitor.context.add_init_script(
        """Storage.prototype.setItem = () => {
             throw new DOMException("full", "QuotaExceededError");
           };"""
    )
    table = visitor.practise("EH1-N-AAAAAAF")
    expect(visitor.page.locator("#alerts")).to_contain_text("can't store")
    visitor.page.keyboard.press("d")
    assert table.counters()[1] == "1"
