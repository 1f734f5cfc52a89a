"""Tells apart errors of a database that is away or busy from faults of ours."""

import sqlite3
from collections.abc import Iterator

import psycopg
from django.db import Error

# SQLSTATE classes: connection, resources, operator's intervention, system, locks, rollback.
_UNAVAILABLE_CLASSES = ("08", "53", "57", "58", "55", "40")
# The transaction was idle or took too long; the server is a standby.
_UNAVAILABLE_STATES = ("25P03", "25P04", "25006")
_RETRYABLE_STATES = ("40P01", "40001")  # deadlock, serialization failure
_UNAVAILABLE_SQLITE = (
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
)


def is_unavailable(error: BaseException) -> bool:
    """Return whether an error means that the database is away, hangs, is locked or too busy.

    The same request may succeed later. A missing table or a broken constraint is a fault of ours.
    """
    return any(_is_unavailable(each) for each in _database_errors(error))


def is_retryable(error: BaseException) -> bool:
    """Return whether a transaction lost against another, and would succeed if run again."""
    return any(
        isinstance(each, psycopg.Error) and each.sqlstate in _RETRYABLE_STATES
        for each in _database_errors(error)
    )


def _database_errors(error: BaseException | None) -> Iterator[BaseException]:
    """Yield the driver's errors that a Django error was raised from, itself or further down."""
    while error is not None:
        if isinstance(error, psycopg.Error | sqlite3.Error):
            yield error
        # Any other error was raised on purpose in its place: a refusal, say.
        error = error.__cause__ if isinstance(error, Error | psycopg.Error) else None


def _is_unavailable(error: BaseException) -> bool:
    if isinstance(error, sqlite3.Error):
        # The primary code is the lower byte of the extended one. Some errors have none.
        return (getattr(error, "sqlite_errorcode", 0) or 0) & 0xFF in _UNAVAILABLE_SQLITE
    if not isinstance(error, psycopg.Error):
        return False
    if error.sqlstate is None:  # the driver's own: no connection, or it broke
        return isinstance(error, psycopg.OperationalError)
    return error.sqlstate[:2] in _UNAVAILABLE_CLASSES or error.sqlstate in _UNAVAILABLE_STATES
