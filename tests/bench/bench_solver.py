"""What the solver takes: seconds, positions and moves, beside fc-solve where that is installed.

`python -m tests.bench.bench_solver [--deals N] [--easy-harp N] [--first N] [--budget N]`.
fc-solve (Debian package freecell-solver-bin) plays Eight Off only, and by the smaller formula
for groups: a deal that it does not win proves nothing, a deal that it wins must be won.
"""

import shutil
import statistics
import subprocess
import time
from argparse import ArgumentParser, Namespace
from collections import Counter
from dataclasses import dataclass
from typing import Final

from games.engine import VARIANTS, DealCode, Layout, deal, replay
from games.solver import DEFAULT_BUDGET, MAX_BUDGET, Solution, grade, solve

EIGHT_OFF: Final = ("eight-off", "eight-off-4", "eight-off-2")


@dataclass(frozen=True, kw_only=True)
class Measured:
    """The answers for some deals of a variant, and the processor time that each took."""

    solutions: list[Solution]
    seconds: list[float]
    first_line_seconds: list[float]

    @property
    def wins(self) -> list[Solution]:
        return [solution for solution in self.solutions if solution.outcome == "winnable"]


def main() -> None:
    """Measure and print."""
    options = _options()
    numbers = range(options.first, options.first + options.deals)
    installed = shutil.which("fc-solve") is not None
    if not installed:
        print("fc-solve is not installed: no ratios (apt install freecell-solver-bin)\n")
    for slug in EIGHT_OFF:
        measured = measure(slug, numbers, options.budget)
        report(slug, measured)
        if installed:
            compare(measured)
    if options.easy_harp:
        numbers = range(options.first, options.first + options.easy_harp)
        report("easy-harp", measure("easy-harp", numbers, options.budget))


def _options() -> Namespace:
    parser = ArgumentParser(description="Measure the solver.")
    parser.add_argument("--deals", type=int, default=15, help="of each Eight Off (%(default)s)")
    parser.add_argument("--easy-harp", type=int, default=8, help="of Easy Harp (%(default)s)")
    parser.add_argument("--first", type=int, default=1, help="first deal number (%(default)s)")
    parser.add_argument("--budget", type=int, default=DEFAULT_BUDGET, help="(%(default)s)")
    options = parser.parse_args()
    if options.deals < 1 or options.easy_harp < 0 or not 1 <= options.budget <= MAX_BUDGET:
        parser.error("at least one deal, and a budget of positions")
    return options


def measure(slug: str, numbers: range, budget: int) -> Measured:
    """Solve the deals of these numbers."""
    codes = [str(DealCode(VARIANTS[slug], number)) for number in numbers]
    _, first_line_seconds = _timed(codes, budget, shorten=False)
    solutions, seconds = _timed(codes, budget, shorten=True)
    return Measured(solutions=solutions, seconds=seconds, first_line_seconds=first_line_seconds)


def _timed(codes: list[str], budget: int, *, shorten: bool) -> tuple[list[Solution], list[float]]:
    solutions, seconds = [], []
    for code in codes:
        began = time.process_time()
        solutions.append(solve(code, budget, shorten=shorten))
        seconds.append(time.process_time() - began)
    return solutions, seconds


def report(slug: str, measured: Measured) -> None:
    """Print what was measured of a variant."""
    outcomes = Counter(solution.outcome for solution in measured.solutions)
    positions = sum(solution.positions for solution in measured.solutions)
    total = sum(measured.seconds)
    print(f"{slug}: {len(measured.solutions)} deals, {dict(outcomes)}")
    for what, seconds in (
        ("the first answer", measured.first_line_seconds),
        ("the shortened line", measured.seconds),
    ):
        print(
            f"  seconds to {what}: median {statistics.median(seconds):.4f}, "
            f"most {max(seconds):.2f}; {len(seconds) / sum(seconds):.1f} deals/s"
        )
    print(f"  {positions / total:,.0f} positions/s")
    if measured.wins:
        moves = [solution.moves or 0 for solution in measured.wins]
        grades = Counter(grade(solution) or 0 for solution in measured.wins)
        print(
            f"  moves: median {statistics.median(moves):.0f}, {min(moves)} to {max(moves)}; "
            f"grades {dict(sorted(grades.items()))}"
        )


def compare(measured: Measured) -> None:
    """Print ratios to fc-solve on the same deals."""
    seconds = 0.0
    wins = lost = ours = theirs = 0
    for solution in measured.solutions:
        began = time.perf_counter()
        line = fc_solve(deal(solution.code))
        seconds += time.perf_counter() - began
        if line is not None:
            wins += 1
            lost += solution.outcome != "winnable"
            ours += solution.moves or 0
            theirs += replay(solution.code, line).moves
    print(f"  fc-solve: {wins} wins, {lost} of them not won here")
    print(
        f"  ratios to fc-solve: time {sum(measured.first_line_seconds) / seconds:.2f} to the first "
        f"answer, {sum(measured.seconds) / seconds:.2f} to the shortened line",
        end="",
    )
    print(f", moves {ours / theirs:.2f}\n" if theirs else "\n")


def fc_solve(layout: Layout) -> str | None:
    """Return the line that fc-solve finds, or None."""
    names = layout.as_dict()
    cells = " ".join(card for card in names["cells"] if card)
    board = "\n".join([f"Freecells: {cells}", *map(" ".join, names["columns"])]) + "\n"
    options = f"--game eight_off --freecells-num {len(names['cells'])} -l fg -p -t -m -snx -sel"
    printed = subprocess.run(
        ["fc-solve", *options.split()], input=board, text=True, capture_output=True, check=True
    ).stdout
    if "This game is solveable." not in printed:
        return None
    return printed.partition("\n\n")[2].partition("\n\nThis game")[0]


if __name__ == "__main__":
    main()
