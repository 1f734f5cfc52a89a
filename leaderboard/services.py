"""Every change of results: they follow from accepted logs and can be counted again from them.

A result changes in three ways:

- a log is accepted: `submit` calls `count_accepted`, in the same transaction;
- an organiser disqualifies or reinstates a log, or a player leaves: `games` sends a signal inside
  its transaction, and `leaderboard.receivers` calls `refresh_result` or `forget_player`;
- everything is counted again: `rebuild_results`.

Voiding a deal changes no result: its rows stay, and `DailyResultQuerySet.ranked` leaves them out.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from config.database.retry import retried
from games.models import Attempt, Submission
from games.services import attempts, judging, players
from leaderboard.integrity import misplaced_results
from leaderboard.models import DailyResult
from leaderboard.rules import ranking


@dataclass(frozen=True, slots=True)
class Submitted:
    """A stored log, whether it is new, and its player's result for the deal, or None.

    The submission's attempt carries the deal that judged the log.
    """

    submission: Submission
    is_new: bool
    best: DailyResult | None


@retried
def submit(
    *, attempt: Attempt, movetext: str, claimed: Mapping[str, Any] | None, now: datetime
) -> Submitted:
    """Judge and store a log, and count it: all or nothing.

    The caller has checked that the log comes from the attempt's own player.

    Raises:
        AttemptUsed, LogTooLarge
    """
    # Before the transaction: the replay takes longest and needs nothing that could change.
    verdict = judging.judge(code=attempt.daily_deal.pool_deal.code, movetext=movetext)
    with transaction.atomic():
        is_here = players.lock(attempt.player_id)
        submission, is_new = attempts.store_submission(
            attempt=attempt, movetext=movetext, verdict=verdict, claimed=claimed, now=now
        )
        if is_new and is_here and submission.status == Submission.Status.ACCEPTED:
            best: DailyResult | None = count_accepted(submission=submission, attempt=attempt)
        else:
            best = _best_of(attempt)
    return Submitted(submission, is_new, best)


def count_accepted(*, submission: Submission, attempt: Attempt) -> DailyResult:
    """Count a log that has just been accepted; return its player's best result.

    Of equal logs, the first accepted stays. The caller holds the player's row, so the result is
    the best of all their logs before this one: no need to compare with each of those again.
    """
    best = _best_of(attempt)
    rank_key = _packed_key(submission)
    if best is None:
        return DailyResult.objects.create(
            daily_deal_id=attempt.daily_deal_id,
            player_id=attempt.player_id,
            submission=submission,
            rank_key=rank_key,
        )
    if rank_key > best.rank_key:
        best.submission, best.rank_key = submission, rank_key
        best.save(update_fields=["submission", "rank_key"])
    return best


def _best_of(attempt: Attempt) -> DailyResult | None:
    """Return the result of an attempt's player for its deal, even of a void one, or None."""
    return (
        DailyResult.objects.filter(daily_deal=attempt.daily_deal_id, player=attempt.player_id)
        .select_related("submission__attempt")
        .first()
    )


def refresh_result(*, daily_deal_id: int, player_id: UUID) -> None:
    """Make the player's result for a deal the best of their accepted logs, or none.

    Of equal logs, the first accepted stays: a result that is not better changes nothing. The
    caller holds the player's row, so that no other log of theirs counts at the same time.
    """
    accepted = Submission.objects.filter(
        attempt__daily_deal=daily_deal_id,
        attempt__player=player_id,
        status=Submission.Status.ACCEPTED,
        attempt__player__deleted_at__isnull=True,
    ).only("won", "ranked_score", "moves", "since_first_start_ms")
    # The greatest key, and of equal ones the lowest number.
    best = max(
        ((_packed_key(submission), -submission.pk) for submission in accepted),
        default=None,
    )
    if best is None:
        DailyResult.objects.filter(daily_deal=daily_deal_id, player=player_id).delete()
        return
    rank_key, negative_pk = best
    DailyResult.objects.update_or_create(
        daily_deal_id=daily_deal_id,
        player_id=player_id,
        defaults={"rank_key": rank_key, "submission_id": -negative_pk},
    )


def forget_player(*, player_id: UUID) -> int:
    """Remove a player from every board, closing up the ranks; return how many results."""
    deleted, _by_model = DailyResult.objects.filter(player=player_id).delete()
    return deleted


def rebuild_results() -> int:
    """Count every result again from the accepted logs; return how many."""
    # First: such a row would hold the log that the right row needs.
    misplaced_results().delete()
    pairs = list(
        Submission.objects.order_by()
        .values_list("attempt__daily_deal", "attempt__player")
        .distinct()
    )
    for daily_deal_id, player_id in pairs:
        _rebuild_result(daily_deal_id=daily_deal_id, player_id=player_id)
    return len(pairs)


@retried
def _rebuild_result(*, daily_deal_id: int, player_id: UUID) -> None:
    with transaction.atomic():
        players.lock(player_id)
        refresh_result(daily_deal_id=daily_deal_id, player_id=player_id)


def _packed_key(submission: Submission) -> int:
    key = ranking.rank_key(
        won=submission.won,
        ranked_score=submission.ranked_score,
        moves=submission.moves,
        since_first_start_ms=submission.since_first_start_ms,
    )
    return ranking.pack(key)
