"""Games, deals for practice, dry-run verdicts."""

import json

import pytest

from games import engine
from games.models import DailyDeal
from tests.logs import FEW_WINS, VECTORS, WINS, wins_of
from tests.play import Caller, assign, error_of

pytestmark = pytest.mark.django_db

LAYOUTS = json.loads((VECTORS / "layouts.json").read_text())

BAD_CODES = {
    "XX1-N-AAAAAAF": "code.unknown_game",
    "EH2-N-AAAAAAF": "code.unknown_version",
    "EH1-C8-AAAAAAF": "code.unknown_variant",
    "EH1-N-AAAAAF": "code.length",
    "EH1-N-AAAAAA1": "code.letter",
    "EH1-N-AAAAAAA": "code.range",
    "EH1-N-7777777": "code.range",
}


@pytest.mark.parametrize("code", LAYOUTS)
def test_a_layout_by_code_is_that_of_the_vectors(code: str) -> None:
    answer = Caller().get(f"deals/{code.lower()}/")
    assert answer.status_code == 200
    assert answer.json()["code"] == code
    assert answer.json()["layout"] == LAYOUTS[code]


@pytest.mark.parametrize(("code", "error_code"), BAD_CODES.items())
def test_a_bad_code_is_refused_with_its_own_error_code(code: str, error_code: str) -> None:
    for answer in (
        Caller().get(f"deals/{code}/"),
        Caller().post("verify/", {"code": code, "movetext": ""}),
    ):
        assert answer.status_code == 400
        assert error_of(answer)["code"] == error_code


@pytest.mark.parametrize("code", ["%00", "%F0%9F%82%A1", "a" * 3000, "..%2f..", "%ff%fe"])
def test_any_address_for_a_deal_is_answered(code: str) -> None:
    answer = Caller().get(f"deals/{code}/")
    assert answer.status_code in (400, 404)
    assert error_of(answer)


@pytest.mark.parametrize("slug", engine.VARIANTS)
def test_a_random_deal_is_one_of_the_variant(slug: str) -> None:
    deal = Caller().get(f"deals/random/?variant={slug}").json()
    assert deal["variant"] == slug
    assert engine.parse_code(deal["code"]).variant.slug == slug
    assert deal["layout"] == engine.deal(deal["code"]).as_dict()


@pytest.mark.parametrize("status", DailyDeal.Status.values)
def test_the_random_deal_leaves_no_deal_out(monkeypatch, status: str) -> None:
    """A number that never came would be the code of a deal that no one may know yet."""
    deal = assign("eight-off")
    DailyDeal.objects.update(status=status)
    monkeypatch.setattr(
        "games.api.practice.secrets.randbelow", lambda _most: deal.pool_deal.number - 1
    )
    answer = Caller().get("deals/random/?variant=eight-off")
    assert answer.json()["code"] == str(deal.pool_deal.code)


@pytest.mark.parametrize(("drawn", "number"), [(0, engine.MIN_NUMBER), (-1, engine.MAX_NUMBER)])
def test_a_random_deal_may_be_the_first_and_the_last(monkeypatch, drawn: int, number: int) -> None:
    monkeypatch.setattr("games.api.practice.secrets.randbelow", lambda most: drawn % most)
    answer = Caller().get("deals/random/?variant=eight-off")
    assert answer.json()["layout"]["number"] == number


@pytest.mark.parametrize("query", ["", "?variant=", "?variant=bridge", "?variant=%00"])
def test_a_random_deal_needs_a_known_variant(query: str) -> None:
    answer = Caller().get(f"deals/random/{query}")
    assert answer.status_code == 400
    assert error_of(answer)["attr"] == "variant"


@pytest.mark.parametrize("win", FEW_WINS, ids=lambda win: f"{win.code}-{len(win.tokens)}")
def test_verify_gives_the_verdict_and_stores_nothing(win, django_assert_num_queries) -> None:
    with django_assert_num_queries(0):
        answer = Caller().post("verify/", {"code": win.code, "movetext": win.movetext})
    assert answer.status_code == 200
    verdict = answer.json()
    assert verdict == engine.replay(win.code, win.movetext).as_dict()
    assert (verdict["won"], verdict["score"], verdict["moves"]) == (True, win.score, win.moves)


def test_an_illegal_log_is_a_verdict() -> None:
    win = wins_of("eight-off")[0]
    answer = Caller().post("verify/", {"code": win.code, "movetext": win.illegal})
    assert answer.status_code == 200
    assert answer.json()["legal"] is False
    refused = answer.json()["refused"]
    assert refused["code"].startswith("notation.")
    assert refused["token"] == len(win.half.split())


@pytest.mark.parametrize(
    ("movetext", "code"),
    [
        ("D" * 65_537, "log.too_large"),
        ("é" * 40_000, "log.too_large"),
        ("D20001", "log.too_many_actions"),
        ("U20000 U", "log.too_many_actions"),
        ("D" + "9" * 9_000, "log.too_many_actions"),
    ],
)
def test_a_log_over_the_limits_is_413(movetext: str, code: str) -> None:
    answer = Caller().post("verify/", {"code": WINS[0].code, "movetext": movetext})
    assert answer.status_code == 413
    assert error_of(answer)["code"] == code


@pytest.mark.parametrize("language", ["en", "it", "es"])
def test_the_catalogue_has_every_refusal_with_its_text(language: str) -> None:
    answer = Caller().get("variants/", HTTP_ACCEPT_LANGUAGE=language).json()
    assert [variant["slug"] for variant in answer["variants"]] == list(engine.VARIANTS)
    assert {entry["code"] for entry in answer["refusals"]} == set(engine.REFUSALS)
    assert {*engine.CODE_ERRORS, *engine.LIMIT_ERRORS} <= {
        entry["code"] for entry in answer["errors"]
    }
    assert all(entry["text"] for entry in answer["refusals"] + answer["errors"])
    assert answer["limits"] == {"actions": 20_000, "bytes": 65_536}
