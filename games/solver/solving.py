"""`solve`: one deal, searched within a budget, with its line judged by the engine."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Final

from games.engine import Layout, canonical, deal, replay

from . import easy_harp, eight_off
from .beam import beam
from .exhaustive import any_win
from .meter import InterruptedSearchError, Meter, OutOfBudgetError, Progress, ShouldStop
from .solution import DEFAULT_BUDGET, Outcome, Solution, check_budget

# After a win, at most this part of the budget, and no more than this many positions, goes into
# finding shorter lines.
SHORTENING_SHARE: Final = 10
MOST_SHORTENING: Final = {"easy-harp": 1_000_000, "eight-off": 100_000}

# Easy Harp: the beam widths tried in turn until one wins, each with the weight of a draw. Large
# weights give shorter lines; small ones win some deals that others do not.
WIDTHS: Final = ((60, 1.0), (240, 0.5), (900, 1.0), (2400, 0.5), (6000, 0.25), (12_000, 0.5))
# The same for shorter lines; all of these are tried.
SHORTENING_WIDTHS: Final = ((120, 1.3), (180, 0.9))


class WrongLineError(RuntimeError):
    """The search found a line that the engine refuses: a bug here, never an answer."""


def solve(
    code: str,
    budget: int = DEFAULT_BUDGET,
    *,
    seed: int = 0,
    shorten: bool = True,
    progress: Progress | None = None,
    should_stop: ShouldStop | None = None,
) -> Solution:
    """Search a deal and return a winning line, the proof that it has none, or unknown.

    `budget` is the most positions that the search may examine (MIN_BUDGET..MAX_BUDGET). Without
    `shorten` the search returns the first line it finds. The answer depends only on code, budget,
    seed and `shorten`; the seed changes the order in which equally good plays are tried. The
    search calls `progress` now and then with the positions so far and the budget. When
    `should_stop` returns true, it ends with the line it has by then, if any.

    Raises CodeError for a text that is not a deal code and BudgetError for an invalid budget.
    """
    budget = check_budget(budget)
    layout = deal(code)
    search = _Search(layout, Meter(budget, progress, should_stop), seed, budget if shorten else 0)
    return search.solve_easy_harp() if layout.stock else search.solve_eight_off()


def widen(
    game: Callable[[float], easy_harp.Game], meter: Meter
) -> tuple[easy_harp.Node | None, Outcome]:
    """Return a won position if a beam finds one, and whether the game can be won.

    `game` makes the game for a given weight of a draw. Raises what the meter raises.
    """
    for width, draw in WIDTHS:
        won, complete = beam(game(draw), width, meter)
        if won:
            return won, "winnable"
        if complete:
            return None, "winnable" if any_win(game(draw), meter) else "unwinnable"
    return None, "unknown"


class _Search:
    """One deal being solved: `order` is the order in which the search takes the columns.

    `shortening` positions go into finding shorter lines, none if it is 0.
    """

    def __init__(self, layout: Layout, meter: Meter, seed: int, shortening: int) -> None:
        self.layout = layout
        self.meter = meter
        places = range(len(layout.columns))
        self.order = Random(seed).sample(places, len(places))  # noqa: S311 (a search, no secret)
        self.columns = [layout.columns[place] for place in self.order]
        most = MOST_SHORTENING[layout.code.variant.game]
        self.shortening = min(shortening // SHORTENING_SHARE, most)

    def solve_eight_off(self) -> Solution:
        cells = self.layout.code.variant.cells
        start = eight_off.first_node(self.columns, self.layout.cells)
        try:
            won = eight_off.search(start, cells, self.meter, eight_off.DECIDING)
        except (OutOfBudgetError, InterruptedSearchError):
            return self._answer("unknown")
        effort = self.meter.positions
        if won is None:
            return self._answer("unwinnable")
        won = eight_off.shortest(start, cells, self.meter, won, self.shortening)
        steps = self._without_detours(eight_off.steps_to(won))
        return self._answer("winnable", effort, eight_off.movetext(self.layout, self.order, steps))

    def _without_detours(self, steps: list[eight_off.Step]) -> list[eight_off.Step]:
        """Return the line without needless stops, removing the latest first."""
        for index in reversed(range(len(steps))):
            shorter = eight_off.without_detour(steps, index)
            if shorter and self._wins(eight_off.movetext(self.layout, self.order, shorter)):
                steps = shorter
        return steps

    def _wins(self, movetext: str | None) -> bool:
        return movetext is not None and replay(self.layout.code, movetext).won

    def solve_easy_harp(self) -> Solution:
        try:
            won, outcome = widen(self._game, self.meter)
        except (OutOfBudgetError, InterruptedSearchError):
            return self._answer("unknown")
        effort = self.meter.positions
        if won is None:
            # Won only with take-backs: there is a line, but this search does not return it.
            return self._answer("unknown" if outcome == "winnable" else outcome)
        for width, draw in SHORTENING_WIDTHS:
            with self.meter.share(self.shortening // len(SHORTENING_WIDTHS)):
                shorter, _ = beam(self._game(draw), width, self.meter)
                if shorter and shorter.moves < won.moves:
                    won = shorter
        return self._answer("winnable", effort, self._line(won.all_plays()))

    def _game(self, draw: float) -> easy_harp.Game:
        weights = replace(easy_harp.Weights(), draw=draw)
        return easy_harp.Game(self.columns, self.layout.stock, weights)

    def _line(self, plays: Sequence[easy_harp.Play]) -> str:
        return easy_harp.movetext(self.layout.stock, plays, self.order)

    def _answer(
        self, outcome: Outcome, effort: int | None = None, movetext: str | None = None
    ) -> Solution:
        """Return the solution; the engine judges a line first."""
        code = self.layout.code
        moves = None
        if movetext is not None:
            verdict = replay(code, movetext)
            if not (verdict.legal and verdict.won):
                raise WrongLineError(f"{code}: {movetext}")
            movetext = canonical(code, movetext)
            moves = verdict.moves
        elif outcome == "winnable":
            raise WrongLineError(f"{code}: cards are not where the line needs them")
        return Solution(
            code=str(code),
            outcome=outcome,
            movetext=movetext,
            moves=moves,
            positions=self.meter.positions,
            effort=self.meter.positions if effort is None else effort,
            interrupted=self.meter.interrupted,
        )
