"""The daily deals: assigned ahead, opened, closed, scheduled by hand, voided."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from django.conf import settings
from django.db import IntegrityError, connection, transaction
from django.utils.translation import gettext_lazy as _

from config.database.retry import retried
from games import audit, commitment, engine, secrecy
from games.days import day_of, times_of
from games.errors import DealRefused
from games.models import DailyDeal, Player, PoolDeal, Submission
from games.services import pool
from games.services.judging import parse_code

logger = logging.getLogger(__name__)

# The key of PostgreSQL's advisory lock on the calendar; the only one there is.
_CALENDAR_LOCK = 20_260_801


@dataclass
class RollOver:
    """What one rollover changed; empty when another had already done everything."""

    assigned: list[DailyDeal] = field(default_factory=list)
    advanced: list[tuple[DailyDeal, DailyDeal.Status]] = field(default_factory=list)
    replaced: list[DailyDeal] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.assigned or self.advanced or self.replaced)


@retried
def roll_over(*, now: datetime) -> RollOver:
    """Bring the calendar up to `now`: assign the days ahead, open and close what is due.

    Any number of runs, at the same time or late, do each thing once: a deal is assigned under
    the unique constraint of its day, and each step of a deal's life is a conditional update.
    Days are caught up in order. Cost: four queries when there is nothing to do.
    """
    report = RollOver()
    today = day_of(now)
    # First what is due, then what players wait for: drawing may take its time.
    _advance_all(report, now)
    _assign_days(report, [today], now)
    _advance_all(report, now)
    if settings.OWN_DEALS_ONLY:
        _replace_shipped(report, now)
    _assign_days(report, [today + timedelta(days=n + 1) for n in range(settings.DAYS_AHEAD)], now)
    if report.assigned:
        logger.info("Assigned deals to %d days of a variant.", len(report.assigned))
    return report


@retried
def ensure_today(*, now: datetime) -> None:
    """Assign and open the missing deals of the day of `now`: the first request may have to.

    The days ahead are left to the rollover. Cost: one query when there is nothing to do.
    """
    today = day_of(now)
    ready = DailyDeal.objects.filter(date=today).exclude(status=DailyDeal.Status.SCHEDULED)
    if ready.count() < len(engine.VARIANTS):
        report = RollOver()
        _assign_days(report, [today], now)
        _advance_all(report, now)


@retried
def up_to_date(daily_deal: DailyDeal, now: datetime) -> DailyDeal:
    """Return a deal with its status as of `now`, doing what is due.

    Cost: nothing when there is nothing to do.
    """
    if daily_deal.next_step_at is not None and daily_deal.next_step_at <= now:
        _advance_all(RollOver(), now)
        return DailyDeal.objects.select_related("pool_deal").get(pk=daily_deal.pk)
    return daily_deal


def _assign_days(report: RollOver, days: Sequence[date], now: datetime) -> None:
    assigned = set(
        DailyDeal.objects.filter(date__range=(days[0], days[-1])).values_list("variant", "date")
    )
    for day in days:
        for slug in engine.VARIANTS:
            if (slug, day) not in assigned:
                deal = _assign(slug, day, now)
                if deal is not None:
                    report.assigned.append(deal)


def _replace_shipped(report: RollOver, now: datetime) -> None:
    """Replace shipped deals of coming days with our own, next day first.

    They were drawn before such deals were ruled out. A new deal is a new promise, with its time,
    as if an organiser had replaced it; and only as many are replaced as the pool has deals for,
    the rest waits for it to be filled.
    """
    today = day_of(now)
    waiting = []
    for daily_deal in pool.shipped_days(first_day=today + timedelta(days=1)):
        if daily_deal.status != DailyDeal.Status.SCHEDULED or daily_deal.opens_at <= now:
            continue
        if not pool.unused_counts()[daily_deal.variant]:
            waiting.append(daily_deal)
            continue
        with transaction.atomic():
            _lock_calendar()
            locked = DailyDeal.objects.select_for_update().get(pk=daily_deal.pk)
            same = (
                locked.pool_deal_id == daily_deal.pool_deal_id
                and locked.status == daily_deal.status
            )
            if not same or locked.attempts.exists():
                continue  # changed meanwhile, by hand or by another run
            _commit_to(locked, pool.draw(variant=locked.variant, now=now), now)
            try:
                with transaction.atomic():
                    locked.save()
            except IntegrityError:
                waiting.append(daily_deal)  # another day took this deal: the next run goes on
                continue
        report.replaced.append(locked)
    if report.replaced:
        days = ", ".join(map(str, report.replaced))
        logger.error("Had deals of the public pool, and got others with new commitments: %s.", days)
    if waiting:
        days = ", ".join(map(str, waiting))
        logger.warning("Have deals of the public pool until the pool has others: %s.", days)


def _advance_all(report: RollOver, now: datetime) -> None:
    unfinished = DailyDeal.objects.filter(
        status__in=[DailyDeal.Status.SCHEDULED, DailyDeal.Status.OPEN, DailyDeal.Status.GRACE],
        opens_at__lte=now,
    ).select_related("pool_deal")
    for deal in unfinished.order_by("date", "variant"):
        report.advanced.extend((deal, status) for status in _advance(deal, now))


def _assign(slug: str, day: date, now: datetime) -> DailyDeal | None:
    """Return the new deal of that day, or None when another run assigned it first."""
    opens_at, closes_at = times_of(day)
    while True:
        daily_deal = DailyDeal(variant=slug, date=day, opens_at=opens_at, closes_at=closes_at)
        _commit_to(daily_deal, pool.draw(variant=slug, now=now), now)
        try:
            with transaction.atomic():
                _lock_calendar()
                daily_deal.save(force_insert=True)
        except IntegrityError:
            if DailyDeal.objects.filter(variant=slug, date=day).exists():
                return None
            continue  # another day took this deal between the draw and the insert
        return daily_deal


def _lock_calendar() -> None:
    """Let only one transaction at a time give days their deals, until it ends.

    Without this, two transactions could each hold a day and a deal and wait for each other. SQLite
    has one writer anyway. A change of a single day that has its deal locks only that day's row.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_CALENDAR_LOCK])


