"""The daily deals."""

from datetime import date, datetime
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games import engine, selectors, services
from games.api import serializers
from games.api.requests import caller
from games.api.throttling import CountedView
from games.lookups import up_to_date_deal_or_404


def _daily_deal_data(
    counted: selectors.CountedDeal, *, started: bool, now: datetime
) -> dict[str, Any]:
    deal = counted.daily_deal
    return {
        "variant": deal.variant,
        "date": deal.date,
        "status": deal.status_at(now),
        "opens_at": deal.opens_at,
        "closes_at": deal.closes_at,
        "submissions_until": deal.submissions_until,
        "server_now": now,
        "entrants": counted.entrants,
        "commitment": deal.commitment,
        "committed_at": deal.committed_at,
        "code": str(deal.pool_deal.code) if started or deal.is_public_at(now) else None,
    }


def _daily_deal_detail(
    counted: selectors.CountedDeal, *, started: bool, now: datetime
) -> dict[str, Any]:
    deal = counted.daily_deal
    head = _daily_deal_data(counted, started=started, now=now)
    is_public = deal.is_public_at(now)
    return {
        **head,
        "layout": engine.deal(deal.pool_deal.code).as_dict() if head["code"] else None,
        "salt": deal.salt if is_public else None,
        "winning_movetext": deal.pool_deal.winning_movetext if is_public else None,
        "par_moves": deal.pool_deal.par_moves if is_public else None,
        "grade": deal.pool_deal.grade if is_public else None,
    }


class DailyDealsView(CountedView):
    counted = {"GET": "daily"}

    @extend_schema(responses=serializers.DailyDealSerializer(many=True))
    def get(self, request: Request) -> Response:
        """Return today's deal of every variant."""
        now = timezone.now()
        services.ensure_today(now=now)
        deals = selectors.todays_deals(now=now)
        started = selectors.started_deal_ids(
            player=caller(request), deals=[counted.daily_deal for counted in deals]
        )
        answer = [
            _daily_deal_data(counted, started=counted.daily_deal.pk in started, now=now)
            for counted in deals
        ]
        return Response(serializers.DailyDealSerializer(answer, many=True).data)


class DailyDealView(CountedView):
    counted = {"GET": "daily"}

    @extend_schema(responses=serializers.DailyDealDetailSerializer)
    def get(self, request: Request, variant: str, day: date) -> Response:
        """Return a daily deal, with code, layout and winning line once it is final."""
        now = timezone.now()
        deal = up_to_date_deal_or_404(variant, day, now)
        started = selectors.started_deal_ids(player=caller(request), deals=[deal])
        answer = _daily_deal_detail(selectors.counted(deal), started=deal.pk in started, now=now)
        return Response(serializers.DailyDealDetailSerializer(answer).data)
