"""Every text of ours in every language: a missing translation is a failure."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import polib
import pytest
from django.conf import settings
from django.utils.translation import gettext, override
from django.utils.translation.template import templatize

from games import engine, errors

ROOT = settings.BASE_DIR
LANGUAGES = [language for language, _name in settings.LANGUAGES if language != "en"]
# Each application has the texts of its own; scripts are in one of them.
APPS = ("games", "leaderboard", "config")
CATALOGUES = [
    *((app, "django", language) for app in APPS for language in LANGUAGES),
    *(("games", "djangojs", language) for language in LANGUAGES),
]
_MARKERS = {"_", "gettext", "gettext_lazy", "gettext_noop", "ngettext", "ngettext_lazy"}
# What templatize makes of a template's tags: calls with Python's literals.
_LITERAL = r"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"""
_IN_TEMPLATIZED = re.compile(rf"\b(?:gettext|ngettext|_)\(\s*u?{_LITERAL}")
_IN_SCRIPT = re.compile(rf"\bn?gettext\(\s*{_LITERAL}")


def catalogue(app: str, domain: str, language: str) -> Path:
    return ROOT / app / "locale" / language / "LC_MESSAGES" / f"{domain}.po"


def marked_texts(app: str, domain: str) -> Iterator[tuple[str, str]]:
    """Yield every text that the sources of an application mark for translation, and where."""
    if domain == "djangojs":
        for file in sorted((ROOT / app / "static/web").rglob("*.js")):
            yield from ((text, str(file)) for text in _literals(_IN_SCRIPT, file.read_text()))
        return
    for file in sorted((ROOT / app).rglob("*")):
        if file.suffix == ".py":
            yield from ((text, str(file)) for text in _in_code(file))
        elif file.suffix in (".html", ".txt"):
            calls = templatize(file.read_text(), origin=str(file))
            yield from ((text, str(file)) for text in _literals(_IN_TEMPLATIZED, calls))


def _literals(pattern: re.Pattern[str], source: str) -> Iterator[str]:
    return (ast.literal_eval(found) for found in pattern.findall(source))


def _in_code(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
            if name in _MARKERS and node.args and isinstance(node.args[0], ast.Constant):
                yield str(node.args[0].value)


each_catalogue = pytest.mark.parametrize(("app", "domain", "language"), CATALOGUES)


def is_translated(entry: polib.POEntry) -> bool:
    forms = entry.msgstr_plural.values() if entry.msgid_plural else [entry.msgstr]
    return all(forms) and not entry.fuzzy


@each_catalogue
def test_every_marked_text_is_translated(app: str, domain: str, language: str) -> None:
    entries = polib.pofile(str(catalogue(app, domain, language)))
    translated = {entry.msgid for entry in entries if is_translated(entry)}
    missing = {text: where for text, where in marked_texts(app, domain) if text not in translated}
    assert missing == {}
    assert translated


@each_catalogue
def test_nothing_is_left_of_texts_that_are_gone(app: str, domain: str, language: str) -> None:
    marked = {text for text, _where in marked_texts(app, domain)}
    assert {entry.msgid for entry in polib.pofile(str(catalogue(app, domain, language)))} <= marked


@each_catalogue
def test_the_compiled_catalogue_is_that_of_the_texts(app: str, domain: str, language: str) -> None:
    """What `make messages` compiles; the service reads the compiled one."""
    texts = polib.pofile(str(catalogue(app, domain, language)))
    compiled = polib.mofile(str(catalogue(app, domain, language).with_suffix(".mo")))
    assert {entry.msgid: (entry.msgstr, entry.msgstr_plural) for entry in compiled} == {
        entry.msgid: (entry.msgstr, entry.msgstr_plural) for entry in texts
    }


@each_catalogue
def test_a_translation_has_the_same_places_to_fill(app: str, domain: str, language: str) -> None:
    places = re.compile(r"%\(\w+\)[sd]|%%")
    for entry in polib.pofile(str(catalogue(app, domain, language))):
        wanted = sorted(places.findall(entry.msgid_plural or entry.msgid))
        for text in entry.msgstr_plural.values() if entry.msgid_plural else [entry.msgstr]:
            assert sorted(places.findall(text)) == wanted, entry.msgid


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_has_its_text_in_every_language(language: str) -> None:
    texts = [*engine.REFUSALS.values(), *engine.CODE_ERRORS.values(), *engine.LIMIT_ERRORS.values()]
    with override(language):
        assert all(gettext(text) != text for text in texts)
        described = {code: str(text) for code, text in errors.DESCRIPTIONS.items()}
    with override("en"):
        assert all(described[code] != str(text) for code, text in errors.DESCRIPTIONS.items())


# --- The rules as prose ------------------------------------------------------------------------

RULES = ROOT / "games/templates/web/rules"
PAGES = sorted({file.name.partition(".")[0] for file in RULES.glob("*.html")})


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_have_the_same_parts_in_every_language(page: str, language: str) -> None:
    """Headings, figures, rows of tables and keys; and no paragraph that was left in English."""
    english, other = ((RULES / f"{page}.{of}.html").read_text() for of in ("en", language))
    for part in (r'<h2 id="([^"]+)"', r'data-cards="([^"]+)"', r"<(tr|li|dt|p|pre)\b"):
        assert re.findall(part, other) == re.findall(part, english), part
    prose = re.compile(r"<(?:p|li|h1|h2|figcaption|dd)[^>]*>([^<]*[a-z]{4}[^<]*[a-z]{3}[^<]*)<")
    assert not set(prose.findall(other)) & set(prose.findall(english))


def test_there_are_rules_of_the_competition_and_of_each_game() -> None:
    assert PAGES == ["common", "easy_harp", "eight_off"]
