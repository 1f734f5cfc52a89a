"""`solve`: one deal, searched within a budget, its line judged by the engine."""

from random import Random
from typing import Final

from games.engine import Layout, Verdict, canonical, deal, replay

from . import eight_off
from .meter import InterruptedSearchError, Meter, OutOfBudgetError, Progress, ShouldStop
from .solution import DEFAULT_BUDGET, Outcome, Solution, check_budget

# After a win, at most this part of the budget goes into shorter lines.
SHORTENING_SHARE: Final = 20


class WrongLineError(RuntimeError):
    """The search found a line that the engine does not accept: a bug here, never an answer."""


def solve(
    code: str,
    budget: int = DEFAULT_BUDGET,
    *,
    seed: int = 0,
    progress: Progress | None = None,
    should_stop: ShouldStop | None = None,
) -> Solution:
    """Search a deal and return the answer: a winning line, the proof of none, or unknown.

    `budget` is the most positions that the search may look at (MIN_BUDGET..MAX_BUDGET). The
    answer depends on code, budget and seed only. `progress` is called now and then with the
    positions so far and the budget; when `should_stop` returns true the search ends, with the
    line it has by then, if any.

    Raises CodeError for a text that is no deal code and BudgetError for what is no budget.
    """
    budget = check_budget(budget)
    layout = deal(code)
    meter = Meter(budget, progress, should_stop)
    return _solve_eight_off(layout, meter, Random(seed), budget // SHORTENING_SHARE)  # noqa: S311


def _solve_eight_off(layout: Layout, meter: Meter, random: Random, share: int) -> Solution:
    cells = layout.code.variant.cells
    order = random.sample(range(len(layout.columns)), len(layout.columns))
    start = eight_off.first_node((layout.columns[index] for index in order), layout.cells)
    try:
        won = eight_off.search(start, cells, meter, eight_off.DECIDING)
    except (OutOfBudgetError, InterruptedSearchError):
        return _answer(layout, meter, "unknown", meter.positions)
    effort = meter.positions
    if won is None:
        return _answer(layout, meter, "unwinnable", effort)
    won = eight_off.shortest(start, cells, meter, won, share)
    steps = _without_detours(layout, order, eight_off.steps_to(won))
    return _answer(layout, meter, "winnable", effort, eight_off.movetext(layout, order, steps))


def _without_detours(
    layout: Layout, order: list[int], steps: list[eight_off.Step]
) -> list[eight_off.Step]:
    """Return the line without the stops that it can do without, latest ones first."""
    for index in reversed(range(len(steps))):
        shorter = eight_off.without_detour(steps, index)
        if shorter and _wins(layout, eight_off.movetext(layout, order, shorter)):
            steps = shorter
    return steps


def _wins(layout: Layout, movetext: str | None) -> bool:
    return movetext is not None and replay(layout.code, movetext).won


def _answer(
    layout: Layout, meter: Meter, outcome: Outcome, effort: int, movetext: str | None = None
) -> Solution:
    """Return the solution; a line is judged by the engine first."""
    verdict: Verdict | None = None
    if outcome == "winnable":
        verdict = replay(layout.code, movetext or "")
        if not (verdict.legal and verdict.won):
            raise WrongLineError(f"{layout.code}: {movetext}")
    return Solution(
        code=str(layout.code),
        outcome=outcome,
        movetext=canonical(layout.code, movetext) if movetext else None,
        moves=verdict.moves if verdict else None,
        positions=meter.positions,
        effort=effort,
        interrupted=meter.interrupted,
    )
