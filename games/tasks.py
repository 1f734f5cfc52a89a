"""The Celery tasks: one idempotent service call each, on data that the database names.

Tasks that search have a queue of their own (settings.CELERY_TASK_ROUTES), so that they hold up
nothing else. Beat sends each task from time to time, which repairs a lost message.
"""

import logging

from celery import Task, current_app, shared_task
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from config import logs
from config.redis import TIMEOUT_S, is_timeout, redis_breaker
from games.services import analysis, attempts, calendar, guesses, pool

logger = logging.getLogger(__name__)

_SEARCH_TIME_LIMIT_S = 3600


@shared_task  # type: ignore[untyped-decorator]
def roll_over() -> None:
    """Bring the calendar up to date; safe to run at any time, any number of times."""
    calendar.roll_over(now=timezone.now())


@shared_task  # type: ignore[untyped-decorator]
def forget_refused_logs() -> None:
    """Delete the refused logs that are no longer kept."""
    attempts.forget_refused_logs(now=timezone.now())


@shared_task(time_limit=_SEARCH_TIME_LIMIT_S)  # type: ignore[untyped-decorator]
def certify_pending() -> None:
    """Search the deals that admins requested."""
    pool.certify_pending(clock=timezone.now)


@shared_task(time_limit=_SEARCH_TIME_LIMIT_S)  # type: ignore[untyped-decorator]
def analyse_pending() -> None:
    """Find where the lost games that players asked about went wrong."""
    analysis.analyse_pending(clock=timezone.now)


@shared_task(time_limit=_SEARCH_TIME_LIMIT_S)  # type: ignore[untyped-decorator]
def top_up_pool() -> None:
    """Certify new deals while the pool runs low, some at a time: beat soon sends it again."""
    pool.top_up(now=timezone.now(), most_positions=settings.TOP_UP_POSITIONS)


@shared_task  # type: ignore[untyped-decorator]
def forget_addresses() -> None:
    """Delete the addresses from which players last signed in too long ago."""
    guesses.forget_addresses(now=timezone.now())


def send_after_commit(task: Task) -> None:
    """Send a task when the transaction is committed; without a broker, leave it to beat.

    The request is safe in any case: the database has it.
    """

    def send() -> None:  # a function, not a `partial`: Django logs a robust one by its name
        _send(task)

    transaction.on_commit(send, robust=True)


def _send(task: Task) -> None:
    """Send a task on a connection with short time-outs, unless Redis is known to hang.

    It is a connection of its own in every process: a worker's blocks until a message comes.
    """
    if redis_breaker.is_open:
        return
    # Without the last, the first failure is followed by two seconds of sleep and another try.
    options = {"socket_timeout": TIMEOUT_S, "socket_connect_timeout": TIMEOUT_S, "max_retries": 0}
    try:
        with current_app.connection_for_write(
            connect_timeout=TIMEOUT_S, transport_options=options
        ) as connection:
            task.apply_async(connection=connection, retry=False)
    except Exception as error:  # noqa: BLE001 (away, full, another password: beat sends it anyway)
        logs.briefly(logger, f"{task.name} was not sent", error)
        if is_timeout(error):
            redis_breaker.trip()
