"""Tables laid out by hand, for rules that are easier to show than to reach."""

from collections.abc import Mapping, Sequence

import pytest

from games.engine import CARD_NAMES, REFUSALS, VARIANTS, DealCode, Position, Refused, card_index
from games.engine.places import FOUNDATION, WASTE
from games.engine.table import Setup, Table


def cards(names: str) -> list[int]:
    return [card_index(name) for name in names.split()]


def position(
    slug: str,
    *columns: str,
    hidden: Mapping[int, int] | None = None,
    stock: str = "",
    waste: str = "",
    cells: Sequence[str | None] = (),
    foundations: Mapping[int, str] | None = None,
) -> Position:
    """Return a position: columns "KH QS" deepest first, missing ones empty.

    `hidden` says how many cards of which column (from 1) are face down; `foundations` gives the
    top card of a place (from 1).
    """
    variant = VARIANTS[slug]
    table_columns = [cards(column) for column in columns]
    table_columns += [[] for _ in range(variant.columns - len(columns))]
    face_down = [(hidden or {}).get(column, 0) for column in range(1, variant.columns + 1)]
    table_cells = [None if cell is None else card_index(cell) for cell in cells]
    table_cells += [None] * (variant.cells - len(cells))
    table = Table(Setup(table_columns, face_down, cards(stock), table_cells), variant.deck_size)
    table.piles[WASTE] = cards(waste)
    for place, top in (foundations or {}).items():
        card = card_index(top)
        table.piles[FOUNDATION + place - 1] = list(range(card - card % 13, card + 1))
        table.foundation_cards += card % 13 + 1
    return Position(DealCode(variant, 1), table)


def easy_harp(*columns: str, **rest: object) -> Position:
    return position("easy-harp", *columns, **rest)  # type: ignore[arg-type]


def eight_off(*columns: str, **rest: object) -> Position:
    return position("eight-off", *columns, **rest)  # type: ignore[arg-type]


def state(position: Position) -> dict[str, object]:
    """Return all that undo has to restore (the counters of moves and undos only go up)."""
    return {
        **position.as_dict(),
        "piles": {
            place: position.cards_at(place) for place in places_of(position) if place != "stock"
        },
        "score": position.score,
        "ranked_score": position.ranked_score,
        "take_backs": position.take_backs,
        "foundation_cards": position.foundation_cards,
    }


def places_of(position: Position) -> list[str]:
    """Return every place of a position that holds cards."""
    variant = position.variant
    places = [str(column + 1) for column in range(variant.columns)]
    places += list("abcdefgk"[: variant.cells])
    places += [f"h{place + 1}" for place in range(variant.foundations)]
    return places + (["stock", "w"] if variant.has_stock else [])


def all_cards(position: Position) -> list[str]:
    """Return the cards of all places, sorted."""
    return sorted(
        (card for place in places_of(position) for card in position.cards_at(place)),
        key=CARD_NAMES.index,
    )


def assert_refused(position: Position, action: str, code: str) -> None:
    """Assert that an action is refused with this code, and that nothing changed."""
    before = (state(position), position.moves, position.undos)
    assert position.refusal(action) == code
    with pytest.raises(Refused) as raised:
        position.apply(action)
    assert raised.value.code == code
    assert raised.value.message == REFUSALS[code]
    assert (state(position), position.moves, position.undos) == before
