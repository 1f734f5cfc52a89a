"""Looks: motion, theme, deck and hand are as the device or the player asks; nothing jumps."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import PHONE, Visit
from tests.e2e.service import Competition

HARP = "EH1-N-AAAAAAF"

# In one task: the key, and what moves because of it.
_DRAW = """() => {
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "d", bubbles: true }));
  const lasting = ({ effect }) => effect.getComputedTiming().duration > 1;
  return document.getAnimations().filter(lasting).length;
}"""


@pytest.mark.parametrize(
    ("device", "setting", "moves"),
    [
        ("no-preference", "auto", True),
        ("no-preference", "off", False),
        ("reduce", "auto", False),
    ],
)
def test_cards_glide_only_where_motion_is_welcome(
    device: str, setting: str, moves: bool, visit: Visit
) -> None:
    visitor = visit(reduced_motion=device, kept={"settings": {"motion": setting}})
    visitor.practise(HARP)
    assert (visitor.page.evaluate(_DRAW) > 0) is moves
    assert visitor.table.counters()[1] == "1"


def brightness(page: Page) -> float:
    """Return how bright the page's ground is, 0 to 255."""
    return page.evaluate(
        """() => {
          const colour = getComputedStyle(document.documentElement).backgroundColor;
          const parts = colour.match(/[0-9.]+/g).slice(0, 3).map(Number);
          return parts.reduce((one, other) => one + other) / 3;
        }"""
    )


@pytest.mark.parametrize(
    ("device", "setting", "is_dark"),
    [
        ("light", "auto", False),
        ("dark", "auto", True),
        ("light", "dark", True),
        ("dark", "light", False),
    ],
)
def test_the_theme_is_the_players_or_else_the_devices(
    device: str, setting: str, is_dark: bool, visit: Visit
) -> None:
    visitor = visit(color_scheme=device, kept={"settings": {"theme": setting}})
    for path in ("/", f"/practice/?code={HARP}"):
        assert (brightness(visitor.open(path)) < 128) is is_dark, path


@pytest.mark.parametrize(("deck", "colours"), [("two", 2), ("four", 4)])
def test_the_deck_has_two_colours_or_four(deck: str, colours: int, visit: Visit) -> None:
    visitor = visit(kept={"settings": {"deck": deck}})
    visitor.practise("EO1-C8-AAAAAFA")
    found = {re.search(r'fill="(#\w+)"', face)[1] for face in visitor.table.faces()}
    assert len(found) == colours


def test_for_the_left_hand_the_table_is_mirrored(visit: Visit) -> None:
    def stock_is_left(hand: str) -> bool:
        visitor = visit(kept={"settings": {"hand": hand}})
        visitor.practise(HARP)
        stock, foundation, one, nine = (
            visitor.table.slot(place).bounding_box()["x"] for place in ("stock", "h1", "1", "9")
        )
        assert one < nine
        return stock < foundation

    assert stock_is_left("right")
    assert not stock_is_left("left")


def test_cells_and_foundations_are_numbered_from_the_left_for_either_hand(visit: Visit) -> None:
    for hand in ("right", "left"):
        visitor = visit(kept={"settings": {"hand": hand}})
        visitor.practise("EO1-C8-AAAAAAF")
        for places in ("abcdefgk", ("h1", "h2", "h3", "h4")):
            left = [visitor.table.slot(place).bounding_box()["x"] for place in places]
            assert left == sorted(left)


_WATCH_SHIFTS = """
  globalThis.shifts = { sum: 0, places: [] };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      shifts.sum += entry.value;
      shifts.places.push(...entry.sources.map(({ node }) => (node?.outerHTML ?? "").slice(0, 80)));
    }
  }).observe({ type: "layout-shift", buffered: true });
"""


@pytest.mark.parametrize("options", [{}, PHONE], ids=["desk", "phone"])
def test_nothing_jumps_while_the_scripts_fill_a_page_in(
    options: dict[str, object], filled: Competition, visit: Visit
) -> None:
    visitor = visit(kept=filled.game, **options)
    visitor.context.add_init_script(_WATCH_SHIFTS)
    shifts = {}
    for name in ("home", "board", "result"):
        path, there = filled.pages[name]
        page = visitor.open(path)
        expect(page.locator(there).first).to_be_visible()
        page.wait_for_load_state("load")
        # Two frames on: what was filled in has been drawn.
        shifts[name] = page.evaluate(
            "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => "
            "setTimeout(() => done(shifts)))))"
        )
    assert {name: shift for name, shift in shifts.items() if shift["sum"] >= 0.02} == {}


def test_settings_work_at_once_and_stay(visit: Visit) -> None:
    visitor = visit(color_scheme="light")
    page = visitor.open("/settings/")
    page.locator('input[name="theme"][value="dark"]').locator("xpath=..").click()
    assert brightness(page) < 128
    page.locator('input[name="tap"]').uncheck()
    page.reload()
    assert brightness(page) < 128
    expect(page.locator('input[name="tap"]')).not_to_be_checked()
    expect(page.locator('input[name="drag"]')).to_be_checked()
