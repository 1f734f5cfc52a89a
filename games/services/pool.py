"""The pool: deals with a winning line, certified by the solver or loaded from a file."""

import logging
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from config.database.retry import retried
from games import audit, engine, solver
from games.days import day_of
from games.errors import DealRefused, PoolFileError
from games.models import Certification, DailyDeal, Player, PoolDeal
from games.pool_files import read_pool, shipped_numbers, shipped_pool
from games.services.judging import parse_code
from games.services.turns import Clock, begin_each

logger = logging.getLogger(__name__)


# --- Drawing ---


def draw(*, variant: str, now: datetime) -> PoolDeal:
    """Return an unused deal, drawn so that no one can predict it.

    Those of the shipped file are loaded when there are none, if they may be played. When that is
    used up, too, new numbers are certified here and now, however long that takes, with an alarm: a
    day without a deal would be worse (docs/adr/0006).
    """
    unused = _unused(variant)
    if not unused and not settings.OWN_DEALS_ONLY:
        try:
            load_shipped(variant=variant)
        except PoolFileError:
            logger.exception("The shipped pool cannot be loaded.")
        unused = _unused(variant)
    if len(unused) <= settings.POOL_ALARM:
        logger.error("The pool of %s runs out: %d unused deals are left.", variant, len(unused))
    if unused:
        return PoolDeal.objects.get(pk=secrets.choice(unused))
    logger.error("The pool of %s is empty: certifying a deal for it now.", variant)
    while True:
        found = certify(code=unknown_code(variant), budget=settings.CERTIFY_BUDGET, now=now)
        if found.pool_deal is not None:
            return found.pool_deal


def draw_of_grade(*, variant: str, grade: int) -> PoolDeal | None:
    """Return an unused deal of a grade, drawn at random, or None when there is none."""
    unused = _unused(variant, grade=grade)
    return PoolDeal.objects.get(pk=secrets.choice(unused)) if unused else None


def unknown_code(variant: str) -> engine.DealCode:
    """Return a random deal that no one has tried to certify, and no shipped one."""
    shipped = shipped_numbers(variant)
    while True:
        number = engine.MIN_NUMBER + secrets.randbelow(engine.MAX_NUMBER)
        known = (
            number in shipped
            or PoolDeal.objects.filter(variant=variant, number=number).exists()
            or Certification.objects.filter(variant=variant, number=number).exists()
        )
        if not known:
            return engine.DealCode(variant=engine.VARIANTS[variant], number=number)


def is_shipped(pool_deal: PoolDeal) -> bool:
    """Return whether a deal is in the shipped file, so that its line is public."""
    return pool_deal.number in shipped_numbers(pool_deal.variant)


def playable() -> QuerySet[PoolDeal]:
    """Return the deals that a day may get, without shipped ones where they are ruled out."""
    deals = PoolDeal.objects.all()
    return deals.exclude(_shipped()) if settings.OWN_DEALS_ONLY else deals


def _shipped(path: str = "") -> Q:
    """Return the condition of `is_shipped` for a query; `path` leads to the pool deal."""
    shipped = Q()
    for variant in engine.VARIANTS:
        numbers = sorted(shipped_numbers(variant))
        shipped |= Q(**{f"{path}variant": variant, f"{path}number__in": numbers})
    return shipped


def _unused(variant: str, **wanted: int) -> list[int]:
    unused = playable().filter(variant=variant, daily_deal__isnull=True, **wanted)
    return list(unused.values_list("pk", flat=True))


def shipped_days(*, first_day: date) -> list[DailyDeal]:
    """Return the days from one on that have a shipped deal, the next first. Cost: one query."""
    days = DailyDeal.objects.filter(_shipped("pool_deal__"), date__gte=first_day)
    return list(days.select_related("pool_deal").order_by("date", "variant"))


def lacking_own_deals(*, now: datetime) -> list[str]:
    """Return the variants without a deal of our own, unused or on a day that is not over."""
    return [variant for variant, count in _own_deals(now).items() if not count]


