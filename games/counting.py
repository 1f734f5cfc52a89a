"""Counts calls exactly in sliding windows, even calls at the same instant.

`limits` counts in Redis, with one script per rate. Without Redis, and while it hangs or is away,
this process counts for itself: each process then grants the full rates, and nothing waits.
"""

import logging
import math
import threading
import time
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Protocol

import redis
from django.conf import settings
from django.utils.crypto import salted_hmac
from limits import RateLimitItem
from limits.storage import RedisStorage

from config.rates import rate
from config.redis import TIMEOUT_S, redis_breaker, short_client

logger = logging.getLogger(__name__)

# Once a request has spent this long asking Redis, it counts the rest here: with the time-out of the
# one answer that it may still wait for, all of its rates cost less than 0.3 s.
ASKING_S = 0.1
ANSWER_S = TIMEOUT_S
KEY_PREFIX = "counted"
_MOST_KEYS = 100_000  # kept in this process
_COMPLAIN_S = 60


@dataclass(frozen=True)
class Counter:
    """Whose calls count (`ident`), and which rate of settings.THROTTLE_RATES they have."""

    scope: str
    ident: str

    @property
    def rate(self) -> RateLimitItem:
        return rate(settings.THROTTLE_RATES[self.scope])

    @property
    def key(self) -> str:
        """Return the name of the counter, which shows neither an address nor a name."""
        digest = salted_hmac("games.counting", self.ident, algorithm="sha256").hexdigest()
        return f"{self.scope}:{digest[:40]}"


def take(counters: Iterable[Counter]) -> int | None:
    """Count one call in each counter that has room for it.

    Returns None if all had room, else the whole seconds until all of them will have.
    """
    counts = _counts()
    asked_until = time.monotonic() + ASKING_S
    waits = []
    for counter in counters:
        if time.monotonic() > asked_until:
            counts = local
        try:
            waits.append(_take(counts, counter))
        except redis.RedisError as error:
            _without_redis(error)
            counts = local
            waits.append(_take(counts, counter))
    return max((wait for wait in waits if wait is not None), default=None)


def _take(counts: "Counts", counter: Counter) -> int | None:
    item, key = counter.rate, counter.key
    window_s = item.get_expiry()
    if counts.acquire_entry(key, item.amount, window_s):
        return None
    began, _count = counts.get_moving_window(key, item.amount, window_s)
    return max(1, math.ceil(began + window_s - time.time()))


def give_back(counters: Iterable[Counter]) -> None:
    """Take the latest call off each counter again, because it should not count."""
    for counter in counters:
        counts = _counts()
        try:
            counts.give_back(counter.key)
        except redis.RedisError as error:
            _without_redis(error)


def clear(counters: Iterable[Counter]) -> None:
    """Reset each counter."""
    for counter in counters:
        local.clear(counter.key)
        counts = _counts()
        try:
            counts.clear(counter.key)
        except redis.RedisError as error:
            _without_redis(error)


class Counts(Protocol):
    """Where calls are counted."""

    def acquire_entry(self, key: str, limit: int, expiry: int) -> bool:
        """Count a call if `expiry` seconds had fewer than `limit`; return whether it counts."""

    def get_moving_window(self, key: str, limit: int, expiry: int) -> tuple[float, int]:
        """Return when the oldest of the latest `limit` calls was made, and how many there are."""

    def give_back(self, key: str) -> None:
        """Forget the latest call."""

    def clear(self, key: str) -> None:
        """Forget all calls."""


class RedisCounts(RedisStorage):
    """The library's counters in Redis, with a way to give one call back.

    In the library, a call still counts at the instant its window ends; here, as in `Retry-After`,
    it does not.
    """

    SCRIPT_ACQUIRE_MOVING_WINDOW = RedisStorage.SCRIPT_ACQUIRE_MOVING_WINDOW.replace(
        b"tonumber(entry) >= timestamp - expiry", b"tonumber(entry) > timestamp - expiry"
    )

    def __init__(self, client: redis.Redis, *, key_prefix: str = KEY_PREFIX) -> None:
        # The client has the address; the library reads only the scheme of this one.
        super().__init__("redis://", connection_pool=client.connection_pool, key_prefix=key_prefix)
        self._client = client

    def give_back(self, key: str) -> None:
        """Forget the latest call."""
        self._client.lpop(self.prefixed_key(key))


class LocalCounts:
    """The same in this process, with bounded memory.

    The library's own starts a thread every 10 ms that walks through all keys, and keeps every key
    forever: a caller with many addresses could fill the memory.
    """

    def __init__(self, *, most_keys: int = _MOST_KEYS) -> None:
        self._most_keys = most_keys
        self._lock = threading.Lock()
        # For each key, the times of its calls, latest last, and when the last of them expires.
        self._calls: dict[str, deque[float]] = {}
        self._ends: dict[str, float] = {}

    def __len__(self) -> int:
        return len(self._calls)

    def scopes(self) -> set[str]:
        """Return the scopes in which something counts."""
        with self._lock:
            return {key.partition(":")[0] for key in self._calls}

    def acquire_entry(self, key: str, limit: int, expiry: int) -> bool:
        """Count a call if `expiry` seconds had fewer than `limit`; return whether it counts."""
        now = time.time()
        with self._lock:
            calls = self._calls.get(key)
            if calls is None:
                if limit < 1:
                    return False
                if len(self._calls) >= self._most_keys:
                    self._make_room(now)
                calls = self._calls[key] = deque()
            while calls and calls[0] <= now - expiry:
                calls.popleft()
            if len(calls) >= limit:
                return False
            calls.append(now)
            self._ends[key] = now + expiry
            return True

    def get_moving_window(self, key: str, limit: int, expiry: int) -> tuple[float, int]:
        """Return when the oldest of the latest `limit` calls was made, and how many there are."""
        now = time.time()
        with self._lock:
            calls = [at for at in self._calls.get(key, ()) if at > now - expiry][-limit:]
            return (calls[0], len(calls)) if calls else (now, 0)

    def give_back(self, key: str) -> None:
        """Forget the latest call."""
        with self._lock:
            if calls := self._calls.get(key):
                calls.pop()

    def clear(self, key: str) -> None:
        """Forget all calls."""
        with self._lock:
            self._calls.pop(key, None)
            self._ends.pop(key, None)

    def reset(self) -> None:
        """Forget the calls of all keys."""
        with self._lock:
            self._calls.clear()
            self._ends.clear()

    def _make_room(self, now: float) -> None:
        """Drop expired keys, and at least a tenth of all, so that this runs seldom."""
        ended = [key for key, end in self._ends.items() if end <= now]
        oldest = list(self._calls)[: max(1, self._most_keys // 10)]
        for key in ended or oldest:
            self._calls.pop(key, None)
            self._ends.pop(key, None)


local = LocalCounts()


def _counts() -> Counts:
    """Return where to count now."""
    client = None if redis_breaker.is_open else short_client(timeout_s=ANSWER_S)
    return local if client is None else _redis_counts(client)


@cache
def _redis_counts(client: redis.Redis) -> RedisCounts:
    return RedisCounts(client)


_complained_at = -math.inf


def _without_redis(error: redis.RedisError) -> None:
    """Stop asking Redis while it does not answer; log it if Redis answers that it cannot count."""
    global _complained_at  # noqa: PLW0603 (one line a minute for the whole process)
    if isinstance(error, redis.ConnectionError | redis.TimeoutError):
        redis_breaker.trip()
    elif time.monotonic() - _complained_at > _COMPLAIN_S:
        _complained_at = time.monotonic()
        logger.warning("Redis cannot count (%s): each process counts for itself.", error)
