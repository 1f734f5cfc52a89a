"""Reads boards: the only module that works out a rank.

SQL decides: a rank is 1 plus the number of strictly better keys on the board of that deal.
`DailyResultQuerySet.ranked` decides what ranks at all, its `in_board_order` the order of a board,
and `leaderboard.rules.ranking` how two results compare.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Count, IntegerField, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from games.models import DailyDeal
from leaderboard.models import DailyResult, DailyResultQuerySet
from leaderboard.rules import ranking

DEFAULT_LIMIT = 20
MAX_LIMIT = 100


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a board: a result and its rank."""

    rank: int
    result: DailyResult


@dataclass(frozen=True, slots=True)
class Place:
    """A place between rows of a board: just after (or before) the result it names."""

    rank_key: int
    submission_id: int


@dataclass(frozen=True, slots=True)
class Page:
    """Consecutive rows, and whether there are more on either side."""

    rows: Sequence[Row]
    has_previous: bool
    has_next: bool


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's best result of a deal, its rank, and the number of ranked players."""

    best: DailyResult | None
    rank: int | None
    ranked_players: int

    @property
    def percentile(self) -> int | None:
        """Return the share of the others that the player equals or beats; None when unranked."""
        if self.rank is None:
            return None
        return ranking.percentile(rank=self.rank, ranked_players=self.ranked_players)


def board(daily_deal: DailyDeal) -> DailyResultQuerySet:
    """Return the ranked results of a deal, in board order."""
    return (
        DailyResult.objects.filter(daily_deal=daily_deal)
        .ranked()
        .select_related("player", "submission__attempt")
        .in_board_order()
    )


def ranked_players(daily_deal: DailyDeal) -> int:
    """Return how many players rank on the board of a deal. Cost: one query."""
    return board(daily_deal).count()


def result_of(*, daily_deal: DailyDeal, player_id: UUID) -> DailyResult | None:
    """Return a player's result on the board of a deal, or None. Cost: one query."""
    return board(daily_deal).filter(player=player_id).first()


def standing(*, daily_deal: DailyDeal, player_id: UUID) -> Standing:
    """Return a player's standing. Cost: two queries."""
    best = result_of(daily_deal=daily_deal, player_id=player_id)
    return standing_of(best, daily_deal=daily_deal)


def standing_of(best: DailyResult | None, *, daily_deal: DailyDeal) -> Standing:
    """Return the standing of a player whose result is known. Cost: one query.

    On the board of a void deal there is no one.
    """
    if daily_deal.status == DailyDeal.Status.VOID:
        return Standing(best=None, rank=None, ranked_players=0)
    counts = (
        DailyResult.objects.filter(daily_deal=daily_deal)
        .ranked()
        .aggregate(
            ranked=Count("pk"),
            better=Count(
                "pk", filter=Q(rank_key__gt=best.rank_key if best else ranking.MAX_PACKED)
            ),
        )
    )
    rank = 1 + counts["better"] if best else None
    return Standing(best=best, rank=rank, ranked_players=counts["ranked"])


def page_after(*, daily_deal: DailyDeal, after: Place | None, limit: int) -> Page:
    """Return the rows after a place, or the first rows. Cost: two queries."""
    results = board(daily_deal)
    following = results.filter(_behind(after)) if after else results
    found = list(following[: limit + 1])
    return Page(
        rows=_ranked(results, found[:limit]),
        has_previous=after is not None,
        has_next=len(found) > limit,
    )


def page_before(*, daily_deal: DailyDeal, before: Place, limit: int) -> Page:
    """Return the rows before a place. Cost: two queries."""
    results = board(daily_deal)
    leading = results.filter(_ahead(before)).order_by("rank_key", "-submission_id")
    found = list(leading[: limit + 1])
    return Page(
        rows=_ranked(results, found[:limit][::-1]),
        has_previous=len(found) > limit,
        has_next=True,
    )


def around(*, daily_deal: DailyDeal, result: DailyResult, neighbours: int) -> Page:
    """Return a result with a number of rows on each side. Cost: three queries."""
    results = board(daily_deal)
    here = place_of(result)
    ahead = results.filter(_ahead(here)).order_by("rank_key", "-submission_id")
    better = list(ahead[: neighbours + 1])
    worse = list(results.filter(_behind(here))[: neighbours + 1])
    rows = [*better[:neighbours][::-1], result, *worse[:neighbours]]
    return Page(
        rows=_ranked(results, rows),
        has_previous=len(better) > neighbours,
        has_next=len(worse) > neighbours,
    )


def count_on_board(**conditions: Any) -> Coalesce:
    """Return, for a query of results, how many ranked results on each one's board match."""
    counted = (
        DailyResult.objects.order_by()
        .filter(daily_deal=OuterRef("daily_deal"), **conditions)
        .values("daily_deal")
        .annotate(count=Count("pk"))
        .values("count")
    )
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


def place_of(result: DailyResult) -> Place:
    """Return the place of a result on its board."""
    return Place(rank_key=result.rank_key, submission_id=result.submission_id)


def beside(place: Place) -> tuple[Place, Place]:
    """Return the places just behind and just ahead of a result: pages from there include it.

    The first is for going back (`page_before`), the second for going on (`page_after`).
    """
    behind = Place(place.rank_key, place.submission_id + 1)
    return behind, Place(place.rank_key, place.submission_id - 1)


def _behind(place: Place) -> Q:
    return Q(rank_key__lt=place.rank_key) | Q(
        rank_key=place.rank_key, submission_id__gt=place.submission_id
    )


def _ahead(place: Place) -> Q:
    return Q(rank_key__gt=place.rank_key) | Q(
        rank_key=place.rank_key, submission_id__lt=place.submission_id
    )


def _ranked(results: DailyResultQuerySet, rows: Sequence[DailyResult]) -> list[Row]:
    """Give consecutive rows their ranks: count the first, then follow on."""
    if not rows:
        return []
    # In one query: a result that arrives between two could make the rows disagree.
    first = rows[0]
    counts = results.order_by().aggregate(
        ahead=Count("pk", filter=_ahead(place_of(first))),
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