def _commit_to(daily_deal: DailyDeal, pool_deal: PoolDeal, now: datetime) -> None:
    """Give a day its deal, with the hash that is public from now on (docs/commitment.md)."""
    daily_deal.pool_deal = pool_deal
    daily_deal.salt = commitment.new_salt()
    daily_deal.commitment = commitment.commitment(
        salt=daily_deal.salt,
        variant=daily_deal.variant,
        day=daily_deal.date,
        code=str(pool_deal.code),
    )
    daily_deal.committed_at = now


_NEXT_STATUS = {
    DailyDeal.Status.SCHEDULED: DailyDeal.Status.OPEN,
    DailyDeal.Status.OPEN: DailyDeal.Status.GRACE,
    DailyDeal.Status.GRACE: DailyDeal.Status.FINAL,
}


def _advance(deal: DailyDeal, now: datetime) -> list[DailyDeal.Status]:
    """Move a deal through every due state and return the states that this call reached."""
    moved = []
    while (due_at := deal.next_step_at) is not None and due_at <= now:
        after = _NEXT_STATUS[DailyDeal.Status(deal.status)]
        with transaction.atomic():
            # The update checks the close again: an admin may have extended the deal.
            updated = DailyDeal.objects.filter(
                pk=deal.pk, status=deal.status, closes_at=deal.closes_at
            ).update(status=after)
            if not updated:
                break  # another run is at it
            if after == DailyDeal.Status.FINAL:
                _improve_par(deal)
        deal.status = after
        logger.info("%s is %s.", deal, after)
        moved.append(after)
    return moved


