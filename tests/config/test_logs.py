"""What is logged and mailed: scrubbed, short, grouped, and by nobody's request."""

import logging
import smtplib
import threading
from collections.abc import Iterator

import pytest
from django.test import Client, RequestFactory
from django.utils.log import log_response

from config import logs

PASSWORD = "the-password-of-redis"


@pytest.fixture
def admins(settings) -> None:
    settings.ADMINS = [("Admins", "admins@example.org")]


class Mails:
    """What a handler sent; each mail waits for `go`."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, str]] = []
        self.begun = threading.Event()
        self.go = threading.Event()
        self.go.set()

    def send(self, subject: str, body: str) -> None:
        self.begun.set()
        assert self.go.wait(60)
        self.sent.append((subject, body))


@pytest.fixture
def mails() -> Mails:
    return Mails()


@pytest.fixture
def logger(mails: Mails) -> Iterator[logging.Logger]:
    found = logging.getLogger("tests.mailed")
    handler = logs.MailHandler(send=mails.send)
    found.addHandler(handler)
    try:
        yield found
    finally:
        found.removeHandler(handler)
        handler.close()


def flush(logger: logging.Logger) -> None:
    logger.handlers[0].flush()


# --- Scrubbing --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "address",
    [
        f"redis://:{PASSWORD}@redis:6379/0",
        f"postgres://dailydeal:{PASSWORD}@postgres:5432/dailydeal",
        f"submission://user:{PASSWORD}@mail:587",
    ],
)
def test_passwords_in_addresses_are_not_written(address: str) -> None:
    text = logs.scrub(f"Cannot reach {address} at all")
    assert PASSWORD not in text
    assert text.endswith(" at all")


def test_what_was_to_be_stored_is_not_written() -> None:
    text = logs.scrub("broken\nDETAIL:  Key (name_skeleton)=(ada) already exists.\nCONTEXT: x")
    assert "ada" not in text
    assert "CONTEXT" in text


@pytest.mark.parametrize("text", ["http://host/a:b", "at 10:30 a@b.c", "https://host:8000/x"])
def test_what_is_no_password_stays(text: str) -> None:
    assert logs.scrub(text) == text


# --- Lines ------------------------------------------------------------------------------------


def test_a_malformed_request_is_one_short_line() -> None:
    formatter = logs.LineFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s")
    try:
        raise ValueError("x" * 1000)
    except ValueError as error:
        record = logging.LogRecord(
            "django.security.SuspiciousOperation",
            *(logging.ERROR, __file__, 1, "%s", (str(error),)),
            (ValueError, error, error.__traceback__),
        )
    line = formatter.format(record)
    assert "\n" not in line
    assert len(line.encode()) < 300


@pytest.mark.django_db
def test_what_robots_send_is_not_mailed(admins, client: Client, mailoutbox) -> None:
    client.get("/", headers={"host": "evil.example"})
    client.get("/wp-login.php")
    client.get("/api/v1/players/%00/")
    logging.getLogger("django.security.SuspiciousOperation").error("a cookie was forged")
    logs.flush()
    assert not mailoutbox


# --- Mail -------------------------------------------------------------------------------------


def test_the_first_of_a_kind_is_mailed_and_the_others_counted(
    admins, logger: logging.Logger, mails: Mails
) -> None:
    def complain() -> None:
        logger.error("The pool runs out: %d", 3)

    complain()
    flush(logger)
    for _time in range(50):
        complain()
    logger.error("Something else")
    flush(logger)
    assert len(mails.sent) == 3
    repeated = [body for subject, body in mails.sent if "pool" in subject][1]
    assert repeated.startswith("50 times")


def test_a_mail_server_that_hangs_holds_up_nobody(
    admins, logger: logging.Logger, mails: Mails, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logs, "FLUSH_S", 0.01)
    mails.go.clear()
    for number in range(3 * logs.MOST_KINDS):
        logger.error("kind %d" % number)  # noqa: UP031 (a text of its own is a kind of its own)
        if number == 0:
            assert mails.begun.wait(60)
    flush(logger)  # the end of a process has a bound, too
    assert not mails.sent
    monkeypatch.undo()
    mails.go.set()
    flush(logger)
    assert len(mails.sent) == logs.MOST_KINDS
    assert any("other kinds were not mailed" in body for _subject, body in mails.sent)


def test_a_mail_that_is_refused_is_lost_alone(admins, mails: Mails) -> None:
    refused = threading.Event()

    def send(subject: str, body: str) -> None:
        if "first" in subject:
            refused.set()
            raise smtplib.SMTPException("no")
        mails.send(subject, body)

    handler = logs.MailHandler(send=send)
    for word in ("first", "second"):
        handler.emit(logging.LogRecord("x", logging.ERROR, __file__, 1, word, (), None))
    handler.flush()
    assert refused.is_set()
    assert [subject for subject, _body in mails.sent] == ["ERROR: second"]


def test_without_admins_nothing_is_kept(logger: logging.Logger, mails: Mails, settings) -> None:
    settings.ADMINS = []
    logger.error("x")
    flush(logger)
    assert not mails.sent


def test_a_mail_says_what_broke_and_nothing_of_what_was_sent(
    admins, logger: logging.Logger, mails: Mails, settings
) -> None:
    request = RequestFactory().post(
        "/api/v1/tokens/?a=the-query",
        {"password": "the-body"},
        headers={"authorization": "Token the-token", "cookie": "sessionid=the-cookie"},
    )

    def fail() -> None:
        local = "the-" + "variable"
        raise ValueError(f"broken at redis://:{PASSWORD}@host", len(local))

    try:
        fail()
    except ValueError as error:
        logger.error(
            "Internal Server Error: %s",
            request.path,
            exc_info=error,
            extra={"request": request, "status_code": 500},
        )
    flush(logger)
    ((_subject, body),) = mails.sent
    assert "POST /api/v1/tokens/" in body
    assert "in fail" in body
    for secret in ("the-query", "the-body", "the-token", "the-cookie", "the-variable", PASSWORD):
        assert secret not in body
    assert settings.SECRET_KEY not in body
    assert "SETTINGS" not in body.upper().replace("CONFIG.SETTINGS", "")


def test_a_fault_in_a_request_is_mailed(admins, mailoutbox) -> None:
    request = RequestFactory().get("/somewhere/")
    log_response(
        "%s: %s", "Internal Server Error", "/somewhere/", request=request, response=_Fault()
    )
    logs.flush()
    (mail,) = mailoutbox
    assert "GET /somewhere/" in mail.body


class _Fault:
    status_code = 500
