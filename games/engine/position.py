"""Interactive play: a position that takes one checked action after another."""

from dataclasses import dataclass, field
from typing import Any, Final

from .cards import CARD_NAMES
from .deals import DealCode, as_code, dealt
from .movetext import Action, Token, parse_token, well_formed_tokens
from .places import ANY_FOUNDATION, CELL, FOUNDATION, PLACE_OF, STOCK, WASTE
from .plays import Play, perform, play_of
from .points import ranked_score
from .refusals import Refused
from .table import Change, Judge, Table
from .variants import VARIANTS, Variant


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """Where every card lies, by name; piles that a game does not have are empty.

    `columns` and `waste` go from the deepest card to the top one, `stock` begins with the next
    card; `face_down` counts the hidden cards of each column; `cells` and `foundations` give the
    top card of each place, None where it is empty.
    """

    columns: tuple[tuple[str, ...], ...]
    face_down: tuple[int, ...]
    stock: tuple[str, ...]
    waste: tuple[str, ...]
    cells: tuple[str | None, ...]
    foundations: tuple[str | None, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return the JSON form: the same names, lists for tuples."""
        return {
            "columns": [list(column) for column in self.columns],
            "face_down": list(self.face_down),
            "stock": list(self.stock),
            "waste": list(self.waste),
            "cells": list(self.cells),
            "foundations": list(self.foundations),
        }


def snapshot(variant: Variant, table: Table) -> Snapshot:
    """Return what a table holds, the stock included."""
    piles = table.piles

    def tops(first: int, count: int) -> tuple[str | None, ...]:
        return tuple(CARD_NAMES[p[-1]] if p else None for p in piles[first : first + count])

    return Snapshot(
        columns=tuple(names(column) for column in piles[: variant.columns]),
        face_down=tuple(table.face_down[: variant.columns]),
        stock=names(piles[STOCK][::-1]),
        waste=names(piles[WASTE]),
        cells=tops(CELL, variant.cells),
        foundations=tops(FOUNDATION, variant.foundations),
    )


def names(cards: list[int]) -> tuple[str, ...]:
    """Return cards by name."""
    return tuple(CARD_NAMES[card] for card in cards)


def canonical_action(action: Action, change: Change) -> Action:
    """Return an action that states its number of cards exactly when it moves more than one."""
    if action.source < CELL and action.destination < CELL:
        cards = change[2]
        return action._replace(number=cards if cards > 1 else 0)
    return action


@dataclass
class Position:
    """A game in progress. The only way to change it is `apply`, which checks every action."""

    code: DealCode
    _table: Table = field(repr=False)

    @property
    def variant(self) -> Variant:
        return self.code.variant

    @property
    def score(self) -> int:
        return self._table.score

    @property
    def ranked_score(self) -> int:
        return ranked_score(score=self._table.score, take_backs=self._table.take_backs)

    @property
    def moves(self) -> int:
        return self._table.moves

    @property
    def undos(self) -> int:
        return self._table.undos

    @property
    def take_backs(self) -> int:
        return self._table.take_backs

    @property
    def foundation_cards(self) -> int:
        return self._table.foundation_cards

    @property
    def won(self) -> bool:
        return self._table.won

    @property
    def undoable_actions(self) -> int:
        """How many actions can be undone now, at most 100; 0 after the win."""
        return 0 if self.won else self._table.remembered

    def copy(self) -> "Position":
        """Return an independent position that can be undone as far as this one."""
        return Position(self.code, self._table.copy())

    def snapshot(self) -> Snapshot:
        """Return where every card lies now."""
        return snapshot(self.variant, self._table)

    def as_dict(self) -> dict[str, Any]:
        """Return the JSON form of the snapshot."""
        return self.snapshot().as_dict()

    def cards_at(self, place: str) -> tuple[str, ...]:
        """Return the cards at a movetext place or the `stock`, top card last.

        Raises ValueError for a place that this variant does not have.
        """
        return names(self._table.piles[self._place(place)])

    def face_down_at(self, place: str) -> int:
        """Return how many cards at a place are face down (for the stock, all)."""
        number = self._place(place)
        piles = self._table.piles
        return len(piles[STOCK]) if number == STOCK else self._table.face_down[number]

    def apply(self, action: str | Token) -> None:
        """Play one token whole: an action, or a number of draws or undos.

        Raises Refused, and leaves the position unchanged, when the rules do not allow it.
        """
        perform(self._table, self._play(action))

    def refusal(self, action: str | Token) -> str | None:
        """Return the refusal code that `apply` would raise, or None if it would be accepted."""
        try:
            perform(self._table.copy(), self._play(action))
        except Refused as refused:
            return refused.code
        return None

    def legal_actions(self) -> list[str]:
        """Return every legal action except undo, as canonical text, in the order of the places.

        Each group appears once, with its number of cards; draws are single.
        """
        table = self._table
        if table.won:
            return []
        legal = []
        for judge, action in _CANDIDATES[self.variant.slug]:
            if table.piles[action.source]:
                try:
                    change = judge(table, action)
                except Refused:
                    continue
                legal.append(str(canonical_action(action, change)))
        return legal

    def _play(self, action: str | Token) -> Play:
        # Always go through the text: an action made by hand may hold numbers that no token can.
        return play_of(self.variant, parse_token(str(action)))

    def _place(self, letters: str) -> int:
        place = PLACE_OF.get(letters, ANY_FOUNDATION)
        if place == ANY_FOUNDATION or not self.variant.has_place(place):
            raise ValueError(f"{self.variant.name} has no place {letters!r}")
        return place


def start(code: str | DealCode) -> Position:
    """Return the position of a deal before the first action.

    Raises CodeError for a text that is not a deal code.
    """
    code = as_code(code)
    return Position(code, Table(dealt(code), code.variant.deck_size))


def apply(position: Position, action: str | Token) -> None:
    """Play one token whole on a position; the same as `position.apply(action)`."""
    position.apply(action)


def _candidates(variant: Variant) -> list[tuple[Judge, Action]]:
    """Return every action that a variant's places allow: each pair of places once."""
    candidates = []
    for text in well_formed_tokens(most_repeats=1):
        token = parse_token(text)
        grouped = isinstance(token, Action) and token.number > 0 and not token.repeats
        judge, action, _ = play_of(variant, token)
        if judge is not None and not grouped and all(map(variant.has_place, action[:2])):
            candidates.append((judge, action))
    return candidates


_CANDIDATES: Final = {slug: _candidates(variant) for slug, variant in VARIANTS.items()}
