"""The service's day is the UTC day, and its months follow each other without a gap."""

from datetime import UTC, date, datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from games.days import day_of, month_of, next_month, previous_month, times_of

DAYS = st.dates(min_value=date(2000, 1, 1), max_value=date(2100, 12, 31))
ZONES = st.integers(min_value=-14 * 60, max_value=14 * 60).map(
    lambda minutes: timezone(timedelta(minutes=minutes))
)


@given(DAYS, ZONES)
def test_a_day_holds_its_first_instant_and_not_its_last_whatever_the_zone(day, zone) -> None:
    begins_at, ends_at = times_of(day)
    assert day_of(begins_at.astimezone(zone)) == day
    assert day_of((ends_at - timedelta(microseconds=1)).astimezone(zone)) == day
    assert day_of(ends_at.astimezone(zone)) == day + timedelta(days=1)


def test_the_day_is_the_one_in_utc() -> None:
    evening_in_lima = datetime(2026, 5, 4, 21, 0, tzinfo=timezone(timedelta(hours=-5)))
    assert day_of(evening_in_lima) == date(2026, 5, 5)
    assert times_of(date(2026, 5, 5))[0] == datetime(2026, 5, 5, tzinfo=UTC)


@given(DAYS)
def test_months_follow_each_other(day) -> None:
    month = month_of(day)
    assert (month.day, month.month, month.year) == (1, day.month, day.year)
    assert previous_month(next_month(day)) == month
    assert next_month(day) > day
    assert month_of(next_month(day) - timedelta(days=1)) == month
