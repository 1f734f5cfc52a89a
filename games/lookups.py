"""Find what an address names, for the API and the pages: the row, or 404."""

from datetime import date, datetime
from uuid import UUID

from django.http import Http404

from games import selectors, services
from games.days import day_of
from games.models import Attempt, DailyDeal, Player


def player_or_404(player_id: UUID) -> Player:
    """Return a player who has joined and not left. Cost: one query.

    Raises:
        Http404: no such player.
    """
    player = selectors.players().filter(pk=player_id).first()
    if player is None:
        raise Http404
    return player


def up_to_date_deal_or_404(variant: str, day: date, now: datetime) -> DailyDeal:
    """Return a daily deal with its status as of `now`; write what is due.

    Cost: one query when nothing is due.

    Raises:
        Http404: no such variant, or no deal on that day.
    """
    daily_deals = DailyDeal.objects.select_related("pool_deal").filter(variant=variant, date=day)
    daily_deal = daily_deals.first()
    if daily_deal is None and day == day_of(now):
        services.ensure_today(now=now)  # the first request of a day may have to assign it
        daily_deal = daily_deals.first()
    if daily_deal is None:
        raise Http404
    return services.up_to_date(daily_deal, now)


def attempt_or_404(attempt_id: UUID, *, with_player: bool = False) -> Attempt:
    """Return anyone's attempt with its deal, and with its player if wanted. Cost: one query.

    Raises:
        Http404: no such attempt.
    """
    attempt = selectors.attempt(attempt_id, with_player=with_player)
    if attempt is None:
        raise Http404
    return attempt