def soon_lacking(*, now: datetime) -> tuple[list[str], list[DailyDeal]]:
    """Return the variants with fewer deals of our own than the days that get one, and the days,
    not over yet, that have a shipped one.
    """
    low = [variant for variant, count in _own_deals(now).items() if count <= settings.DAYS_AHEAD]
    return low, shipped_days(first_day=day_of(now))


def _own_deals(now: datetime) -> dict[str, int]:
    unused = Q(daily_deal__isnull=True)
    ahead = Q(daily_deal__date__gte=day_of(now))
    own = PoolDeal.objects.exclude(_shipped()).filter(unused | ahead).order_by()
    counts = dict(own.values_list("variant").annotate(Count("pk")))
    return {variant: counts.get(variant, 0) for variant in engine.VARIANTS}


# --- Files ---


def load_shipped(*, variant: str) -> int:
    """Add the shipped deals of a variant to the pool and return how many were new.

    A known deal stays unchanged. The whole file loads, or nothing.

    Raises:
        PoolFileError: damaged, or a line in it does not win.
    """
    return add_to_pool(read_pool(shipped_pool(variant), variant=variant))


@retried
def add_to_pool(deals: Iterable[PoolDeal]) -> int:
    """Add deals read from a file, and return how many were new."""
    before = PoolDeal.objects.count()
    # In a fixed order, whatever the file's: otherwise two that add the same deals could deadlock.
    in_order = sorted(deals, key=lambda deal: (deal.variant, deal.number))
    PoolDeal.objects.bulk_create(in_order, ignore_conflicts=True)
    return PoolDeal.objects.count() - before


# --- Certifying ---


@dataclass(frozen=True, slots=True)
class Certified:
    """The result of a search: its record, and the pool deal if the deal can be won."""

    certification: Certification
    pool_deal: PoolDeal | None


def certify(*, code: engine.DealCode, budget: int, now: datetime) -> Certified:
    """Search a deal, store the result, and add the deal to the pool if it can be won.

    A deal in the pool is not searched again.

    Raises:
        BudgetError: not a budget.
    """
    known = in_pool(code)
    if known is not None:
        return Certified(_keep(code, "winnable", positions=0, budget=budget, now=now), known)
    # Outside any transaction: a search may take minutes.
    solution = solver.solve(str(code), budget)
    return keep_solution(solution=solution, budget=budget, now=now)


@retried
def keep_solution(*, solution: solver.Solution, budget: int, now: datetime) -> Certified:
    """Store the result of a search, and add the deal to the pool if it can be won."""
    code = engine.parse_code(solution.code)
    grade = solver.grade(solution)
    with transaction.atomic():
        certification = _keep(
            code, solution.outcome, positions=solution.positions, budget=budget, now=now
        )
        if solution.movetext is None or grade is None:
            return Certified(certification, in_pool(code))
        verdict = engine.replay(code, solution.movetext)
        if not (verdict.won and verdict.legal):
            raise AssertionError(f"the solver's line does not win {code}")
        pool_deal, _created = PoolDeal.objects.get_or_create(
            variant=code.variant.slug,
            number=code.number,
            defaults={
                "winning_movetext": solution.movetext,
                "par_moves": verdict.moves,
                "grade": grade,
            },
        )
    return Certified(certification, pool_deal)


def in_pool(code: engine.DealCode) -> PoolDeal | None:
    """Return the certified deal of a code, or None. Cost: one query."""
    return PoolDeal.objects.filter(variant=code.variant.slug, number=code.number).first()


