"""Runs a transaction again that lost against another."""

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
    """Run a service again after a deadlock or the like, up to three times in all.

    When the service fails, it leaves its arguments unchanged. Inside a transaction it runs only
    once: everything before it in there is lost, too, so only the transaction's owner can retry.
    """

    @wraps(service)
    def tried(*args: P.args, **kwargs: P.kwargs) -> T:
        if transaction.get_connection().in_atomic_block:
            return service(*args, **kwargs)
        tries = Retrying(
            retry=retry_if_exception(is_retryable),
            stop=stop_after_attempt(MOST_TRIES),
            # At random, so that two that collided do not collide again.
            wait=wait_random(0, LONGEST_PAUSE_S),
            reraise=True,
        )
        return tries(service, *args, **kwargs)

    return tried
