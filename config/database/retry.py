"""Run a transaction again that lost against another."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from django.db import transaction
from tenacity import Retrying, retry_if_exception, stop_after_attempt, wait_random

from config.database.errors import is_retryable

MOST_TRIES = 3
LONGEST_PAUSE_S = 0.1

P = ParamSpec("P")
T = TypeVar("T")


def retried(service: Callable[P, T]) -> Callable[P, T]:
    """Make a service run again, up to three times in all, after a deadlock or the like.

    The service leaves its arguments as they were when it fails. Inside a transaction it is called
    once: what came before it in there is lost, too, so only whoever began that can try again.
    """

    @wraps(service)
    def tried(*args: P.args, **kwargs: P.kwargs) -> T:
        if transaction.get_connection().in_atomic_block:
            return service(*args, **kwargs)
        tries = Retrying(
            retry=retry_if_exception(is_retryable),
            stop=stop_after_attempt(MOST_TRIES),
            # At random, so that two that met do not meet again.
            wait=wait_random(0, LONGEST_PAUSE_S),
            reraise=True,
        )
        return tries(service, *args, **kwargs)

    return tried
