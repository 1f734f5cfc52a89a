"""A player's attempts at a daily deal."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from games import engine, errors, selectors, services
from games.api import serializers
from games.api.requests import player_of
from games.api.serializers import refused
from games.api.throttling import CountedView
from games.lookups import up_to_date_deal_or_404
from games.models import Attempt


def _attempts_data(
    attempts: Sequence[tuple[Attempt, bool]], *, now: datetime
) -> list[dict[str, Any]]:
    """Return a player's attempts at one deal, each with whether it is open.

    The cards are laid out once for all of them; there is at least one.
    """
    any_attempt, _is_open = attempts[0]
    player_id, daily_deal = any_attempt.player_id, any_attempt.daily_deal
    code = daily_deal.pool_deal.code
    of_the_deal = {
        "variant": daily_deal.variant,
        "date": daily_deal.date,
        "first_started_at": selectors.first_start(player_id=player_id, daily_deal_id=daily_deal.pk),
        "submissions_until": daily_deal.submissions_until,
        "server_now": now,
        "code": str(code),
        "layout": engine.deal(code).as_dict(),
    }
    return [
        {
            **of_the_deal,
            "id": attempt.pk,
            "number": attempt.number,
            "started_at": attempt.started_at,
            "is_open": is_open,
        }
        for attempt, is_open in attempts
    ]


class AttemptsView(CountedView):
    permission_classes = [IsAuthenticated]
    counted = {"POST": "start"}

    @extend_schema(responses=serializers.AttemptSerializer(many=True))
    def get(self, request: Request, variant: str, day: date) -> Response:
        """Return your attempts at this deal, latest first."""
        now = timezone.now()
        daily_deal = up_to_date_deal_or_404(variant, day, now)
        attempts = selectors.attempts_of(player=player_of(request), daily_deal=daily_deal)
        answer = _attempts_data(attempts, now=now) if attempts else []
        return Response(serializers.AttemptSerializer(answer, many=True).data)

    @extend_schema(
        request=None,
        responses={
            201: serializers.AttemptSerializer,
            **refused(errors.DealNotOpen, errors.DealClosed, errors.DealVoid),
        },
    )
    def post(self, request: Request, variant: str, day: date) -> Response:
        """Start the clock and return the code and the cards."""
        now = timezone.now()
        daily_deal = up_to_date_deal_or_404(variant, day, now)
        attempt = services.start_attempt(player=player_of(request), daily_deal=daily_deal, now=now)
        (data,) = _attempts_data([(attempt, True)], now=now)
        answer = serializers.AttemptSerializer(data)
        return Response(answer.data, status=status.HTTP_201_CREATED)
