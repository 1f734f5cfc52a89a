"""docs/growing.md: a new variant, game or refusal fails here until every place has it.

tests/e2e/test_accessibility.py finds a page that no test visits.
"""

import json
import re
from importlib import import_module
from pathlib import Path

import pytest
from django.conf import settings
from django.template.loader import get_template
from django.utils.translation import gettext, override

from games import engine, solver
from games.engine import VARIANTS
from games.pages.views import GAMES
from games.pool_files import read_pool, shipped_pool
from games.templatetags.web import table_picture
from tests.logs import wins_of

ROOT = Path(__file__).parents[1]
CONTRACT = (ROOT / "docs/contract.md").read_text()
RULES = (ROOT / "docs/rules.md").read_text()
VECTORS = ROOT / "tests/vectors"
OTHER_LANGUAGES = [code for code, _name in settings.LANGUAGES if code != "en"]

each_variant = pytest.mark.parametrize("slug", VARIANTS)
each_game = pytest.mark.parametrize("game", sorted({v.game for v in VARIANTS.values()}))


# --- A variant --------------------------------------------------------------------------------


@each_variant
def test_every_variant_has_a_shipped_pool(slug: str) -> None:
    assert len(list(read_pool(shipped_pool(slug), variant=slug))) >= 100


@each_variant
def test_every_variant_has_grades_from_1_to_5(slug: str) -> None:
    thresholds = import_module("games.solver.grades").THRESHOLDS[slug]
    assert len(thresholds) == 4
    assert list(thresholds) == sorted(thresholds)


@each_variant
def test_every_variant_has_winning_logs_and_layouts_among_the_vectors(slug: str) -> None:
    assert wins_of(slug)
    layouts = json.loads((VECTORS / "layouts.json").read_text())
    assert any(code.startswith(VARIANTS[slug].code_prefix) for code in layouts)


@each_variant
def test_the_contract_and_the_rules_name_every_variant(slug: str) -> None:
    assert f"`{slug}`" in CONTRACT
    assert VARIANTS[slug].code_prefix.split("-")[1] in RULES


@each_variant
def test_the_texts_about_deal_codes_name_every_variant(slug: str) -> None:
    letters = VARIANTS[slug].code_prefix.split("-")[1]
    assert re.search(rf"\b{letters}\b", engine.CODE_ERRORS["code.unknown_variant"])


@each_variant
@pytest.mark.parametrize("language", OTHER_LANGUAGES)
def test_every_variant_has_a_translated_name(slug: str, language: str) -> None:
    catalogue = (ROOT / "games/locale" / language / "LC_MESSAGES/django.po").read_text()
    assert f'msgid "{VARIANTS[slug].name}"' in catalogue
    with override(language):
        assert gettext(VARIANTS[slug].name)


@each_variant
def test_every_variant_has_a_picture_of_its_table(slug: str) -> None:
    assert "<svg" in table_picture(slug)


# --- A game -----------------------------------------------------------------------------------


@each_game
def test_every_game_can_be_searched(game: str) -> None:
    slug = next(variant.slug for variant in VARIANTS.values() if variant.game == game)
    code = wins_of(slug)[0].code
    assert solver.solve(code, budget=1).outcome in ("winnable", "unknown")


@each_game
@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
def test_every_game_has_a_page_of_rules_in_every_language(game: str, language: str) -> None:
    assert get_template(f"web/rules/{GAMES[game]}.{language}.html")


@each_game
def test_every_game_has_a_part_of_its_own_in_the_rules(game: str) -> None:
    name = next(v.name for v in VARIANTS.values() if v.game == game).split(",")[0]
    assert re.search(rf"^## {name}", RULES, re.M)


# --- A refusal --------------------------------------------------------------------------------


@pytest.mark.parametrize("code", engine.REFUSALS)
def test_every_refusal_of_an_action_has_a_log_among_the_vectors(code: str) -> None:
    logs = json.loads((VECTORS / "refusals.json").read_text())
    assert code in {log["refusal"] for log in logs}
