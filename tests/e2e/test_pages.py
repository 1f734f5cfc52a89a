"""Every page on a phone, in every language: readable, in that language, and no wider than it."""

import re

import pytest
from django.utils.translation import gettext, override
from playwright.sync_api import expect

from tests.e2e.conftest import PHONE, Visit
from tests.e2e.service import Competition
from tests.e2e.table import Table
from tests.processes import ROOT

LOCALES = {"en": "en-GB", "it": "it-IT", "es": "es-ES"}
# A text of the template, for pages with the site's header and for tables.
KNOWN = {"play": "Undo", "play, before the start": "Undo", "replay": "Speed"}

_WIDTHS = """() => [
  document.documentElement.scrollWidth,
  document.documentElement.clientWidth,
  [...document.querySelectorAll("main *")]
    .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
    .filter((element) => !element.closest(".sr-only, [data-scrolls], .table-wrap"))
    .map((element) => element.outerHTML.slice(0, 80)).slice(0, 3),
]"""


@pytest.mark.parametrize("language", LOCALES)
def test_every_page_on_a_phone(language: str, filled: Competition, visit: Visit) -> None:
    phone = visit(kept=filled.game, **PHONE | {"locale": LOCALES[language]})
    phone.watch.allow("status of 404")
    for name, (path, there) in filled.pages.items():
        page = phone.open(path)
        expect(page.locator(there).first).to_be_attached()
        expect(page.locator("html")).to_have_attribute("lang", language)
        with override(language):
            expect(page.locator("body")).to_contain_text(gettext(KNOWN.get(name, "Rules")))
        scroll, width, beyond = page.evaluate(_WIDTHS)
        assert (width, scroll <= width) == (360, True), (name, language, scroll, beyond)


def test_the_language_is_changed_by_the_settings_and_kept(visit: Visit) -> None:
    visitor = visit(locale="de-DE")
    page = visitor.open("/settings/")
    html = page.locator("html")
    expect(html).to_have_attribute("lang", "en")
    page.get_by_role("button", name="Italiano").click()
    expect(html).to_have_attribute("lang", "it")
    expect(page.locator("main h1")).to_have_text("Impostazioni")
    visitor.open("/")
    expect(html).to_have_attribute("lang", "it")
    page.locator('footer [data-language="es"]').click()
    expect(html).to_have_attribute("lang", "es")


@pytest.mark.parametrize(
    ("locale", "letters", "drawn"),
    [
        ("it-IT", "local", {"F", "D", "R"}),
        ("it-IT", "international", {"J", "Q", "K"}),
        ("es-ES", "local", {"J", "Q", "K"}),
        ("en-GB", "local", {"J", "Q", "K"}),
    ],
)
def test_only_the_drawings_have_the_letters_of_the_language(
    locale: str, letters: str, drawn: set[str], visit: Visit
) -> None:
    visitor = visit(locale=locale, kept={"settings": {"letters": letters}})
    visitor.practise("EO1-C8-AAAAAFA")
    assert courts(visitor.table) == drawn


def courts(table: Table) -> set[str]:
    """Return the letters on jacks, queens and kings, known by their drawings."""
    source = (ROOT / "games/static/web/table/deck.js").read_text()
    glyphs = dict(re.findall(r'^  ([A-Z]): \[\d+, "(.+)"\],$', source, re.MULTILINE))
    assert len(glyphs) == 7  # and the ace
    faces = table.faces()
    letters = {letter for letter, path in glyphs.items() if any(path in face for face in faces)}
    return letters - {"A"}


def test_the_letters_are_changed_by_the_settings(visit: Visit) -> None:
    visitor = visit(locale="it-IT")
    page = visitor.open("/settings/")
    page.locator('input[name="letters"][value="international"]').locator("xpath=..").click()
    visitor.practise("EO1-C8-AAAAAFA")
    assert courts(visitor.table) == {"J", "Q", "K"}


_LONG_COLUMN = """async ([code, faceDown, cards]) => {
  const { Board } = await import("/static/web/table/board.js");
  const { start } = await import("/static/web/rules/position.js");
  const table = document.getElementById("table");
  table.replaceChildren();
  const position = start(code);
  const places = position.places();
  const piles = new Map(places.map((place) => [place, [...position.pile(place)]]));
  const long = piles.get("2");
  // From wherever they lie: what counts is how many there are.
  for (const place of places) {
    const pile = piles.get(place);
    while (place !== "2" && pile.length > 1 && long.length < cards) long.push(pile.pop());
  }
  const made = {
    variant: position.variant,
    places: () => places,
    pile: (place) => piles.get(place),
    faceDown: (place) => (place === "2" ? faceDown : position.faceDown(place)),
  };
  new Board(table, { label: () => "", canDrag: () => false }).setPosition(made);
  const x = table.querySelector('.slot[data-place="2"]').offsetLeft;
  const y = table.querySelector('.slot[data-place="2"]').offsetTop;
  const column = [...table.querySelectorAll(".card")]
    .filter((card) => card.offsetLeft === x && card.offsetTop >= y)
    .sort((one, other) => one.offsetTop - other.offsetTop);
  const tops = column.map((card) => card.offsetTop);
  const strips = tops.slice(1).map((top, at) => top - tops[at]);
  const last = column.at(-1).getBoundingClientRect();
  return {
    count: column.length,
    strips: strips.slice(faceDown),
    isInside: last.bottom <= table.getBoundingClientRect().bottom + 1,
  };
}"""


@pytest.mark.parametrize(
    ("code", "face_down", "cards"),
    [("EH1-N-AAAAAAF", 8, 21), ("EH1-N-AAAAAAF", 0, 20), ("EO1-C8-AAAAAFA", 0, 20)],
)
def test_a_long_column_on_a_phone_shows_every_index(
    code: str, face_down: int, cards: int, visit: Visit
) -> None:
    phone = visit(**PHONE)
    phone.practise(code)
    column = phone.page.evaluate(_LONG_COLUMN, [code, face_down, cards])
    assert column["count"] == cards
    assert min(column["strips"]) >= 12, column
    assert column["isInside"]


_MODULES = """() => {
  const modules = (list) => list.filter((name) => name.endsWith(".js") && !name.includes("theme"));
  const fetched = performance.getEntriesByType("resource").map(({ name }) => name);
  const links = [...document.querySelectorAll("link[rel=modulepreload]")].map(({ href }) => href);
  return [modules(fetched).filter((name) => name.includes("/static/")).sort(), links.sort()];
}"""


def test_a_table_fetches_all_its_modules_at_once(visit: Visit, filled: Competition) -> None:
    visitor = visit()
    visitor.practise("EO1-C8-AAAAAFA")
    fetched, preloaded = visitor.page.evaluate(_MODULES)
    assert fetched == preloaded
    page = visitor.open(f"/replay/eight-off/{filled.final.date}/")
    expect(page.locator("#forward:enabled")).to_be_attached()
    fetched, preloaded = page.evaluate(_MODULES)
    assert fetched == preloaded
