"""The table during play: piles of cards, counters, and the memory that undo needs.

A `Table` knows no rules. A game's judge looks at it and returns a `Change`; `make` carries it
out, and undo is the same change backwards, so undo cannot miss anything that `make` did.
"""

from collections import deque
from collections.abc import Callable
from typing import Final, NamedTuple

from .cards import SUIT
from .movetext import Action
from .places import CELL, FOUNDATION, PILES, STOCK, WASTE
from .refusals import Refused

REMEMBERED_ACTIONS: Final = 100


class Setup(NamedTuple):
    """A dealt table: columns deepest card first, stock next card first, None for an empty cell."""

    columns: list[list[int]]
    face_down: list[int]
    stock: list[int]
    cells: list[int | None]


# A plain tuple, because every token of every log makes one:
# source place, destination place, number of cards, points, whether a card is turned up.
Change = tuple[int, int, int, int, bool]

# A rule returns the change that an action makes, or raises Refused.
Judge = Callable[["Table", Action], Change]


class Table:
    """Where the cards lie, the score, and the changes that undo can still reverse.

    `piles` is indexed by place number, last card on top; the top of the stock is drawn next.
    `face_down` counts the hidden cards of each pile (only columns have any).
    `foundations_for` lists for each card the foundation places of its suit, in order.
    """

    __slots__ = (
        "deck_size",
        "face_down",
        "forgotten",
        "foundation_cards",
        "foundations_for",
        "history",
        "moves",
        "piles",
        "score",
        "take_backs",
        "undos",
    )

    def __init__(self, setup: Setup, deck_size: int) -> None:
        self.piles: list[list[int]] = [[] for _ in range(PILES)]
        self.face_down = [0] * PILES
        for place, column in enumerate(setup.columns):
            self.piles[place] = column.copy()
            self.face_down[place] = setup.face_down[place]
        for place, card in enumerate(setup.cells, CELL):
            if card is not None:
                self.piles[place].append(card)
        self.piles[STOCK] = setup.stock[::-1]
        self.deck_size = deck_size
        self.foundations_for = FOUNDATIONS_FOR[deck_size]
        self.foundation_cards = 0
        self.score = 0
        self.moves = 0
        self.undos = 0
        self.take_backs = 0
        # Remembering as many changes as actions is always enough: a change is one action or more.
        self.history: deque[Change] = deque(maxlen=REMEMBERED_ACTIONS)
        # How many of the actions in effect were beyond reach at the latest undo. Without it,
        # undoing 100 actions again and again would reach further each time.
        self.forgotten = 0

    @property
    def won(self) -> bool:
        return self.foundation_cards == self.deck_size

    @property
    def remembered(self) -> int:
        """How many actions undo can take back now, at most 100."""
        return min(self.moves - self.undos - self.forgotten, REMEMBERED_ACTIONS)

    def copy(self) -> "Table":
        """Return an independent table in the same position, with the same memory."""
        other = Table.__new__(Table)
        for name in Table.__slots__:
            setattr(other, name, getattr(self, name))
        other.piles = [pile.copy() for pile in self.piles]
        other.face_down = self.face_down.copy()
        other.history = self.history.copy()
        return other

    def make(self, change: Change) -> None:
        """Carry out a change that a judge returned for this very position."""
        source, destination, count, points, turned = change
        if count == 1:
            self.piles[destination].append(self.piles[source].pop())
        else:
            self._carry(source, destination, count)
        if turned:
            self.face_down[source] -= 1
        if destination >= FOUNDATION:
            self.foundation_cards += 1
        elif source >= FOUNDATION:
            self.foundation_cards -= 1
            self.take_backs += 1
        self.score += points
        self.moves += count if source == STOCK else 1
        self.history.append(change)

    def undo(self, actions: int) -> None:
        """Undo the latest `actions` actions, all of them or none.

        Raises Refused when fewer are remembered (docs/rules.md, "Undo").
        """
        remembered = self.remembered
        in_effect = self.moves - self.undos
        if actions > remembered:
            raise Refused("undo.limit" if in_effect > remembered else "undo.nothing")
        self.forgotten = in_effect - remembered
        self.undos += actions
        while actions:
            change = self.history.pop()
            source, destination, count, points, turned = change
            if source != STOCK:
                actions -= 1
            else:
                if count > actions:
                    self.history.append((source, destination, count - actions, points, turned))
                    count = actions
                actions -= count
            self._unmake(source, destination, count, points, turned)

    def _unmake(self, source: int, destination: int, count: int, points: int, turned: bool) -> None:
        if turned:
            self.face_down[source] += 1
        self._carry(destination, source, count)
        if destination >= FOUNDATION:
            self.foundation_cards -= 1
        elif source >= FOUNDATION:
            self.foundation_cards += 1
            self.take_backs -= 1
        self.score -= points

    def _carry(self, source: int, destination: int, count: int) -> None:
        taken = self.piles[source]
        given = self.piles[destination]
        if destination in (WASTE, STOCK):
            # Turning one of stock and waste onto the other puts its first card last.
            given += taken[: -count - 1 : -1]
        else:
            given += taken[-count:]
        del taken[-count:]


def _foundations_for(card: int, copies: int) -> tuple[int, ...]:
    first = FOUNDATION + copies * SUIT[card]
    return tuple(range(first, first + copies))


FOUNDATIONS_FOR: Final = {
    52 * copies: tuple(_foundations_for(card, copies) for card in range(52)) for copies in (1, 2)
}
