"""Redis, as a web process asks it: briefly, and not at all while it is known to hang.

One breaker stands for all that web processes do with Redis, counting and publishing alike: what
one of them has found out, the others need not wait for.
"""

from functools import cache

import redis
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry

from config.breaker import Breaker

# To connect, and for each answer. All that a request asks for its rates may take 0.3 s: see
# games/counting.py. Shorter, and a machine under load would seem to be a Redis that hangs.
TIMEOUT_S = 0.2


def short_client(*, timeout_s: float = TIMEOUT_S) -> redis.Redis | None:
    """Return the client of settings.REDIS_URL with short time-outs; None when none is named.

    It tries nothing twice. Safe in any thread: it holds a pool of connections.
    """
    return _client(settings.REDIS_URL, timeout_s) if settings.REDIS_URL else None


@cache
def _client(url: str, timeout_s: float) -> redis.Redis:
    client: redis.Redis = redis.Redis.from_url(
        url,
        socket_timeout=timeout_s,
        socket_connect_timeout=timeout_s,
        retry=Retry(NoBackoff(), 0),
    )
    return client


def _probe() -> None:
    client = short_client()
    if client is not None:
        client.ping()


redis_breaker = Breaker("Redis", probe=_probe)


def is_timeout(error: BaseException | None) -> bool:
    """Return whether an error came of a time-out, itself or further down: then Redis hangs.

    What fails at once, such as a connection that is refused, needs no breaker.
    """
    while error is not None:
        if isinstance(error, redis.TimeoutError | TimeoutError):
            return True
        error = error.__cause__ or error.__context__
    return False
