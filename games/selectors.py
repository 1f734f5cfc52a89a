"""Reads the facts."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Count, Exists, Min, OuterRef, Q, QuerySet, Subquery

from games import engine
from games.days import day_of
from games.errors import DealNotFinal
from games.models import Analysis, Attempt, DailyDeal, Player, Submission

MOST_LISTED = 100


@dataclass(frozen=True, slots=True)
class StartedAttempt:
    """An attempt, when its player first started its deal, and whether it has no legal log yet."""

    attempt: Attempt
    first_started_at: datetime
    is_open: bool


@dataclass(frozen=True, slots=True)
class CountedDeal:
    """A daily deal, and how many players started it and have not left."""

    daily_deal: DailyDeal
    entrants: int


def entrants() -> Count:
    """Return, for a query of daily deals, how many players started each and have not left."""
    still_here = Q(attempts__player__deleted_at__isnull=True)
    return Count("attempts__player", distinct=True, filter=still_here)


def counted(daily_deal: DailyDeal) -> CountedDeal:
    """Return a daily deal with its entrants. Cost: one query."""
    count: int = DailyDeal.objects.filter(pk=daily_deal.pk).aggregate(entrants=entrants())[
        "entrants"
    ]
    return CountedDeal(daily_deal, count)


def todays_deals(*, now: datetime) -> list[CountedDeal]:
    """Return the deals of the day of `now`, in the order of engine.VARIANTS. Cost: one query."""
    order = list(engine.VARIANTS)
    deals = DailyDeal.objects.select_related("pool_deal").filter(date=day_of(now))
    return sorted(
        (CountedDeal(deal, deal.entrants) for deal in deals.annotate(entrants=entrants())),
        key=lambda counted_deal: order.index(counted_deal.daily_deal.variant),
    )


def started_deal_ids(*, player: Player | None, deals: Sequence[DailyDeal]) -> set[int]:
    """Return which of these deals a player has started. Cost: one query, none without a player."""
    if player is None:
        return set()
    started = Attempt.objects.filter(player=player, daily_deal__in=deals)
    return set(started.values_list("daily_deal_id", flat=True))


def attempts_of(*, player: Player, daily_deal: DailyDeal) -> list[StartedAttempt]:
    """Return a player's latest 100 attempts at a deal, latest first. Cost: one query."""
    legal = Submission.objects.filter(attempt=OuterRef("pk"), legal=True)
    attempts = (
        Attempt.objects.filter(player=player, daily_deal=daily_deal)
        .annotate(is_open=~Exists(legal), first_started_at=first_start())
        .order_by("-number")[:MOST_LISTED]
    )
    return [
        StartedAttempt(attempt, attempt.first_started_at, is_open=attempt.is_open)
        for attempt in attempts
    ]


def first_start() -> Subquery:
    """Return, for a query of attempts, when the player of each first started its deal.

    The earliest, not the one numbered 1: a server's clock may be set back between two.
    """
    starts = Attempt.objects.filter(player=OuterRef("player"), daily_deal=OuterRef("daily_deal"))
    return Subquery(
        starts.order_by().values("player").annotate(first=Min("started_at")).values("first")
    )


def attempt(attempt_id: UUID, *, with_player: bool = False) -> Attempt | None:
    """Return an attempt with its deal, and with its player if wanted. Cost: one query."""
    attempts = Attempt.objects.select_related("daily_deal__pool_deal")
    if with_player:
        attempts = attempts.select_related("player")
    return attempts.filter(pk=attempt_id).first()


def deciding_submission(attempt: Attempt) -> Submission | None:
    """Return the submission that decides an attempt: its legal one, else the last one refused."""
    return _deciding_first(attempt).first()


def readable_log(*, attempt: Attempt, reader: Player | None, now: datetime) -> Submission | None:
    """Return the log of an attempt that a reader may see, or None. Cost: one query.

    You always see your own, whatever its status. You see another player's once its deal is public,
    if it was accepted and its player has not left (docs/contract.md, "Logs of others").

    Raises:
        DealNotFinal: another player's accepted log, whose deal is not public yet.
    """
    submission = _deciding_first(attempt).select_related("log").first()
    if submission is None or (reader is not None and reader.pk == attempt.player_id):
        return submission
    is_shown = submission.shown_status == Submission.Status.ACCEPTED
    if not is_shown or attempt.player.deleted_at is not None:
        return None
    if not attempt.daily_deal.is_public_at(now):
        raise DealNotFinal
    return submission


def _deciding_first(attempt: Attempt) -> QuerySet[Submission]:
    return attempt.submissions.order_by("-legal", "-pk")


def analysis_of(attempt: Attempt) -> Analysis | None:
    """Return the analysis of an attempt's lost game, if requested. Cost: one query."""
    return Analysis.objects.select_related("submission").filter(submission__attempt=attempt).first()


def players() -> QuerySet[Player]:
    """Return the players who have joined and not left."""
    return Player.objects.filter(deleted_at__isnull=True, name_skeleton__isnull=False)
