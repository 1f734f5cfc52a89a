"""How hard a deal is, from 1 (easy) to 5 (hard), by the search that won it."""

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

    The number of positions that the search examined before its first win (`Solution.effort`) is
    compared with thresholds of the variant. In Eight Off the first search is greedy: a deal on
    which it can hurry to the foundations takes few positions, one where it must turn back takes
    many. In Easy Harp the beam starts narrow and widens when it fails: the narrow beam wins
    grades 1 to 3, examining more positions the more plays there are to choose from, the next
    width wins grade 4, and a wider one grade 5.
    """
    if solution.outcome != "winnable":
        return None
    slug = parse_code(solution.code).variant.slug
    return 1 + bisect_right(THRESHOLDS[slug], solution.effort)
