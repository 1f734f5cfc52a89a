"""Movetext: the text of a game, parsed and formatted without knowing the table.

Grammar and limits: docs/contract.md, "Movetext". ASCII white space separates
tokens; upper and lower case differ. Only a game knows whether a token is legal.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from .places import (
    CELL_LETTERS,
    COLUMN_LETTERS,
    FOUNDATION_LETTERS,
    LETTERS,
    MEMORY,
    PLACE_OF,
    STOCK,
    WASTE,
)
from .texts import gettext_noop

MAX_ACTIONS: Final = 20_000
MAX_LOG_BYTES: Final = 64 * 1024

LIMIT_ERRORS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "log.too_many_actions": gettext_noop("A log has at most 20 000 actions."),
        "log.too_large": gettext_noop("A log has at most 64 KiB of text."),
    }
)


class LimitError(ValueError):
    """A log over the limits. `code` is a key of `LIMIT_ERRORS`, `message` its English text."""

    def __init__(self, code: str) -> None:
        super().__init__(LIMIT_ERRORS[code])
        self.code = code
        self.message = LIMIT_ERRORS[code]


class Action(NamedTuple):
    """One token: place numbers (`games.engine.places`) and the number written in it.

    `number` is the count of actions of a draw or an undo (1 or more); for any other action it
    is the number of cards after `v`, 0 where the token leaves it to the table.
    """

    source: int
    destination: int
    number: int = 0

    @property
    def repeats(self) -> bool:
        """Whether `number` counts actions (draws and undos) and not cards."""
        return self.source in (STOCK, MEMORY)

    @property
    def actions(self) -> int:
        return self.number if self.repeats else 1

    def __str__(self) -> str:
        if self.repeats:
            letter = "D" if self.source == STOCK else "U"
            return letter if self.number == 1 else f"{letter}{self.number}"
        if self == RECYCLE:
            return "R"
        group = f"v{self.number:x}" if self.number else ""
        return f"{LETTERS[self.source]}{LETTERS[self.destination]}{group}"


class Malformed(NamedTuple):
    """A token that is not an action: `text` as it was read, `code` the refusal it will get."""

    text: str
    code: str

    @property
    def actions(self) -> int:
        return 1

    def __str__(self) -> str:
        return self.text


Token = Action | Malformed

RECYCLE: Final = Action(WASTE, STOCK)


def draw(count: int = 1) -> Action:
    """Return the action that draws `count` cards."""
    return Action(STOCK, WASTE, count)


def undo(count: int = 1) -> Action:
    """Return the action that undoes `count` actions."""
    return Action(MEMORY, MEMORY, count)


_TOKEN: Final = re.compile(r"[^ \t\n\r\f\v]+")
_REPEATED: Final = re.compile(r"([DU])([0-9]*)")
_MOVE: Final = re.compile(r"(h[1-8]|[1-9a-gkw])([1-9a-gkwh])(v.*)?", re.DOTALL)
_GROUP: Final = re.compile(r"v[2-9a-d]")


def parse_token(text: str) -> Token:
    """Return the action that one token stands for, or why it is not an action."""
    if repeated := _REPEATED.fullmatch(text):
        return _parse_repeated(text, *repeated.groups())
    if move := _MOVE.fullmatch(text):
        return _parse_move(text, *move.groups())
    return RECYCLE if text == "R" else Malformed(text, "notation.token")


def _parse_repeated(text: str, letter: str, digits: str) -> Token:
    if digits.startswith("0"):
        return Malformed(text, "notation.count")
    # A longer number exceeds the limit whatever its digits, and int() has a limit of its own.
    count = int(digits[: len(str(MAX_ACTIONS)) + 1] or 1)
    return draw(count) if letter == "D" else undo(count)


def _parse_move(text: str, source: str, destination: str, group: str | None) -> Token:
    places = PLACE_OF[source], PLACE_OF[destination]
    if group is None:
        return Action(*places)
    if source not in COLUMN_LETTERS or not _GROUP.fullmatch(group):
        return Malformed(text, "notation.group")
    return Action(*places, int(group[1:], 16))


def well_formed_tokens(most_repeats: int) -> Iterator[str]:
    """Yield every well-formed token, with at most `most_repeats` (1 or more) draws or undos."""
    for letter in "DU":
        yield letter
        yield from (f"{letter}{count}" for count in range(2, most_repeats + 1))
    yield "R"
    destinations = f"{COLUMN_LETTERS}{CELL_LETTERS}wh"
    for source in (*COLUMN_LETTERS, *CELL_LETTERS, "w", *FOUNDATION_LETTERS):
        for destination in destinations:
            yield f"{source}{destination}"
            if source in COLUMN_LETTERS:
                yield from (f"{source}{destination}v{cards}" for cards in "23456789abcd")


def split_tokens(movetext: str) -> list[str]:
    """Return the tokens of a text.

    Raises LimitError when its UTF-8 form has more than 64 KiB.
    """
    # A lone surrogate has no UTF-8 form; it counts as the three bytes of its code point.
    if len(movetext.encode(errors="surrogatepass")) > MAX_LOG_BYTES:
        raise LimitError("log.too_large")
    # str.split() is four times as fast, but also splits at other white space.
    if movetext.isascii() and not any(space in movetext for space in "\x1c\x1d\x1e\x1f"):
        return movetext.split()
    return _TOKEN.findall(movetext)


def check_actions(actions: int) -> None:
    """Raise LimitError when a log has more than 20 000 actions."""
    if actions > MAX_ACTIONS:
        raise LimitError("log.too_many_actions")


def parse_movetext(movetext: str) -> tuple[Token, ...]:
    """Return the tokens of a log in order, with malformed ones as `Malformed`.

    Raises LimitError, and nothing else, for a log over the limits; a malformed token counts
    as one action.
    """
    tokens = tuple(map(parse_token, split_tokens(movetext)))
    check_actions(sum(token.actions for token in tokens))
    return tokens


def format_movetext(tokens: Iterable[Token]) -> str:
    """Return tokens as text: single spaces, runs of draws and of undos joined.

    The inverse of `parse_movetext` on the canonical form. `v` stays as each token has it:
    only the table knows how many cards move, see `canonical`.
    """
    joined: list[Token] = []
    for token in tokens:
        last = joined[-1] if joined else None
        if (
            isinstance(token, Action)
            and isinstance(last, Action)
            and token.repeats
            and token.source == last.source
        ):
            joined[-1] = token._replace(number=last.number + token.number)
        else:
            joined.append(token)
    return " ".join(map(str, joined))
