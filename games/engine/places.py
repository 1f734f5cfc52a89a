"""The places of both tables, numbered so that one list of piles holds them all.

A variant with fewer columns, cells or foundations leaves the rest unused. The letters are those
of docs/contract.md, "Movetext".
"""

from typing import Final, Literal

Kind = Literal["column", "cell", "stock", "waste", "foundation", "memory"]

COLUMN: Final = 0  # the first of 9
CELL: Final = 9  # the first of 8
STOCK: Final = 17
WASTE: Final = 18
FOUNDATION: Final = 19  # the first of 8; every greater number is a foundation too
PILES: Final = 27  # how many of them hold cards
ANY_FOUNDATION: Final = 27  # as a destination: the card decides the place
MEMORY: Final = -1  # where an undo comes from

COLUMN_LETTERS: Final = "123456789"
CELL_LETTERS: Final = "abcdefgk"  # h means the foundations
FOUNDATION_LETTERS: Final = tuple(f"h{place}" for place in range(1, 9))

# Tokens of their own move cards between stock and waste; gestures need a name for the stock.
LETTERS: Final = (*COLUMN_LETTERS, *CELL_LETTERS, "stock", "w", *FOUNDATION_LETTERS, "h")
PLACE_OF: Final = {letters: place for place, letters in enumerate(LETTERS)}


def kind_of(place: int) -> Kind:
    """Return what sort of place a place number is."""
    if place == MEMORY:
        return "memory"
    if place < CELL:
        return "column"
    if place < STOCK:
        return "cell"
    if place == STOCK:
        return "stock"
    return "waste" if place == WASTE else "foundation"
