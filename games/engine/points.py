"""What each action scores: docs/rules.md, "Score"."""

from typing import Final

FOUNDATION_POINTS: Final = 10  # a card goes to a foundation
TURN_UP_POINTS: Final = 5  # a face-down card is turned up
WASTE_TO_COLUMN_POINTS: Final = 5  # the waste's top card goes to a column


def ranked_score(*, score: int, take_backs: int) -> int:
    """Return the score that ranks: each card on a foundation counts once."""
    return score - FOUNDATION_POINTS * take_backs
