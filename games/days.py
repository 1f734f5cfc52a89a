"""The service's day: from midnight to midnight UTC (docs/contract.md, "Daily deals")."""

from datetime import UTC, date, datetime, time, timedelta


def day_of(now: datetime) -> date:
    """Return the day that an instant belongs to."""
    return now.astimezone(UTC).date()


def times_of(day: date) -> tuple[datetime, datetime]:
    """Return the instants at which a day begins and ends."""
    begins_at = datetime.combine(day, time.min, tzinfo=UTC)
    return begins_at, begins_at + timedelta(days=1)


def month_of(day: date) -> date:
    """Return the first day of a day's month."""
    return day.replace(day=1)


def next_month(month: date) -> date:
    """Return the first day of the month after that of a day."""
    return month_of(month_of(month) + timedelta(days=31))


def previous_month(month: date) -> date:
    """Return the first day of the month before that of a day."""
    return month_of(month_of(month) - timedelta(days=1))
