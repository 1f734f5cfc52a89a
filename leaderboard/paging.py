"""Pages of a board by key: their rows, and the cursors that lead on and back.

A cursor is a place on a board and a direction, signed and bound to that board.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from django.core import signing
from django.utils.translation import gettext_lazy as _

from games.errors import ServiceError
from games.models import DailyDeal
from leaderboard import boards
from leaderboard.boards import Place, Row

Direction = Literal["after", "before"]
_SALT = "leaderboard.cursor"


class InvalidCursor(ServiceError):
    """The text is not a cursor of this board."""

    code = "invalid_cursor"
    attr = "cursor"
    text = _(
        "This isn't a cursor of this board. Use one from a response, unchanged, or start without "
        "one."
    )


@dataclass(frozen=True, slots=True)
class Cursor:
    """Where a page begins or ends."""

    direction: Direction
    place: Place


@dataclass(frozen=True, slots=True)
class BoardPage:
    """Rows of a board and the texts of the cursors beside them, None at either end."""

    rows: Sequence[Row]
    next: str | None
    previous: str | None


def board_page(*, daily_deal: DailyDeal, cursor_text: str | None, limit: int) -> BoardPage:
    """Return the rows that a cursor leads to, or the first rows. Cost: two queries.

    Raises:
        InvalidCursor: altered, or of another board.
    """
    board_id = daily_deal.pk
    cursor = decode(board_id=board_id, text=cursor_text) if cursor_text else None
    if cursor is not None and cursor.direction == "before":
        page = boards.page_before(daily_deal=daily_deal, before=cursor.place, limit=limit)
    else:
        after = cursor.place if cursor else None
        page = boards.page_after(daily_deal=daily_deal, after=after, limit=limit)

    def text(direction: Direction, place: Place) -> str:
        return encode(board_id=board_id, cursor=Cursor(direction, place))

    rows = page.rows
    if rows:
        first, last = (boards.place_of(row.result) for row in (rows[0], rows[-1]))
    elif cursor is not None:
        # Everyone beyond the cursor has left: the way back starts with the cursor's own row.
        first, last = boards.beside(cursor.place)
    return BoardPage(
        rows=rows,
        next=text("after", last) if page.has_next else None,
        previous=text("before", first) if page.has_previous else None,
    )


def encode(*, board_id: int, cursor: Cursor) -> str:
    """Return the text of a cursor for that board."""
    place = cursor.place
    return signing.dumps(
        [board_id, cursor.direction, place.rank_key, place.submission_id], salt=_SALT
    )


def decode(*, board_id: int, text: str) -> Cursor:
    """Return the cursor that `encode` made for this board.

    Raises:
        InvalidCursor: altered, or of another board.
    """
    try:
        bound_to, direction, rank_key, submission_id = signing.loads(text, salt=_SALT)
    except (signing.BadSignature, ValueError) as error:
        raise InvalidCursor from error
    if bound_to != board_id:
        raise InvalidCursor
    return Cursor(direction=direction, place=Place(rank_key, submission_id))
