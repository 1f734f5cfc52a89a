"""The verdict on a log: docs/contract.md, "Verdict"."""

from dataclasses import dataclass
from typing import Any

from .deals import DealCode, as_code, dealt
from .plays import Refusal, perform_all, read_log
from .table import Table


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What a log is worth; of a refused one, its good prefix.

    `code` is the canonical deal code; `score` and `ranked_score` are points; `moves`, `undos`
    and `actions` count actions, `take_backs` those not undone, `foundation_cards` cards.
    A log that goes on after the win is won and not legal.
    """

    code: str
    legal: bool
    won: bool
    score: int
    ranked_score: int
    moves: int
    undos: int
    take_backs: int
    foundation_cards: int
    actions: int
    refused: Refusal | None

    def as_dict(self) -> dict[str, Any]:
        """Return the JSON form, the same in commands, files and API."""
        fields = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return {**fields, "refused": self.refused and self.refused.as_dict()}


def replay(code: str | DealCode, movetext: str) -> Verdict:
    """Judge a log from the deal to its end or to the first refusal.

    Raises CodeError for a text that is no deal code and LimitError for a log over the limits,
    before any action is played, and nothing else: an illegal log is an answer.
    """
    code = as_code(code)
    tokens, plays = read_log(code.variant, movetext)
    table = Table(dealt(code), code.variant.deck_size)
    refused = perform_all(table, tokens, plays)
    return Verdict(
        code=str(code),
        legal=refused is None,
        won=table.won,
        score=table.score,
        ranked_score=table.ranked_score,
        moves=table.moves,
        undos=table.undos,
        take_backs=table.take_backs,
        foundation_cards=table.foundation_cards,
        actions=table.moves + table.undos,
        refused=refused,
    )
