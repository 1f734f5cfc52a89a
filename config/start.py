"""Refuses to start a service that needs deals of its own and would play public ones.

Everything that serves or draws checks this first (docs/adr/0012): gunicorn before its workers
(gunicorn.conf.py), config.wsgi and config.asgi as they are loaded, Celery's worker and beat,
`make run`, and `manage.py roll_over`. As `python -m config.start` it asks and starts nothing.
"""

import logging
import os
import sys
import threading

import django
from django.apps import apps
from django.conf import settings
from django.db import DatabaseError, connection
from django.utils import timezone

logger = logging.getLogger(__name__)

# The exit code of a refused process. Gunicorn stops on it instead of starting another worker; 1 and
# 3 have other meanings.
EXIT_REFUSED = 4


class NoOwnDealsError(Exception):
    """The pool has no deals of the installation's own; the text says how to get some."""


def require_own_deals() -> None:
    """Return if this installation has the deals it needs; log what will soon be missing.

    A database that does not answer is no refusal: it may come back, and the draw itself leaves
    public deals out.

    Raises:
        NoOwnDealsError: for some variant there is no deal of its own.
    """
    if not settings.OWN_DEALS_ONLY:
        return
    if not apps.ready:  # setting it up again would begin the logging anew
        django.setup()
    from games import engine  # noqa: PLC0415 - Django must be set up first
    from games.services import pool  # noqa: PLC0415

    try:
        lacking = pool.lacking_own_deals(now=timezone.now())
        low, public = ([], []) if lacking else pool.soon_lacking(now=timezone.now())
    except DatabaseError as error:
        if _answers() and not _is_migrated():
            raise NoOwnDealsError(_refusal(list(engine.VARIANTS))) from error
        logger.warning("Whether the pool has deals of its own could not be asked: %s", error)
        return
    finally:
        # Of the process or the thread that starts; those that serve have connections of their own.
        if not connection.in_atomic_block:
            connection.close()
    if lacking:
        raise NoOwnDealsError(_refusal(lacking))
    if low:
        logger.warning("The pool has fewer deals of its own than days ahead: %s.", ", ".join(low))
    if public:
        days = ", ".join(map(str, public))
        logger.error("These days have deals of the public pool: %s.", days)


def refuse_without_own_deals() -> None:
    """End this process with one sentence if it must not start.

    Raises:
        SystemExit
    """
    try:
        require_own_deals()
    except NoOwnDealsError as refusal:
        sys.stderr.write(f"Not started: {refusal}\n")
        sys.stderr.flush()
        if threading.current_thread() is not threading.main_thread():
            # Of a runserver that reloads: an exception would end this thread, and it would wait.
            os._exit(EXIT_REFUSED)
        sys.exit(EXIT_REFUSED)


def _refusal(lacking: list[str]) -> str:
    return (
        f"the pool has no deals of this installation's own for {', '.join(lacking)}, and those "
        "that come with the code are public: run `manage.py migrate` and then `manage.py certify "
        f"--variant {lacking[0]} --count {settings.DAYS_AHEAD + 1}`, and so for each of them, or "
        "set ALLOW_SHIPPED_DEALS=true."
    )


def _answers() -> bool:
    try:
        connection.close()
        connection.ensure_connection()
    except DatabaseError:
        return False
    return True


def _is_migrated() -> bool:
    from games.models import PoolDeal  # noqa: PLC0415 - Django must be set up first

    return PoolDeal._meta.db_table in connection.introspection.table_names()


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    refuse_without_own_deals()
