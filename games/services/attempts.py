"""Attempts: started, and the logs that are sent for them."""

import hashlib
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, Max, Min, OuterRef, QuerySet, Subquery

from config.database.retry import retried
from games import engine, selectors
from games.errors import (
    AttemptUsed,
    DealClosed,
    DealNotOpen,
    DealVoid,
    PlayerGone,
)
from games.models import Attempt, DailyDeal, Player, Submission, SubmissionLog
from games.selectors import StartedAttempt
from games.services import players

_FORGOTTEN_AT_ONCE = 500  # rows of one transaction: each may hold 64 KiB


@retried
def start_attempt(*, player: Player, daily_deal: DailyDeal, now: datetime) -> StartedAttempt:
    """Start the clock of a new attempt, numbered from 1 for each player and deal.

    The attempt carries its deal as it is stored now.

    Raises:
        DealNotOpen, DealClosed, DealVoid
        PlayerGone: the player has left since the call began.
    """
    _require_open(daily_deal, now)
    with transaction.atomic():
        if not players.lock(player.pk):
            raise PlayerGone
        attempts = Attempt.objects.filter(player=player, daily_deal=daily_deal)
        before = attempts.aggregate(last=Max("number"), first_start=Min("started_at"))
        attempt = attempts.create(
            player=player,
            daily_deal=daily_deal,
            number=(before["last"] or 0) + 1,
            started_at=now,
        )
        # Read again now that the attempt holds the deal's row: an admin who replaces the cards
        # at the last moment has either done so before, or is refused because of this attempt.
        attempt.daily_deal = DailyDeal.objects.select_related("pool_deal").get(pk=daily_deal.pk)
        _require_open(attempt.daily_deal, now)
    first_start = min(now, before["first_start"] or now)
    return StartedAttempt(attempt, first_start, is_open=True)


def _require_open(daily_deal: DailyDeal, now: datetime) -> None:
    status = daily_deal.status_at(now)
    if status == DailyDeal.Status.VOID:
        raise DealVoid
    if status == DailyDeal.Status.SCHEDULED:
        raise DealNotOpen
    if status != DailyDeal.Status.OPEN:
        raise DealClosed


def store_submission(
    *,
    attempt: Attempt,
    movetext: str,
    verdict: engine.Verdict,
    claimed: Mapping[str, Any] | None,
    now: datetime,
) -> tuple[Submission, bool]:
    """Store a log with its verdict, and return whether it is new.

    A log that was sent before returns its row. An attempt keeps only its last
    settings.REFUSED_LOGS_KEPT_PER_ATTEMPT refused logs. The caller is in a transaction and holds
    the player's row, so that results count in the same order. What may have changed of the
    attempt's deal is read again: the submission's deal is the one that decided.

    Raises:
        AttemptUsed
    """
    digest = digest_of(movetext)
    logs = Submission.objects.filter(attempt=OuterRef("pk"))
    stored = (
        Attempt.objects.filter(pk=attempt.pk)
        .annotate(
            known=Subquery(logs.filter(digest=digest).values("pk")[:1]),
            is_used=Exists(logs.filter(legal=True)),
            first_start=selectors.first_start(),
        )
        .values("known", "is_used", "first_start", "daily_deal__status", "daily_deal__closes_at")
        .get()
    )
    # It may have been voided, extended or closed since the request began; its cards can't change.
    attempt.daily_deal.status = stored["daily_deal__status"]
    attempt.daily_deal.closes_at = stored["daily_deal__closes_at"]
    if stored["known"] is not None:
        known = Submission.objects.get(pk=stored["known"])
        known.attempt = attempt
        return known, False
    if stored["is_used"]:
        raise AttemptUsed
    refused = verdict.refused
    submission = Submission.objects.create(
        attempt=attempt,
        received_at=now,
        digest=digest,
        claimed=claimed,
        status=_status_of(verdict, attempt.daily_deal, now),
        elapsed_ms=ms_between(attempt.started_at, now),
        since_first_start_ms=ms_between(stored["first_start"], now),
        rules_version=engine.RULES_VERSION,
        legal=verdict.legal,
        won=verdict.won,
        score=verdict.score,
        ranked_score=verdict.ranked_score,
        moves=verdict.moves,
        undos=verdict.undos,
        take_backs=verdict.take_backs,
        foundation_cards=verdict.foundation_cards,
        actions=verdict.actions,
        refused_code=refused.code if refused else "",
        refused_index=refused.index if refused else None,
        refused_token=refused.token if refused else None,
        refused_action=refused.action if refused else "",
    )
    SubmissionLog.objects.create(submission=submission, movetext=movetext)
    if refused:
        _forget_all_but_the_last(attempt)
    return submission, True


def _forget_all_but_the_last(attempt: Attempt) -> None:
    """Delete an attempt's surplus refused logs, in one statement.

    The caller holds the player's row, so no one stores a log of this attempt meanwhile.
    """
    refused = attempt.submissions.filter(legal=False)
    kept = refused.order_by("-pk").values("pk")[: settings.REFUSED_LOGS_KEPT_PER_ATTEMPT]
    _delete(refused.exclude(pk__in=kept))


@retried
def forget_refused_logs(*, now: datetime) -> int:
    """Delete old refused logs that are not the last of their attempt; return how many.

    Old means received settings.REFUSED_LOGS_KEPT_DAYS before `now`, or earlier. One pass over the
    rows, a transaction per batch: an interrupted run continues the next time. It needs no lock,
    because nothing deletes the last log of an attempt.
    """
    old = now - timedelta(days=settings.REFUSED_LOGS_KEPT_DAYS)
    later = Submission.objects.filter(
        attempt=OuterRef("attempt"), legal=False, pk__gt=OuterRef("pk")
    )
    expired = Submission.objects.filter(Exists(later), legal=False, received_at__lte=old)
    forgotten = passed = 0
    while batch := list(
        expired.filter(pk__gt=passed)
        .order_by("pk")
        .values_list("pk", flat=True)[:_FORGOTTEN_AT_ONCE]
    ):
        forgotten += _delete(Submission.objects.filter(pk__in=batch))
        passed = batch[-1]
    return forgotten


def _delete(submissions: QuerySet[Submission]) -> int:
    # delete() would first read every row that might point at these. Only its text points at a
    # refused log, and goes with it; where something else did, the database would refuse.
    return submissions._raw_delete(submissions.db)


def _status_of(verdict: engine.Verdict, daily_deal: DailyDeal, now: datetime) -> Submission.Status:
    """Return the status of a log (docs/contract.md, "Submissions")."""
    if not verdict.legal:
        return Submission.Status.REFUSED
    if daily_deal.status == DailyDeal.Status.VOID:
        return Submission.Status.VOID
    # After final, a log is late whatever the time: winning line and standings are public.
    if daily_deal.status == DailyDeal.Status.FINAL or now > daily_deal.submissions_until:
        return Submission.Status.LATE
    return Submission.Status.ACCEPTED


def digest_of(movetext: str) -> str:
    """Return the SHA-256 of a log's tokens: the same log with other spaces is the same log."""
    # ASCII white space separates tokens, so the bytes are split, not the text.
    return hashlib.sha256(b" ".join(movetext.encode().split())).hexdigest()


def ms_between(start: datetime, end: datetime) -> int:
    """Return whole milliseconds, never below 0: a server's clock may be set back."""
    return max(0, (end - start) // timedelta(milliseconds=1))
