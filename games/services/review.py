"""What admins decide about submissions."""

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from games import audit, signals
from games.errors import DealRefused
from games.models import Player, Submission
from games.services import players


def disqualify(*, submission: Submission, actor: Player, reason: str) -> Submission:
    """Take an accepted log out of the ranking.

    Raises:
        DealRefused: the log is not ranked.
        ReasonMissing: no reason given.
    """
    return _judge_by_hand(
        submission=submission,
        expected=Submission.Status.ACCEPTED,
        status=Submission.Status.DISQUALIFIED,
        actor=actor,
        reason=reason,
    )


def reinstate(*, submission: Submission, actor: Player, reason: str) -> Submission:
    """Undo `disqualify`: the ranks are again what they were.

    Raises:
        DealRefused: the log is not disqualified.
        ReasonMissing: no reason given.
    """
    return _judge_by_hand(
        submission=submission,
        expected=Submission.Status.DISQUALIFIED,
        status=Submission.Status.ACCEPTED,
        actor=actor,
        reason=reason,
    )


def _judge_by_hand(
    *,
    submission: Submission,
    expected: Submission.Status,
    status: Submission.Status,
    actor: Player,
    reason: str,
) -> Submission:
    audit.require_reason(reason)
    with transaction.atomic():
        # The player's lock is what a submission takes, too: results are counted one by one.
        players.lock(submission.attempt.player)
        before = audit.state_of(submission)
        updated = Submission.objects.filter(pk=submission.pk, status=expected).update(status=status)
        if not updated:
            raise DealRefused(
                _("Only a log that is %(status)s can be treated so.") % {"status": expected.label}
            )
        submission.refresh_from_db()
        audit.record(
            actor=actor, target=submission, action=status.value, reason=reason, before=before
        )
        signals.submission_status_changed.send(sender=Submission, submission=submission)
    return submission
