"""The rank key and its packing. Pure: no Django, no database.

Source of the rule: docs/contract.md, "Rank key": won, ranked_score (high), moves (low), whole
seconds since the first start (low), compared as a whole.
"""

from typing import NamedTuple

_RANKED_SCORE_BITS = 11  # at most 1 515, in Easy Harp
_MOVES_BITS = 15  # at most 20 000, the limit of a log
_SECONDS_BITS = 20  # twelve days; a deal is open for one

MAX_RANKED_SCORE = (1 << _RANKED_SCORE_BITS) - 1
MAX_MOVES = (1 << _MOVES_BITS) - 1
MAX_SECONDS = (1 << _SECONDS_BITS) - 1
# Below 2^53, so that an index that keeps scores as doubles keeps them exactly.
MAX_PACKED = (1 << (1 + _RANKED_SCORE_BITS + _MOVES_BITS + _SECONDS_BITS)) - 1
assert MAX_PACKED < 1 << 53  # noqa: S101 (a fact about the constants above)


class RankKey(NamedTuple):
    """What ranks a result. Two results with equal keys share a rank."""

    won: bool
    ranked_score: int
    moves: int
    seconds: int

    def better_than(self, other: "RankKey") -> bool:
        """Return whether this key ranks strictly before `other`."""
        return self._best_first() < other._best_first()

    def _best_first(self) -> tuple[bool, int, int, int]:
        return (not self.won, -self.ranked_score, self.moves, self.seconds)


def rank_key(*, won: bool, ranked_score: int, moves: int, since_first_start_ms: int) -> RankKey:
    """Return the key of a result; the time counts in whole seconds, rounded down.

    A time beyond the range of the packing counts as the longest.
    """
    return RankKey(won, ranked_score, moves, min(since_first_start_ms // 1000, MAX_SECONDS))


def pack(key: RankKey) -> int:
    """Return the key as one integer from 0 to MAX_PACKED: the greater, the better.

    Raises:
        ValueError: a part is out of its range.
    """
    if not (
        0 <= key.ranked_score <= MAX_RANKED_SCORE
        and 0 <= key.moves <= MAX_MOVES
        and 0 <= key.seconds <= MAX_SECONDS
    ):
        raise ValueError(key)
    packed = int(key.won)
    packed = packed << _RANKED_SCORE_BITS | key.ranked_score
    packed = packed << _MOVES_BITS | (MAX_MOVES - key.moves)
    return packed << _SECONDS_BITS | (MAX_SECONDS - key.seconds)


def unpack(packed: int) -> RankKey:
    """Return the key that `pack` made this integer from.

    Raises:
        ValueError: no key packs to it.
    """
    if not 0 <= packed <= MAX_PACKED:
        raise ValueError(packed)
    seconds = MAX_SECONDS - (packed & MAX_SECONDS)
    packed >>= _SECONDS_BITS
    moves = MAX_MOVES - (packed & MAX_MOVES)
    packed >>= _MOVES_BITS
    return RankKey(bool(packed >> _RANKED_SCORE_BITS), packed & MAX_RANKED_SCORE, moves, seconds)


def percentile(*, rank: int, ranked_players: int) -> int:
    """Return how many of a hundred other players on the board a player equals or beats.

    Rounded down; 100 for the only player. A board may lose rows between counting its players and
    a rank: a rank beyond the end counts as the last.
    """
    others = max(rank, ranked_players) - 1
    return 100 if others == 0 else 100 * (others + 1 - rank) // others
