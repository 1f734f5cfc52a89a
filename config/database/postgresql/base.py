"""Limits on both sides of the wire, and a breaker (docs/adr/0010).

The server gets its time-outs in front of the first statement of each transaction, in the same
round trip, by SET LOCAL: nothing stays behind on a connection that a pooler hands to others. A
stopped server ends nothing, so the client stops waiting a little later by itself, closes the
connection and opens the breaker: until a probe succeeds, every use of the database fails at once.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import psycopg
from django.db.backends.postgresql import base, operations
from psycopg.pq import TransactionStatus

from config.breaker import Breaker
from config.database import limits

# How much longer than its own limit the server has to report that it ended a statement.
GRACE_S = 0.5
# A probe, and what Django asks of a connection before it uses it again.
PROBE_S = 1.0
# What a server is given to hear that a statement need not go on.
CANCEL_S = 0.3
# A sooner failure needs no breaker: the next call fails as soon.
SLOW_S = 0.5


class DatabaseAway(psycopg.OperationalError):
    """The database hangs: it was not asked, or did not answer in time."""


def probe(*, timeout_s: float = PROBE_S) -> None:
    """Connect and ask for something trivial; raises psycopg.Error when that fails or hangs."""
    parameters = base.DatabaseWrapper(_settings()).get_connection_params()
    del parameters["cursor_factory"]
    with _Probe.connect(**parameters, autocommit=True) as connection:
        connection.timeout_s = timeout_s
        connection.execute("SELECT 1")


def _settings() -> dict[str, Any]:
    from django.db import connections  # noqa: PLC0415 (it loads this module)

    database: dict[str, Any] = connections.settings["default"]
    return database


breaker = Breaker("PostgreSQL", probe=probe)


class _Probe(psycopg.Connection[Any]):
    timeout_s = PROBE_S

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        return super().wait(gen, interval, timeout or self.timeout_s)


class LimitedConnection(psycopg.Connection[Any]):
    """A connection on which every wait has an end."""

    limit_s: float | None = None  # overrides the process's own, for a while

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        """Run a round trip; every one of psycopg's goes through here.

        Raises:
            DatabaseAway: the breaker is open, or the answer did not come in time. The connection
                is closed then: what it was at is unknown.
        """
        if breaker.is_open:
            raise DatabaseAway("the database hangs: it was not asked")
        statement_ms = limits.current().statement_ms
        if timeout is None:
            timeout = self.limit_s or (statement_ms / 1000 + GRACE_S if statement_ms else None)
        try:
            return super().wait(gen, interval, timeout)
        except psycopg.errors._WaitTimeout as error:
            breaker.trip()
            with suppress(psycopg.Error):  # in case it lives and is only late
                self.cancel_safe(timeout=CANCEL_S)
            self.pgconn.finish()
            raise DatabaseAway(f"the database did not answer within {timeout} s") from error


class LimitedCursor(base.CursorMixin, psycopg.ClientCursor[Any]):
    """A cursor that puts the server's limits in front of a transaction's first statement."""

    before = ""  # what was put in front of the last statement

    def execute(self, query: Any, params: Any = None, **options: Any) -> Any:
        """Execute a statement, and the limits before it where it begins a transaction."""
        settings = self._settings() if isinstance(query, str) else []
        self.before = "".join(settings)
        super().execute(self.before + query if settings else query, params, **options)
        for _setting in settings:
            self.nextset()  # past its result, to that of the statement
        return self

    def _settings(self) -> list[str]:
        if self.connection.info.transaction_status != TransactionStatus.IDLE:
            return []
        limit = limits.current()
        if self.connection.autocommit and not limits.is_web():
            return []  # VACUUM and the like cannot share a round trip
        wanted = {
            "statement_timeout": limit.statement_ms,
            "lock_timeout": limit.lock_ms,
            "idle_in_transaction_session_timeout": (
                0 if self.connection.autocommit else limit.idle_in_transaction_ms
            ),
        }
        return [f"SET LOCAL {name} = {ms};" for name, ms in wanted.items() if ms]


class Operations(operations.DatabaseOperations):
    """Django's own, for the cursors above."""

    def last_executed_query(self, cursor: Any, sql: Any, params: Any) -> Any:
        """Return the statement as it was sent, without the limits in front of it."""
        sent = super().last_executed_query(cursor, sql, params)
        return sent.removeprefix(cursor.before) if sent and hasattr(cursor, "before") else sent


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's own, on connections with limits."""

    ops_class = Operations

    def get_connection_params(self) -> dict[str, Any]:
        """Return psycopg's connection parameters, with our kind of cursor."""
        parameters: dict[str, Any] = super().get_connection_params()
        return parameters | {"cursor_factory": LimitedCursor}

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Connect, unless the database is known to hang.

        In place of Django's own, which does the same with psycopg's class of connections.

        Raises:
            DatabaseAway: it is.
        """
        if breaker.is_open:
            raise DatabaseAway("the database hangs: it was not asked")
        self.isolation_level = psycopg.IsolationLevel.READ_COMMITTED
        began = time.monotonic()
        try:
            return LimitedConnection.connect(**conn_params)
        except psycopg.OperationalError:
            if time.monotonic() - began > SLOW_S:
                breaker.trip()
            raise

    def is_usable(self) -> bool:
        """Return whether the connection answers, soon."""
        if self.connection is None:
            return False
        with self._briefly():
            usable: bool = super().is_usable()
            return usable

    @contextmanager
    def _briefly(self) -> Iterator[None]:
        connection = self.connection
        connection.limit_s = PROBE_S
        try:
            yield
        finally:
            connection.limit_s = None
