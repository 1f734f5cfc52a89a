"""Shuffle version 1: PCG32 (XSH-RR 64/32) and the deck procedure of PCG's own demo.

Source: docs/rules.md, "Common to both", Shuffle.
"""

from collections.abc import Iterator
from typing import Final

_MASK_32: Final = (1 << 32) - 1
_MASK_64: Final = (1 << 64) - 1
_MULTIPLIER: Final = 6364136223846793005
_LARGEST_DECK: Final = 104

# Draw again below this number, so that every remainder is equally likely.
_THRESHOLD: Final = (0, *((1 << 32) % bound for bound in range(1, _LARGEST_DECK + 1)))


def pcg32(initstate: int, initseq: int) -> Iterator[int]:
    """Yield the endless 32-bit numbers of a generator seeded like `pcg32_srandom_r`."""
    increment = (initseq << 1 | 1) & _MASK_64
    state = ((increment + initstate) * _MULTIPLIER + increment) & _MASK_64
    while True:
        mixed = (state >> 18 ^ state) >> 27 & _MASK_32
        rotation = state >> 59
        state = (state * _MULTIPLIER + increment) & _MASK_64
        # Two copies side by side: shifting them rotates one.
        yield mixed * 0x1_0000_0001 >> rotation & _MASK_32


def bounded(numbers: Iterator[int], bound: int) -> int:
    """Return an unbiased number in 0..bound-1 (1 <= bound <= 104), like `pcg32_boundedrand_r`."""
    threshold = _THRESHOLD[bound]
    number = next(numbers)
    while number < threshold:
        number = next(numbers)
    return number % bound


def shuffle(cards: list[int], numbers: Iterator[int]) -> None:
    """Shuffle at most 104 cards in place, from the last position down."""
    for size in range(len(cards), 1, -1):
        chosen = bounded(numbers, size)
        cards[chosen], cards[size - 1] = cards[size - 1], cards[chosen]


def shuffled_deck(number: int, size: int) -> list[int]:
    """Return the deck of deal `number`, first dealt card first; `size` is 52 or 104 cards."""
    deck = [position % 52 for position in range(size)]
    shuffle(deck, pcg32(initstate=number, initseq=size))
    return deck
