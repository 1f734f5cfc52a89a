"""The dialog of a new game: every way to one, and what is wrong with a code."""

import re

import pytest
from playwright.sync_api import expect

from games import engine
from games.models import DailyDeal
from tests.e2e.conftest import Visitor

HARP = "EH1-N-AAAAAAF"


def opened(visitor: Visitor, variant: str = "easy-harp") -> None:
    """Open the dialog over a practice game, and choose a game in it."""
    visitor.practise(HARP)
    visitor.page.locator("#new-game").click()
    choice = visitor.page.locator(f'#new-game-dialog input[value="{variant}"]')
    choice.locator("xpath=..").click()
    expect(choice).to_be_checked()


@pytest.mark.parametrize(
    ("variant", "beginning", "cells"),
    [("eight-off", "EO1-C8-", 8), ("eight-off-4", "EO1-C4-", 4), ("eight-off-2", "EO1-C2-", 2)],
)
def test_a_random_deal_has_as_many_cells_as_were_chosen(
    variant: str, beginning: str, cells: int, visitor: Visitor
) -> None:
    opened(visitor, variant)
    visitor.page.locator("#random-deal").click()
    expect(visitor.page).to_have_url(re.compile(f"code={beginning}"))
    visitor.table.is_laid()
    expect(visitor.page.locator("#table .slot.cell")).to_have_count(cells)


def test_a_deal_is_laid_by_its_code_however_it_is_typed(visitor: Visitor) -> None:
    opened(visitor)
    visitor.page.fill("#code", " eo1-c4-aaaaafa ")
    visitor.page.keyboard.press("Enter")
    expect(visitor.page).to_have_url(re.compile("code=EO1-C4-AAAAAFA$"))
    visitor.table.is_laid()
    expect(visitor.page.locator("#game-kind")).to_contain_text("EO1-C4-AAAAAFA")


def test_a_bad_code_says_what_is_wrong(visitor: Visitor) -> None:
    opened(visitor)
    for text, code in {
        "nonsense": "code.format",
        "XX1-N-AAAAAAF": "code.unknown_game",
        "EH2-N-AAAAAAF": "code.unknown_version",
        "EH1-X-AAAAAAF": "code.unknown_variant",
        "EH1-N-AAAF": "code.length",
        "EH1-N-AAAAAA1": "code.letter",
        "EH1-N-7777777": "code.range",
    }.items():
        visitor.page.fill("#code", text)
        visitor.page.keyboard.press("Enter")
        expect(visitor.page.locator("#code-error")).to_have_text(engine.CODE_ERRORS[code])
    expect(visitor.page.locator("#code")).to_have_attribute("aria-invalid", "true")


def test_a_link_with_a_bad_code_says_what_is_wrong(visitor: Visitor) -> None:
    visitor.open("/practice/?code=EH1-N-7777777")
    expect(visitor.table.panel("code")).to_contain_text(engine.CODE_ERRORS["code.range"])


def test_the_same_deal_begins_again(visitor: Visitor) -> None:
    table = visitor.practise(HARP)
    before = table.state()
    table.keys("D5")
    visitor.page.locator("#new-game").click()
    visitor.page.locator("#same-deal").click()
    table.is_laid()
    assert table.state() == before
    visitor.page.reload()
    table.is_laid()
    assert table.state() == before


def test_the_deal_of_the_day_is_one_click_away(
    visitor: Visitor, today: dict[str, DailyDeal]
) -> None:
    opened(visitor, "eight-off-4")
    visitor.page.locator("#day-deal").click()
    deal = today["eight-off-4"]
    expect(visitor.page).to_have_url(f"{visitor.address}/play/eight-off-4/{deal.date}/")
    visitor.table.panel("start")


def test_practice_continues_with_the_deal_played_last(visitor: Visitor) -> None:
    visitor.practise("EO1-C8-AAAAAFA")
    visitor.practise(HARP).keys("D2")
    visitor.open("/practice/")
    visitor.table.is_laid()
    expect(visitor.page).to_have_url(re.compile(HARP))
    assert visitor.table.counters()[1] == "2"
