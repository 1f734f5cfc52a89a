"""Many deals at once, by several processes."""

from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

from .solution import DEFAULT_BUDGET, Solution, check_budget
from .solving import solve


def solve_many(
    codes: Iterable[str], budget: int = DEFAULT_BUDGET, *, processes: int = 1, seed: int = 0
) -> Iterator[Solution]:
    """Yield the solutions of deals in their order, each searched within the budget.

    The answers are the same for any number of processes (1 or more; one is the caller's own).
    Raises what `solve` raises, BudgetError and ValueError for `processes` at the call.
    """
    check_budget(budget)
    if processes < 1:
        raise ValueError("at least one process is needed")
    one = partial(solve, budget=budget, seed=seed)
    return map(one, codes) if processes == 1 else _in_processes(one, list(codes), processes)


def _in_processes(one: "partial[Solution]", codes: list[str], processes: int) -> Iterator[Solution]:
    # Fresh interpreters: a forked one could hold locks of the caller's threads forever.
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        yield from pool.map(one, codes)
