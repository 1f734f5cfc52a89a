"""Redis for web processes: short time-outs, and no calls while it is known to hang.

One breaker covers everything a web process does with Redis, counting and publishing alike: once one
call has found that it hangs, the others need not wait.
"""

from functools import cache

import redis
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry

from config.breaker import Breaker

# To connect, and for each answer. A request may spend 0.3 s on all its rates: see
# games/counting.py. With less, a machine under load would look like a hanging Redis.
TIMEOUT_S = 0.2


def short_client(*, timeout_s: float = TIMEOUT_S) -> redis.Redis | None:
    """Return the client of settings.REDIS_URL with short time-outs, or None without that setting.

    It never retries. Safe in any thread: it holds a pool of connections.
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
    """Return whether a time-out caused an error, directly or further down: then Redis hangs.

    An immediate failure, such as a refused connection, needs no breaker.
    """
    while error is not None:
        if isinstance(error, redis.TimeoutError | TimeoutError):
            return True
        error = error.__cause__ or error.__context__
    return False
