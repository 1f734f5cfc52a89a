"""What Celery runs: one service call each, idempotent, on data that the database names.

The tasks that search have a queue of their own (settings.CELERY_TASK_ROUTES), so that they hold up
nothing else. Beat sends each of them now and then, which repairs the loss of a message.
"""

from functools import partial

from celery import Task, shared_task
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from games.services import analysis, calendar, guesses, play, pool

_SEARCH_TIME_LIMIT_S = 3600


@shared_task  # type: ignore[untyped-decorator]
def roll_over() -> None:
    """Bring the calendar up to date; safe to run at any time, any number of times."""
    calendar.roll_over(now=timezone.now())


@shared_task  # type: ignore[untyped-decorator]
def forget_refused_logs() -> None:
    """Delete the refused logs that are no longer kept."""
    play.forget_refused_logs(now=timezone.now())


@shared_task(time_limit=_SEARCH_TIME_LIMIT_S)  # type: ignore[untyped-decorator]
def certify_pending() -> None:
    """Search the deals that admins asked for."""
    pool.certify_pending(clock=timezone.now)


@shared_task(time_limit=_SEARCH_TIME_LIMIT_S)  # type: ignore[untyped-decorator]
def analyse_pending() -> None:
    """Answer the players who asked where a lost game went wrong."""
    analysis.analyse_pending(clock=timezone.now)


@shared_task(time_limit=_SEARCH_TIME_LIMIT_S)  # type: ignore[untyped-decorator]
def top_up_pool() -> None:
    """Certify new deals while the pool runs low, a part at a time: beat sends it again soon."""
    pool.top_up(now=timezone.now(), most_positions=settings.TOP_UP_POSITIONS)


@shared_task  # type: ignore[untyped-decorator]
def forget_addresses() -> None:
    """Delete the addresses from which players were let in too long ago to matter."""
    guesses.forget_addresses(now=timezone.now())


def send_after_commit(task: Task) -> None:
    """Send a task when the transaction is committed; without a broker, leave it to beat.

    Whoever asked is answered in any case: what they asked for stands in the database.
    """
    transaction.on_commit(partial(_send, task), robust=True)


def _send(task: Task) -> None:
    task.apply_async(retry=False)
