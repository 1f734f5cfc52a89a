"""Streaks of won days. Pure: no Django, no database.

Source of the rule: docs/contract.md, "Record of a player".
"""

from collections.abc import Collection
from datetime import date
from typing import NamedTuple


class Streaks(NamedTuple):
    """Consecutive won days: the current streak and the longest."""

    current: int
    longest: int


def streaks(*, won: Collection[date], missed: Collection[date]) -> Streaks:
    """Return the streaks of a player's won days.

    A day is missed when its deal ended without a win; only a missed day ends a streak. Other days
    neither count nor end it: without a deal, with a void deal, or with one still open to win.
    """
    won_days = set(won)
    current = longest = 0
    for day in sorted(won_days | set(missed)):
        current = current + 1 if day in won_days else 0
        longest = max(longest, current)
    return Streaks(current, longest)
