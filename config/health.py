"""Health checks: do this process and its dependencies work?"""

import sqlite3
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NoResult
from contextlib import closing

import psycopg
import redis
from django.conf import settings
from django.db import connections
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config.database.postgresql import base as postgresql
from config.redis import redis_breaker, short_client

PATH = "/healthz/"
# For all questions together: the asker gives up after a few seconds.
ANSWER_S = 0.4


class HealthMiddleware:
    """Answer `/healthz/` before anything that could hang or redirect sees the request."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path == PATH:
            request.get_host()  # refuses a foreign Host header, as everywhere
            return health(request)
        return self.get_response(request)


class _Asking:
    """One question to a dependency at a time, in a thread; simultaneous requests share it."""

    def __init__(self, ask: Callable[[], None]) -> None:
        self._ask = ask
        self._lock = threading.Lock()
        self._under_way: Future[None] | None = None

    def begin(self) -> "Future[None]":
        with self._lock:
            if self._under_way is None or self._under_way.done():
                self._under_way = Future()
                threading.Thread(
                    target=self._run, args=(self._under_way,), name="health", daemon=True
                ).start()
            return self._under_way

    def _run(self, future: "Future[None]") -> None:
        try:
            self._ask()
        except (psycopg.Error, sqlite3.Error, redis.RedisError, OSError) as error:
            future.set_exception(error)
        except BaseException as error:
            future.set_exception(error)
            raise
        else:
            future.set_result(None)


def _ask_database() -> None:
    if postgresql.breaker.is_open:
        raise postgresql.DatabaseAway  # every request is refused until it answers
    database = connections.settings["default"]
    if database["ENGINE"] == "django.db.backends.sqlite3":
        address = f"file:{database['NAME']}?mode=rw"
        with closing(sqlite3.connect(address, uri=True, timeout=ANSWER_S)) as connection:
            connection.execute("PRAGMA schema_version").fetchone()
    else:
        postgresql.probe()


def _ask_redis() -> None:
    if redis_breaker.is_open:
        raise redis.TimeoutError
    client = short_client(timeout_s=ANSWER_S)
    if client is not None:
        client.ping()


_database = _Asking(_ask_database)
_redis = _Asking(_ask_redis)


@never_cache
@require_safe
def health(_request: HttpRequest) -> JsonResponse:
    """Report the state of the service: 200, or 503 when the database is down.

    Redis may be away for a while without a wrong answer or a refused player. So the report shows it
    but keeps the status: restarting the web server would not bring Redis back.
    """
    deadline = time.monotonic() + ANSWER_S
    asked_database = _database.begin()
    asked_redis = _redis.begin() if settings.REDIS_URL else None
    database = _state(asked_database, deadline)
    return JsonResponse(
        {
            "status": database,
            "database": database,
            "redis": _state(asked_redis, deadline) if asked_redis else "absent",
        },
        status=200 if database == "ok" else 503,
    )


def _state(asked: "Future[None]", deadline: float) -> str:
    try:
        asked.result(max(0, deadline - time.monotonic()))
    except (psycopg.Error, sqlite3.Error, redis.RedisError, OSError, NoResult):
        return "down"
    return "ok"
