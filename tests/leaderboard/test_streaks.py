"""Streaks and percentiles: docs/contract.md, "Record of a player" and "Rank key"."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.rules import ranking
from leaderboard.rules.ranking import percentile
from leaderboard.rules.streaks import Streaks, streaks

DAY = date(2026, 2, 26)  # so that the days go over the end of a month

# The outcome of consecutive days: won, missed, or neither (void, no deal, still open).
histories = st.text(alphabet="wm-", max_size=60)


def of(history: str) -> Streaks:
    days = [(DAY + timedelta(days=at), became) for at, became in enumerate(history)]
    return streaks(
        won=[day for day, became in days if became == "w"],
        missed=[day for day, became in days if became == "m"],
    )


@pytest.mark.parametrize(
    ("history", "current", "longest"),
    [
        ("", 0, 0),
        ("w", 1, 1),
        ("m", 0, 0),
        ("ww", 2, 2),
        ("wwm", 0, 2),
        ("wwmw", 1, 2),
        ("www-", 3, 3),  # today, not won yet
        ("w-w", 2, 2),  # void, or without a deal
        ("wm-w", 1, 1),
        ("---", 0, 0),
    ],
)
def test_only_a_missed_day_ends_a_streak(history: str, current: int, longest: int) -> None:
    assert of(history) == Streaks(current, longest)


@given(histories)
def test_a_streak_is_a_run_of_wins_between_missed_days(history: str) -> None:
    runs = [run.count("w") for run in history.split("m")]
    assert of(history) == Streaks(current=runs[-1], longest=max(runs))


@given(histories, st.integers(0, 60))
def test_a_day_that_is_neither_won_nor_missed_changes_nothing(history: str, at: int) -> None:
    assert of(history[:at] + "-" + history[at:]) == of(history)


@given(histories)
def test_one_more_win_makes_the_streak_one_longer(history: str) -> None:
    before, after = of(history), of(history + "w")
    assert after.current == before.current + 1
    assert after.longest == max(before.longest, after.current)
    assert of(history + "m") == Streaks(0, before.longest)


keys = st.lists(st.integers(0, 8), min_size=1, max_size=50)  # few values: many ties


@given(keys, st.data())
def test_a_percentile_is_the_share_of_the_others_that_are_not_better(
    board: list[int], data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(board) - 1))
    others = board[:at] + board[at + 1 :]
    rank = 1 + sum(key > board[at] for key in board)
    equalled = sum(key <= board[at] for key in others)
    expected = 100 * equalled // len(others) if others else 100
    assert percentile(rank=rank, ranked_players=len(board)) == expected


@given(st.integers(1, 10**6), st.integers(0, 10**6))
def test_a_percentile_is_from_0_to_100_whatever_was_counted(rank: int, players: int) -> None:
    """A row that leaves between two counts makes none that is below 0."""
    assert 0 <= percentile(rank=rank, ranked_players=players) <= 100


@pytest.mark.parametrize(
    ("rank", "players", "expected"),
    [(1, 1, 100), (1, 2, 100), (2, 2, 0), (2, 3, 50), (2, 4, 66), (3, 4, 33), (999, 1000, 0)],
)
def test_percentiles_are_rounded_down(rank: int, players: int, expected: int) -> None:
    assert ranking.percentile(rank=rank, ranked_players=players) == expected