def _keep(
    code: engine.DealCode, outcome: str, *, positions: int, budget: int, now: datetime
) -> Certification:
    """Write the result of a search, unless the row already says more.

    *Unknown* never replaces a proof, and a request with a greater budget keeps waiting.
    """
    Outcome = Certification.Outcome  # noqa: N806 (a class)
    with transaction.atomic():
        certification, created = Certification.objects.select_for_update().get_or_create(
            variant=code.variant.slug,
            number=code.number,
            defaults={
                "outcome": outcome,
                "positions": positions,
                "budget": budget,
                "requested_at": now,
                "finished_at": now,
            },
        )
        is_proved = certification.outcome in (Outcome.WINNABLE, Outcome.UNWINNABLE)
        waits_for_more = certification.outcome == Outcome.PENDING and certification.budget > budget
        if created or (outcome == Outcome.UNKNOWN and (is_proved or waits_for_more)):
            return certification
        certification.outcome = outcome
        certification.positions = max(positions, certification.positions)
        certification.budget = budget
        certification.finished_at = now
        certification.save()
    return certification


@retried
def request_certification(
    *, code: str, budget: int, actor: Player, reason: str, now: datetime
) -> Certification:
    """Request that the worker certifies a deal, and return the request.

    A deal that was searched in vain may be requested again, with a greater budget.

    Raises:
        BadDealCode: not a deal code.
        DealRefused: already certified, or proved unwinnable.
        ReasonMissing: no reason given.
    """
    audit.require_reason(reason)
    deal_code = parse_code(code)
    variant, number = deal_code.variant.slug, deal_code.number
    if in_pool(deal_code) is not None:
        raise DealRefused(_("This deal is already certified and in the pool."))
    with transaction.atomic():
        # The unique constraint decides between two simultaneous requests; the second waits.
        known, is_new = Certification.objects.select_for_update().get_or_create(
            variant=variant,
            number=number,
            defaults={
                "outcome": Certification.Outcome.PENDING,
                "budget": budget,
                "requested_at": now,
            },
        )
        before = None if is_new else audit.state_of(known)
        if known.outcome == Certification.Outcome.UNWINNABLE:
            raise DealRefused(_("The solver tried everything: this deal can't be won."))
        known.outcome = Certification.Outcome.PENDING
        known.budget = budget
        known.requested_at = now
        known.begun_at = known.finished_at = None
        known.save()
        audit.record(actor=actor, target=known, action="certify", reason=reason, before=before)
    return known


def certify_pending(*, clock: Clock) -> int:
    """Search every requested deal, and return how many there were."""
    pending = Certification.objects.filter(outcome=Certification.Outcome.PENDING)
    count = 0
    for request in begin_each(pending, clock=clock):
        count += 1
        try:
            certify(code=request.code, budget=request.budget, now=clock())
        except Exception:  # whatever it is, the others wait; it is logged and mailed
            logger.exception("The search of %s failed.", request.code)
            pending.filter(pk=request.pk).update(
                outcome=Certification.Outcome.UNKNOWN, finished_at=clock()
            )
    return count


def top_up(*, now: datetime, most_positions: int) -> bool:
    """Certify new deals for each variant that runs low; return whether any still does.

    Stops after this many positions; the next call does the rest.
    """
    spent = 0
    for variant in engine.VARIANTS:
        while unused_counts()[variant] < settings.POOL_LOW_WATER:
            if spent >= most_positions:
                return True
            found = certify(code=unknown_code(variant), budget=settings.CERTIFY_BUDGET, now=now)
            spent += max(1, found.certification.positions)
    return False


def improve(*, pool_deal: PoolDeal, movetext: str, moves: int) -> bool:
    """Make a verified line the deal's own if it is shorter; return whether it is.

    A conditional update, so that the par never grows.
    """
    return bool(
        PoolDeal.objects.filter(pk=pool_deal.pk, par_moves__gt=moves).update(
            winning_movetext=engine.canonical(pool_deal.code, movetext), par_moves=moves
        )
    )


def unused_counts() -> dict[str, int]:
    """Return how many deals of each variant are left to be drawn. Cost: one query."""
    counts = dict(
        playable()
        .filter(daily_deal__isnull=True)
        .order_by()
        .values_list("variant")
        .annotate(Count("pk"))
    )
    return {variant: counts.get(variant, 0) for variant in engine.VARIANTS}
