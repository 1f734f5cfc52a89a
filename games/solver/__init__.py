"""Solver."""

from .solution import (
    DEFAULT_BUDGET,
    MAX_BUDGET,
    MIN_BUDGET,
    BudgetError,
    Solution,
)
from .solving import solve

__all__ = ["DEFAULT_BUDGET", "MAX_BUDGET", "MIN_BUDGET", "BudgetError", "Solution", "solve"]
