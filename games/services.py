"""Every change of the facts. Each service is given the time; none reads a clock.

Arguments are keyword-only. What a service refuses, it refuses by an exception of games.errors;
then nothing has changed.
"""

import hashlib
import logging
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Max, Min
from django.utils.translation import gettext_lazy as _
from knox.models import get_token_model

from games import audit, engine, signals
from games.errors import (
    AttemptUsed,
    BadDealCode,
    DealClosed,
    DealNotOpen,
    DealRefused,
    DealVoid,
    LogTooLarge,
    NameTaken,
    NotYourAttempt,
    PoolFileError,
)
from games.models import Attempt, DailyDeal, Player, PoolDeal, Submission
from games.names import clean_name, name_skeleton
from games.pool import load_pool

logger = logging.getLogger(__name__)

# --- Players ----------------------------------------------------------------------------------


def join(*, display_name: str) -> tuple[Player, str]:
    """Make a guest of that name and return it with its token, which is stored only as a hash.

    Raises:
        NameRefused, NameTaken
    """
    player = Player()
    player.set_unusable_password()
    with transaction.atomic():
        _take_name(player, display_name)
        _record, token = get_token_model().objects.create(user=player)
    return player, token


def rename(*, player: Player, display_name: str) -> Player:
    """Give a player another name, which shows everywhere at once.

    Raises:
        NameRefused, NameTaken
    """
    with transaction.atomic():
        _take_name(player, display_name)
    return player


def _take_name(player: Player, display_name: str) -> None:
    player.display_name = clean_name(display_name)
    player.name_skeleton = name_skeleton(player.display_name)
    # The unique column decides between two who ask at the same time.
    try:
        with transaction.atomic():
            player.save()
    except IntegrityError as error:
        raise NameTaken from error


def delete_player(*, player: Player, now: datetime) -> None:
    """Remove a player's name, login and tokens, and announce it so that ranks close up.

    The row stays, nameless, and so do the logs: they are the proof of results of others' days.
    """
    with transaction.atomic():
        locked = Player.objects.select_for_update().get(pk=player.pk)
        locked.display_name = ""
        locked.name_skeleton = None
        locked.username = None
        locked.is_active = locked.is_staff = locked.is_superuser = False
        locked.deleted_at = now
        locked.set_unusable_password()
        locked.save()
        get_token_model().objects.filter(user=locked).delete()
        signals.player_deleted.send(sender=Player, player=locked)


# --- The daily deals --------------------------------------------------------------------------


@dataclass
class RollOver:
    """What one rollover changed; empty when another had done it all."""

    assigned: list[DailyDeal] = field(default_factory=list)
    advanced: list[tuple[DailyDeal, DailyDeal.Status]] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.assigned or self.advanced)


def roll_over(*, now: datetime) -> RollOver:
    """Bring the calendar up to `now`: assign the days ahead, open and close what is due.

    Any number of runs, at the same time or late, do each thing once: a deal is assigned under
    the unique constraint of its day, and each step of a deal's life is a conditional update.
    Days are caught up in order. Cost: two queries when there is nothing to do.
    """
    report = RollOver()
    today = now.astimezone(UTC).date()
    days = [today + timedelta(days=ahead) for ahead in range(settings.DAYS_AHEAD + 1)]
    assigned = set(
        DailyDeal.objects.filter(date__range=(days[0], days[-1])).values_list("variant", "date")
    )
    for day in days:
        for slug in engine.VARIANTS:
            if (slug, day) not in assigned:
                deal = _assign(slug, day)
                if deal is not None:
                    report.assigned.append(deal)
    if report.assigned:
        logger.info("Assigned deals to %d days of a variant.", len(report.assigned))
    unfinished = DailyDeal.objects.filter(
        status__in=[DailyDeal.Status.SCHEDULED, DailyDeal.Status.OPEN, DailyDeal.Status.GRACE],
        opens_at__lte=now,
    )
    for deal in unfinished.order_by("date", "variant"):
        report.advanced.extend((deal, status) for status in _advance(deal, now))
    return report


def ensure_today(*, now: datetime) -> None:
    """Roll over if any variant has no deal for the day of `now`: a first request may have to.

    Cost: one query when there is nothing to do.
    """
    today = now.astimezone(UTC).date()
    ready = DailyDeal.objects.filter(date=today).exclude(status=DailyDeal.Status.SCHEDULED)
    if ready.count() < len(engine.VARIANTS):
        roll_over(now=now)


def _day_times(day: date) -> tuple[datetime, datetime]:
    opens_at = datetime.combine(day, time.min, tzinfo=UTC)
    return opens_at, opens_at + timedelta(days=1)


