"""The calendar: assigned ahead, opened and closed once, by whichever run comes first."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta

import pytest
from django.conf import settings
from django.db import IntegrityError, connections, transaction

from games import engine, services
from games.errors import DealRefused, DealVoid
from games.models import DailyDeal, PoolDeal
from games.services import pool
from games.tasks import roll_over as roll_over_task
from tests.logs import wins_of
from tests.play import NOON, TODAY, assign, new_player, open_day, start

VARIANTS = len(engine.VARIANTS)
Status = DailyDeal.Status


@pytest.mark.django_db
def test_today_is_open_and_the_next_14_days_are_assigned() -> None:
    services.roll_over(now=NOON)
    days = Counter(DailyDeal.objects.values_list("date", flat=True))
    assert days == {TODAY + timedelta(days=ahead): VARIANTS for ahead in range(15)}
    assert set(DailyDeal.objects.filter(date=TODAY).values_list("variant", "status")) == {
        (slug, "open") for slug in engine.VARIANTS
    }
    assert not DailyDeal.objects.filter(date__gt=TODAY).exclude(status="scheduled").exists()


@pytest.mark.django_db
def test_a_day_is_a_day_of_utc() -> None:
    services.roll_over(now=datetime(2026, 3, 29, 23, 59, 59, tzinfo=UTC))
    deal = DailyDeal.objects.get(variant="easy-harp", date="2026-03-29")
    assert deal.opens_at == datetime(2026, 3, 29, tzinfo=UTC)
    assert deal.closes_at == datetime(2026, 3, 30, tzinfo=UTC)


@pytest.mark.django_db
def test_rolling_over_again_changes_nothing() -> None:
    assert services.roll_over(now=NOON)
    before = list(DailyDeal.objects.order_by("pk").values())
    assert not services.roll_over(now=NOON)
    roll_over_later = services.roll_over(now=NOON + timedelta(minutes=1))
    assert not roll_over_later
    assert list(DailyDeal.objects.order_by("pk").values()) == before


@pytest.mark.django_db
def test_nothing_to_do_costs_four_queries(django_assert_num_queries) -> None:
    services.roll_over(now=NOON)
    with django_assert_num_queries(4):
        services.roll_over(now=NOON)
    with django_assert_num_queries(1):
        services.ensure_today(now=NOON)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_20_parallel_runs_make_one_deal_a_day() -> None:
    for variant in engine.VARIANTS:
        pool.load_shipped(variant=variant)

    def run(_number: int) -> services.RollOver:
        try:
            return services.roll_over(now=NOON)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(max_workers=20) as threads:
        reports = list(threads.map(run, range(20)))
    assert DailyDeal.objects.count() == 15 * VARIANTS
    # Each was assigned, and each was opened, by exactly one of the twenty.
    assert sum(len(report.assigned) for report in reports) == 15 * VARIANTS
    assert sum(len(report.advanced) for report in reports) == VARIANTS


@pytest.mark.django_db
def test_a_deal_goes_through_grace_to_final() -> None:
    deal = assign("easy-harp")

    def stored_at(moment: datetime) -> str:
        services.roll_over(now=moment)
        deal.refresh_from_db()
        return deal.status

    assert stored_at(deal.opens_at - timedelta(seconds=1)) == "scheduled"
    assert stored_at(deal.opens_at) == "open"
    assert stored_at(deal.closes_at - timedelta(seconds=1)) == "open"
    assert stored_at(deal.closes_at) == "grace"
    # Nothing is final before the last request of the grace can have been answered.
    assert stored_at(deal.submissions_until + timedelta(seconds=1)) == "grace"
    assert stored_at(deal.submissions_until + settings.SETTLE) == "final"


@pytest.mark.django_db
def test_three_days_without_a_scheduler_are_made_good_in_order() -> None:
    services.roll_over(now=NOON)
    report = services.roll_over(now=NOON + timedelta(days=3))
    closed = [
        (deal.date, status) for deal, status in report.advanced if deal.variant == "easy-harp"
    ]
    days = [TODAY + timedelta(days=ahead) for ahead in range(4)]
    assert closed == [
        (days[0], Status.GRACE),
        (days[0], Status.FINAL),
        *(
            (day, status)
            for day in days[1:3]
            for status in (Status.OPEN, Status.GRACE, Status.FINAL)
        ),
        (days[3], Status.OPEN),
    ]
    assert DailyDeal.objects.filter(date=days[3] + timedelta(days=14)).count() == VARIANTS


@pytest.mark.django_db
def test_the_first_request_of_a_day_rolls_over_when_no_one_did() -> None:
    services.ensure_today(now=NOON)
    assert DailyDeal.objects.filter(date=TODAY, status="open").count() == VARIANTS
    services.ensure_today(now=NOON + timedelta(days=1))
    assert DailyDeal.objects.get(variant="eight-off", date=TODAY).status == "final"


@pytest.mark.django_db
def test_the_task_rolls_over(clock) -> None:
    roll_over_task()
    assert DailyDeal.objects.filter(date=TODAY, status="open").count() == VARIANTS


@pytest.mark.django_db
def test_deals_come_from_the_pool_and_never_twice() -> None:
    for days in (0, 8):
        services.roll_over(now=NOON + timedelta(days=days))
    deals = DailyDeal.objects.select_related("pool_deal")
    assert deals.count() == (8 + 15) * VARIANTS
    assert all(deal.pool_deal.variant == deal.variant for deal in deals)
    assert len({(deal.variant, deal.pool_deal.number) for deal in deals}) == deals.count()


@pytest.mark.django_db
def test_the_database_refuses_a_deal_used_before() -> None:
    again = assign("eight-off")
    again.pk, again.date = None, TODAY + timedelta(days=1)
    with pytest.raises(IntegrityError, match=r"deal_id"), transaction.atomic():
        again.save(force_insert=True)


@pytest.mark.django_db
def test_the_draw_cannot_be_predicted() -> None:
    """Two services that start on the same day have the same pool, and different calendars."""

    def calendar() -> list[int]:
        services.roll_over(now=NOON)
        numbers = list(
            DailyDeal.objects.order_by("variant", "date").values_list("pool_deal__number")
        )
        DailyDeal.objects.all().delete()
        return numbers

    assert calendar() != calendar()


@pytest.mark.django_db
def test_a_void_deal_stays_void() -> None:
    deal = open_day()["eight-off"]
    staff = new_player("Olga")
    services.void_deal(daily_deal=deal, actor=staff, reason="A card was missing in the app.")
    services.roll_over(now=NOON + timedelta(days=2))
    deal.refresh_from_db()
    assert deal.status == "void"


@pytest.mark.django_db
def test_players_do_not_wait_for_the_days_ahead(monkeypatch) -> None:
    """What is due comes first: a draw for a day ahead may take minutes, or fail."""
    services.roll_over(now=NOON)
    DailyDeal.objects.filter(date__gt=TODAY + timedelta(days=5)).delete()

    def broken(**_options: object) -> PoolDeal:
        raise RuntimeError("no deal can be drawn")

    monkeypatch.setattr(pool, "draw", broken)
    tomorrow = NOON + timedelta(days=1)
    services.ensure_today(now=tomorrow)
    with pytest.raises(RuntimeError, match="no deal can be drawn"):
        services.roll_over(now=tomorrow)
    assert DailyDeal.objects.filter(date=tomorrow.date(), status="open").count() == VARIANTS
    assert DailyDeal.objects.filter(date=TODAY, status="final").count() == VARIANTS


@pytest.mark.django_db
def test_a_deal_is_extended_while_it_is_open_and_closes_later() -> None:
    deal = open_day()["eight-off"]
    staff = new_player("Olga")

    def extend(hours: int, now: datetime) -> DailyDeal:
        return services.extend_deal(
            daily_deal=deal, hours=hours, actor=staff, reason="An outage.", now=now
        )

    extended = extend(2, NOON)
    assert extended.closes_at == deal.closes_at + timedelta(hours=2)
    start(new_player("Ada"), extended, deal.closes_at + timedelta(minutes=90))
    services.roll_over(now=deal.closes_at + timedelta(minutes=90))
    deal.refresh_from_db()
    assert deal.status == "open"
    for hours, now in ((0, NOON), (-1, NOON), (47, NOON), (1, deal.closes_at)):
        with pytest.raises(DealRefused):
            extend(hours, now)


@pytest.mark.django_db
def test_a_deal_that_someone_started_is_not_replaced_whatever_its_status_says() -> None:
    """Just after midnight a deal is open by the clock before the rollover has said so."""
    deal, other = assign("eight-off"), wins_of("eight-off")[3]
    PoolDeal.objects.create(
        variant="eight-off",
        number=other.number,
        winning_movetext=other.movetext,
        par_moves=other.moves,
        grade=1,
    )
    start(new_player("Ada"), deal, deal.opens_at)
    with pytest.raises(DealRefused, match="no longer scheduled"):
        services.schedule_deal(
            variant="eight-off",
            day=TODAY,
            code=other.code,
            actor=new_player("Olga"),
            reason="Asked for before midnight.",
            now=deal.opens_at - timedelta(seconds=1),
        )


@pytest.mark.django_db
def test_a_start_deals_the_cards_that_are_stored_not_those_it_read_before() -> None:
    deal, other = open_day()["eight-off"], wins_of("eight-off")[3]
    replaced = PoolDeal.objects.create(
        variant="eight-off",
        number=other.number,
        winning_movetext=other.movetext,
        par_moves=other.moves,
        grade=1,
    )
    DailyDeal.objects.filter(pk=deal.pk).update(pool_deal=replaced)
    assert str(start(new_player(), deal).daily_deal.pool_deal.code) == other.code
    DailyDeal.objects.filter(pk=deal.pk).update(status="void")
    with pytest.raises(DealVoid):
        start(new_player("Bruno"), deal)


@pytest.mark.django_db
def test_a_day_further_than_a_year_is_refused_not_an_error() -> None:
    win = wins_of("eight-off")[0]
    assign("eight-off", win=win)
    for day in (date.max, TODAY + timedelta(days=367)):
        with pytest.raises(DealRefused, match="at most 366 days"):
            services.schedule_deal(
                variant="eight-off",
                day=day,
                code=win.code,
                actor=new_player(f"Olga {day.year} {day.day}"),
                reason="Far ahead.",
                now=NOON,
            )
