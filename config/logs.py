"""Logging and mail to the admins: short, scrubbed, and never inside a request.

A dependency that fails does so for everyone at once. Each such error is one line, and once a minute
one of them is written in full. A thread sends mail, one for each kind of error and period, so that
neither a storm of errors nor a hanging mail server costs a request anything.
"""

import logging
import os
import re
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from urllib.parse import unquote, urlsplit

from django.conf import settings
from django.core import mail

logger = logging.getLogger(__name__)

LONGEST_LINE = 250  # characters, of a line that anyone can cause
FULL_EVERY_S = 60.0
MAIL_EVERY_S = 300.0
MOST_KINDS = 100
FLUSH_S = 5.0

# --- What must not be written -----------------------------------------------------------------

_PASSWORD_IN_URL = re.compile(r"([a-z][a-z0-9+.-]*://[^\s:/@]*:)[^\s@]+@", re.IGNORECASE)
# PostgreSQL repeats the values it was to store: names, for example.
_STORED_VALUES = re.compile(r"^DETAIL:.*$", re.MULTILINE)


def scrub(text: str) -> str:
    """Return a text without passwords, ours and those in addresses, and without stored values."""
    for secret in _secrets():
        text = text.replace(secret, "***")
    return _STORED_VALUES.sub("DETAIL: left out", _PASSWORD_IN_URL.sub(r"\1***@", text))


@cache
def _secrets() -> tuple[str, ...]:
    """Return every secret of the settings that a text may repeat, plain and URL-encoded."""
    database = settings.DATABASES["default"].get("PASSWORD") or ""
    redis = urlsplit(settings.REDIS_URL).password or ""
    known = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS, settings.EMAIL_HOST_PASSWORD]
    found = {*known, database, redis, unquote(redis)}
    # A short word appears in texts by chance; in addresses it is found all the same.
    return tuple(sorted((each for each in found if each and len(each) >= 8), key=len, reverse=True))


# --- Lines ------------------------------------------------------------------------------------


class LineFormatter(logging.Formatter):
    """Write scrubbed lines, and briefly what others can cause: refused and malformed requests."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the text of a record."""
        if record.name.startswith("django.security") or (
            record.name == "django.request" and record.levelno < logging.ERROR
        ):
            line = logging.Formatter.format(self, _without_traceback(record))
            return scrub(_cut(line))
        return scrub(super().format(record))


def _without_traceback(record: logging.LogRecord) -> logging.LogRecord:
    brief = logging.makeLogRecord(record.__dict__)
    brief.exc_info = brief.exc_text = brief.stack_info = None
    return brief


def _cut(line: str) -> str:
    line = " ".join(line.split())
    return line if len(line) <= LONGEST_LINE else f"{line[: LONGEST_LINE - 1]}…"


_last_full: dict[tuple[str, type[BaseException]], float] = {}
_full_lock = threading.Lock()


def briefly(to: logging.Logger, what: str, error: BaseException) -> None:
    """Log a failure with an outside cause: one line, and once a minute in full."""
    now = time.monotonic()
    kind = (to.name, type(error))
    with _full_lock:
        is_due = now - _last_full.get(kind, -FULL_EVERY_S) >= FULL_EVERY_S
        if is_due:
            _last_full[kind] = now
    if is_due:
        to.error("%s", _cut(what), exc_info=error)
    else:
        # The time, the level and the logger's name come before it.
        to.warning("%s", _cut(f"{what[:120]}: {error}")[:180])


# --- Mail -------------------------------------------------------------------------------------


@dataclass
class _Kind:
    """Errors of one place and message: what the next mail says, and how often they happened."""

    subject: str
    body: str
    count: int = 0
    mailed_at: float | None = None


