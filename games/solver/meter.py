"""The budget of a search: it counts positions, reports progress and notices interruption."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

Progress = Callable[[int, int], None]
ShouldStop = Callable[[], bool]

# How many positions are between two reports, a power of two.
REPORT_EVERY: Final = 1024


class OutOfBudgetError(Exception):
    """The search has used up its budget."""


class InterruptedSearchError(Exception):
    """The caller asked the search to stop."""


class Meter:
    """Counts the positions that a search examines.

    Every 1024 positions it calls `progress` with the positions so far and the budget, and asks
    `should_stop`; neither affects the search until it has to stop.
    """

    __slots__ = ("_budget", "_limit", "_progress", "_should_stop", "interrupted", "positions")

    def __init__(
        self, budget: int, progress: Progress | None = None, should_stop: ShouldStop | None = None
    ) -> None:
        self._budget = budget
        self._limit = budget
        self._progress = progress
        self._should_stop = should_stop
        self.interrupted = False
        self.positions = 0

    @property
    def left(self) -> int:
        """How many positions may still be examined."""
        return self._limit - self.positions

    def count(self) -> None:
        """Count one position.

        Raises OutOfBudgetError instead when none are left, and InterruptedSearchError when the
        caller wants the search to stop.
        """
        if self.positions >= self._limit:
            raise OutOfBudgetError
        if not self.positions % REPORT_EVERY:
            self._report()
        self.positions += 1

    def count_many(self, positions: int) -> None:
        """Count positions that were examined together, all or none; raises like `count`."""
        if positions > self.left:
            raise OutOfBudgetError
        reports = self.positions // REPORT_EVERY
        self.positions += positions
        if self.positions // REPORT_EVERY > reports:
            self._report()

    @contextmanager
    def share(self, positions: int) -> Iterator[None]:
        """Allow a `with` block only this many more positions, and leave it quietly.

        The block ends without an error when its share runs out or the search is interrupted.
        """
        limit = self._limit
        self._limit = min(limit, self.positions + positions)
        try:
            yield
        except (OutOfBudgetError, InterruptedSearchError):
            pass
        finally:
            self._limit = limit

    def _report(self) -> None:
        if self._progress:
            self._progress(self.positions, self._budget)
        if self._should_stop and self._should_stop():
            self.interrupted = True
        if self.interrupted:
            raise InterruptedSearchError