def _improve_par(deal: DailyDeal) -> None:
    """Make the players' shortest verified win the deal's line, if it is shorter.

    The deal is final, so its players' logs are public anyway.
    """
    shortest = (
        Submission.objects.filter(
            attempt__daily_deal=deal, status=Submission.Status.ACCEPTED, won=True
        )
        .select_related("log")
        .order_by("moves", "pk")
        .first()
    )
    if shortest is not None:
        pool.improve(pool_deal=deal.pool_deal, movetext=shortest.movetext, moves=shortest.moves)


# --- By hand ---


@retried
def schedule_deal(
    *, variant: str, day: date, code: str, actor: Player, reason: str, now: datetime
) -> DailyDeal:
    """Make `code` the deal of a future day, in place of the one assigned to it, if any.

    The commitment is new, and its time shows that. An actor who may not see which deals were drawn
    is refused in the same words for one that was drawn and for one that no one proved, and the try
    is kept in the log (docs/adr/0012).

    Raises:
        BadDealCode: not a deal code.
        DealRefused: another variant, not certified, used on another day, or the day has begun.
        ReasonMissing: no reason given.
    """
    audit.require_reason(reason)
    deal_code = parse_code(code)
    if deal_code.variant.slug != variant:
        raise DealRefused(_("This code belongs to another variant."))
    _require_plannable(day, now)
    pool_deal = pool.in_pool(deal_code)
    with _tries_are_kept(
        actor=actor, variant=variant, day=day, asked_for=str(deal_code), reason=reason
    ):
        if pool_deal is None:
            if not secrecy.sees_all(actor):
                raise _RevealingRefusal
            raise DealRefused(_("This deal has not been proved winnable. Certify the code first."))
        if settings.OWN_DEALS_ONLY and pool.is_shipped(pool_deal):
            raise DealRefused(
                _("This deal came with the service: its winning line is public. Certify another.")
            )
        with transaction.atomic():
            _lock_calendar()
            return _schedule(pool_deal=pool_deal, day=day, actor=actor, reason=reason, now=now)


@retried
def plan_days(
    *,
    variant: str,
    first_day: date,
    grades: Sequence[int],
    actor: Player,
    reason: str,
    now: datetime,
) -> list[DailyDeal]:
    """Give consecutive days unused deals of these grades of difficulty.

    Changes all of the days or none.

    Raises:
        DealRefused: too few unused deals of a grade, or a day has begun.
        ReasonMissing: no reason given.
    """
    audit.require_reason(reason)
    planned = []
    _require_plannable(first_day, now)
    asked_for = " ".join(str(grade) for grade in grades)
    tries_are_kept = _tries_are_kept(
        actor=actor, variant=variant, day=first_day, asked_for=asked_for, reason=reason
    )
    with tries_are_kept, transaction.atomic():
        _lock_calendar()
        for ahead, grade in enumerate(grades):
            pool_deal = pool.draw_of_grade(variant=variant, grade=grade)
            if pool_deal is None:
                too_few = _("The pool has too few unused deals of grade %(grade)d.") % {
                    "grade": grade
                }
                # The number left of a grade would reveal the grade of the drawn deal.
                raise (DealRefused if secrecy.sees_all(actor) else _RevealingRefusal)(too_few)
            day = first_day + timedelta(days=ahead)
            _require_plannable(day, now)
            planned.append(
                _schedule(pool_deal=pool_deal, day=day, actor=actor, reason=reason, now=now)
            )
    return planned


class _RevealingRefusal(DealRefused):
    """A refusal whose details would reveal which deals were drawn."""

    text = _(
        "This deal can't be given to this day: no one has proved it winnable, or another day has "
        "it."
    )


@contextmanager
def _tries_are_kept(
    *, actor: Player, variant: str, day: date, asked_for: str, reason: str
) -> Iterator[None]:
    """Log a refused request whose refusal reveals something: trying codes leaves a trace."""
    try:
        yield
    except _RevealingRefusal:
        audit.record_refusal(
            actor=actor, variant=variant, day=day, asked_for=asked_for, reason=reason
        )
        raise


