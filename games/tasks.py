"""What Celery runs: ids in, one service call."""

from celery import shared_task
from django.utils import timezone

from games import services


@shared_task  # type: ignore[untyped-decorator]
def roll_over() -> None:
    """Bring the calendar up to date; safe to run at any time, any number of times."""
    services.roll_over(now=timezone.now())
