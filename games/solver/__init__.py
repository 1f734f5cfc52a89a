"""Winning lines of Easy Harp and Eight Off, and proofs that a deal has none.

Pure: the standard library and the engine only. Everything public is here. `eight_off.py`,
`beam.py` and `exhaustive.py` explain how each game is searched, and why an exhausted search proves
a deal unwinnable.
"""

from .asking import ask
from .batch import solve_many
from .grades import grade
from .meter import Progress, ShouldStop
from .solution import (
    DEFAULT_BUDGET,
    MAX_BUDGET,
    MIN_BUDGET,
    BudgetError,
    Outcome,
    Solution,
)
from .solving import WrongLineError, solve

__all__ = [
    "DEFAULT_BUDGET",
    "MAX_BUDGET",
    "MIN_BUDGET",
    "BudgetError",
    "Outcome",
    "Progress",
    "ShouldStop",
    "Solution",
    "WrongLineError",
    "ask",
    "grade",
    "solve",
    "solve_many",
]
