"""Tap, double tap, drag, stock and undo: each does what the rules of the table say."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Visit, Visitor
from tests.e2e.positions import before_column_move, before_group, before_take_back, before_tap
from tests.e2e.service import practice
from tests.e2e.table import Table, move_of

HARP = "EH1-N-AAAAAAF"


def laid(visit: Visit, code: str, movetext: str, **settings: Any) -> Table:
    """Lay a practice game that was played so far, for someone with these settings."""
    return visit(kept=practice(code, movetext) | {"settings": settings}).practise(code)


def top_of(label: str | None) -> str:
    """Return the last card that a place names."""
    return re.split(r", then |, |: ", label or "")[-1]


# --- Taps ----------------------------------------------------------------------------------------


def test_a_tap_sends_a_card_to_its_foundation(visit: Visit) -> None:
    code, movetext, column = before_tap("eight-off")
    table = laid(visit, code, movetext)
    card = top_of(table.labels()[column])
    table.click(column)
    assert card in {top_of(table.labels()[f"h{place}"]) for place in range(1, 5)}


def test_a_tap_that_is_switched_off_does_nothing(visit: Visit) -> None:
    code, movetext, column = before_tap("eight-off")
    table = laid(visit, code, movetext, tap=False, doubleTap=False)
    before = table.state()
    table.click(column)
    table.double_click(column)
    assert table.state() == before
    expect(table.page.locator("#refusal")).to_be_hidden()


def test_a_double_tap_finds_a_card_its_best_place(visit: Visit) -> None:
    code, movetext, token = before_column_move("easy-harp")
    table = laid(visit, code, movetext)
    source = token[0]
    before = table.labels()
    card = top_of(before[source])
    table.double_click(source)
    after = table.labels()
    assert top_of(after[source]) != card
    assert card in {top_of(label) for place, label in after.items() if place != source}


def test_a_double_tap_that_is_switched_off_does_nothing(visit: Visit) -> None:
    code, movetext, token = before_column_move("easy-harp")
    table = laid(visit, code, movetext, doubleTap=False)
    before = table.state()
    table.double_click(token[0])
    assert table.state() == before


def test_with_taps_off_a_double_tap_still_works(visit: Visit) -> None:
    code, movetext, column = before_tap("eight-off")
    table = laid(visit, code, movetext, tap=False)
    before = table.counters()
    table.double_click(column)
    assert table.counters() != before


# --- Drags ---------------------------------------------------------------------------------------


def test_a_drag_that_is_switched_off_does_nothing(visit: Visit) -> None:
    code, movetext, token = before_column_move("easy-harp")
    table = laid(visit, code, movetext, drag=False)
    before = table.state()
    table.drag(*move_of(token))
    assert table.state() == before


def test_a_card_dropped_where_it_came_from_stays_there(visit: Visit) -> None:
    code, movetext, token = before_column_move("easy-harp")
    table = laid(visit, code, movetext)
    before = table.state()
    at = table.point(token[0])
    mouse = table.page.mouse
    mouse.move(at["x"], at["y"])
    mouse.down()
    mouse.move(at["x"] + 12, at["y"] + 9, steps=3)
    expect(table.page.locator(".card.is-dragged")).to_have_count(1)
    mouse.up()
    expect(table.page.locator(".card.is-dragged")).to_have_count(0)
    assert table.state() == before
    expect(table.page.locator("#refusal")).to_be_hidden()


@pytest.mark.parametrize("variant", ["easy-harp", "eight-off"])
def test_a_card_is_taken_back_by_a_drag(variant: str, visit: Visit) -> None:
    code, movetext, token = before_take_back(variant)
    table = laid(visit, code, movetext)
    source, column, _ = move_of(token)
    score, moves = table.counters()
    card = top_of(table.labels()[source])
    table.drag(source, column)
    assert top_of(table.labels()[column]) == card
    assert table.counters() == (score, str(int(moves) + 1))


def test_a_group_moves_as_one(visit: Visit) -> None:
    code, movetext, token = before_group("eight-off")
    table = laid(visit, code, movetext)
    source, destination, cards = move_of(token)
    assert cards > 1
    before, (_, moves) = table.state()
    table.drag(source, destination, cards)
    after, (_, moves_after) = table.state()
    moved = before[source].split(": ")[1].split(", ")[-cards:]
    assert after[destination].split(": ")[1].split(", ")[-cards:] == moved
    assert int(moves_after) == int(moves) + 1


def test_cards_in_the_middle_of_no_run_are_not_moved(visit: Visit) -> None:
    table = laid(visit, HARP, "")
    before = table.state()
    # The card below the top one of the last column is face down.
    at = table.point("9")
    mouse = table.page.mouse
    mouse.move(at["x"], at["y"] - 90)
    mouse.down()
    mouse.move(at["x"] - 300, at["y"], steps=3)
    mouse.up()
    assert table.state() == before


# --- Stock ---------------------------------------------------------------------------------------


def test_taps_on_the_stock_draw_and_put_the_waste_back(visit: Visit) -> None:
    table = laid(visit, HARP, "D57")
    page = table.page
    expect(page.locator("#stock")).to_have_text("2")
    table.click("stock")
    table.click("stock")
    expect(page.locator("#stock")).to_have_text("0")
    expect(page.locator("#pass")).to_have_text("1")
    table.click("stock")
    expect(page.locator("#stock")).to_have_text("59")
    expect(page.locator("#pass")).to_have_text("2")
    assert table.labels()["w"].endswith("empty")


# --- Undo ----------------------------------------------------------------------------------------


def test_a_hundred_actions_can_be_undone_and_no_more(visit: Visit) -> None:
    table = laid(visit, HARP, "D59 R D50")
    page = table.page
    expect(page.locator("#undo-count")).to_have_text("100")
    score, moves = table.counters()
    for _ in range(100):
        page.keyboard.press("u")
    expect(page.locator("#refusal")).to_be_hidden()
    # An undo takes no move off the counter.
    assert table.counters() == (score, moves)
    assert moves == "110"
    expect(page.locator("#stock")).to_have_text("49")
    before = table.state()
    page.locator("#undo").click()
    expect(page.locator("#refusal")).to_have_attribute("data-code", "undo.limit")
    assert table.state() == before


def test_undo_reverses_the_latest_action(visitor: Visitor) -> None:
    table = visitor.practise(HARP)
    before = table.labels()
    table.keys("D3")
    table.keys("U")
    table.page.keyboard.press("Control+z")
    table.page.locator("#undo").click()
    assert table.labels() == before
    assert table.counters() == ("0", "3")
