"""Pages with results: boards, the archive, players."""

from datetime import UTC, date, datetime
from uuid import UUID

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from games import engine, services
from games.days import day_of, month_of, next_month, previous_month
from games.lookups import player_or_404, up_to_date_deal_or_404
from games.pages.answers import page
from games.selectors import counted
from leaderboard import archive as months
from leaderboard import boards
from leaderboard.paging import InvalidCursor, board_page
from leaderboard.records import record_of

ROWS = 25


@page
def leaderboards(_request: HttpRequest) -> HttpResponse:
    """Redirect to today's first board."""
    first = next(iter(engine.VARIANTS))
    return redirect("web:board", variant=first, day=day_of(timezone.now()))


@page
def board(request: HttpRequest, variant: str, day: date) -> HttpResponse:
    """Show a page of a board, and the public facts of its deal."""
    now = timezone.now()
    daily_deal = up_to_date_deal_or_404(variant, day, now)
    try:
        rows = board_page(daily_deal=daily_deal, cursor_text=request.GET.get("cursor"), limit=ROWS)
    except InvalidCursor:
        # An old or truncated link: start at the top of the board.
        return redirect("web:board", variant=variant, day=day)
    previous_day, next_day = months.neighbours(daily_deal)
    context = {
        "section": "leaderboard",
        "now": now,
        "deal": daily_deal,
        "entrants": counted(daily_deal).entrants,
        "variant": engine.VARIANTS[variant],
        "variants": engine.VARIANTS,
        "status": daily_deal.status_at(now).value,
        "final_at": daily_deal.submissions_until + settings.SETTLE,
        "is_public": daily_deal.is_public_at(now),
        "page": rows,
        "ranked_players": boards.ranked_players(daily_deal),
        "previous_day": previous_day,
        "next_day": next_day,
    }
    return render(request, "web/leaderboard.html", context)


@page
def archive(request: HttpRequest, month: str = "") -> HttpResponse:
    """Show the days of a month with their deals."""
    now = timezone.now()
    services.ensure_today(now=now)
    this_month = month_of(day_of(now))
    shown = _month(month) if month else this_month
    first_day = months.first_day()
    first_month = month_of(first_day) if first_day else this_month
    if not first_month <= shown <= this_month:
        raise Http404
    previous = previous_month(shown)
    context = {
        "section": "archive",
        "now": now,
        "month": shown,
        "days": months.month_of_deals(shown, now=now),
        "variants": engine.VARIANTS,
        "previous_month": previous if previous >= first_month else None,
        "next_month": next_month(shown) if shown < this_month else None,
    }
    return render(request, "web/archive.html", context)


def _month(text: str) -> date:
    """Return the first day of a month such as 2026-11.

    Raises:
        Http404: there is no such month.
    """
    try:
        found = datetime.strptime(text, "%Y-%m").replace(tzinfo=UTC).date()
    except ValueError as error:
        raise Http404 from error
    if f"{found:%Y-%m}" != text:
        raise Http404
    return found


@page
def player(request: HttpRequest, player_id: UUID) -> HttpResponse:
    """Show a player and their record."""
    now = timezone.now()
    services.ensure_today(now=now)
    found = player_or_404(player_id)
    context = {
        "player": found,
        "record": record_of(player_id=found.pk, now=now),
    }
    return render(request, "web/player.html", context)
