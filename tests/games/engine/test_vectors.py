"""The vectors that any implementation of the rules can be held to; completeness is a test."""

import json
import re
from pathlib import Path

import pytest

from games import engine
from games.engine import REFUSALS, VARIANTS, canonical, deal, parse_code, replay

from .vectors import FC_SOLVE, LAYOUTS, WINS, WRONG_LOGS

# What cannot happen in a variant, for want of the places or of the rule.
IMPOSSIBLE = {
    "easy-harp": {
        "cell.empty", "cell.occupied", "cell.same_cell", "column.no_such", "column.wrong_suit",
        "foundation.no_such", "group.not_a_run", "group.too_long", "stock.no_such",
        "waste.no_such",
    },
    "eight-off": {
        "cell.no_such", "column.same_colour", "group.one_at_a_time", "stock.empty",
        "stock.not_empty", "stock.nothing_left", "waste.empty", "waste.no_entry",
    },
}  # fmt: skip
IMPOSSIBLE["eight-off-4"] = IMPOSSIBLE["eight-off-2"] = IMPOSSIBLE["eight-off"] - {"cell.no_such"}


@pytest.mark.parametrize("code", LAYOUTS)
def test_layout_is_dealt_as_written(code: str) -> None:
    assert json.dumps(deal(code).as_dict()) == json.dumps(LAYOUTS[code])


@pytest.mark.parametrize("log", WINS, ids=lambda log: log["code"])
def test_winning_log_gives_the_verdict_written_beside_it(log: dict[str, str]) -> None:
    verdict = replay(log["code"], log["movetext"])
    assert (verdict.legal, verdict.won, verdict.refused) == (True, True, None)
    assert (verdict.score, verdict.ranked_score, verdict.moves) == (
        int(log["score"]),
        int(log["ranked_score"]),
        int(log["moves"]),
    )
    variant = parse_code(log["code"]).variant
    assert verdict.foundation_cards == variant.deck_size
    assert verdict.ranked_score <= variant.max_ranked_score


def test_easy_harp_won_without_take_backs_scores_1220_plus_5_for_each_waste_card_to_a_column() -> (
    None
):
    checked = 0
    for log in WINS:
        tokens = log["movetext"].split()
        undone = any(token.startswith("U") for token in tokens)
        if log["code"].startswith("EH") and not undone and log["score"] == log["ranked_score"]:
            to_columns = sum(re.fullmatch("w[1-9]", token) is not None for token in tokens)
            assert int(log["score"]) == 1220 + 5 * to_columns
            checked += 1
    assert checked > 20


@pytest.mark.parametrize("log", WINS, ids=lambda log: log["code"])
def test_winning_log_is_canonical_with_and_without_its_counts(log: dict[str, str]) -> None:
    without_counts = re.sub("v.", "", log["movetext"])
    assert canonical(log["code"], without_counts) == log["movetext"]
    assert canonical(log["code"], log["movetext"]) == log["movetext"]


def test_log_without_its_last_action_is_legal_and_not_won() -> None:
    for log in WINS:
        verdict = replay(log["code"], log["movetext"].rpartition(" ")[0])
        assert (verdict.legal, verdict.won) == (True, False)


@pytest.mark.parametrize("log", FC_SOLVE, ids=lambda log: log["code"])
def test_line_printed_by_fc_solve_is_accepted_as_it_is_and_wins(log: dict[str, str]) -> None:
    verdict = replay(log["code"], log["movetext"])
    assert (verdict.legal, verdict.won, verdict.score) == (True, True, 520)


@pytest.mark.parametrize("vector", WRONG_LOGS, ids=lambda v: f"{v['variant']}-{v['refusal']}")
def test_wrong_log_gives_exactly_its_verdict(vector: dict) -> None:
    expected = vector["verdict"]
    verdict = replay(expected["code"], vector["movetext"]).as_dict()
    assert verdict["refused"].pop("message") == REFUSALS[vector["refusal"]]
    assert verdict == expected
    assert expected["refused"]["code"] == vector["refusal"]
    assert parse_code(expected["code"]).variant.slug == vector["variant"]


@pytest.mark.parametrize("slug", VARIANTS)
def test_every_refusal_code_has_a_wrong_log_in_every_variant_where_it_can_happen(
    slug: str,
) -> None:
    shown = {vector["refusal"] for vector in WRONG_LOGS if vector["variant"] == slug}
    assert shown == set(REFUSALS) - IMPOSSIBLE[slug]


@pytest.mark.parametrize("slug", VARIANTS)
def test_every_variant_has_a_winning_log_and_a_layout(slug: str) -> None:
    assert any(parse_code(log["code"]).variant.slug == slug for log in WINS)
    assert any(parse_code(code).variant.slug == slug for code in LAYOUTS)


def test_every_refusal_code_is_named_by_place_and_cause_and_has_a_text() -> None:
    for code, text in REFUSALS.items():
        place, _, cause = code.partition(".")
        assert place in {
            "notation", "stock", "waste", "column", "cell", "foundation", "group", "undo", "game",
        }  # fmt: skip
        assert re.fullmatch("[a-z_]+", cause)
        assert text.endswith(".")
    assert len(set(REFUSALS.values())) == len(REFUSALS)


def test_every_code_raised_in_the_engine_is_published() -> None:
    places = "|".join(sorted({code.partition(".")[0] for code in REFUSALS}))
    raised = set()
    for module in Path(engine.__file__).parent.glob("*.py"):
        if module.name != "refusals.py":
            raised |= set(re.findall(rf'"((?:{places})\.[a-z_]+)"', module.read_text()))
    # Those for a place that is empty or missing are made from the place's name.
    made = {code for code in REFUSALS if code.endswith((".empty", ".no_such"))}
    assert raised | made == set(REFUSALS)
