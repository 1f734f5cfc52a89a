"""A refused move says which rule it broke, in the player's language, and changes nothing."""

import pytest
from django.utils.translation import gettext, override
from playwright.sync_api import expect

from games import engine
from tests.e2e.conftest import Visit, Visitor
from tests.e2e.positions import refused
from tests.e2e.service import practice
from tests.e2e.table import move_of
from tests.logs import WINS

HARP = "EH1-N-AAAAAAF"
EIGHT = "EO1-C8-AAAAAFA"
LOCALES = {"en": "en-GB", "it": "it-IT", "es": "es-ES"}


def text_of(code: str, language: str) -> str:
    with override(language):
        return gettext(engine.REFUSALS[code])


@pytest.mark.parametrize("language", LOCALES)
@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        (HARP, ("column.same_colour", "column.wrong_rank", "foundation.not_next")),
        (EIGHT, ("column.wrong_suit", "foundation.not_next", "cell.occupied")),
    ],
)
def test_a_drag_that_breaks_a_rule_shows_the_rule(
    code: str, wanted: tuple[str, ...], language: str, visit: Visit
) -> None:
    visitor = visit(locale=LOCALES[language])
    table = visitor.practise(code)
    before = table.state()
    for name in wanted:
        table.drag(*move_of(refused(code, "", name)))
        box = visitor.page.locator("#refusal")
        expect(box).to_have_text(text_of(name, language))
        expect(box).to_have_attribute("data-code", name)
        assert table.state() == before


@pytest.mark.parametrize("language", LOCALES)
@pytest.mark.parametrize(
    ("code", "keys"),
    [
        (
            HARP,
            {
                "r": "stock.not_empty",
                "w": "waste.empty",
                "u": "undo.nothing",
                "h1": "foundation.empty",
                "33": None,
            },
        ),
        (EIGHT, {"u": "undo.nothing", "h1": "foundation.empty", "k": "cell.empty"}),
    ],
)
def test_a_key_that_breaks_a_rule_shows_the_rule(
    code: str, keys: dict[str, str | None], language: str, visit: Visit
) -> None:
    visitor = visit(locale=LOCALES[language])
    table = visitor.practise(code)
    before = table.state()
    for typed, name in keys.items():
        for key in typed:
            visitor.page.keyboard.press(key)
        if name:
            expect(visitor.page.locator("#refusal")).to_have_text(text_of(name, language))
        assert table.state() == before
        visitor.page.keyboard.press("Escape")


def test_refusals_are_announced_to_a_screen_reader(visitor: Visitor) -> None:
    visitor.practise(HARP)
    visitor.page.keyboard.press("u")
    alert = visitor.page.get_by_role("alert").filter(has_text=text_of("undo.nothing", "en"))
    expect(alert).to_be_visible()


@pytest.mark.parametrize("by", ["drag", "keys"])
def test_without_interactive_rules_no_rule_is_shown(by: str, visit: Visit) -> None:
    visitor = visit(kept={"settings": {"interactiveRules": False}})
    table = visitor.practise(HARP)
    before = table.state()
    token = refused(HARP, "", "column.same_colour")
    if by == "drag":
        table.drag(*move_of(token))
    else:
        table.keys(token)
    expect(visitor.page.locator("#say")).to_have_text("Not allowed.")
    expect(visitor.page.locator("#refusal")).to_be_hidden()
    assert table.state() == before


def test_a_group_over_the_limit_is_refused_as_a_group(visit: Visit) -> None:
    """A run of three with no cell free: one card at a time is all that moves."""
    win = next(win for win in WINS if win.code == "EO1-C2-AAAPIOI")
    code, movetext, token = win.code, " ".join(win.tokens[:46]), "34v3"
    visitor = visit(kept=practice(code, movetext))
    table = visitor.practise(code)
    before = table.state()
    table.drag(*move_of(token))
    expect(visitor.page.locator("#refusal")).to_have_text(text_of("group.too_long", "en"))
    assert table.state() == before
