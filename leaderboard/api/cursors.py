"""Cursors: a position on a board and a direction, signed and bound to that board."""

from dataclasses import dataclass
from typing import Literal

from django.core import signing
from django.utils.translation import gettext_lazy as _
from rest_framework import exceptions

from leaderboard.selectors import Position

Direction = Literal["after", "before"]
_SALT = "leaderboard.cursor"


@dataclass(frozen=True, slots=True)
class Cursor:
    """Where a page begins or ends."""

    direction: Direction
    position: Position


def encode(*, board_id: int, cursor: Cursor) -> str:
    """Return the text of a cursor for that board."""
    place = cursor.position
    return signing.dumps(
        [board_id, cursor.direction, place.rank_key, place.submission_id], salt=_SALT
    )


def decode(*, board_id: int, text: str) -> Cursor:
    """Return the cursor that `encode` made for this board.

    Raises:
        ValidationError: changed on the way, or of another board.
    """
    try:
        bound_to, direction, rank_key, submission_id = signing.loads(text, salt=_SALT)
    except (signing.BadSignature, ValueError) as error:
        raise _invalid() from error
    if bound_to != board_id:
        raise _invalid()
    return Cursor(direction=direction, position=Position(rank_key, submission_id))


def _invalid() -> exceptions.ValidationError:
    text = _("Not a cursor of this board: take it from the answer as it is, or begin without one.")
    return exceptions.ValidationError({"cursor": [text]}, code="invalid_cursor")
