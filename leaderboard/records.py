"""A player's record: sums and streaks of each variant, and the latest results with ranks."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import Case, Count, Exists, Max, OuterRef, Q, QuerySet, Value, When

from games import engine
from games.models import DailyDeal
from leaderboard.boards import count_on_board
from leaderboard.models import DailyResult, DailyResultQuerySet
from leaderboard.rules import streaks

MOST_LATEST = 30


@dataclass(frozen=True, slots=True)
class VariantRecord:
    """A player's record in one variant; `best_score` is the highest ranked score."""

    variant: str
    played: int
    won: int
    streak: int
    longest_streak: int
    best_score: int | None


@dataclass(frozen=True, slots=True)
class RankedResult:
    """A result, its rank, and the number of ranked players."""

    result: DailyResult
    rank: int
    ranked_players: int


@dataclass(frozen=True, slots=True)
class Record:
    """A player's record: the sums of every variant, and the latest results."""

    variants: Sequence[VariantRecord]
    latest: Sequence[RankedResult]


def record_of(*, player_id: UUID, now: datetime) -> Record:
    """Return a player's record. Cost: at most four queries.

    An index on the foreign key finds the player's results, one on variant and date the days; of
    the whole history, only dates are loaded.
    """
    ranked = DailyResult.objects.filter(player=player_id).ranked()
    sums: dict[str, Mapping[str, Any]] = {
        row["daily_deal__variant"]: row
        for row in ranked.values("daily_deal__variant").annotate(
            played=Count("pk"),
            won=Count("pk", filter=Q(submission__won=True)),
            best_score=Max("submission__ranked_score"),
        )
    }
    won = _days(
        ranked.filter(submission__won=True).values_list("daily_deal__variant", "daily_deal__date")
    )
    missed = _missed_days(ranked, won, now)
    variants = []
    for slug in engine.VARIANTS:
        row = sums.get(slug, {"played": 0, "won": 0, "best_score": None})
        runs = streaks.streaks(won=won[slug], missed=missed[slug])
        variants.append(
            VariantRecord(
                variant=slug,
                played=row["played"],
                won=row["won"],
                streak=runs.current,
                longest_streak=runs.longest,
                best_score=row["best_score"],
            )
        )
    return Record(variants=variants, latest=_latest(ranked))


def _days(pairs: Iterable[tuple[str, date]]) -> dict[str, set[date]]:
    days: dict[str, set[date]] = {slug: set() for slug in engine.VARIANTS}
    for variant, day in pairs:
        days[variant].add(day)
    return days


def _missed_days(
    ranked: DailyResultQuerySet, won: Mapping[str, set[date]], now: datetime
) -> dict[str, set[date]]:
    """Return the days since the first win whose deals ended without a win."""
    first = min((day for days in won.values() for day in days), default=date.max)
    wins = ranked.filter(daily_deal=OuterRef("pk"), submission__won=True)
    missed = DailyDeal.objects.filter(
        ~Exists(wins),
        variant__in=[slug for slug, days in won.items() if days],
        date__gt=first,
        closes_at__lt=now - settings.GRACE,
    ).exclude(status=DailyDeal.Status.VOID)
    return _days(missed.values_list("variant", "date"))


def _latest(ranked: QuerySet[DailyResult]) -> list[RankedResult]:
    order = Case(
        *(
            When(daily_deal__variant=slug, then=Value(place))
            for place, slug in enumerate(engine.VARIANTS)
        )
    )
    by_day = ranked.order_by("-daily_deal__date", order)
    # Chosen first, so that only the boards of shown results are counted.
    latest = (
        by_day.filter(pk__in=by_day.values("pk")[:MOST_LATEST])
        .annotate(
            better=count_on_board(rank_key__gt=OuterRef("rank_key")),
            ranked_players=count_on_board(),
        )
        .select_related("daily_deal", "submission")
    )
    return [
        RankedResult(result=row, rank=1 + row.better, ranked_players=row.ranked_players)
        for row in latest
    ]
