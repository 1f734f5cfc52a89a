"""Easy Harp: two decks, nine columns each with one card face up, a stock with unlimited passes.

The exact rules are in docs/rules.md, "Easy Harp". One card at a time moves between columns; only
a run that begins with a king moves whole, and only to an empty column.
"""

from collections.abc import Mapping
from typing import Final

from .cards import IS_RED, RANK
from .common import (
    pile_with_cards,
    refusing,
    require_king,
    require_other_column,
    to_foundation,
    uncovers,
)
from .movetext import Action
from .places import STOCK, WASTE, Kind
from .points import TURN_UP_POINTS, WASTE_TO_COLUMN_POINTS
from .refusals import Refused
from .table import Change, Judge, Setup, Table

COLUMNS: Final = 9

# For each card, the cards that may go on it in a column.
_FITS_ON: Final = tuple(
    frozenset(
        card
        for card in range(52)
        if IS_RED[card] != IS_RED[below] and RANK[card] == RANK[below] - 1
    )
    for below in range(52)
)


def lay_out(deck: list[int]) -> Setup:
    """Return the table of a shuffled deck of 104: columns dealt in rows, the rest as the stock."""
    columns: list[list[int]] = [[] for _ in range(COLUMNS)]
    dealt = iter(deck)
    for row in range(COLUMNS):
        for column in columns[row:]:
            column.append(next(dealt))
    return Setup(columns, face_down=list(range(COLUMNS)), stock=list(dealt), cells=[])


def draw(table: Table, action: Action) -> Change:
    """Judge draws from the stock: all of them, or none."""
    stock = table.piles[STOCK]
    if action.number > len(stock):
        # Draws that empty the stock leave a waste that can be turned over.
        raise Refused("stock.empty" if stock or table.piles[WASTE] else "stock.nothing_left")
    return STOCK, WASTE, action.number, 0, False


def recycle(table: Table, action: Action) -> Change:
    """Judge putting the whole waste back as the stock."""
    if table.piles[STOCK]:
        raise Refused("stock.not_empty")
    waste = table.piles[WASTE]
    if not waste:
        raise Refused("stock.nothing_left")
    return WASTE, STOCK, len(waste), 0, False


def waste_to_column(table: Table, action: Action) -> Change:
    """Judge the top card of the waste going to a column."""
    waste = pile_with_cards(table, WASTE)
    _require_fit(waste[-1], table.piles[action.destination])
    return WASTE, action.destination, 1, WASTE_TO_COLUMN_POINTS, False


def column_to_column(table: Table, action: Action) -> Change:
    """Judge a move between columns: one card, or a king run to an empty column."""
    source, destination, stated = action
    require_other_column(action)
    column = pile_with_cards(table, source)
    target = table.piles[destination]
    count = 1
    if target:
        if stated:
            raise Refused("group.one_at_a_time")
        _require_fit(column[-1], target)
    else:
        # All face-up cards are one run: cards join it only in alternating colours.
        run_start = table.face_down[source]
        require_king(column[run_start])
        count = len(column) - run_start
        if stated and stated != count:
            raise Refused("group.wrong_count")
    if uncovers(table, source, count):
        return source, destination, count, TURN_UP_POINTS, True
    return source, destination, count, 0, False


def take_back(table: Table, action: Action) -> Change:
    """Judge the top card of a foundation going back to a column."""
    foundation = pile_with_cards(table, action.source)
    _require_fit(foundation[-1], table.piles[action.destination])
    return action.source, action.destination, 1, 0, False


def _require_fit(card: int, column: list[int]) -> None:
    if not column:
        require_king(card)
    elif card not in _FITS_ON[column[-1]]:
        same_colour = IS_RED[card] == IS_RED[column[-1]]
        raise Refused("column.same_colour" if same_colour else "column.wrong_rank")


JUDGES: Final[Mapping[tuple[Kind, Kind], Judge]] = {
    ("stock", "waste"): draw,
    ("waste", "stock"): recycle,
    ("waste", "column"): waste_to_column,
    ("waste", "foundation"): to_foundation,
    ("waste", "waste"): refusing("waste.no_entry"),
    ("column", "column"): column_to_column,
    ("column", "foundation"): to_foundation,
    ("column", "waste"): refusing("waste.no_entry"),
    ("foundation", "column"): take_back,
    ("foundation", "waste"): refusing("waste.no_entry"),
    ("foundation", "foundation"): refusing("foundation.no_exchange"),
}
