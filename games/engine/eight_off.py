"""Eight Off: one deck face up, eight columns built down in suit, with 8, 4 or 2 cells.

The exact rules are in docs/rules.md, "Eight Off". A group moves as one action if it has at most
`(free cells + 1) * 2 ^ (empty columns)` cards, not counting an empty destination. Single moves
could not always carry as many, because only kings enter empty columns.
"""

from collections.abc import Mapping
from typing import Final

from .cards import KING, RANK, SUIT
from .common import (
    pile_with_cards,
    refusing,
    require_other_column,
    to_foundation,
)
from .movetext import Action
from .places import CELL, COLUMN, Kind
from .refusals import Refused
from .table import Change, Judge, Setup, Table

COLUMNS: Final = 8
DEALT_CARDS: Final = 48


def lay_out(deck: list[int], cells: int) -> Setup:
    """Return the table of a shuffled deck of 52: six rows of eight, then the cells.

    With two cells, the last two cards go on the ends of columns 3 and 4.
    """
    columns = [deck[column:DEALT_CARDS:COLUMNS] for column in range(COLUMNS)]
    left_over = deck[DEALT_CARDS:]
    filled: list[int | None] = [*left_over[:cells]]
    for column, card in zip(columns[2:], left_over[cells:], strict=False):
        column.append(card)
    return Setup(
        columns,
        face_down=[0] * COLUMNS,
        stock=[],
        cells=filled + [None] * (cells - len(filled)),
    )


def longest_group(table: Table, cells: int, destination: int) -> int:
    """Return how many cards of a run may move to a column as one action."""
    free_cells = sum(not cell for cell in table.piles[CELL : CELL + cells])
    empty_columns = sum(not column for column in table.piles[COLUMN : COLUMN + COLUMNS])
    if not table.piles[destination]:
        empty_columns -= 1
    return (free_cells + 1) << empty_columns


def run_length(column: list[int]) -> int:
    """Return how many cards at the end of a non-empty column form a run."""
    length = 1
    while length < len(column) and _fits(column[-length], column[-length - 1]):
        length += 1
    return length


def _fits(card: int, below: int) -> bool:
    return below == card + 1 and RANK[card] != KING


def _accepts(column: list[int], card: int) -> bool:
    return _fits(card, column[-1]) if column else RANK[card] == KING


def _why_not(column: list[int], card: int) -> str:
    """Return why a column does not accept a card, as a refusal code."""
    if not column:
        return "column.king_only"
    same_suit = SUIT[card] == SUIT[column[-1]]
    return "column.wrong_rank" if same_suit else "column.wrong_suit"


def _count_fixed_by_board(column: list[int], target: list[int]) -> int:
    """Return how many cards of a column's run fit on the target, 0 if none does."""
    run = run_length(column)
    count = target[-1] - column[-1] if target else run
    return count if 0 < count <= run and _accepts(target, column[-count]) else 0


def _judge_column_to_column(table: Table, action: Action, cells: int) -> Change:
    source, destination, stated = action
    require_other_column(action)
    column = pile_with_cards(table, source)
    target = table.piles[destination]
    if stated > run_length(column):
        raise Refused("group.not_a_run")
    count = _count_fixed_by_board(column, target)
    if not count:
        # No card fits: the first card of the requested group says why.
        raise Refused(_why_not(target, column[-(stated or 1)]))
    if stated and stated != count:
        raise Refused("group.wrong_count")
    if count > 1 and count > longest_group(table, cells, destination):
        raise Refused("group.too_long")
    return source, destination, count, 0, False


def card_to_column(table: Table, action: Action) -> Change:
    """Judge a single card, from a cell or taken back from a foundation, going to a column."""
    source, destination, _ = action
    card = pile_with_cards(table, source)[-1]
    column = table.piles[destination]
    if not _accepts(column, card):
        raise Refused(_why_not(column, card))
    return source, destination, 1, 0, False


def to_cell(table: Table, action: Action) -> Change:
    """Judge a single card going to a cell, from a column, a cell or a foundation."""
    source, destination, count = action
    if source == destination:
        raise Refused("cell.same_cell")
    pile_with_cards(table, source)
    if count:
        raise Refused("group.single_only")
    if table.piles[destination]:
        raise Refused("cell.occupied")
    return source, destination, 1, 0, False


def judges(cells: int) -> Mapping[tuple[Kind, Kind], Judge]:
    """Return the rules of the variant with this many cells, by kinds of places."""

    def column_to_column(table: Table, action: Action) -> Change:
        return _judge_column_to_column(table, action, cells)

    return {
        ("column", "column"): column_to_column,
        ("column", "cell"): to_cell,
        ("column", "foundation"): to_foundation,
        ("cell", "column"): card_to_column,
        ("cell", "cell"): to_cell,
        ("cell", "foundation"): to_foundation,
        ("foundation", "column"): card_to_column,
        ("foundation", "cell"): to_cell,
        ("foundation", "foundation"): refusing("foundation.no_exchange"),
    }
