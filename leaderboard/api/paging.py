"""A page of a board by its cursor, and the cursors that lead on and back: for API and web page."""

from dataclasses import dataclass

from games.models import DailyDeal
from leaderboard import selectors
from leaderboard.api import cursors


@dataclass(frozen=True, slots=True)
class BoardPage:
    """Some rows of a board and the texts of the cursors beside them, None at either end."""

    rows: list[selectors.Row]
    next: str | None
    previous: str | None


def board_page(*, daily_deal: DailyDeal, cursor_text: str | None, limit: int) -> BoardPage:
    """Return the rows that a cursor leads to, or the first ones. Cost: two queries.

    Raises:
        ValidationError: the cursor is not one of this board.
    """
    board_id = daily_deal.pk
    cursor = cursors.decode(board_id=board_id, text=cursor_text) if cursor_text else None
    if cursor is not None and cursor.direction == "before":
        page = selectors.page_before(daily_deal=daily_deal, before=cursor.position, limit=limit)
    else:
        after = cursor.position if cursor else None
        page = selectors.page_after(daily_deal=daily_deal, after=after, limit=limit)

    def text(direction: cursors.Direction, place: selectors.Position) -> str:
        return cursors.encode(board_id=board_id, cursor=cursors.Cursor(direction, place))

    rows = page.rows
    if rows:
        first, last = (selectors.position_of(row.result) for row in (rows[0], rows[-1]))
    elif cursor is not None:
        # Everybody beyond the cursor has left: the way back begins with the cursor's own row.
        first, last = selectors.around_position(cursor.position)
    return BoardPage(
        rows=list(rows),
        next=text("after", last) if page.has_next else None,
        previous=text("before", first) if page.has_previous else None,
    )
