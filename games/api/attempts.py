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
from games.models import DailyDeal
from games.selectors import StartedAttempt


def _attempts_data(
    attempts: Sequence[StartedAttempt], daily_deal: DailyDeal, *, now: datetime
) -> list[dict[str, Any]]:
    """Return a player's attempts at one deal, which is laid out once for all of them."""
    if not attempts:
        return []
    code = daily_deal.pool_deal.code
    of_the_deal = {
        "variant": daily_deal.variant,
        "date": daily_deal.date,
        "submissions_until": daily_deal.submissions_until,
        "server_now": now,
        "code": str(code),
        "layout": engine.deal(code).as_dict(),
    }
    return [
        {
            **of_the_deal,
            "id": started.attempt.pk,
            "number": started.attempt.number,
            "started_at": started.attempt.started_at,
            "first_started_at": started.first_started_at,
            "is_open": started.is_open,
        }
        for started in attempts
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
        answer = _attempts_data(attempts, daily_deal, now=now)
        return Response(serializers.AttemptSerializer(answer, many=True).data)

    @extend_schema(
        request=None,
        responses={
            201: serializers.AttemptSerializer,
            **refused(errors.DealNotOpen, errors.DealClosed, errors.DealVoid, errors.PlayerGone),
        },
    )
    def post(self, request: Request, variant: str, day: date) -> Response:
        """Start the clock and return the code and the cards."""
        now = timezone.now()
        daily_deal = up_to_date_deal_or_404(variant, day, now)
        started = services.start_attempt(player=player_of(request), daily_deal=daily_deal, now=now)
        (data,) = _attempts_data([started], started.attempt.daily_deal, now=now)
        answer = serializers.AttemptSerializer(data)
        return Response(answer.data, status=status.HTTP_201_CREATED)
