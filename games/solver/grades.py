"""How hard a deal is, from 1 (easy) to 5 (hard), told by the search that won it."""

from bisect import bisect_right
from typing import Final

from games.engine import parse_code

from .solution import Solution

# The least effort, in positions, of grades 2 to 5.
THRESHOLDS: Final = {
    "easy-harp": (220_000, 300_000, 700_000, 2_500_000),
    "eight-off": (250, 600, 1_500, 4_000),
    "eight-off-4": (100, 200, 400, 800),
    "eight-off-2": (50, 100, 200, 400),
}


def grade(solution: Solution) -> int | None:
    """Return the difficulty of a deal, 1 to 5, or None where no line was found.

    It is the number of positions that the search looked at before its first win
    (`Solution.effort`), against thresholds of the variant. In Eight Off the first search is
    greedy: a deal on which it can hurry to the foundations takes few positions, one where it
    must turn back takes many. In Easy Harp the beam begins narrow and is widened when it fails:
    grades 1 and 2 are won by the narrow beam, the others by the second, third or a later width.
    """
    if solution.outcome != "winnable":
        return None
    slug = parse_code(solution.code).variant.slug
    return 1 + bisect_right(THRESHOLDS[slug], solution.effort)
