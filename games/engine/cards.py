"""Cards as small integers, their names, and the lookup tables of the rules.

A card's index is `13 * suit + rank`, suits S H D C = 0..3 and ranks A..K = 0..12
(docs/rules.md, "Common to both"). Two equal cards of a double deck have the same index.
"""

from typing import Final

RANKS: Final = "A23456789TJQK"
SUITS: Final = "SHDC"
KING: Final = 12

RANK: Final = tuple(card % 13 for card in range(52))
SUIT: Final = tuple(card // 13 for card in range(52))
IS_RED: Final = tuple(SUITS[suit] in "HD" for suit in SUIT)

CARD_NAMES: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)
_CARD_OF: Final = {name: card for card, name in enumerate(CARD_NAMES)}


def card_name(card: int) -> str:
    """Return the name of a card index 0..51, rank then suit: `7H`, `TC`."""
    if not 0 <= card < 52:
        raise ValueError(f"no card has the index {card}")
    return CARD_NAMES[card]


def card_index(name: str) -> int:
    """Return the index 0..51 of a card name; the inverse of `card_name`.

    Raises ValueError for any other text.
    """
    try:
        return _CARD_OF[name]
    except KeyError:
        raise ValueError(f"not a card: {name!r}") from None
