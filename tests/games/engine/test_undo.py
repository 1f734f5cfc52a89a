"""docs/rules.md, "Common to both": actions and moves, undo, score, the end."""

import pytest

from games.engine import start

from .tables import assert_refused, easy_harp, eight_off, state

DEAL = "EH1-N-AAAAAAF"


def test_every_action_except_an_undo_counts_one_move() -> None:
    position = eight_off("3H 2S AS", "3S", foundations={3: "AD"})
    for moves, action in enumerate(["1h", "12", "h1a", "ab", "bh", "h3c"], 1):
        position.apply(action)
        assert position.moves == moves


def test_each_draw_and_each_waste_turned_over_counts_one_move() -> None:
    position = start(DEAL)
    position.apply("D59")
    position.apply("R")
    position.apply("D3")
    assert position.moves == 63


def test_undo_neither_lowers_nor_raises_the_move_counter() -> None:
    position = start(DEAL)
    position.apply("D5")
    position.apply("U3")
    assert (position.moves, position.undos) == (5, 3)


@pytest.mark.parametrize(
    "action",
    ["1h", "2h", "3h", "wh", "w4", "w5", "54", "89", "89v3", "D", "D2", "h26", "h46", "h17"],
)
def test_undo_restores_the_position_exactly(action: str) -> None:
    position = easy_harp(
        "AS", "3C AH", "4C 3H", "3D", "8S 3H", "3D", "3H", "4S KD QS JD", "",
        hidden={2: 1, 3: 1, 5: 1, 8: 1},
        stock="5C 6C",
        waste="4H 2C",
        foundations={1: "2S", 2: "2S", 3: "2H", 7: "AC", 8: "2C"},
    )  # fmt: skip
    if action in {"1h", "54", "h46"}:
        position = easy_harp(
            "AS", "", "", "4S", "9C 3H", "3C", hidden={5: 1}, foundations={4: "2H"}
        )
    before = state(position)
    position.apply(action)
    after = state(position)
    assert after != before
    position.apply("U2" if action == "D2" else "U")
    assert state(position) == before
    position.apply(action)
    assert state(position) == after


def test_undo_takes_the_points_back() -> None:
    position = easy_harp("2C AS", hidden={1: 1})
    position.apply("1h")
    assert position.score == 15
    position.apply("U")
    assert (position.score, position.face_down_at("1")) == (0, 1)


def test_undo_of_a_waste_turned_over_restores_the_waste() -> None:
    position = start(DEAL)
    position.apply("D59")
    before = state(position)
    position.apply("R")
    position.apply("U")
    assert state(position) == before


def test_group_comes_back_in_one_undo() -> None:
    position = eight_off("2C 9H 8H 7H", "TH")
    position.apply("12")
    position.apply("U")
    assert position.cards_at("1") == ("2C", "9H", "8H", "7H")


def test_take_back_that_is_undone_does_not_count() -> None:
    position = eight_off("3S 2S AS")
    position.apply("1h")
    position.apply("h1a")
    assert (position.score, position.take_backs, position.ranked_score) == (10, 1, 0)
    position.apply("U")
    assert (position.score, position.take_backs, position.ranked_score) == (10, 0, 10)


def test_card_on_a_foundation_counts_once_in_the_ranked_score() -> None:
    position = eight_off("3S 2S AS")
    for action in ("1h", "h1a", "ah", "h1a", "ah"):
        position.apply(action)
    assert (position.score, position.ranked_score) == (30, 10)


def test_nothing_to_undo_at_the_start() -> None:
    assert_refused(start(DEAL), "U", "undo.nothing")
    position = start(DEAL)
    position.apply("D2")
    assert_refused(position, "U3", "undo.nothing")
    position.apply("U2")
    assert_refused(position, "U", "undo.nothing")


def test_only_the_last_100_actions_are_remembered() -> None:
    position = start(DEAL)
    position.apply("D59")
    position.apply("R")
    position.apply("D40")
    assert position.undoable_actions == 100
    position.apply("U100")
    assert_refused(position, "U", "undo.nothing")
    position.apply("D59")
    position.apply("R")
    position.apply("D41")
    assert_refused(position, "U101", "undo.limit")
    for _ in range(100):
        position.apply("U")
    assert_refused(position, "U", "undo.limit")
    assert len(position.cards_at("w")) == 1


def test_undone_actions_leave_room_for_new_ones() -> None:
    position = eight_off("KS")
    position.apply("1a")
    there_and_back = ["ab", "ba"] * 80
    for action in there_and_back[:149]:
        position.apply(action)
    position.apply("U60")
    assert position.undoable_actions == 40
    assert_refused(position, "U41", "undo.limit")
    for action in there_and_back[89:99]:
        position.apply(action)
    assert position.undoable_actions == 50
    assert_refused(position, "U51", "undo.limit")
    position.apply("U50")
    assert_refused(position, "U", "undo.limit")


def test_memory_counts_draws_and_not_runs_of_draws() -> None:
    position = start(DEAL)
    for token in ("D59", "R", "D30", "U20", "D20"):
        position.apply(token)
    # 60 actions and 30, less 20, and 20 more: 90 in all.
    assert position.undoable_actions == 90
    position.apply("D20")
    assert position.undoable_actions == 100
    position.apply("U45")
    assert len(position.cards_at("w")) == 5
    assert position.undoable_actions == 55


def test_undo_cuts_a_run_of_draws() -> None:
    position = start(DEAL)
    position.apply("D5")
    after_three = start(DEAL)
    after_three.apply("D3")
    position.apply("U2")
    assert state(position) == state(after_three)
    position.apply("U3")
    assert state(position) == state(start(DEAL))


@pytest.mark.parametrize("action", ["U", "U2", "h1a", "1a", "R", "D", "h4h", "U101"])
def test_no_action_is_accepted_after_the_win(action: str) -> None:
    tops = {1: "KS", 2: "KH", 3: "KD", 4: "QC"}
    position = eight_off("KC", foundations=tops)
    position.apply("1h")
    assert position.won
    assert_refused(position, action, "game.over")
    assert position.legal_actions() == []
    assert position.undoable_actions == 0


def test_won_when_every_card_is_on_the_foundations_and_not_before() -> None:
    tops = ["KS", "KS", "KH", "KH", "KD", "KD", "KC", "JC"]
    position = easy_harp("KC QC", foundations=dict(enumerate(tops, 1)))
    position.apply("1h")
    assert not position.won
    position.apply("1h")
    assert position.won


def test_nothing_is_automatic() -> None:
    position = easy_harp("AS", "AH", hidden={}, stock="AC", waste="")
    position.apply("D")
    assert position.foundation_cards == 0
