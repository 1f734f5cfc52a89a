"""Rules that both games share: docs/rules.md, "Common to both"."""

from typing import Final

from .cards import KING, RANK
from .movetext import Action
from .places import PILES, kind_of
from .points import FOUNDATION_POINTS, TURN_UP_POINTS
from .refusals import Refused
from .table import Change, Judge, Table

_EMPTY: Final = tuple(f"{kind_of(place)}.empty" for place in range(PILES))


def refusing(code: str) -> Judge:
    """Return a judge that refuses every action."""

    def refuse(table: Table, action: Action) -> Change:
        raise Refused(code)

    return refuse


def pile_with_cards(table: Table, place: int) -> list[int]:
    """Return the pile at a place; refuse when it is empty."""
    pile = table.piles[place]
    if not pile:
        raise Refused(_EMPTY[place])
    return pile


def uncovers(table: Table, source: int, count: int) -> bool:
    """Return whether taking `count` cards leaves a face-down card on top of the pile."""
    face_down = table.face_down[source]
    return face_down > 0 and face_down == len(table.piles[source]) - count


def to_foundation(table: Table, action: Action) -> Change:
    """Judge a card sent to the first place of its suit that accepts it."""
    source, _, stated = action
    pile = table.piles[source]
    if not pile:
        raise Refused(_EMPTY[source])
    if stated:
        raise Refused("group.single_only")
    card = pile[-1]
    rank = RANK[card]
    for place in table.foundations_for[card]:
        if len(table.piles[place]) == rank:
            if uncovers(table, source, 1):
                return source, place, 1, FOUNDATION_POINTS + TURN_UP_POINTS, True
            return source, place, 1, FOUNDATION_POINTS, False
    raise Refused("foundation.not_next")


def require_king(card: int) -> None:
    """Refuse any card except a king: the rule of empty columns."""
    if RANK[card] != KING:
        raise Refused("column.king_only")


def require_other_column(action: Action) -> None:
    """Refuse a move from a column to itself."""
    if action.source == action.destination:
        raise Refused("column.same_column")
