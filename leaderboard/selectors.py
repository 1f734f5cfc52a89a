"""Reading boards: the one module that answers what rank somebody has.

SQL decides: a rank is 1 plus the number of strictly better keys on the board of that deal. A void
deal has no board.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import (
    Case,
    Count,
    Exists,
    IntegerField,
    Max,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Coalesce

from games import engine
from games.errors import DealNotFinal
from games.models import Attempt, DailyDeal, Player, Submission
from games.selectors import settling_submission
from leaderboard import ranking, streaks
from leaderboard.models import DailyResult

DEFAULT_LIMIT = 20
MAX_LIMIT = 100
MOST_LATEST = 30


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a board: a result and its rank."""

    rank: int
    result: DailyResult


@dataclass(frozen=True, slots=True)
class Position:
    """A place between rows of one board: just after (or before) the result it names."""

    rank_key: int
    submission_id: int


@dataclass(frozen=True, slots=True)
class Page:
    """Neighbouring rows, and whether there are more on either side."""

    rows: Sequence[Row]
    has_previous: bool
    has_next: bool


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's best result of a deal with its rank, among how many."""

    best: DailyResult | None
    rank: int | None
    ranked_players: int

    @property
    def percentile(self) -> int | None:
        """Return the share of the others that the player equals or beats; None when unranked."""
        return percentile_of(self.rank, self.ranked_players)


def percentile_of(rank: int | None, ranked_players: int) -> int | None:
    """Return the percentile of a rank; None when there is none."""
    if rank is None:
        return None
    return ranking.percentile(rank=rank, ranked_players=ranked_players)


@dataclass(frozen=True, slots=True)
class VariantRecord:
    """What a player has done in one variant; `best_score` is the highest ranked score."""

    variant: str
    played: int
    won: int
    streak: int
    longest_streak: int
    best_score: int | None


@dataclass(frozen=True, slots=True)
class RankedResult:
    """A result, its rank, and among how many."""

    result: DailyResult
    rank: int
    ranked_players: int


@dataclass(frozen=True, slots=True)
class Record:
    """A player's record: the sums of every variant, and the latest results."""

    variants: Sequence[VariantRecord]
    latest: Sequence[RankedResult]


def board(daily_deal: DailyDeal) -> QuerySet[DailyResult]:
    """Return the results of a deal in the board's order; none for a void deal."""
    results = DailyResult.objects.filter(daily_deal=daily_deal)
    if daily_deal.status == DailyDeal.Status.VOID:
        results = results.none()
    # Without the logs: a page of a board would load up to 64 KiB for each row.
    return (
        results.select_related("player", "submission__attempt")
        .defer("submission__movetext")
        .order_by("-rank_key", "submission_id")
    )


def readable_log(*, attempt: Attempt, reader: Player | None, now: datetime) -> Submission | None:
    """Return the log of an attempt that a reader may see, or None. Cost: one query.

    One's own is always shown, whatever became of it. That of another is shown when its deal is
    public, if it was accepted and its player is still there.

    Raises:
        DealNotFinal: such a log of another, whose deal is not public yet.
    """
    submission = settling_submission(attempt)
    if submission is None:
        return None
    submission.attempt = attempt  # with its deal: the verdict names the code
    if reader is not None and reader.pk == attempt.player_id:
        return submission
    if (
        submission.status != Submission.Status.ACCEPTED
        or attempt.daily_deal.status == DailyDeal.Status.VOID
        or attempt.player.deleted_at is not None
    ):
        return None
    if not attempt.daily_deal.is_public_at(now):
        raise DealNotFinal
    return submission


def result_of(*, daily_deal: DailyDeal, player_id: UUID) -> DailyResult | None:
    """Return a player's result on the board of a deal, or None. Cost: one query."""
    return board(daily_deal).filter(player=player_id).first()


def standing(*, daily_deal: DailyDeal, player_id: UUID) -> Standing:
    """Return where a player stands. Cost: three queries."""
    results = board(daily_deal)
    best = result_of(daily_deal=daily_deal, player_id=player_id)
    rank = _rank(results, best) if best else None
    return Standing(best=best, rank=rank, ranked_players=results.count())


def page_after(*, daily_deal: DailyDeal, after: Position | None, limit: int) -> Page:
    """Return the rows that follow a position, or the first rows. Cost: two queries."""
    results = board(daily_deal)
    following = results.filter(_behind(after)) if after else results
    found = list(following[: limit + 1])
    return Page(
        rows=_ranked(results, found[:limit]),
        has_previous=after is not None,
        has_next=len(found) > limit,
    )


