"""How hard a deal is, from 1 (easy) to 5 (hard), told by the search that won it."""

from bisect import bisect_right
from typing import Final

from games.engine import parse_code

from .solution import Solution

# The least effort, in positions, of grades 2 to 5. Most deals spread over
# grades 1 to 4, and about a tenth are in grade 5.
THRESHOLDS: Final = {
    "easy-harp": (175_000, 215_000, 280_000, 900_000),
    "eight-off": (250, 600, 1_500, 4_500),
    "eight-off-4": (220, 360, 570, 1_000),
    "eight-off-2": (120, 200, 400, 700),
}


def grade(solution: Solution) -> int | None:
    """Return the difficulty of a deal, 1 to 5, or None where no line was found.

    It is the number of positions that the search looked at before its first win
    (`Solution.effort`), against thresholds of the variant. In Eight Off the first search is
    greedy: a deal on which it can hurry to the foundations takes few positions, one where it
    must turn back takes many. In Easy Harp the beam begins narrow and is widened when it fails:
    grades 1 to 3 are won by the narrow beam, which looks at the more positions the more plays
    there are to choose from, 4 by the next width and 5 by a wider one.
    """
    if solution.outcome != "winnable":
        return None
    slug = parse_code(solution.code).variant.slug
    return 1 + bisect_right(THRESHOLDS[slug], solution.effort)
