"""Tokens bound to the rules that judge them: the only way to play actions.

`replay`, `steps` and `Position` all go through here.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import repeat
from operator import itemgetter
from typing import Any, Final

from .common import refusing
from .movetext import (
    Action,
    Malformed,
    Token,
    check_actions,
    draw,
    parse_token,
    split_tokens,
    undo,
    well_formed_tokens,
)
from .places import MEMORY, STOCK
from .refusals import REFUSALS, Refused
from .table import Judge, Table
from .variants import VARIANTS, Variant

# The rule (None for an undo), the action it judges, how many actions that is. A malformed token
# has a rule that refuses it.
Play = tuple[Judge | None, Action, int]

_NOT_AN_ACTION: Final = Action(MEMORY, STOCK)

# A higher count is never legal for draws, and rare for undos.
_TABLED_REPEATS: Final = 104

_LONGEST_SHOWN: Final = 32


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """The first refusal of a log: `index` counts actions and `token` tokens, both from 0.

    `action` is the single action refused (a malformed token is shortened and in printable
    ASCII), `code` a key of `REFUSALS` and `message` its English text.
    """

    index: int
    token: int
    action: str
    code: str

    @property
    def message(self) -> str:
        return REFUSALS[self.code]

    def as_dict(self) -> dict[str, Any]:
        """Return the JSON form of docs/contract.md, "Verdict"."""
        return {**asdict(self), "message": self.message}


def play_of(variant: Variant, token: Token) -> Play:
    """Return a token bound to the rule of a variant that judges it."""
    if isinstance(token, Malformed):
        return refusing(token.code), _NOT_AN_ACTION, 1
    if token.source == MEMORY:
        return None, token, token.number
    return variant.judge_of(token), token, token.actions


class _Plays(dict[str, Play]):
    """The plays of a variant by token; a token that is not in the table is parsed."""

    def __init__(self, variant: Variant) -> None:
        super().__init__(
            (text, play_of(variant, parse_token(text)))
            for text in well_formed_tokens(_TABLED_REPEATS)
        )
        self._variant = variant

    def __missing__(self, text: str) -> Play:
        return play_of(self._variant, parse_token(text))


_PLAYS: Final = {slug: _Plays(variant) for slug, variant in VARIANTS.items()}


def read_log(variant: Variant, movetext: str) -> tuple[list[str], list[Play]]:
    """Return the tokens of a log and what each one plays.

    Raises LimitError for a log that exceeds the limits.
    """
    tokens = split_tokens(movetext)
    plays_by_token = _PLAYS[variant.slug]
    plays = [plays_by_token[token] for token in tokens]
    check_actions(sum(map(itemgetter(2), plays)))
    return tokens, plays


def perform(table: Table, play: Play) -> None:
    """Play one token whole, or raise Refused and leave the table as it is."""
    judge, action, actions = play
    if table.foundation_cards == table.deck_size and action is not _NOT_AN_ACTION:
        raise Refused("game.over")
    if judge is None:
        table.undo(actions)
    else:
        table.make(judge(table, action))


def perform_all(table: Table, tokens: Sequence[str], plays: Sequence[Play]) -> Refusal | None:
    """Play the tokens of a log up to the first refusal, and return the refusal."""
    for number, play in enumerate(plays):
        try:
            perform(table, play)
        except Refused:
            for part in parts(table, play):
                if refusal := attempt(table, number, tokens[number], part):
                    return refusal
    return None


def attempt(table: Table, number: int, text: str, play: Play) -> Refusal | None:
    """Play one part of token `number` of a log, or return why it left the table unchanged."""
    try:
        perform(table, play)
    except Refused as refused:
        action = play[1]
        return Refusal(
            index=table.moves + table.undos,
            token=number,
            action=_one_action(action, text),
            code=refused.code,
        )
    return None


def parts(table: Table, play: Play) -> Iterator[Play]:
    """Yield a play whole, or cut where it has more draws or undos than are possible."""
    judge, action, actions = play
    if actions > 1:
        if action.source == STOCK:
            several, possible = draw, len(table.piles[STOCK])
        else:
            several, possible = undo, table.remembered
        if possible < actions:
            if possible:
                yield judge, several(possible), possible
            play = judge, several(1), 1
    yield play


def single_actions(play: Play) -> Iterator[Play]:
    """Yield the actions of a play one by one."""
    judge, action, actions = play
    single = play if actions == 1 else (judge, action._replace(number=1), 1)
    yield from repeat(single, actions)


def _one_action(action: Action, text: str) -> str:
    if action is _NOT_AN_ACTION:
        return _shown(text)
    return str(action._replace(number=1) if action.repeats else action)


def _shown(text: str) -> str:
    """Return a malformed token in a form safe to show and store: printable ASCII, 32 characters."""
    return "".join(
        letter if "!" <= letter <= "~" else "\N{REPLACEMENT CHARACTER}"
        for letter in text[:_LONGEST_SHOWN]
    )
