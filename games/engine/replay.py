"""Logs played from the deal: the verdict, the single steps, the canonical text.

Source: docs/contract.md, "Movetext" and "Verdict".
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any

from .deals import DealCode, as_code, dealt
from .movetext import Action, format_movetext
from .places import STOCK
from .plays import Play, Refusal, attempt, parts, perform, perform_all, read_log, single_actions
from .points import ranked_score
from .position import Snapshot, canonical_action, names, snapshot
from .table import Table


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What a log is worth; for a refused log, its good prefix.

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
        """Return the JSON form, the same in commands, files and the API."""
        verdict = {field.name: getattr(self, field.name) for field in fields(self)}
        return {**verdict, "refused": self.refused and self.refused.as_dict()}


def replay(code: str | DealCode, movetext: str) -> Verdict:
    """Judge a log from the deal to its end or to the first refusal.

    Raises CodeError for a text that is not a deal code and LimitError for a log that exceeds the
    limits, before any action is played, and nothing else: an illegal log is an answer.
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
        ranked_score=ranked_score(score=table.score, take_backs=table.take_backs),
        moves=table.moves,
        undos=table.undos,
        take_backs=table.take_backs,
        foundation_cards=table.foundation_cards,
        actions=table.moves + table.undos,
        refused=refused,
    )


@dataclass(frozen=True, kw_only=True)
class Step:
    """One action of a log and the position after it, or its refusal and the position before it.

    `index` and `token` count actions and tokens from 0, `actions` is how many actions the step
    plays (0 if refused) and `action` their canonical text. `cards` names the cards that moved,
    in their new order (none for a waste turned over or several undos), `turned_up` the card
    that it turned up. `points` may be negative for an undo; the rest is as in `Verdict`.
    """

    index: int
    token: int
    action: str
    actions: int
    cards: tuple[str, ...]
    turned_up: str | None
    points: int
    score: int
    ranked_score: int
    moves: int
    undos: int
    take_backs: int
    foundation_cards: int
    won: bool
    position: Snapshot
    refusal: Refusal | None

    def as_dict(self) -> dict[str, Any]:
        """Return the JSON form: the same names."""
        step = {field.name: getattr(self, field.name) for field in fields(self)}
        return {
            **step,
            "cards": list(self.cards),
            "position": self.position.as_dict(),
            "refusal": self.refusal and self.refusal.as_dict(),
        }


def steps(code: str | DealCode, movetext: str, *, joined: bool = False) -> Iterator[Step]:
    """Return the steps of a log, up to its end or its first refusal, which is the last step.

    One step for each action; with `joined`, one for each token, so that a run of draws or undos
    is one step. Raises CodeError and LimitError like `replay`, at the call.
    """
    code = as_code(code)
    tokens, plays = read_log(code.variant, movetext)
    return _steps(code, tokens, plays, joined)


def _steps(
    code: DealCode, tokens: Sequence[str], plays: Sequence[Play], joined: bool
) -> Iterator[Step]:
    table = Table(dealt(code), code.variant.deck_size)
    for number, (text, play) in enumerate(zip(tokens, plays, strict=True)):
        for part in parts(table, play) if joined else single_actions(play):
            step = _step(code, table, number, text, part)
            yield step
            if step.refusal:
                return


def _step(code: DealCode, table: Table, number: int, text: str, play: Play) -> Step:
    index = table.moves + table.undos
    score = table.score
    is_undo, actions = play[0] is None, play[2]
    cards = _cards_to_come_back(table) if is_undo and actions == 1 else ()
    turned_up = None
    refusal = attempt(table, number, text, play)
    if refusal:
        action, actions, cards = refusal.action, 0, ()
    elif is_undo:
        action = str(play[1])
    else:
        change = table.history[-1]
        source, destination, count, _, turned = change
        action = str(canonical_action(play[1], change))
        cards = names(table.piles[destination][-count:]) if destination != STOCK else ()
        turned_up = names(table.piles[source][-1:])[0] if turned else None
    return Step(
        index=index,
        token=number,
        action=action,
        actions=actions,
        cards=cards,
        turned_up=turned_up,
        points=table.score - score,
        score=table.score,
        ranked_score=ranked_score(score=table.score, take_backs=table.take_backs),
        moves=table.moves,
        undos=table.undos,
        take_backs=table.take_backs,
        foundation_cards=table.foundation_cards,
        won=table.won,
        position=snapshot(code.variant, table),
        refusal=refusal,
    )


def _cards_to_come_back(table: Table) -> tuple[str, ...]:
    if not table.remembered:
        return ()
    source, destination, count, _, _ = table.history[-1]
    if destination == STOCK:
        return ()
    return names(table.piles[destination][-1 if source == STOCK else -count :])


def canonical(code: str | DealCode, movetext: str) -> str:
    """Return the canonical text of a legal log: single spaces, runs of draws and undos joined,
    `v` exactly where more than one card moves.

    Raises Refused for a log that is not legal, CodeError and LimitError like `replay`.
    """
    code = as_code(code)
    _, plays = read_log(code.variant, movetext)
    table = Table(dealt(code), code.variant.deck_size)
    actions: list[Action] = []
    for play in plays:
        perform(table, play)
        is_undo, action = play[0] is None, play[1]
        actions.append(action if is_undo else canonical_action(action, table.history[-1]))
    return format_movetext(actions)
