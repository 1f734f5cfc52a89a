"""Every way to refuse an action: a stable code by place and cause, and its English text.

Codes are part of the API (docs/contract.md, "Verdict"); texts name the rule of
docs/rules.md that the action broke, and are the message ids of the translations.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from .texts import gettext_noop

REFUSALS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "notation.token": gettext_noop("This isn't an action in the game's notation."),
        "notation.count": gettext_noop(
            "After D or U comes a whole number, 1 or more, without leading zeros."
        ),
        "notation.group": gettext_noop(
            "Write the number of cards in a group as v and one digit, 2 to 9 or a to d, only after "
            "a move from a column."
        ),
        "game.over": gettext_noop("The game is won: no more actions are possible, not even undo."),
        "stock.no_such": gettext_noop("This game has no stock."),
        "stock.empty": gettext_noop(
            "The stock is empty: turn the waste over before drawing another card."
        ),
        "stock.not_empty": gettext_noop(
            "The waste goes back to the stock only when the stock is empty."
        ),
        "stock.nothing_left": gettext_noop(
            "The stock and the waste are both empty: there is nothing to draw."
        ),
        "waste.no_such": gettext_noop("This game has no waste."),
        "waste.empty": gettext_noop("The waste is empty: there is no card to play."),
        "waste.no_entry": gettext_noop("Only cards drawn from the stock go to the waste."),
        "column.no_such": gettext_noop("This game has no such column."),
        "column.empty": gettext_noop("The column is empty: there is no card to move."),
        "column.same_column": gettext_noop("A card must move to a different column."),
        "column.king_only": gettext_noop(
            "An empty column takes only a king, alone or with the run on it."
        ),
        "column.same_colour": gettext_noop(
            "Columns are built in alternating colours: red on black, black on red."
        ),
        "column.wrong_suit": gettext_noop(
            "Columns are built in suit: the 7 of hearts goes only on the 8 of hearts."
        ),
        "column.wrong_rank": gettext_noop(
            "In a column, a card goes only on a card one rank higher."
        ),
        "cell.no_such": gettext_noop("This game has no such cell."),
        "cell.empty": gettext_noop("The cell is empty: there is no card to move."),
        "cell.occupied": gettext_noop("A cell holds only one card, and this one is occupied."),
        "cell.same_cell": gettext_noop("A card must move to a different cell."),
        "foundation.no_such": gettext_noop("This game has no such foundation."),
        "foundation.empty": gettext_noop("The foundation is empty: there is no card to take back."),
        "foundation.not_next": gettext_noop(
            "Foundations are built in suit from ace to king, one card at a time, and no foundation "
            "accepts this card yet."
        ),
        "foundation.no_exchange": gettext_noop("A card can't move from one foundation to another."),
        "group.one_at_a_time": gettext_noop(
            "Move one card at a time: a run moves as a block only if it begins with a king and "
            "goes to an empty column."
        ),
        "group.single_only": gettext_noop("Only single cards go to cells and foundations."),
        "group.not_a_run": gettext_noop(
            "A group must be a run at the end of its column: same suit, consecutive, descending."
        ),
        "group.wrong_count": gettext_noop(
            "The number of cards given isn't the number that moves here."
        ),
        "group.too_long": gettext_noop(
            "The group is too long: you can move at most (free cells + 1) cards, doubled for each "
            "empty column other than the destination."
        ),
        "undo.nothing": gettext_noop("There is no action to undo."),
        "undo.limit": gettext_noop("Only the last 100 actions can be undone."),
    }
)


class Refused(Exception):
    """An action that the rules do not allow; the table is unchanged.

    `code` is a key of `REFUSALS`, `message` its English text.
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code

    @property
    def message(self) -> str:
        return REFUSALS[self.code]
