"""Deal codes and layouts: docs/rules.md, "Common to both" and the two "Setup" sections."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from .cards import CARD_NAMES
from .shuffle import shuffled_deck
from .table import Setup
from .texts import gettext_noop
from .variants import VARIANTS, Variant

MIN_NUMBER: Final = 1
MAX_NUMBER: Final = 999_999

_ALPHABET: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
_LETTERS: Final = 7
_WHITE_SPACE: Final = " \t\n\r\f\v"

CODE_ERRORS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "code.format": gettext_noop(
            "A deal code has three parts joined by hyphens, like EH1-N-AAAAAAF."
        ),
        "code.unknown_game": gettext_noop(
            "A deal code begins with EH (Easy Harp) or EO (Eight Off)."
        ),
        "code.unknown_version": gettext_noop("The only version of the shuffle is version 1."),
        "code.unknown_variant": gettext_noop(
            "The variant in a deal code is N for Easy Harp; C8, C4 or C2 for Eight Off."
        ),
        "code.length": gettext_noop("A deal code ends with exactly seven letters."),
        "code.letter": gettext_noop("The letters of a deal code are A to Z and the digits 2 to 7."),
        "code.range": gettext_noop("Deal numbers run from 1 to 999 999."),
    }
)


class CodeError(ValueError):
    """Not a deal code. `code` is a key of `CODE_ERRORS`, `message` its English text."""

    def __init__(self, code: str) -> None:
        super().__init__(CODE_ERRORS[code])
        self.code = code
        self.message = CODE_ERRORS[code]


@dataclass(frozen=True)
class DealCode:
    """A variant and a deal number 1..999 999; `str()` returns the code that players share.

    Raises CodeError ("code.range") for any other number.
    """

    variant: Variant
    number: int

    def __post_init__(self) -> None:
        if not MIN_NUMBER <= self.number <= MAX_NUMBER:
            raise CodeError("code.range")

    def __str__(self) -> str:
        letters = (_ALPHABET[self.number >> 5 * power & 31] for power in reversed(range(_LETTERS)))
        return f"{self.variant.code_prefix}-{''.join(letters)}"


_VARIANT_OF_PREFIX: Final = {variant.code_prefix: variant for variant in VARIANTS.values()}
_GAMES: Final = {prefix[:2] for prefix in _VARIANT_OF_PREFIX}
_GAMES_AND_VERSIONS: Final = {prefix.partition("-")[0] for prefix in _VARIANT_OF_PREFIX}
_DIGIT: Final = {letter: digit for digit, letter in enumerate(_ALPHABET)}


def parse_code(text: str) -> DealCode:
    """Return the deal that a code names, ignoring case and surrounding ASCII white space.

    Raises CodeError for anything else; its code says what is wrong.
    """
    parts = _upper(text.strip(_WHITE_SPACE)).split("-")
    if len(parts) != 3:
        raise CodeError("code.format")
    game, variant_name, letters = parts
    if game[:2] not in _GAMES:
        raise CodeError("code.unknown_game")
    if game not in _GAMES_AND_VERSIONS:
        raise CodeError("code.unknown_version")
    variant = _VARIANT_OF_PREFIX.get(f"{game}-{variant_name}")
    if variant is None:
        raise CodeError("code.unknown_variant")
    if len(letters) != _LETTERS:
        raise CodeError("code.length")
    number = 0
    for letter in letters:
        if letter not in _DIGIT:
            raise CodeError("code.letter")
        number = number << 5 | _DIGIT[letter]
    return DealCode(variant, number)


def _upper(text: str) -> str:
    # Only ASCII letters: str.upper() would turn a dotless i into an I and read it as one.
    if text.isascii():
        return text.upper()
    return "".join(letter.upper() if letter.isascii() else letter for letter in text)


def as_code(code: str | DealCode) -> DealCode:
    """Return a deal code given in either form; raise CodeError for a text that is not one."""
    return parse_code(code) if isinstance(code, str) else code


@dataclass(frozen=True)
class Layout:
    """The table of a deal before the first action.

    Cards are indexes (`games.engine.cards`): `columns` deepest first, `stock` next card first,
    `cells` with None for an empty cell; `face_down` counts the hidden cards of each column.
    """

    code: DealCode
    columns: tuple[tuple[int, ...], ...]
    face_down: tuple[int, ...]
    stock: tuple[int, ...]
    cells: tuple[int | None, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return the JSON form (docs/contract.md, "Layout"), cards by name.

        Keys `number`, `columns`, then `face_down` and `stock` where there is a stock, `cells`
        where there are cells.
        """
        variant = self.code.variant
        layout: dict[str, Any] = {
            "number": self.code.number,
            "columns": [[CARD_NAMES[card] for card in column] for column in self.columns],
        }
        if variant.has_stock:
            layout["face_down"] = list(self.face_down)
            layout["stock"] = [CARD_NAMES[card] for card in self.stock]
        if variant.cells:
            layout["cells"] = [None if card is None else CARD_NAMES[card] for card in self.cells]
        return layout


def dealt(code: DealCode) -> Setup:
    """Return the dealt table as new lists, ready to play."""
    variant = code.variant
    return variant.lay_out(shuffled_deck(code.number, variant.deck_size))


def deal(code: str | DealCode) -> Layout:
    """Return the layout of a deal; raise CodeError for a text that is not a code."""
    code = as_code(code)
    columns, face_down, stock, cells = dealt(code)
    return Layout(code, tuple(map(tuple, columns)), tuple(face_down), tuple(stock), tuple(cells))
