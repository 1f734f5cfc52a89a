"""The decisions of admins about submissions and players."""

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
    """Remove an accepted log from the ranking.

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
    """Undo `disqualify`: the ranks return to what they were.

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
        # A submission takes the player's lock, too, so results count one by one.
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
    """Block or unblock a player; results stay.

    Raises:
        PlayerRefused: already in this state, has left, is the actor, or is staff and the actor is
            no superuser.
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
    """Replace an offensive name with a neutral one, everywhere at once.

    The player may choose another name, as always; a player who abuses that can be blocked.

    Raises:
        PlayerRefused: has no player's name, or has left.
        ReasonMissing: no reason given.
    """
    audit.require_reason(reason)
    with transaction.atomic():
        players.lock(player.pk)
        before = audit.state_of(player)
        if not Player.objects.filter(pk=player.pk, name_skeleton__isnull=False).exists():
            raise PlayerRefused(_("Only a player's name can be removed."))
        # So many possible names that two players do not get the same one.
        name = f"Player {secrets.token_hex(6)}"
        Player.objects.filter(pk=player.pk).update(
            display_name=name, name_skeleton=name_skeleton(name)
        )
        player.refresh_from_db()
        audit.record(actor=actor, target=player, action="take name", reason=reason, before=before)
    return player
