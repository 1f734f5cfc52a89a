"""The hands of a player: a token of the notation as keys, as a drag, as taps."""

import re
from typing import Any
from urllib.parse import unquote

from playwright.sync_api import Page, expect

# From the drawn table: where to take hold of the last cards of a place, and how far to carry them
# so that the first of them covers the last card of another place. It goes by where cards are
# laid, not by where they fly.
_DRAG = """([source, destination, cards]) => {
  const table = document.getElementById("table");
  const frame = table.getBoundingClientRect();
  const corner = (element) => [element.offsetLeft, element.offsetTop];
  const slotOf = (place) => table.querySelector(`.slot[data-place="${place}"]`);
  const drawn = [...table.querySelectorAll(".card:not(.is-hidden)")].map(corner);
  const lying = (place) => {
    const [left, top] = corner(slotOf(place));
    if (!/^[1-9]$/.test(place)) return [[left, top]];
    const pile = drawn.filter(([x, y]) => x === left && y >= top);
    return pile.length ? pile.sort(([, one], [, other]) => one - other) : [[left, top]];
  };
  const [fromX, fromY] = lying(source).at(-cards);
  const [toX, toY] = destination ? lying(destination).at(-1) : [fromX, fromY];
  const width = slotOf("1").offsetWidth;
  return {
    x: frame.x + fromX + width / 2,
    y: frame.y + fromY + (cards > 1 ? 5 : 0.6 * width),
    dx: toX - fromX,
    dy: toY - fromY,
  };
}"""


def keys_of(token: str) -> list[str]:
    """Return the keys that play a token."""
    if counted := re.fullmatch(r"([DU])(\d*)", token):
        return [counted[1].lower()] * int(counted[2] or 1)
    return list(token.partition("v")[0].lower())


def move_of(token: str) -> tuple[str, str, int]:
    """Return source, destination and number of cards of a token that moves cards."""
    move, _, group = token.partition("v")
    ends = re.fullmatch(r"(h\d|.)(.)", move)
    assert ends, token
    return ends[1], "h1" if ends[2] == "h" else ends[2], int(group or "1", 16)


class Table:
    """The table on a page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._touch: Any = None

    # --- What is seen ------------------------------------------------------------------------

    def slot(self, place: str) -> Any:
        """Return the locator of a place."""
        return self.page.locator(f'#table .slot[data-place="{place}"]')

    def labels(self) -> dict[str, str]:
        """Return what every place says of itself."""
        return self.page.eval_on_selector_all(
            "#table .slot",
            "slots => Object.fromEntries(slots.map(s => [s.dataset.place, s.ariaLabel]))",
        )

    def counters(self) -> tuple[str, str]:
        """Return score and moves as they stand."""
        return self.page.inner_text("#score"), self.page.inner_text("#moves")

    def state(self) -> tuple[dict[str, str], tuple[str, str]]:
        """Return all that a reload must bring back."""
        return self.labels(), self.counters()

    def faces(self) -> set[str]:
        """Return the drawings of all faces, as SVG."""
        images = self.page.eval_on_selector_all(
            "#table .card", "cards => cards.map(card => card.style.backgroundImage)"
        )
        return {unquote(image.partition(",")[2]) for image in images}

    def is_laid(self) -> None:
        """Wait until cards lie on the table and can be played."""
        expect(self.page.locator("#table .slot").first).to_be_attached()
        expect(self.page.locator("#panel")).to_be_hidden()

    def panel(self, name: str) -> Any:
        """Wait for a panel over the table, and return its locator."""
        panel = self.page.locator(f'#panel[data-name="{name}"]')
        expect(panel).to_be_visible()
        return panel

    # --- What is done ------------------------------------------------------------------------

    def keys(self, movetext: str) -> None:
        """Play tokens by keyboard."""
        for token in movetext.split():
            for key in keys_of(token):
                self.page.keyboard.press(key)

    def point(self, source: str, destination: str = "", cards: int = 1) -> dict[str, float]:
        """Return a point on a card, and how far it is to another place."""
        return self.page.evaluate(_DRAG, [source, destination, cards])

    def drag(self, source: str, destination: str, cards: int = 1) -> None:
        """Drag the last cards of a place to another one, with the mouse."""
        at = self.point(source, destination, cards)
        mouse = self.page.mouse
        mouse.move(at["x"], at["y"])
        mouse.down()
        mouse.move(at["x"] + at["dx"], at["y"] + at["dy"], steps=3)
        mouse.up()

    def click(self, place: str, cards: int = 1) -> None:
        """Tap a card with the mouse."""
        at = self.point(place, cards=cards)
        self.page.mouse.click(at["x"], at["y"])

    def double_click(self, place: str, cards: int = 1) -> None:
        """Tap a card twice, with the mouse."""
        at = self.point(place, cards=cards)
        self.page.mouse.dblclick(at["x"], at["y"])

    def tap(self, place: str) -> None:
        """Tap a card with a finger."""
        at = self.point(place)
        self.page.touchscreen.tap(at["x"], at["y"])

    def finger(self, source: str, destination: str, cards: int = 1) -> None:
        """Drag the last cards of a place to another one, with a finger."""
        self._touch = self._touch or self.page.context.new_cdp_session(self.page)
        at = self.point(source, destination, cards)
        self._touch_event("touchStart", at["x"], at["y"])
        for part in (0.3, 0.7, 1):
            self._touch_event("touchMove", at["x"] + part * at["dx"], at["y"] + part * at["dy"])
        self._touch_event("touchEnd")

    def _touch_event(self, kind: str, *point: float) -> None:
        points = [dict(zip("xy", point, strict=True))] if point else []
        self._touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def play_by_mouse(self, movetext: str) -> None:
        """Play tokens by dragging; the stock is clicked."""
        for token in movetext.split():
            if token[0] in "DR":
                for _ in range(int(token[1:] or 1)):
                    self.click("stock")
            else:
                self.drag(*move_of(token))
