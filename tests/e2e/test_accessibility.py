"""Everyone can use it: axe-core finds nothing serious, keys reach everything, moves are spoken."""

from collections.abc import Iterator
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from django.urls import URLResolver, get_resolver, resolve
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Visit, Visitor
from tests.e2e.service import Competition

HARP = "EH1-N-AAAAAAF"
SEVERE = ("serious", "critical")
_NAMES = (
    "home",
    "play, before the start",
    "play",
    "result",
    "board",
    "board, final",
    "archive",
    "player",
    "rules",
    "rules of Easy Harp",
    "rules of Eight Off",
    "settings",
    "replay",
    "404",
)


def severe(page: Page) -> list[tuple[Any, ...]]:
    """Return what axe-core holds to be serious or critical in either theme, with the places."""
    problems = []
    # Themes differ in nothing but colours.
    for theme, rules in (("light", {}), ("dark", {"runOnly": ["color-contrast"]})):
        page.emulate_media(color_scheme=theme)
        options = {"resultTypes": ["violations"], **rules}
        problems += [
            (theme, found["id"], [node["html"][:120] for node in found["nodes"][:3]])
            for found in Axe().run(page, options=options).response["violations"]
            if found["impact"] in SEVERE
        ]
    return problems


def test_no_page_has_a_serious_finding(filled: Competition, visit: Visit) -> None:
    visitor = visit(kept=filled.game)
    visitor.watch.allow("status of 404")
    assert tuple(filled.pages) == _NAMES
    found = {}
    for name, (path, there) in filled.pages.items():
        page = visitor.open(path)
        expect(page.locator(there).first).to_be_attached()
        found[name] = severe(page)
    assert {name: problems for name, problems in found.items() if problems} == {}


# Addresses without a page: a redirect, scripts, and the table that `practice` shares with `play`.
_NO_PAGES = {"leaderboards", "texts", "service-worker", "practice", "replay-line"}


def test_every_page_is_looked_at(filled: Competition) -> None:
    def names(resolver: URLResolver) -> Iterator[str]:
        for entry in resolver.url_patterns:
            if isinstance(entry, URLResolver):
                yield from names(entry)
            elif entry.name:
                yield entry.name

    (pages,) = (
        entry
        for entry in get_resolver().url_patterns
        if isinstance(entry, URLResolver) and entry.namespace == "web"
    )
    looked_at = {
        resolve(path.partition("?")[0]).url_name
        for name, (path, _there) in filled.pages.items()
        if name != "404"
    }
    assert set(names(pages)) - _NO_PAGES == looked_at - _NO_PAGES


def test_no_dialog_has_a_serious_finding(visitor: Visitor) -> None:
    visitor.practise(HARP)
    page = visitor.page
    page.keyboard.press("u")
    expect(page.locator("#refusal")).to_be_visible()
    assert severe(page) == []
    for name in ("new-game", "help"):
        page.locator(f"#{name}").click()
        expect(page.locator(f"#{name}-dialog")).to_be_visible()
        assert severe(page) == []
        page.keyboard.press("Escape")
        expect(page.locator(f"#{name}-dialog")).to_be_hidden()
        expect(page.locator(f"#{name}")).to_be_focused()


_FOCUSED = """() => {
  const element = document.activeElement;
  const style = getComputedStyle(element);
  return {
    name: (element.ariaLabel ?? element.textContent).trim().replace(/\\s+/g, " "),
    place: element.dataset.place ?? "",
    id: element.id,
    isSeen: (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2)
      || style.boxShadow !== "none",
  };
}"""


def tabbed(page: Page, times: int) -> list[dict[str, Any]]:
    """Press Tab so often, and return what had the focus each time."""
    stops = []
    for _ in range(times):
        page.keyboard.press("Tab")
        stops.append(page.evaluate(_FOCUSED))
    return stops


def test_the_focus_goes_through_the_home_page_in_order_and_is_seen(visitor: Visitor) -> None:
    stops = tabbed(visitor.open("/"), 10)
    names = [stop["name"] for stop in stops]
    assert names[:7] == [
        "Skip to content",
        "Daily deal",
        "Today",
        "Leaderboards",
        "Archive",
        "Rules",
        "Settings",
    ]
    assert names[8:] == ["Play", "Leaderboard"]
    assert [stop["name"] for stop in stops if not stop["isSeen"]] == []


def test_the_skip_link_leads_past_the_navigation(visitor: Visitor) -> None:
    page = visitor.open("/")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert tabbed(page, 1)[0]["name"] == "Play"


def test_the_table_is_one_stop_and_arrows_walk_in_it(visitor: Visitor) -> None:
    visitor.practise(HARP)
    page = visitor.page
    page.locator(".play-home").focus()
    table, undo, new_game, help_ = tabbed(page, 4)
    assert table["place"] == "1"
    assert [stop["id"] for stop in (undo, new_game, help_)] == ["undo", "new-game", "help"]
    assert all(stop["isSeen"] for stop in (table, undo, new_game, help_))
    visitor.table.slot("1").focus()
    walked = []
    for key in ("ArrowRight", "ArrowRight", "ArrowUp", "ArrowLeft", "ArrowDown"):
        page.keyboard.press(key)
        stop = page.evaluate(_FOCUSED)
        assert stop["isSeen"]
        walked.append(stop["place"])
    assert walked[:2] == ["2", "3"]
    assert walked[2] in {"h1", "h2", "w"}


def test_a_move_is_announced_to_a_screen_reader(visitor: Visitor) -> None:
    table = visitor.practise(HARP)
    page = visitor.page
    say = page.locator("#say")
    expect(say).to_have_attribute("aria-live", "polite")
    page.keyboard.press("d")
    drawn = table.labels()["w"].removeprefix("waste: ")
    expect(say).to_have_text(f"Drawn: {drawn}.")
    page.keyboard.press("u")
    expect(say).to_have_text("Undone.")
    # Enter picks up and puts down, as the click of a screen reader does.
    table.slot("9").focus()
    page.keyboard.press("Enter")
    expect(table.slot("9")).to_have_attribute("aria-pressed", "true")
    expect(say).to_contain_text("Picked up")
    page.keyboard.press("Escape")
    expect(say).to_have_text("Put back.")
    expect(page.locator("#table [aria-pressed]")).to_have_count(0)
