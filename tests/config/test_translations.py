"""Every text of ours in every language: a missing translation is a failure."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import polib
import pytest
from django.conf import settings
from django.utils.translation import gettext, override

from games import engine, errors

ROOT = settings.BASE_DIR
CATALOGUES = {
    language: settings.LOCALE_PATHS[0] / language / "LC_MESSAGES" / "django.po"
    for language, _name in settings.LANGUAGES
    if language != "en"
}
_MARKERS = {"_", "gettext", "gettext_lazy", "gettext_noop"}
_IN_TEMPLATE = re.compile(r"{%\s*translate\s+([\"'])(.+?)\1")


def marked_texts() -> Iterator[tuple[str, str]]:
    """Yield every text that the code or a template marks for translation, and where."""
    for folder in ("config", "games", "leaderboard"):
        for file in sorted((ROOT / folder).rglob("*")):
            if file.suffix == ".py":
                yield from ((text, str(file)) for text in _in_code(file))
            elif file.suffix in (".html", ".txt"):
                yield from (
                    (found[2], str(file)) for found in _IN_TEMPLATE.finditer(file.read_text())
                )


def _in_code(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
            if name in _MARKERS and node.args and isinstance(node.args[0], ast.Constant):
                yield str(node.args[0].value)


@pytest.mark.parametrize("language", CATALOGUES)
def test_every_marked_text_is_translated(language: str) -> None:
    translated = {entry.msgid for entry in polib.pofile(str(CATALOGUES[language])) if entry.msgstr}
    missing = {text: where for text, where in marked_texts() if text not in translated}
    assert not missing
    assert len(translated) > 150


@pytest.mark.parametrize("language", CATALOGUES)
def test_nothing_is_left_of_texts_that_are_gone(language: str) -> None:
    marked = {text for text, _where in marked_texts()}
    assert {entry.msgid for entry in polib.pofile(str(CATALOGUES[language]))} <= marked


@pytest.mark.parametrize("language", CATALOGUES)
def test_the_compiled_catalogue_is_that_of_the_texts(language: str) -> None:
    """What `make messages` compiles; the service reads the compiled one."""
    texts = polib.pofile(str(CATALOGUES[language]))
    compiled = polib.mofile(str(CATALOGUES[language].with_suffix(".mo")))
    assert {entry.msgid: entry.msgstr for entry in compiled} == {
        entry.msgid: entry.msgstr for entry in texts
    }


@pytest.mark.parametrize("language", CATALOGUES)
def test_a_translation_has_the_same_places_to_fill(language: str) -> None:
    places = re.compile(r"%\(\w+\)[sd]")
    for entry in polib.pofile(str(CATALOGUES[language])):
        assert sorted(places.findall(entry.msgid)) == sorted(places.findall(entry.msgstr))


@pytest.mark.parametrize("language", CATALOGUES)
def test_every_refusal_has_its_text_in_every_language(language: str) -> None:
    texts = [*engine.REFUSALS.values(), *engine.CODE_ERRORS.values(), *engine.LIMIT_ERRORS.values()]
    with override(language):
        assert all(gettext(text) != text for text in texts)
        described = {code: str(text) for code, text in errors.DESCRIPTIONS.items()}
    with override("en"):
        assert all(described[code] != str(text) for code, text in errors.DESCRIPTIONS.items())
