"""How long a process waits for the database: the web briefly, everything else for minutes.

A process says at run time which kind it is, because the web, commands and workers share the same
settings. On PostgreSQL the limits travel with the statements themselves
(config/database/postgresql), so that they work through PgBouncer in transaction mode.
"""

from dataclasses import dataclass

from django.conf import settings
from django.db import connections


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits in milliseconds; 0 is none."""

    statement_ms: int
    lock_ms: int
    idle_in_transaction_ms: int


_in_web = False


def use_web() -> None:
    """Give this process the short limits of a web request. Call it before connecting."""
    global _in_web  # noqa: PLW0603 (what kind of process this is)
    _in_web = True
    database = connections.settings["default"]
    if database["ENGINE"] == "django.db.backends.sqlite3":
        # SQLite has one lock for its only writer; each thread's connection reads this.
        database["OPTIONS"]["timeout"] = settings.DATABASE_WEB_LIMITS["statement_ms"] / 1000


def is_web() -> bool:
    """Return whether this process answers requests."""
    return _in_web


def current() -> Limits:
    """Return the limits of this process."""
    return Limits(**(settings.DATABASE_WEB_LIMITS if _in_web else settings.DATABASE_LONG_LIMITS))
