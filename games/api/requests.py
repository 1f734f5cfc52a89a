"""What the views of both applications ask of a request."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, cast
from uuid import UUID

from django.http import Http404
from rest_framework.request import Request
from rest_framework.serializers import Serializer

from games import errors, selectors, services
from games.models import Attempt, DailyDeal, Player


def parsed(serializer: type[Serializer[Any]], request: Request) -> Mapping[str, Any]:
    """Return the body of a request as that serializer reads it.

    Raises:
        ValidationError: naming each field that is wrong.
    """
    body = serializer(data=request.data)
    body.is_valid(raise_exception=True)
    return cast("Mapping[str, Any]", body.validated_data)


def caller(request: Request) -> Player | None:
    """Return who calls, or None for somebody without a token."""
    return cast("Player | None", request.user)


def player_of(request: Request) -> Player:
    """Return the caller, in a view that only a player may call."""
    return cast("Player", request.user)


def player_or_404(player_id: UUID) -> Player:
    """Return a player who has joined and not left. Cost: one query.

    Raises:
        Http404: no such player.
    """
    player = selectors.players().filter(pk=player_id).first()
    if player is None:
        raise Http404
    return player


def daily_deal_or_404(variant: str, day: date, now: datetime) -> DailyDeal:
    """Return a daily deal, rolling over first when nobody did what is due.

    Raises:
        Http404: no such variant, or no deal on that day.
    """
    services.ensure_today(now=now)
    daily_deal = DailyDeal.objects.select_related("deal").filter(variant=variant, date=day).first()
    if daily_deal is None:
        raise Http404
    return services.brought_up(daily_deal, now)


def attempt_or_404(attempt_id: UUID) -> Attempt:
    """Return an attempt, whosever it is. Cost: one query.

    Raises:
        Http404: no such attempt.
    """
    attempt = selectors.attempt(attempt_id)
    if attempt is None:
        raise Http404
    return attempt


def own_attempt(attempt_id: UUID, request: Request) -> Attempt:
    """Return an attempt of the caller's.

    Raises:
        Http404: no such attempt.
        NotYourAttempt: another player's.
    """
    attempt = attempt_or_404(attempt_id)
    if attempt.player_id != player_of(request).pk:
        raise errors.NotYourAttempt
    return attempt
