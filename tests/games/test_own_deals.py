"""Deals of the installation's own: where public ones are ruled out, no way leads to them."""

import logging
from datetime import timedelta
from itertools import islice

import pytest

from games import engine, services
from games.errors import DealRefused
from games.models import DailyDeal, PoolDeal
from games.pool_files import read_pool, shipped_pool
from games.services import pool
from tests.logs import Win, wins_of
from tests.play import NOON, TODAY, assign, new_player, start

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def _own_deals_only(settings) -> None:
    settings.OWN_DEALS_ONLY = True


def in_pool(win: Win, grade: int = 3) -> PoolDeal:
    return PoolDeal.objects.create(
        variant=win.variant,
        number=win.number,
        winning_movetext=win.movetext,
        par_moves=win.moves,
        grade=grade,
    )


def own(variant: str, count: int) -> list[PoolDeal]:
    """Put so many deals into the pool that did not come with the service."""
    shipped = pool.shipped_numbers(variant)
    wins = (win for win in wins_of(variant) if win.number not in shipped)
    found = [in_pool(win) for win in islice(wins, count)]
    assert len(found) == count
    return found


@pytest.mark.parametrize("variant", engine.VARIANTS)
def test_the_shipped_numbers_are_those_of_the_file(variant: str) -> None:
    deals = read_pool(shipped_pool(variant), variant=variant)
    assert pool.shipped_numbers(variant) == {deal.number for deal in deals}


def test_none_of_the_public_deals_is_drawn_counted_or_planned() -> None:
    pool.load_shipped(variant="eight-off")
    (deal,) = own("eight-off", 1)
    assert {pool.draw(variant="eight-off", now=NOON) for _ in range(20)} == {deal}
    assert pool.unused_counts()["eight-off"] == 1
    assert {pool.draw_of_grade(variant="eight-off", grade=3) for _ in range(20)} == {deal}
    others = [grade for grade in range(1, 6) if grade != 3]
    assert {pool.draw_of_grade(variant="eight-off", grade=grade) for grade in others} == {None}


def test_an_empty_pool_certifies_on_the_spot_and_loads_no_public_deal() -> None:
    drawn = pool.draw(variant="eight-off", now=NOON)
    assert drawn.number not in pool.shipped_numbers("eight-off")
    assert PoolDeal.objects.count() == 1


def test_no_public_number_is_proposed_for_a_search(monkeypatch) -> None:
    shipped = sorted(pool.shipped_numbers("eight-off"))
    drawn = iter([number - 1 for number in [*shipped, 5]])
    monkeypatch.setattr(pool.secrets, "randbelow", lambda _below: next(drawn))
    assert pool.unknown_code("eight-off").number == 5


def test_the_pool_is_topped_up_until_it_has_deals_of_our_own(settings) -> None:
    settings.POOL_LOW_WATER = 1
    settings.CERTIFY_BUDGET = 100_000
    for variant in engine.VARIANTS:
        pool.load_shipped(variant=variant)
        if variant != "eight-off":
            own(variant, 1)
    assert pool.top_up(now=NOON, most_positions=10_000_000) is False
    assert pool.unused_counts()["eight-off"] == 1


def test_a_public_deal_is_scheduled_by_no_one(settings) -> None:
    pool.load_shipped(variant="eight-off")
    code = str(PoolDeal.objects.filter(variant="eight-off").latest("pk").code)
    staff = new_player("Boss")
    staff.is_superuser = True

    def schedule() -> DailyDeal:
        return services.schedule_deal(
            variant="eight-off", day=TODAY + DAY, code=code, actor=staff, reason="So.", now=NOON
        )

    with pytest.raises(DealRefused, match="came with the service"):
        schedule()
    settings.OWN_DEALS_ONLY = False
    assert str(schedule().pool_deal.code) == code


def test_days_ahead_get_deals_of_our_own_and_new_promises(settings, caplog) -> None:
    settings.OWN_DEALS_ONLY = False
    services.roll_over(now=NOON)
    settings.OWN_DEALS_ONLY = True
    before = {deal.pk: deal for deal in DailyDeal.objects.select_related("pool_deal")}
    for variant in engine.VARIANTS:
        own(variant, 10)
    later = NOON + timedelta(minutes=1)
    with caplog.at_level(logging.WARNING):
        report = services.roll_over(now=later)
    assert len(report.replaced) == 10 * len(engine.VARIANTS)
    for deal in DailyDeal.objects.select_related("pool_deal"):
        # The next days first; those that the pool has no deals for wait, and today stays.
        is_replaced = 0 < (deal.date - TODAY).days <= 10
        assert (deal.committed_at == later) == is_replaced
        assert (deal.commitment != before[deal.pk].commitment) == is_replaced
        assert pool.is_shipped(deal.pool_deal) != is_replaced
    (error,) = [entry for entry in caplog.records if "got others" in entry.message]
    assert error.levelno == logging.ERROR
    assert f"easy-harp {TODAY + DAY}" in error.message
    assert "until the pool has others" in caplog.text
    assert not services.roll_over(now=later)


def test_a_day_that_someone_has_begun_keeps_its_deal() -> None:
    """Just after midnight it is open by the clock before the rollover has said so."""
    pool.load_shipped(variant="eight-off")
    own("eight-off", 1)
    deal = assign("eight-off", TODAY + DAY)
    shipped = PoolDeal.objects.filter(
        variant="eight-off", number__in=pool.shipped_numbers("eight-off")
    )
    DailyDeal.objects.filter(pk=deal.pk).update(pool_deal=shipped[0])
    start(new_player("Ada"), deal, deal.opens_at)
    services.calendar._replace_shipped(services.RollOver(), NOON)
    deal.refresh_from_db()
    assert deal.pool_deal == shipped[0]
