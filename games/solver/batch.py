"""Many deals at once, in several processes."""

import signal
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import islice
from multiprocessing import get_context
from typing import Final

from .solution import DEFAULT_BUDGET, Solution, check_budget
from .solving import solve

# How many deals wait for each process, so that it never idles.
_AHEAD: Final = 4


def solve_many(
    codes: Iterable[str], budget: int = DEFAULT_BUDGET, *, processes: int = 1, seed: int = 0
) -> Generator[Solution, None, None]:
    """Yield the solutions of deals in order, each searched within the budget.

    The codes may be endless: they are read as the processes need them, a few ahead. The answers
    are the same for any number of processes (1 or more; one is the caller's own).
    Raises what `solve` raises, BudgetError and ValueError for `processes` at the call.
    """
    check_budget(budget)
    if processes < 1:
        raise ValueError("at least one process is needed")
    one = partial(solve, budget=budget, seed=seed)
    return (
        (one(code) for code in codes)
        if processes == 1
        else _in_processes(one, iter(codes), processes)
    )


def _in_processes(
    one: "partial[Solution]", codes: Iterator[str], processes: int
) -> Generator[Solution, None, None]:
    # Fresh interpreters: a forked one could hold locks of the caller's threads forever.
    pool = ProcessPoolExecutor(
        processes,
        mp_context=get_context("spawn"),
        # Ctrl-C reaches them, too: they end at once, silently.
        initializer=signal.signal,
        initargs=(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        ahead = deque(pool.submit(one, code) for code in islice(codes, _AHEAD * processes))
        while ahead:
            yield ahead.popleft().result()
            ahead.extend(pool.submit(one, code) for code in islice(codes, 1))
    finally:
        # When the caller has enough, running searches end and the others never start.
        pool.shutdown(cancel_futures=True)
