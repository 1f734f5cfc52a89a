"""`manage.py solve CODE`: search a deal for a winning line, from the command line."""

import json
import re
import signal
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from games import engine, solver

EXIT_OF: Final[dict[solver.Outcome, int]] = {"winnable": 0, "unwinnable": 1, "unknown": 2}
EXIT_BAD_INPUT = 3
_INTEGER: Final = re.compile("-?[0-9]{1,18}")


class Command(BaseCommand):
    help = (
        "Search a deal for a winning line. Exit status: 0 winnable, 1 unwinnable, 2 unknown "
        "(the budget ran out, or you pressed Ctrl-C before a win), 3 not a deal or not a budget."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the deal, the budget and the output format."""
        parser.add_argument("code", help="deal code, for example EH1-N-AAAAAAF")
        parser.add_argument(
            "--budget",
            default=str(solver.DEFAULT_BUDGET),
            help=f"positions to examine, at most {solver.MAX_BUDGET} (default: %(default)s)",
        )
        parser.add_argument("--seed", type=int, default=0, help="vary the order of the search")
        parser.add_argument("--json", action="store_true", help="print the answer as JSON")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Print the answer and exit with its status."""
        try:
            solution = self._solve(options)
        except (engine.CodeError, solver.BudgetError) as error:
            if options["json"]:
                self.stdout.write(json.dumps({"error": error.code, "message": error.message}))
            raise CommandError(error.message, returncode=EXIT_BAD_INPUT) from error
        if options["json"]:
            answer = {**solution.as_dict(), "grade": solver.grade(solution)}
            self.stdout.write(json.dumps(answer))
        else:
            self.stdout.write(_for_people(solution))
        sys.exit(EXIT_OF[solution.outcome])

    def _solve(self, options: dict[str, Any]) -> solver.Solution:
        text = options["budget"]
        # Anything but a number goes to the solver unchanged; it says what is wrong.
        budget = int(text) if _INTEGER.fullmatch(text) else text
        total = budget if isinstance(budget, int) else None
        bar = tqdm(total=total, unit="positions", unit_scale=True, leave=False, disable=None)
        with bar, _interruption() as interrupted:
            return solver.solve(
                options["code"],
                budget,
                seed=options["seed"],
                progress=lambda positions, _budget: _show(bar, positions),
                should_stop=lambda: bool(interrupted),
            )


def _show(bar: "tqdm[Any]", positions: int) -> None:
    bar.update(positions - bar.n)


@contextmanager
def _interruption() -> Iterator[list[int]]:
    """Collect Ctrl-C in a list inside a `with` block, so that the search can end cleanly."""
    received: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _frame: received.append(number))
    try:
        yield received
    finally:
        signal.signal(signal.SIGINT, before)


def _for_people(solution: solver.Solution) -> str:
    examined = f"{solution.positions:,} positions examined"
    if solution.movetext is None:
        return f"{solution.code}: {solution.outcome}, {examined}"
    return (
        f"{solution.code}: winnable in {solution.moves} moves, grade {solver.grade(solution)}, "
        f"{examined}\n{solution.movetext}"
    )