class MailHandler(logging.Handler):
    """Mail errors to the admins from a thread: at most one mail of a kind in `every_s` seconds.

    The first of a kind is mailed at once; later ones are counted and mailed together. At most
    MOST_KINDS are kept; the rest count as dropped. A mail that cannot be sent is lost. `send` takes
    subject and body.
    """

    def __init__(
        self,
        level: int | str = logging.ERROR,
        *,
        every_s: float = MAIL_EVERY_S,
        send: Callable[[str, str], None] | None = None,
    ) -> None:
        super().__init__(level)
        self._every_s = every_s
        self._send = send or _mail_admins
        self._begin()
        os.register_at_fork(after_in_child=self._begin)

    def _begin(self) -> None:
        """Start empty: a fork has neither our thread nor a lock that anything would release."""
        self._changed = threading.Condition()
        self._kinds: dict[tuple[object, ...], _Kind] = {}
        self._dropped = 0
        self._sending = False
        self._thread: threading.Thread | None = None

    def emit(self, record: logging.LogRecord) -> None:
        """Note an error; this touches only a dictionary."""
        if not settings.ADMINS:
            return
        try:
            key = _kind_of(record)
            with self._changed:
                kind = self._kinds.get(key)
                if kind is None:
                    if len(self._kinds) >= MOST_KINDS:
                        self._dropped += 1
                        return
                    kind = self._kinds[key] = _Kind(*_mail_of(record))
                kind.count += 1
                if self._thread is None or not self._thread.is_alive():
                    self._thread = threading.Thread(target=self._run, name="mail", daemon=True)
                    self._thread.start()
                self._changed.notify_all()
        except Exception:  # noqa: BLE001 (as logging wants it: it says so on standard error)
            self.handleError(record)

    def flush(self) -> None:
        """Wait, at most FLUSH_S, until everything is mailed; logging calls this at the end."""
        deadline = time.monotonic() + FLUSH_S
        with self._changed:
            for kind in self._kinds.values():
                if kind.count:  # due now; what was mailed a moment ago stays so
                    kind.mailed_at = None
            self._changed.notify_all()
            while (
                self._thread is not None
                and self._thread.is_alive()
                and (self._sending or any(kind.count for kind in self._kinds.values()))
                and (left_s := deadline - time.monotonic()) > 0
            ):
                self._changed.wait(left_s)

    def _run(self) -> None:
        while True:
            with self._changed:
                while (due := self._take_due()) is None:
                    self._changed.wait(self._every_s if self._kinds else None)
                self._sending = True
            try:
                self._send(*due)
            except Exception as error:  # noqa: BLE001 (whatever the mail server does)
                logger.warning("A mail to the admins is lost: %s", _cut(scrub(str(error))))
            with self._changed:
                self._sending = False
                self._changed.notify_all()

    def _take_due(self) -> tuple[str, str] | None:
        """Return subject and body of a due mail, and reset its count."""
        now = time.monotonic()
        for key, kind in list(self._kinds.items()):
            if kind.mailed_at is not None and now - kind.mailed_at < self._every_s:
                continue
            if not kind.count:
                del self._kinds[key]
                continue
            count, kind.count, kind.mailed_at = kind.count, 0, now
            notes = [f"{count} times since the last mail about it."] if count > 1 else []
            if self._dropped:
                notes.append(f"{self._dropped} errors of other kinds were not mailed.")
                self._dropped = 0
            return kind.subject, "\n".join([*notes, kind.body])
        return None


def _kind_of(record: logging.LogRecord) -> tuple[object, ...]:
    """Return the kind of an error: where it was logged and where it was raised."""
    raised: tuple[object, ...] = ()
    if record.exc_info and record.exc_info[0] is not None:
        frames = traceback.extract_tb(record.exc_info[2])
        where = (frames[-1].filename, frames[-1].lineno) if frames else ()
        raised = (record.exc_info[0], *where)
    return (record.name, record.pathname, record.lineno, record.msg, *raised)


def _mail_of(record: logging.LogRecord) -> tuple[str, str]:
    """Return subject and body: message, method and path, traceback, and nothing else.

    It has no settings, no variables, and nothing that the client sent except the path.
    """
    message = scrub(record.getMessage())
    parts = [message]
    request = getattr(record, "request", None)
    if request is not None and getattr(request, "path", None):
        parts.append(f"{request.method} {_cut(scrub(request.path))}")
    if record.exc_info and record.exc_info[0] is not None:
        parts.append(scrub("".join(traceback.format_exception(*record.exc_info))))
    first_line = " ".join(message.split())[:100]
    return f"{record.levelname}: {first_line}", "\n\n".join(parts)


def _mail_admins(subject: str, body: str) -> None:
    mail.mail_admins(subject, body)


def flush() -> None:
    """Send the waiting mail within FLUSH_S: for processes that end without `atexit`."""
    for reference in list(logging._handlerList):  # type: ignore[attr-defined]
        handler = reference()
        if isinstance(handler, MailHandler):
            handler.flush()
