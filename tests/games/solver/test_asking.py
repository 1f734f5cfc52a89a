"""Can a position in the middle of a game still be won? Tried on real logs."""

import pytest

from games import engine
from games.solver import BudgetError, ask, solve
from tests.logs import wins_of


def played(code: str, tokens: list[str]) -> engine.Position:
    position = engine.start(code)
    for token in tokens:
        position.apply(token)
    return position


@pytest.mark.parametrize("variant", ["eight-off", "eight-off-4", "eight-off-2"])
@pytest.mark.parametrize("part", [0, 1, 2, 3, 4])
def test_every_position_of_a_winning_line_can_be_won(variant: str, part: int) -> None:
    for win in wins_of(variant)[:8]:
        position = played(win.code, win.tokens[: len(win.tokens) * part // 4])
        outcome, positions = ask(position, 500_000)
        assert outcome == "winnable"
        assert positions <= 500_000


@pytest.mark.slow
@pytest.mark.parametrize("part", [2, 3, 4, 5])
def test_positions_of_an_easy_harp_line_are_never_called_lost(part: int) -> None:
    for win in wins_of("easy-harp")[:3]:
        position = played(win.code, win.tokens[: len(win.tokens) * part // 5])
        outcome, _positions = ask(position, 100_000)
        assert outcome in (["winnable"] if part > 3 else ["winnable", "unknown"])


@pytest.mark.slow
def test_a_deal_is_asked_about_like_it_is_solved() -> None:
    for number in range(1, 60):
        code = engine.DealCode(variant=engine.VARIANTS["eight-off-4"], number=number)
        solution = solve(str(code), 200_000)
        assert ask(engine.start(code), 200_000)[0] == solution.outcome


@pytest.mark.slow
def test_a_position_that_a_bad_action_lost_is_called_lost() -> None:
    """With two cells one careless action is enough, in some games the very first."""
    lost = 0
    for win in wins_of("eight-off-2"):
        start = engine.start(win.code)
        for action in start.legal_actions():
            position = start.copy()
            position.apply(action)
            outcome = ask(position, 500_000)[0]
            assert outcome == "winnable" or action != win.tokens[0]
            lost += outcome == "unwinnable"
    assert lost > 10


def test_taken_back_cards_and_a_half_drawn_stock_are_understood() -> None:
    win = wins_of("easy-harp")[0]
    for cut in range(len(win.tokens) - 1, len(win.tokens) - 30, -7):
        position = played(win.code, win.tokens[:cut])
        for action in position.legal_actions():
            if action.startswith("h"):
                position.apply(action)
                break
        assert ask(position, 200_000)[0] == "winnable"


def test_a_won_game_can_be_won() -> None:
    win = wins_of("easy-harp")[0]
    assert ask(played(win.code, win.tokens), 10)[0] == "winnable"


def test_beyond_the_budget_the_answer_is_unknown() -> None:
    win = wins_of("easy-harp")[0]
    outcome, positions = ask(engine.start(win.code), 50)
    assert outcome == "unknown"
    assert positions <= 50


@pytest.mark.parametrize("budget", [0, -5, 10**10, "many", None, True])
def test_an_invalid_budget_is_refused(budget: object) -> None:
    with pytest.raises(BudgetError):
        ask(engine.start("EO1-C2-AAAAAAB"), budget)  # type: ignore[arg-type]