def _assign(slug: str, day: date) -> DailyDeal | None:
    """Return the new deal of that day, or None when another run made it first."""
    opens_at, closes_at = _day_times(day)
    while True:
        pool_deal = _draw(slug)
        try:
            with transaction.atomic():
                deal = DailyDeal.objects.create(
                    variant=slug, date=day, deal=pool_deal, opens_at=opens_at, closes_at=closes_at
                )
        except IntegrityError:
            if DailyDeal.objects.filter(variant=slug, date=day).exists():
                return None
            continue  # another day took this deal between the draw and the insert
        return deal


def _draw(slug: str) -> PoolDeal:
    """Return an unused deal, drawn so that nobody can foretell it.

    Certified deals first, those of the shipped file loaded when there are none; and when that
    is used up, any number never used, with an alarm: a day without a deal would be worse.
    """
    unused = _unused_certified(slug)
    if not unused:
        try:
            load_pool()
        except PoolFileError:
            logger.exception("The shipped pool cannot be loaded.")
        unused = _unused_certified(slug)
    if len(unused) <= settings.POOL_LOW_WATER:
        logger.error("The pool of %s runs out: %d unused deals are left.", slug, len(unused))
    if unused:
        return PoolDeal.objects.get(pk=secrets.choice(unused))
    while True:
        number = engine.MIN_NUMBER + secrets.randbelow(engine.MAX_NUMBER)
        pool_deal, _created = PoolDeal.objects.get_or_create(variant=slug, number=number)
        if not DailyDeal.objects.filter(deal=pool_deal).exists():
            logger.error("The pool of %s is empty: drew a deal nobody has proved.", slug)
            return pool_deal


def _unused_certified(slug: str) -> list[int]:
    unused = PoolDeal.objects.filter(variant=slug, daily_deal__isnull=True)
    return list(unused.exclude(winning_movetext="").values_list("pk", flat=True))


_NEXT_STATUS = {
    DailyDeal.Status.SCHEDULED: DailyDeal.Status.OPEN,
    DailyDeal.Status.OPEN: DailyDeal.Status.GRACE,
    DailyDeal.Status.GRACE: DailyDeal.Status.FINAL,
}


def _advance(deal: DailyDeal, now: datetime) -> list[DailyDeal.Status]:
    """Move a deal through every state that is due and return those this call moved it to."""
    moved = []
    while (due_at := deal.next_step_at) is not None and due_at <= now:
        after = _NEXT_STATUS[DailyDeal.Status(deal.status)]
        # The close is asked for again in the update: an admin may have changed it meanwhile.
        updated = DailyDeal.objects.filter(
            pk=deal.pk, status=deal.status, closes_at=deal.closes_at
        ).update(status=after)
        if not updated:
            break  # another run is at it
        deal.status = after
        logger.info("%s is %s.", deal, after)
        moved.append(after)
    return moved


# --- What admins do to deals and results ------------------------------------------------------


def schedule_deal(
    *, variant: str, day: date, code: str, actor: Player, reason: str, now: datetime
) -> DailyDeal:
    """Make `code` the deal of a future day, in place of the one assigned to it, if any.

    Raises:
        BadDealCode: not a deal code.
        DealRefused: of another variant, used on another day, or the day has begun.
        ReasonMissing: no reason given.
    """
    audit.require_reason(reason)
    deal_code = parse_code(code)
    if deal_code.variant.slug != variant:
        raise DealRefused(_("This code is a deal of another variant."))
    opens_at, closes_at = _day_times(day)
    if opens_at <= now:
        raise DealRefused(_("This day has begun: its deal stays. Schedule a later day."))
    with transaction.atomic():
        pool_deal, _created = PoolDeal.objects.get_or_create(
            variant=variant, number=deal_code.number
        )
        used = DailyDeal.objects.filter(deal=pool_deal).exclude(date=day).first()
        if used is not None:
            raise DealRefused(
                _("This deal has the day %(day)s. No deal is played twice.") % {"day": used.date}
            )
        # Locked, so that the rollover does not open it between the look and the change.
        daily_deal = DailyDeal.objects.select_for_update().filter(variant=variant, date=day).first()
        before = audit.state_of(daily_deal)
        if daily_deal is None:
            daily_deal = DailyDeal(
                variant=variant, date=day, opens_at=opens_at, closes_at=closes_at
            )
        elif daily_deal.status != DailyDeal.Status.SCHEDULED:
            raise DealRefused(_("This deal is no longer scheduled: it stays as it is."))
        daily_deal.deal = pool_deal
        try:
            with transaction.atomic():
                daily_deal.save()
        except IntegrityError as error:
            raise DealRefused(_("The calendar changed meanwhile. Please look again.")) from error
        audit.record(
            actor=actor, target=daily_deal, action="schedule", reason=reason, before=before
        )
    return daily_deal


