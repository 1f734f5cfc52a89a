"""What a search returns, and the budgets it accepts."""

from dataclasses import asdict, dataclass
from typing import Any, Final, Literal

Outcome = Literal["winnable", "unwinnable", "unknown"]

MIN_BUDGET: Final = 1
MAX_BUDGET: Final = 1_000_000_000
DEFAULT_BUDGET: Final = 15_000_000


class BudgetError(ValueError):
    """Not a budget. `code` is "budget.not_an_integer" or "budget.range", `message` its text."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def check_budget(budget: object) -> int:
    """Return a valid budget of positions unchanged; raise BudgetError for anything else."""
    if not isinstance(budget, int) or isinstance(budget, bool):
        raise BudgetError("budget.not_an_integer", "A budget is a whole number of positions.")
    if not MIN_BUDGET <= budget <= MAX_BUDGET:
        raise BudgetError(
            "budget.range", f"A budget is from {MIN_BUDGET} to {MAX_BUDGET} positions."
        )
    return budget


@dataclass(frozen=True, kw_only=True)
class Solution:
    """The answer for one deal: docs/contract.md, "Commands and running".

    `code` is the canonical deal code. `movetext` is a winning line in canonical form, and `moves`
    its number of moves, when the outcome is "winnable"; both are None otherwise. `positions` is
    how many positions the search examined, never more than the budget, and `effort` how many of
    them it needed for its answer, before it looked for a shorter line. `interrupted` says whether
    the caller stopped it.
    """

    code: str
    outcome: Outcome
    movetext: str | None
    moves: int | None
    positions: int
    effort: int
    interrupted: bool

    def as_dict(self) -> dict[str, Any]:
        """Return the JSON form: the same names."""
        return asdict(self)
