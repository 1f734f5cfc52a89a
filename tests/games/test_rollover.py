"""The calendar: assigned ahead, opened and closed once, by whoever comes first."""

import logging
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.db import IntegrityError, connections, transaction

from games import engine, pool, services
from games.errors import PoolFileError
from games.models import DailyDeal, PoolDeal
from games.tasks import roll_over as roll_over_task
from tests.logs import WINS
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
def test_nothing_to_do_costs_two_queries(django_assert_num_queries) -> None:
    services.roll_over(now=NOON)
    with django_assert_num_queries(2):
        services.roll_over(now=NOON)
    with django_assert_num_queries(1):
        services.ensure_today(now=NOON)


@pytest.mark.django_db(transaction=True)
def test_20_parallel_runs_make_one_deal_a_day() -> None:
    pool.load_pool()

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
def test_the_first_request_of_a_day_rolls_over_when_nobody_did() -> None:
    services.ensure_today(now=NOON)
    assert DailyDeal.objects.filter(date=TODAY, status="open").count() == VARIANTS
    services.ensure_today(now=NOON + timedelta(days=1))
    assert DailyDeal.objects.get(variant="eight-off", date=TODAY).status == "final"


@pytest.mark.django_db
def test_the_task_rolls_over(clock) -> None:
    roll_over_task()
    assert DailyDeal.objects.filter(date=TODAY, status="open").count() == VARIANTS


@pytest.mark.django_db
def test_deals_come_from_the_pool_and_none_twice() -> None:
    for days in range(0, 40, 8):
        services.roll_over(now=NOON + timedelta(days=days))
    deals = DailyDeal.objects.select_related("deal")
    assert deals.count() > 40 * VARIANTS
    assert all(deal.deal.is_certified and deal.deal.variant == deal.variant for deal in deals)
    assert len({(deal.variant, deal.deal.number) for deal in deals}) == deals.count()


@pytest.mark.django_db
def test_the_database_refuses_a_deal_used_before() -> None:
    first = assign("eight-off")
    with pytest.raises(IntegrityError), transaction.atomic():
        DailyDeal.objects.create(
            variant="eight-off",
            date=TODAY + timedelta(days=1),
            deal=first.deal,
            opens_at=first.closes_at,
            closes_at=first.closes_at + timedelta(days=1),
        )


@pytest.mark.django_db
def test_the_draw_cannot_be_foretold() -> None:
    """Two services that start on the same day have the same pool, and different calendars."""

    def calendar() -> list[int]:
        services.roll_over(now=NOON)
        numbers = list(DailyDeal.objects.order_by("variant", "date").values_list("deal__number"))
        DailyDeal.objects.all().delete()
        return numbers

    assert calendar() != calendar()


@pytest.mark.django_db
def test_an_empty_pool_is_an_alarm_and_never_no_deal(monkeypatch, caplog) -> None:
    monkeypatch.setattr(services, "load_pool", lambda: 0)
    with caplog.at_level(logging.ERROR, "games.services"):
        services.roll_over(now=NOON)
    assert DailyDeal.objects.filter(date=TODAY, status="open").count() == VARIANTS
    assert not PoolDeal.objects.exclude(winning_movetext="").exists()
    assert "The pool of eight-off is empty" in caplog.text


@pytest.mark.django_db
def test_admins_are_mailed_when_the_pool_runs_out(monkeypatch, mailoutbox, settings) -> None:
    settings.ADMINS = [("Admins", "admins@example.org")]
    monkeypatch.setattr(services, "load_pool", lambda: 0)
    services.roll_over(now=NOON)
    assert any("The pool of easy-harp" in mail.subject for mail in mailoutbox)


@pytest.mark.django_db
def test_a_damaged_pool_file_is_an_alarm_and_never_no_deal(monkeypatch, caplog) -> None:
    def damaged() -> int:
        raise PoolFileError("pool.tsv, row 3: not a deal")

    monkeypatch.setattr(services, "load_pool", damaged)
    services.roll_over(now=NOON)
    assert DailyDeal.objects.filter(date=TODAY).count() == VARIANTS
    assert "pool.tsv, row 3" in caplog.text


@pytest.mark.django_db
def test_a_void_deal_stays_void() -> None:
    deal = open_day()["eight-off"]
    staff = new_player("Staff")
    services.void_deal(daily_deal=deal, actor=staff, reason="A card was missing in the app.")
    services.roll_over(now=NOON + timedelta(days=2))
    deal.refresh_from_db()
    assert deal.status == "void"


@pytest.mark.django_db
def test_a_start_just_before_midnight_belongs_to_the_day_that_ends() -> None:
    deal = open_day()["eight-off"]
    attempt = start(new_player(), deal, deal.closes_at - timedelta(microseconds=1))
    assert attempt.daily_deal == deal


# --- The shipped pool -------------------------------------------------------------------------


@pytest.mark.django_db
def test_the_shipped_pool_has_about_60_deals_a_variant_each_with_a_line_that_wins() -> None:
    assert pool.load_pool() == len(WINS)
    counts = Counter(PoolDeal.objects.values_list("variant", flat=True))
    assert set(counts) == set(engine.VARIANTS)
    assert min(counts.values()) >= 55
    assert pool.load_pool() == 0


WIN = WINS[0]
DAMAGED = {
    "no header": f"{WIN.code}\t{WIN.movetext}\n",
    "empty": "",
    "not a code": "code\tmovetext\nEH1-N-AAAAAAA\tD\n",
    "a line that does not win": f"code\tmovetext\n{WIN.code}\t{WIN.half}\n",
    "an illegal line": f"code\tmovetext\n{WIN.code}\t{WIN.illegal}\n",
    "a line of another deal": f"code\tmovetext\n{WINS[1].code}\t{WIN.movetext}\n",
    "a missing column": f"code\tmovetext\n{WIN.code}\n",
    "a log over the limits": f"code\tmovetext\n{WIN.code}\tD20001\n",
    "another encoding": f"code\tmovetext\n{WIN.code}\té\n",
}


@pytest.mark.django_db
@pytest.mark.parametrize("text", DAMAGED.values(), ids=DAMAGED.keys())
def test_a_damaged_pool_file_is_refused_by_name_and_loads_nothing(
    tmp_path: Path, text: str
) -> None:
    file = tmp_path / "pool.tsv"
    good = f"{WINS[2].code}\t{WINS[2].movetext}\n"
    head, _sep, rows = text.partition("\n")
    file.write_text(f"{head}\n{good}{rows}" if "code" in head else text, encoding="utf-8")
    with pytest.raises(PoolFileError, match=r"pool\.tsv"):
        pool.load_pool(file)
    assert not PoolDeal.objects.exists()