def _require_plannable(day: date, now: datetime) -> None:
    today = day_of(now)
    if day <= today:
        raise DealRefused(_("This day has begun, so its deal stays. Choose a later day."))
    if (day - today).days > settings.MOST_DAYS_AHEAD:
        raise DealRefused(
            _("Schedule at most %(days)d days ahead.") % {"days": settings.MOST_DAYS_AHEAD}
        )


def _schedule(
    *, pool_deal: PoolDeal, day: date, actor: Player, reason: str, now: datetime
) -> DailyDeal:
    used = DailyDeal.objects.filter(pool_deal=pool_deal).exclude(date=day).first()
    if used is not None:
        if not secrecy.may_see(viewer=actor, daily_deal=used, now=now):
            raise _RevealingRefusal
        raise DealRefused(
            _("This deal belongs to %(day)s. Each deal is played on one day only.")
            % {"day": used.date}
        )
    # Locked, so that the rollover does not open it between the check and the change.
    daily_deal = (
        DailyDeal.objects.select_for_update().filter(variant=pool_deal.variant, date=day).first()
    )
    before = audit.state_of(daily_deal)
    if daily_deal is None:
        opens_at, closes_at = times_of(day)
        daily_deal = DailyDeal(
            variant=pool_deal.variant, date=day, opens_at=opens_at, closes_at=closes_at
        )
    elif daily_deal.status != DailyDeal.Status.SCHEDULED or daily_deal.attempts.exists():
        # By the clock it may be open before its status says so: an attempt then shows it.
        raise DealRefused(_("This deal is no longer scheduled, so it can't be replaced."))
    _commit_to(daily_deal, pool_deal, now)
    try:
        with transaction.atomic():
            daily_deal.save()
    except IntegrityError as error:
        raise DealRefused(
            _("The calendar has changed in the meantime. Check it and try again.")
        ) from error
    audit.record(actor=actor, target=daily_deal, action="schedule", reason=reason, before=before)
    return daily_deal


@retried
def extend_deal(
    *, daily_deal: DailyDeal, hours: int, actor: Player, reason: str, now: datetime
) -> DailyDeal:
    """Keep an open deal open for more hours.

    Raises:
        DealRefused: not open by the clock, or longer than MOST_EXTENDED_HOURS in all.
        ReasonMissing: no reason given.
    """
    audit.require_reason(reason)
    with transaction.atomic():
        locked = DailyDeal.objects.select_for_update().get(pk=daily_deal.pk)
        if locked.status_at(now) != DailyDeal.Status.OPEN:
            raise DealRefused(_("Only an open deal can be extended."))
        before = audit.state_of(locked)
        closes_at = locked.closes_at + timedelta(hours=hours)
        most = times_of(locked.date)[1] + timedelta(hours=settings.MOST_EXTENDED_HOURS)
        if hours < 1 or closes_at > most:
            raise DealRefused(
                _("A deal can be extended by 1 to %(hours)d hours in all.")
                % {"hours": settings.MOST_EXTENDED_HOURS}
            )
        locked.closes_at = closes_at
        locked.save(update_fields=["closes_at"])
        audit.record(actor=actor, target=locked, action="extend", reason=reason, before=before)
    return locked


@retried
def void_deal(*, daily_deal: DailyDeal, actor: Player, reason: str) -> DailyDeal:
    """Withdraw a deal from the competition: it keeps its logs and ranks no one.

    Raises:
        DealRefused: already void.
        ReasonMissing: no reason given.
    """
    audit.require_reason(reason)
    with transaction.atomic():
        locked = DailyDeal.objects.select_for_update().get(pk=daily_deal.pk)
        if locked.status == DailyDeal.Status.VOID:
            raise DealRefused(_("This deal is already void."))
        before = audit.state_of(locked)
        locked.status = DailyDeal.Status.VOID
        locked.save(update_fields=["status"])
        audit.record(actor=actor, target=locked, action="void", reason=reason, before=before)
    return locked
