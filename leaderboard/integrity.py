"""Facts about results and the logs they come from: see games.integrity.

`rebuild_results` repairs what these facts find.
"""

from django.db.models import BigIntegerField, Case, Exists, F, OuterRef, Q, QuerySet, Value, When
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast, Least

from games.integrity import Fact
from games.models import Submission
from leaderboard.models import DailyResult
from leaderboard.rules import ranking


def facts() -> list[Fact]:
    """Return the facts about results. Cost: one query each, on evaluation."""
    return [
        Fact("A result is of its log's deal and of its log's player.", misplaced_results()),
        Fact(
            "A result's log is accepted.",
            DailyResult.objects.exclude(submission__status=Submission.Status.ACCEPTED),
        ),
        Fact(
            "A player who has left has no result.",
            DailyResult.objects.filter(player__deleted_at__isnull=False),
        ),
        Fact(
            "A result's rank key is that of its log.",
            DailyResult.objects.exclude(rank_key=_rank_key("submission__")),
        ),
        Fact(
            "A result is the best of its player's accepted logs, of equal ones the first.",
            DailyResult.objects.filter(
                Exists(
                    _accepted()
                    .filter(
                        attempt__daily_deal=OuterRef("daily_deal"),
                        attempt__player=OuterRef("player"),
                    )
                    .filter(
                        Q(key__gt=OuterRef("rank_key"))
                        | Q(key=OuterRef("rank_key"), pk__lt=OuterRef("submission"))
                    )
                )
            ),
        ),
        Fact(
            "A player who is still here has a result for each deal with an accepted log.",
            _accepted().filter(
                ~Exists(
                    DailyResult.objects.filter(
                        daily_deal=OuterRef("attempt__daily_deal"),
                        player=OuterRef("attempt__player"),
                    )
                ),
                attempt__player__deleted_at__isnull=True,
            ),
        ),
    ]


def misplaced_results() -> QuerySet[DailyResult]:
    """Return the results on a different board, or for a different player, than their log."""
    return DailyResult.objects.exclude(
        daily_deal=F("submission__attempt__daily_deal"), player=F("submission__attempt__player")
    )


def _accepted() -> QuerySet[Submission]:
    return Submission.objects.filter(status=Submission.Status.ACCEPTED).annotate(key=_rank_key())


def _rank_key(prefix: str = "") -> Combinable:
    """Return ranking.pack of a log's key, as SQL."""
    won = Case(
        When(**{f"{prefix}won": True}, then=Value(1)),
        default=Value(0),
        output_field=BigIntegerField(),
    )
    # A bigint from the start: PostgreSQL would count in 32 bits otherwise.
    packed: Combinable = Cast(won, BigIntegerField())
    packed = packed * (ranking.MAX_RANKED_SCORE + 1) + F(f"{prefix}ranked_score")
    packed = packed * (ranking.MAX_MOVES + 1) + (ranking.MAX_MOVES - F(f"{prefix}moves"))
    seconds = Least(F(f"{prefix}since_first_start_ms") / 1000, Value(ranking.MAX_SECONDS))
    return packed * (ranking.MAX_SECONDS + 1) + (ranking.MAX_SECONDS - seconds)
