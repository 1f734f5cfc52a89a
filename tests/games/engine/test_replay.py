"""docs/contract.md, "Verdict": what a replay answers."""

import json

import pytest

from games.engine import REFUSALS, CodeError, DealCode, Refusal, parse_code, replay, steps

from .vectors import WINS

DEAL = "EH1-N-AAAAAAF"


def refused(movetext: str, code: str = DEAL) -> tuple[int, int, str, str]:
    refusal = replay(code, movetext).refused
    assert refusal is not None
    return refusal.index, refusal.token, refusal.action, refusal.code


def test_empty_log_is_legal_and_not_won() -> None:
    assert replay(DEAL, " \n").as_dict() == {
        "code": DEAL, "legal": True, "won": False,
        "score": 0, "ranked_score": 0, "moves": 0, "undos": 0, "take_backs": 0,
        "foundation_cards": 0, "actions": 0, "refused": None,
    }  # fmt: skip


def test_verdict_is_json_with_the_fields_of_the_contract_in_order() -> None:
    verdict = replay("eh1-n-aaaaaaf ", "D3 x").as_dict()
    assert list(json.loads(json.dumps(verdict))) == [
        "code", "legal", "won", "score", "ranked_score", "moves", "undos", "take_backs",
        "foundation_cards", "actions", "refused",
    ]  # fmt: skip
    assert verdict["refused"] == {
        "index": 3,
        "token": 1,
        "action": "x",
        "code": "notation.token",
        "message": REFUSALS["notation.token"],
    }


def test_code_may_be_given_parsed() -> None:
    code = parse_code(DEAL)
    assert isinstance(code, DealCode)
    assert replay(code, "D") == replay(DEAL, "D")


def test_not_a_deal_is_an_error_and_no_verdict() -> None:
    with pytest.raises(CodeError):
        replay("EH1-N-AAAAAAA", "")


def test_index_counts_actions_and_token_counts_tokens() -> None:
    assert refused("D3 U R") == (4, 2, "R", "stock.not_empty")


def test_a_count_is_refused_at_the_action_that_fails() -> None:
    assert refused("D56 D5") == (59, 1, "D", "stock.empty")
    assert refused("D20000") == (59, 0, "D", "stock.empty")
    assert refused("D3 U5") == (6, 1, "U", "undo.nothing")
    assert refused("D59 R D59 U20 U90") == (119 + 100, 4, "U", "undo.limit")


def test_fields_describe_the_position_before_the_refused_action() -> None:
    verdict = replay(DEAL, "D56 D5")
    assert (verdict.legal, verdict.moves, verdict.actions) == (False, 59, 59)
    verdict = replay(DEAL, "D3 U5")
    assert (verdict.moves, verdict.undos, verdict.actions) == (3, 3, 6)


def test_the_first_refusal_of_the_log_wins() -> None:
    assert refused("D R foo")[3] == "stock.not_empty"
    assert refused("D foo R")[3] == "notation.token"


def test_refused_group_is_shown_as_it_was_asked_for() -> None:
    assert refused("12v3")[2:] == ("12v3", "group.one_at_a_time")
    assert refused("12v0")[2:] == ("12v0", "notation.group")


@pytest.mark.parametrize(
    ("token", "shown"),
    [
        ("x" * 33, "x" * 32),
        ("\u00e9\x00\ud800a", "\ufffd\ufffd\ufffda"),
        ("\x7f<b>", "\ufffd<b>"),
    ],
)
def test_malformed_token_is_shown_short_and_printable(token: str, shown: str) -> None:
    assert refused(token)[2] == shown


def test_a_malformed_token_after_the_win_is_still_malformed() -> None:
    code, movetext = WINS[0]["code"], WINS[0]["movetext"]
    assert refused(f"{movetext} foo", code)[3] == "notation.token"
    assert refused(f"{movetext} U3", code)[2:] == ("U", "game.over")
    over = replay(code, f"{movetext} D")
    assert (over.won, over.legal) == (True, False)


# Steps.


def test_there_is_one_step_for_each_action() -> None:
    played = list(steps(DEAL, "D3 U D2"))
    assert [step.action for step in played] == ["D", "D", "D", "U", "D", "D"]
    assert [step.index for step in played] == list(range(6))
    assert [step.token for step in played] == [0, 0, 0, 1, 2, 2]
    assert [step.moves for step in played] == [1, 2, 3, 3, 4, 5]


def test_joined_steps_are_tokens() -> None:
    played = list(steps(DEAL, "D3 U2 D60", joined=True))
    assert [(step.action, step.actions, step.index) for step in played] == [
        ("D3", 3, 0), ("U2", 2, 3), ("D58", 58, 5), ("D", 0, 63),
    ]  # fmt: skip
    assert played[-1].refusal == Refusal(index=63, token=2, action="D", code="stock.empty")


def test_steps_tell_cards_points_and_cards_turned_up() -> None:
    log = next(log for log in WINS if log["code"].startswith("EH") and "v" in log["movetext"])
    played = list(steps(log["code"], log["movetext"], joined=True))
    assert {step.points for step in played if step.turned_up} <= {5, 15}
    assert sum(step.turned_up is not None for step in played) == 36
    assert sum(step.points for step in played) == played[-1].score
    group = next(step for step in played if "v" in step.action)
    assert len(group.cards) == int(group.action[-1], 16)
    assert group.position.columns[int(group.action[1]) - 1] == group.cards
    assert played[-1].won


def test_undo_step_gives_points_and_cards_back() -> None:
    log = "D U U"
    first, second, third = steps(DEAL, log)
    assert first.cards == second.cards == ("9D",)
    assert second.position.waste == ()
    assert third.refusal is not None
    assert third.refusal.code == "undo.nothing"
    assert third.position == second.position


@pytest.mark.parametrize("joined", [False, True])
def test_steps_end_like_the_verdict(joined: bool) -> None:
    for log in WINS[::40]:
        verdict = replay(log["code"], log["movetext"])
        *_, last = steps(log["code"], log["movetext"], joined=joined)
        for name in ("score", "ranked_score", "moves", "undos", "take_backs", "won"):
            assert getattr(last, name) == getattr(verdict, name)


def test_steps_raise_at_the_call() -> None:
    with pytest.raises(CodeError):
        steps("nothing", "")


def test_step_is_json() -> None:
    for step in steps(DEAL, "D R"):
        assert json.loads(json.dumps(step.as_dict()))["position"]["waste"] == ["9D"]
