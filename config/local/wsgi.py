"""The application for a web server without a proxy, on a database in a file.

Many threads read requests, so that clients that send slowly, or not at all, hold up no one. But
only a few requests are answered at once: more would only wait for SQLite's lock, in no order, and
some of them for too long.
"""

from collections.abc import Iterable
from io import BytesIO
from threading import BoundedSemaphore
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import connection

from config.wsgi import application as service

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

_answered_at_once = BoundedSemaphore(4)


def application(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
    """Read the body of a request, and answer it when fewer than four others are in progress."""
    length = int(environ.get("CONTENT_LENGTH") or 0)
    if length <= settings.MAX_BODY_BYTES:  # a larger one is refused unread
        environ["wsgi.input"] = BytesIO(environ["wsgi.input"].read(length))
    with _answered_at_once:
        try:
            return service(environ, start_response)
        finally:
            # A server, if DATABASE_URL names one, takes fewer connections than there are threads.
            if connection.vendor != "sqlite":
                connection.close()