def void_deal(*, daily_deal: DailyDeal, actor: Player, reason: str) -> DailyDeal:
    """Take a deal out of the competition: it keeps its logs and ranks nobody.

    Raises:
        DealRefused: void already.
        ReasonMissing: no reason given.
    """
    audit.require_reason(reason)
    with transaction.atomic():
        locked = DailyDeal.objects.select_for_update().get(pk=daily_deal.pk)
        if locked.status == DailyDeal.Status.VOID:
            raise DealRefused(_("This deal is void already."))
        before = audit.state_of(locked)
        locked.status = DailyDeal.Status.VOID
        locked.save(update_fields=["status"])
        audit.record(actor=actor, target=locked, action="void", reason=reason, before=before)
    return locked


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
        Player.objects.select_for_update().get(attempts__submissions=submission)
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


# --- Attempts and submissions -----------------------------------------------------------------


def start_attempt(*, player: Player, daily_deal: DailyDeal, now: datetime) -> Attempt:
    """Start the clock of a new attempt, numbered from 1 for each player and deal.

    Raises:
        DealNotOpen, DealClosed, DealVoid
    """
    status = daily_deal.status_at(now)
    if status == DailyDeal.Status.VOID:
        raise DealVoid
    if status == DailyDeal.Status.SCHEDULED:
        raise DealNotOpen
    if status != DailyDeal.Status.OPEN:
        raise DealClosed
    with transaction.atomic():
        _lock(player)
        attempts = Attempt.objects.filter(player=player, daily_deal=daily_deal)
        last = attempts.aggregate(last=Max("number"))["last"] or 0
        return attempts.create(
            player=player, daily_deal=daily_deal, number=last + 1, started_at=now
        )


def judge(*, code: engine.DealCode, movetext: str) -> engine.Verdict:
    """Return the verdict on a log, which may be that it is illegal.

    Raises:
        LogTooLarge: over the limits of docs/contract.md, "Movetext".
    """
    try:
        return engine.replay(code, movetext)
    except engine.LimitError as error:
        raise LogTooLarge(_(error.message), code=error.code) from error


def parse_code(text: str) -> engine.DealCode:
    """Return the deal of a code.

    Raises:
        BadDealCode: with the engine's own code of what is wrong.
    """
    try:
        return engine.parse_code(text)
    except engine.CodeError as error:
        raise BadDealCode(_(error.message), code=error.code) from error


def submit(
    *,
    attempt: Attempt,
    player: Player,
    movetext: str,
    claimed: Mapping[str, Any] | None,
    now: datetime,
) -> tuple[Submission, bool]:
    """Judge a log, store it with its verdict, and say whether it is new.

    A log that was sent before gives the row that it gave then. The caller is in a transaction
    and holds the player's row from here on, so that what follows from the result is counted in
    the same order.

    Raises:
        NotYourAttempt, AttemptUsed, LogTooLarge
    """
    if attempt.player_id != player.pk:
        raise NotYourAttempt
    daily_deal = attempt.daily_deal
    # Of the tokens, which ASCII blanks separate: so the bytes are split, not the text.
    digest = hashlib.sha256(b" ".join(movetext.encode().split())).hexdigest()
    # Before the lock: a replay is the long part, and it needs nothing that could change.
    verdict = judge(code=daily_deal.deal.code, movetext=movetext)
    _lock(player)
    known = attempt.submissions.filter(digest=digest).first()
    if known is not None:
        return known, False
    if attempt.submissions.filter(legal=True).exists():
        raise AttemptUsed
    first_start = Attempt.objects.filter(player=player, daily_deal=daily_deal).aggregate(
        first=Min("started_at")
    )["first"]
    refused = verdict.refused
    submission = Submission.objects.create(
        attempt=attempt,
        received_at=now,
        movetext=movetext,
        digest=digest,
        claimed=claimed,
        status=_submission_status(daily_deal, verdict, now),
        elapsed_ms=_ms_between(attempt.started_at, now),
        since_first_start_ms=_ms_between(first_start, now),
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
    return submission, True


def _submission_status(
    daily_deal: DailyDeal, verdict: engine.Verdict, now: datetime
) -> Submission.Status:
    if not verdict.legal:
        return Submission.Status.REFUSED
    # Read again: an admin may have voided the deal since the request began.
    stored = DailyDeal.objects.values_list("status", "closes_at").get(pk=daily_deal.pk)
    daily_deal.status, daily_deal.closes_at = stored
    if daily_deal.status == DailyDeal.Status.VOID:
        return Submission.Status.VOID
    if now > daily_deal.submissions_until:
        return Submission.Status.LATE
    return Submission.Status.ACCEPTED


def _lock(player: Player) -> None:
    """Take the player's row until the end of the transaction: one change of theirs at a time."""
    Player.objects.select_for_update(no_key=True).get(pk=player.pk)


def _ms_between(start: datetime, end: datetime) -> int:
    """Return whole milliseconds, never below 0: a server's clock may be set back."""
    return max(0, (end - start) // timedelta(milliseconds=1))
