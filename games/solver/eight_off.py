"""Search of Eight Off: a line that wins, or the proof that there is none.

The rules are docs/rules.md, "Eight Off". The search does not try every action. It keeps each
position in its *settled* form: every card that can go to its foundation is there, and every card
in a cell that fits on top of a column is there. From a settled position it tries only

- a whole run onto the card it fits on, or a king's run into an empty column,
- a whole run into the cells, card by card,
- a king from a cell into an empty column.

Why this is enough, so that an exhausted search proves a deal unwinnable: take any winning line
S0, S1, ... of the full rules, take-backs included. The search can follow it by settled positions
T0, T1, ... such that, column by column (their order does not matter), T has what S has, except:
cards that T has on the foundations may still lie in S (*gone*; in S only gone cards lie on a gone
card, for in a column only the next lower card of the suit is ever put on it), and cards that S
has in cells may lie in T at the end of the run that they continue (a *tail*). So T has no fewer
free cells than S, more by the length of all tails, and no fewer empty columns. What S does, T
answers:

- A card goes to its foundation: it is gone in T already, because T is settled.
- A take-back: the card is gone in T; nothing to do. Neither a take-back nor a card kept off the
  foundations can help, as the only card that could lie on it is on the foundation before it.
- A gone card moves, or a card between cells: nothing to do.
- Card x of a cell goes onto x+1: it lies there in T already. A king does the same as in S.
- Card x goes to a cell: if x+1 is under it, x becomes part of the tail. Otherwise x begins a run
  in T, made of x and its tail of t cards; S had a free cell, so T has 1 + t: the run goes to the
  cells.
- A group of n cards moves onto a card: the card under the group does not continue the run, since
  its suit has only one next higher card, and that is the target; so the group is the whole run
  except its tail of t cards in T. With f free cells and e empty columns S had
  n <= (f + 1) * 2^e, hence n + t <= (f + t + 1) * 2^e: T may move the whole. A king's run into an
  empty column likewise, that column not being counted.
- After that T settles, which keeps the relation. When S has won, so has T.

A whole column that is a king's run gains nothing in another empty column.

A settled position is coded as one integer. Each card in a column has two bits: that it is in a
column, and that it is there on anything but the next higher card of its suit (then it has not
moved since the deal). A king at the base of a column has only the first. Columns need no order. A
card in no column is in a cell or on a foundation, and settling leaves only one possibility: the
foundations have the lowest missing cards of each suit.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from heapq import heappop, heappush
from typing import Final, NamedTuple

from games.engine import Layout
from games.engine.places import CELL_LETTERS, COLUMN_LETTERS

from .meter import Meter

SUITS: Final = range(4)
KING: Final = 12
KINGS: Final = sum(1 << 13 * suit + KING for suit in SUITS)
TO_CELL: Final = -1
TO_FOUNDATION: Final = -2

# Weights of the estimated moves to go, and of a full cell: the first pair finds a win soonest.
DECIDING: Final = (2.0, 1.0)
# These find shorter lines and take longer, more so the later they stand.
SHORTENING: Final = ((1.2, 0.0), (1.0, 0.0))


class Column:
    """A column as its top card on the column below it, made once for each content.

    `bits` are its part of the position's code, `run` the cards at its end that move together,
    `extra` a lower bound of the actions its cards need besides one each to the foundation:
    the runs that have a lower card of their suit beneath them.
    """

    __slots__ = ("_lowest", "_with", "below", "bits", "extra", "run", "size", "top")

    def __init__(self, top: int, below: "Column | None", lowest: tuple[int, ...]) -> None:
        self.top = top
        self._lowest = lowest
        self._with: dict[int, Column] = {}
        self.below = below or self
        self.size = self.bits = self.extra = self.run = 0
        if below:
            self.size = below.size + 1
            self._join(below)

    def _join(self, below: "Column") -> None:
        suit, rank = divmod(self.top, 13)
        on_next_higher = below.size > 0 and below.top == self.top + 1 and rank != KING
        self.run = below.run + 1 if on_next_higher else 1
        settled = on_next_higher or (rank == KING and not below.size)
        self.bits = below.bits + (1 << self.top) + (0 if settled else 1 << 52 + self.top)
        blocks = below._lowest[suit] < rank and not on_next_higher
        self.extra = below.extra + blocks

    def put(self, card: int) -> "Column":
        """Return this column with a card on it."""
        column = self._with.get(card)
        if column is None:
            suit, rank = divmod(card, 13)
            lowest = list(self._lowest)
            lowest[suit] = min(lowest[suit], rank)
            column = self._with[card] = Column(card, self, tuple(lowest))
        return column


class Step(NamedTuple):
    """Cards that go somewhere: the deepest of them, the place, how many (one action).

    The place is the index of a column, TO_CELL or TO_FOUNDATION.
    """

    card: int
    place: int
    cards: int = 1


@dataclass(slots=True)
class Node:
    """A settled position, and the steps that led to it from its parent."""

    columns: list[Column]
    foundations: list[int]
    cells: int
    parent: "Node | None"
    steps: list[Step]
    moves: int = 0

    @property
    def code(self) -> int:
        return sum(column.bits for column in self.columns)

    @property
    def won(self) -> bool:
        return sum(self.foundations) == 52

    def child(self) -> "Node":
        """Return a copy to change, one level deeper."""
        return Node(self.columns.copy(), self.foundations.copy(), self.cells, self, [])

    def settle(self) -> None:
        """Play what is never worth holding back, and number the moves made so far."""
        while self._to_foundations() or self._from_cells_to_columns():
            pass
        self.moves = len(self.steps) + (self.parent.moves if self.parent else 0)

    def _to_foundations(self) -> bool:
        before = len(self.steps)
        columns, foundations = self.columns, self.foundations
        for index, column in enumerate(columns):
            while column.size and foundations[column.top // 13] == column.top % 13:
                foundations[column.top // 13] += 1
                self.steps.append(Step(column.top, TO_FOUNDATION))
                column = columns[index] = column.below  # noqa: PLW2901 (the column as it is now)
        for suit in SUITS:
            while (
                foundations[suit] <= KING
                and self.cells >> (card := 13 * suit + foundations[suit]) & 1
            ):
                self.cells ^= 1 << card
                foundations[suit] += 1
                self.steps.append(Step(card, TO_FOUNDATION))
        return len(self.steps) > before

    def _from_cells_to_columns(self) -> bool:
        before = len(self.steps)
        for index, column in enumerate(self.columns):
            while column.size and column.top % 13 and self.cells >> column.top - 1 & 1:
                card = column.top - 1
                self.cells ^= 1 << card
                self.steps.append(Step(card, index))
                column = self.columns[index] = column.put(card)  # noqa: PLW2901 (as above)
        return len(self.steps) > before

    def move_run(self, source: int, destination: int) -> None:
        """Move the run at the end of a column onto another column."""
        column, target = self.columns[source], self.columns[destination]
        deepest = column.top + column.run - 1
        self.steps.append(Step(deepest, destination, column.run))
        for card in range(deepest, column.top - 1, -1):
            target = target.put(card)
        self.columns[destination] = target
        self.columns[source] = _without_run(column)

    def run_to_cells(self, source: int) -> None:
        """Move the run at the end of a column into the cells."""
        column = self.columns[source]
        for card in range(column.top, column.top + column.run):
            self.cells |= 1 << card
            self.steps.append(Step(card, TO_CELL))
        self.columns[source] = _without_run(column)

    def king_to_column(self, king: int, destination: int) -> None:
        """Move a king from its cell into an empty column."""
        self.cells ^= 1 << king
        self.steps.append(Step(king, destination))
        self.columns[destination] = self.columns[destination].put(king)


def _without_run(column: Column) -> Column:
    for _ in range(column.run):
        column = column.below
    return column


def first_node(
    columns: Iterable[Sequence[int]],
    cells: Iterable[int | None],
    foundations: Sequence[int] = (0, 0, 0, 0),
) -> Node:
    """Return the settled position of a table.

    Columns are given deepest card first, foundations as their numbers of cards.
    """
    empty = Column(-1, None, (KING + 1,) * 4)
    node = Node(
        columns=[reduce(Column.put, column, empty) for column in columns],
        foundations=list(foundations),
        cells=sum(1 << card for card in cells if card is not None),
        parent=None,
        steps=[],
    )
    node.settle()
    return node


def longest_group(free_cells: int, empty_columns: int) -> int:
    """Return how many cards may move as one; leave out an empty destination."""
    return (free_cells + 1) << empty_columns


def children(node: Node, cells: int) -> Iterator[Node]:
    """Yield the settled positions one move away from a settled position (see the module)."""
    columns = node.columns
    free = cells - node.cells.bit_count()
    tops = {column.top: index for index, column in enumerate(columns)}
    empty = tops.get(-1)
    empty_columns = sum(not column.size for column in columns)
    for index, column in enumerate(columns):
        if not column.size:
            continue
        if column.run <= free:
            child = node.child()
            child.run_to_cells(index)
            child.settle()
            yield child
        deepest = column.top + column.run - 1
        into_empty = deepest % 13 == KING
        if into_empty:
            destination = empty if column.size > column.run else None
        else:
            destination = tops.get(deepest + 1)
        if destination is not None and column.run <= longest_group(
            free, empty_columns - into_empty
        ):
            child = node.child()
            child.move_run(index, destination)
            child.settle()
            yield child
    if empty is not None and node.cells & KINGS:
        for king in range(KING, 52, 13):
            if node.cells >> king & 1:
                child = node.child()
                child.king_to_column(king, empty)
                child.settle()
                yield child


def search(start: Node, cells: int, meter: Meter, weights: tuple[float, float]) -> Node | None:
    """Return a won position, or None when the deal is unwinnable.

    Best first; of equally good positions the newest. Each position is counted and
    examined once. Raises what the meter raises.
    """
    to_go, full_cell = weights
    meter.count()
    seen = {start.code}
    heap: list[tuple[float, int, Node]] = [(0.0, 0, start)]
    while heap:
        node = heappop(heap)[-1]
        if node.won:
            return node
        for child in children(node, cells):
            code = child.code
            if code in seen:
                continue
            meter.count()
            seen.add(code)
            estimate = 52 - sum(child.foundations) + sum(column.extra for column in child.columns)
            value = child.moves + to_go * estimate + full_cell * child.cells.bit_count()
            heappush(heap, (value, -len(seen), child))
    return None


def steps_to(node: Node) -> list[Step]:
    """Return the steps from the deal to a position."""
    parts = []
    at: Node | None = node
    while at:
        parts.append(at.steps)
        at = at.parent
    return [step for part in reversed(parts) for step in part]


def movetext(layout: Layout, order: Sequence[int], steps: Sequence[Step]) -> str | None:
    """Return steps as movetext, or None when a card is not where it can move from.

    The engine decides whether the rules allow the actions.
    """
    columns = [list(layout.columns[index]) for index in order]
    cells = list(layout.cells)
    tokens = []
    for step in steps:
        source = _take(step, columns, cells)
        if source is None:
            return None
        if isinstance(source, int):
            source = COLUMN_LETTERS[order[source]]
        tokens.append(source + _put(step, columns, cells, order))
    return " ".join(tokens)


def _take(step: Step, columns: list[list[int]], cells: list[int | None]) -> int | str | None:
    """Remove the cards of a step and return the index of their column, or their cell."""
    if step.card in cells:
        index = cells.index(step.card)
        cells[index] = None
        return CELL_LETTERS[index]
    for index, column in enumerate(columns):
        if column[-step.cards :][:1] == [step.card]:
            del column[-step.cards :]
            return index
    return None


def _put(
    step: Step, columns: list[list[int]], cells: list[int | None], order: Sequence[int]
) -> str:
    """Put the cards of a step down and return the letter of their place."""
    if step.place == TO_FOUNDATION:
        return "h"
    if step.place == TO_CELL:
        index = cells.index(None) if None in cells else 0
        cells[index] = step.card
        return CELL_LETTERS[index]
    columns[step.place] += range(step.card, step.card - step.cards, -1)
    return COLUMN_LETTERS[order[step.place]]


def without_detour(steps: Sequence[Step], index: int) -> list[Step] | None:
    """Return steps in which a card goes straight to its next place, or None if it cannot."""
    step = steps[index]
    later = steps[index + 1 :]
    if step.place == TO_FOUNDATION or step.cards > 1:
        return None
    following = next((other for other in later if moves_card(other, step.card)), None)
    if following is None or following.cards > 1:
        return None
    return [*steps[:index], *later]


def moves_card(step: Step, card: int) -> bool:
    """Return whether a step moves this card."""
    return step.card - step.cards < card <= step.card


def shortest(start: Node, cells: int, meter: Meter, found: Node, share: int) -> Node:
    """Return the won position with the fewest moves found within `share` more positions."""
    for weights in SHORTENING:
        with meter.share(share // len(SHORTENING)):
            node = search(start, cells, meter, weights)
            if node and node.moves < found.moves:
                found = node
    return found
