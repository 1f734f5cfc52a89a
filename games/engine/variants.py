"""The games and variants of the service, and the rule that judges each action in them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import Final

from . import easy_harp, eight_off
from .common import refusing
from .movetext import Action
from .places import ANY_FOUNDATION, CELL, COLUMN, FOUNDATION, Kind, kind_of
from .points import FOUNDATION_POINTS, TURN_UP_POINTS, WASTE_TO_COLUMN_POINTS
from .table import Judge, Setup
from .texts import gettext_noop

# Stored with each judged log: raise it when any log could get a different verdict.
RULES_VERSION: Final = "1"


@dataclass(frozen=True, kw_only=True)
class Variant:
    """A game with its options fixed: its numbers and names.

    `code_prefix` begins its deal codes (game letters, shuffle version, variant); `deck_size`,
    `columns`, `cells` and `foundations` count cards and places; `max_ranked_score` is the
    highest ranked score that a game can reach; `name` is English, for translation.
    """

    slug: str
    game: str
    name: str
    code_prefix: str
    deck_size: int
    columns: int
    cells: int
    foundations: int
    has_stock: bool
    max_ranked_score: int
    lay_out: Callable[[list[int]], Setup] = field(repr=False, compare=False)
    judges: Mapping[tuple[Kind, Kind], Judge] = field(repr=False, compare=False)

    def has_place(self, place: int) -> bool:
        """Return whether this variant has the place (`games.engine.places`)."""
        match kind_of(place):
            case "column":
                return place - COLUMN < self.columns
            case "cell":
                return place - CELL < self.cells
            case "foundation":
                return place == ANY_FOUNDATION or place - FOUNDATION < self.foundations
            case _:
                return self.has_stock

    def judge_of(self, action: Action) -> Judge:
        """Return the rule that judges an action; undo has none."""
        for place in action[:2]:
            if not self.has_place(place):
                return refusing(f"{kind_of(place)}.no_such")
        return self.judges[kind_of(action.source), kind_of(action.destination)]


def _eight_off(cells: int, slug: str, name: str) -> Variant:
    return Variant(
        slug=slug,
        game="eight-off",
        name=name,
        code_prefix=f"EO1-C{cells}",
        deck_size=52,
        columns=eight_off.COLUMNS,
        cells=cells,
        foundations=4,
        has_stock=False,
        max_ranked_score=52 * FOUNDATION_POINTS,
        lay_out=partial(eight_off.lay_out, cells=cells),
        judges=eight_off.judges(cells),
    )


_EASY_HARP: Final = Variant(
    slug="easy-harp",
    game="easy-harp",
    name=gettext_noop("Easy Harp"),
    code_prefix="EH1-N",
    deck_size=104,
    columns=easy_harp.COLUMNS,
    cells=0,
    foundations=8,
    has_stock=True,
    # Every card on a foundation, the 36 hidden cards turned up, the 59 of the stock used once.
    max_ranked_score=104 * FOUNDATION_POINTS + 36 * TURN_UP_POINTS + 59 * WASTE_TO_COLUMN_POINTS,
    lay_out=easy_harp.lay_out,
    judges=easy_harp.JUDGES,
)

VARIANTS: Final[Mapping[str, Variant]] = MappingProxyType(
    {
        variant.slug: variant
        for variant in (
            _EASY_HARP,
            _eight_off(8, "eight-off", gettext_noop("Eight Off")),
            _eight_off(4, "eight-off-4", gettext_noop("Eight Off, 4 cells")),
            _eight_off(2, "eight-off-2", gettext_noop("Eight Off, 2 cells")),
        )
    }
)
