"""What admins decide about submissions and players."""

import secrets

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from config.database.retry import retried
from games import audit, signals
from games.errors import PlayerRefused, SubmissionRefused
from games.models import Player, Submission
from games.names import name_skeleton
from games.services import players


@retried
def disqualify(*, submission: Submission, actor: Player, reason: str) -> Submission:
    """Take an accepted log out of the ranking.

    Raises:
        SubmissionRefused: the log is not ranked.
        ReasonMissing: no reason given.
    """
    return _judge_by_hand(
        submission=submission,
        expected=Submission.Status.ACCEPTED,
        status=Submission.Status.DISQUALIFIED,
        actor=actor,
        reason=reason,
    )


@retried
def reinstate(*, submission: Submission, actor: Player, reason: str) -> Submission:
    """Undo `disqualify`: the ranks are again what they were.

    Raises:
        SubmissionRefused: the log is not disqualified.
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
        players.lock(submission.attempt.player_id)
        before = audit.state_of(submission)
        updated = Submission.objects.filter(pk=submission.pk, status=expected).update(status=status)
        if not updated:
            raise SubmissionRefused(
                _("This is only possible for a log that is %(status)s.")
                % {"status": expected.label}
            )
        submission.refresh_from_db()
        audit.record(
            actor=actor, target=submission, action=status.value, reason=reason, before=before
        )
        signals.submission_status_changed.send(sender=Submission, submission=submission)
    return submission


@retried
def set_blocked(*, player: Player, is_blocked: bool, actor: Player, reason: str) -> Player:
    """Keep a player from playing, or let them play again; results stay as they are.

    Raises:
        PlayerRefused: so already, has left, oneself, or of the staff by one who is no superuser.
        ReasonMissing: no reason given.
    """
    audit.require_reason(reason)
    if player.pk == actor.pk or (player.is_staff and not actor.is_superuser):
        raise PlayerRefused(
            _("Only a superuser can do this to staff, and no one can do it to themselves.")
        )
    with transaction.atomic():
        players.lock(player.pk)
        before = audit.state_of(player)
        there = Player.objects.filter(pk=player.pk, deleted_at__isnull=True)
        if not there.filter(is_active=is_blocked).update(is_active=not is_blocked):
            raise PlayerRefused(
                _("There is nothing to change: the player is already in this state or has left.")
            )
        player.refresh_from_db()
        action = "block" if is_blocked else "unblock"
        audit.record(actor=actor, target=player, action=action, reason=reason, before=before)
    return player


@retried
def take_name_away(*, player: Player, actor: Player, reason: str) -> Player:
    """Give a player a neutral name, which shows everywhere at once, in place of an offensive one.

    They may take another one, as always; whoever abuses that can be blocked.

    Raises:
        PlayerRefused: has no name of a player, or has left.
        ReasonMissing: no reason given.
    """
    audit.require_reason(reason)
    with transaction.atomic():
        players.lock(player.pk)
        before = audit.state_of(player)
        if not Player.objects.filter(pk=player.pk, name_skeleton__isnull=False).exists():
            raise PlayerRefused(_("Only a player's name can be removed."))
        # So many possible names that one of another player is not met.
        name = f"Player {secrets.token_hex(6)}"
        Player.objects.filter(pk=player.pk).update(
            display_name=name, name_skeleton=name_skeleton(name)
        )
        player.refresh_from_db()
        audit.record(actor=actor, target=player, action="take name", reason=reason, before=before)
    return player