def page_before(*, daily_deal: DailyDeal, before: Position, limit: int) -> Page:
    """Return the rows that lead up to a position. Cost: two queries."""
    results = board(daily_deal)
    leading = results.filter(_ahead(before)).order_by("rank_key", "-submission_id")
    found = list(leading[: limit + 1])
    return Page(
        rows=_ranked(results, found[:limit][::-1]),
        has_previous=len(found) > limit,
        has_next=True,
    )


def around(*, daily_deal: DailyDeal, result: DailyResult, neighbours: int) -> Page:
    """Return a result with up to so many rows on each side. Cost: three queries."""
    results = board(daily_deal)
    here = position_of(result)
    ahead = results.filter(_ahead(here)).order_by("rank_key", "-submission_id")
    better = list(ahead[: neighbours + 1])
    worse = list(results.filter(_behind(here))[: neighbours + 1])
    rows = [*better[:neighbours][::-1], result, *worse[:neighbours]]
    return Page(
        rows=_ranked(results, rows),
        has_previous=len(better) > neighbours,
        has_next=len(worse) > neighbours,
    )


def record(*, player_id: UUID, now: datetime) -> Record:
    """Return what a player has done. Cost: four queries at most.

    The player's results are found by the index of their foreign key, the days by that of variant
    and date; of the whole history only dates are loaded.
    """
    ranked = DailyResult.objects.filter(player=player_id).exclude(
        daily_deal__status=DailyDeal.Status.VOID
    )
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
    ranked: QuerySet[DailyResult], won: Mapping[str, set[date]], now: datetime
) -> dict[str, set[date]]:
    """Return the days since the first win whose deals are over without a win."""
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
    # Chosen first, so that no more boards are counted than results are shown.
    latest = (
        by_day.filter(pk__in=by_day.values("pk")[:MOST_LATEST])
        .annotate(
            better=count_on_board(rank_key__gt=OuterRef("rank_key")),
            ranked_players=count_on_board(),
        )
        .select_related("daily_deal", "submission")
        .defer("submission__movetext")
    )
    return [
        RankedResult(result=row, rank=1 + row.better, ranked_players=row.ranked_players)
        for row in latest
    ]


def count_on_board(**conditions: Any) -> Coalesce:
    """Return, for a query of results, how many on the board of each are so."""
    counted = (
        DailyResult.objects.order_by()
        .filter(daily_deal=OuterRef("daily_deal"), **conditions)
        .values("daily_deal")
        .annotate(count=Count("pk"))
        .values("count")
    )
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


def position_of(result: DailyResult) -> Position:
    """Return the position at which a result stands on its board."""
    return Position(rank_key=result.rank_key, submission_id=result.submission_id)


def around_position(place: Position) -> tuple[Position, Position]:
    """Return the positions just behind and just ahead of a result: pages from there have it.

    The first is for going back (`page_before`), the second for going on (`page_after`).
    """
    behind = Position(place.rank_key, place.submission_id + 1)
    return behind, Position(place.rank_key, place.submission_id - 1)


def _behind(place: Position) -> Q:
    return Q(rank_key__lt=place.rank_key) | Q(
        rank_key=place.rank_key, submission_id__gt=place.submission_id
    )


def _ahead(place: Position) -> Q:
    return Q(rank_key__gt=place.rank_key) | Q(
        rank_key=place.rank_key, submission_id__lt=place.submission_id
    )


def _rank(results: QuerySet[DailyResult], result: DailyResult) -> int:
    return 1 + results.filter(rank_key__gt=result.rank_key).count()


def _ranked(results: QuerySet[DailyResult], rows: Sequence[DailyResult]) -> list[Row]:
    """Give each of some neighbouring rows its rank: counted for the first, then followed."""
    if not rows:
        return []
    # In one query: between two, a result could arrive and part what belongs together.
    first = rows[0]
    counts = results.order_by().aggregate(
        ahead=Count("pk", filter=_ahead(position_of(first))),
        better=Count("pk", filter=Q(rank_key__gt=first.rank_key)),
    )
    place, rank = 1 + counts["ahead"], 1 + counts["better"]
    ranked = []
    previous_key = rows[0].rank_key
    for at, row in enumerate(rows):
        if row.rank_key != previous_key:
            rank, previous_key = place + at, row.rank_key
        ranked.append(Row(rank=rank, result=row))
    return ranked
