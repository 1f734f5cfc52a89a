"""Streaks of won days. Pure: no Django, no database.

Source of the rule: docs/contract.md, "Record of a player".
"""

from collections.abc import Collection
from datetime import date
from typing import NamedTuple


class Streaks(NamedTuple):
    """How many won days there are in a row: up to now, and at most ever."""

    current: int
    longest: int


def streaks(*, won: Collection[date], missed: Collection[date]) -> Streaks:
    """Return the streaks of somebody's won days.

    A day is missed when its deal is over without a win; only such a day ends a streak. Any other
    neither counts nor ends it: one without a deal, with a void one, or with one still to be won.
    """
    won_days = set(won)
    current = longest = 0
    for day in sorted(won_days | set(missed)):
        current = current + 1 if day in won_days else 0
        longest = max(longest, current)
    return Streaks(current, longest)
