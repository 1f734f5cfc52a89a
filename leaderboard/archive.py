"""Reads whole months of deals: their winners and their days."""

from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Count, Min, OuterRef, Q, QuerySet, Subquery

from games import engine
from games.days import next_month
from games.models import DailyDeal
from games.selectors import entrants
from leaderboard.models import DailyResult


@dataclass(frozen=True, slots=True)
class ArchivedDeal:
    """A deal of a day, its status by the clock, and its outcome.

    `best_name` is the name of the player who leads its board, None while the board is empty.
    """

    daily_deal: DailyDeal
    status: str
    entrants: int
    winners: int
    best_name: str | None


@dataclass(frozen=True, slots=True)
class Day:
    """A day and its deals in the order of engine.VARIANTS, None for a variant without one."""

    date: date
    deals: list[ArchivedDeal | None]


def begun() -> QuerySet[DailyDeal]:
    """Return the deals whose day has begun."""
    return DailyDeal.objects.exclude(status=DailyDeal.Status.SCHEDULED)


def first_day() -> date | None:
    """Return the first day that had a deal. Cost: one query."""
    day: date | None = begun().aggregate(first=Min("date"))["first"]
    return day


def month_of_deals(month: date, *, now: datetime) -> list[Day]:
    """Return the days of a month that have deals, latest first.

    `month` is the first of it. Cost: two queries.
    """
    ranked = DailyResult.objects.ranked()
    best = ranked.filter(daily_deal=OuterRef("pk")).in_board_order()
    deals = (
        begun()
        .filter(date__gte=month, date__lt=next_month(month))
        .annotate(entrants=entrants(), best_name=Subquery(best.values("player__display_name")[:1]))
    )
    # Counted apart: joined with the attempts, each result would count once per attempt.
    winners = {
        row["daily_deal"]: row["winners"]
        for row in ranked.filter(
            daily_deal__date__gte=month, daily_deal__date__lt=next_month(month)
        )
        .values("daily_deal")
        .annotate(winners=Count("pk", filter=Q(submission__won=True)))
    }
    days: dict[date, dict[str, ArchivedDeal]] = {}
    for deal in deals.order_by("-date"):
        days.setdefault(deal.date, {})[deal.variant] = ArchivedDeal(
            daily_deal=deal,
            status=deal.status_at(now).value,
            entrants=deal.entrants,
            winners=winners.get(deal.pk, 0),
            best_name=deal.best_name,
        )
    return [
        Day(date=day, deals=[by_variant.get(slug) for slug in engine.VARIANTS])
        for day, by_variant in days.items()
    ]


def neighbours(daily_deal: DailyDeal) -> tuple[date | None, date | None]:
    """Return the nearest earlier and later days with a deal of the variant. Cost: two queries."""
    same = begun().filter(variant=daily_deal.variant)
    before = same.filter(date__lt=daily_deal.date).order_by("-date").values_list("date", flat=True)
    after = same.filter(date__gt=daily_deal.date).order_by("date").values_list("date", flat=True)
    return before.first(), after.first()
