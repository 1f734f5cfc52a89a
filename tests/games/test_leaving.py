"""Who leaves is gone: no name, password or token stays in a table, a key, a log line or a mail."""

import json
import logging
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings as given
from django.contrib.admin.models import LogEntry
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.urls import reverse

from config import logs
from config.redis import short_client
from games import services
from games.models import Player, Submission
from tests.logs import wins_of
from tests.play import TODAY, Caller, assign, new_player

pytestmark = pytest.mark.django_db
WIN = wins_of("eight-off")[0]
FIRST = "Zaphöd Beeblebrox"
SECOND = "Zarquon.Il"
LAST = "Trillian Äm Ende"
LOGIN = "zaphod-login-77"
PASSWORD = "forty-two towels in a bag"
OF_THE_INSTALLATION = {
    "SECRET_KEY": "secret-key-of-the-installation-0123456789",
    "SECRET_KEY_FALLBACKS": ["a-key-that-was-used-before-9876543210"],
    "REDIS_URL": "redis://:redis-password-4711@127.0.0.1:6379/0",
    "EMAIL_HOST_PASSWORD": "mail-password-0815",
}
SECRETS = [
    "secret-key-of-the-installation-0123456789",
    "a-key-that-was-used-before-9876543210",
    "redis-password-4711",
    "mail-password-0815",
]


def everything_stored() -> Iterator[tuple[str, str]]:
    """Yield every row of every table as text, and what is inside of the sessions."""
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            for row in cursor.fetchall():
                yield table, " | ".join(str(value) for value in row)
    for session in Session.objects.all():
        yield "django_session, read", json.dumps(session.get_decoded(), default=str)


def everything_in_redis() -> Iterator[tuple[str, str]]:
    """Yield every key with its value."""
    redis = short_client()
    assert redis is not None
    for key in redis.scan_iter():
        kind = redis.type(key).decode()
        read: dict[str, Any] = {
            "string": lambda key=key: redis.get(key),
            "list": lambda key=key: redis.lrange(key, 0, -1),
            "set": lambda key=key: redis.smembers(key),
            "zset": lambda key=key: redis.zrange(key, 0, -1, withscores=True),
            "hash": lambda key=key: redis.hgetall(key),
        }
        yield f"redis {key.decode(errors='replace')}", f"{key!r} {read[kind]()!r}"


def spellings(text: str) -> list[str]:
    """Return how a text may stand somewhere: as it is, and as JSON and bytes escape it."""
    return [text.lower(), json.dumps(text)[1:-1].lower(), repr(text.encode())[2:-1].lower()]


def found(texts: list[str], places: Iterator[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return which texts stand where."""
    return [
        (text, f"{where}: {what[:300]}")
        for where, what in places
        for text in texts
        if any(spelling in what.lower() for spelling in spellings(text))
    ]


def act(desk: Client, name: str, pk: object, **form: Any) -> None:
    answer = desk.post(reverse(f"admin:games_{name}", args=[pk]), form)
    assert answer.status_code == 302, answer.content.decode()


@pytest.fixture
def gone(today, unthrottled, settings, caplog, mailoutbox) -> Iterator[list[str]]:
    """A player who did everything and to whom everything was done has left; yield what to seek."""
    caplog.set_level(logging.DEBUG)
    settings.ADMINS = [("Admins", "admins@example.org")]
    boss = Player.objects.create_superuser("boss", "a long password")
    desk = Client()
    desk.force_login(boss)
    deal = today["eight-off"]

    zaphod = Caller(FIRST)
    pk = zaphod.player.pk
    assert zaphod.put("players/me/password/", {"password": PASSWORD}).status_code == 200
    zaphod.submit(zaphod.start(deal)["id"], WIN.illegal)
    zaphod.submit(zaphod.start(deal)["id"], WIN.movetext)
    log = Submission.objects.get(attempt__player=pk, won=True)
    entered = Caller().post("tokens/", {"display_name": FIRST, "password": PASSWORD})
    tokens = [zaphod.token, entered.json()["token"]]
    for wrong in ("wrong", PASSWORD + "x"):
        Caller().post("tokens/", {"display_name": FIRST, "password": wrong})
    act(desk, "submission_disqualify", log.pk, reason=f"{FIRST.upper()} had help.")
    act(desk, "player_block", pk, reason=f"{FIRST}, for a week.")
    zaphod.get("players/me/")
    act(desk, "player_unblock", pk, reason="The week is over.")
    assert zaphod.patch("players/me/", {"display_name": SECOND}).status_code == 200
    act(desk, "submission_reinstate", log.pk, reason=f"{SECOND} was right.")
    act(desk, "player_take_name", pk, reason=f"{SECOND} is rude in some language.")
    assert zaphod.patch("players/me/", {"display_name": LAST}).status_code == 200
    # Named where another is meant, and a day.
    other = new_player("Other")
    act(desk, "player_block", other.pk, reason=f"Writes to {LAST}, once {SECOND}.")
    later = assign("eight-off", TODAY + timedelta(days=5), win=wins_of("eight-off")[3])
    act(desk, "dailydeal_void", later.pk, reason=f"{FIRST} knew it.")
    # On the staff for a while: a session, and what Django itself logs of a form.
    Player.objects.filter(pk=pk).update(username=LOGIN)
    change = reverse("admin:games_player_change", args=[pk])
    assert desk.post(change, {"is_staff": "on"}).status_code == 302
    own_desk = Client()
    own_desk.force_login(Player.objects.get(pk=pk))
    own_desk.get("/admin/")
    desk.get(reverse("admin:games_player_changelist") + f"?q={LAST}")

    sought = [FIRST, "Beeblebrox", SECOND, LAST, LOGIN, PASSWORD, *tokens]
    # All of it is there before; otherwise nothing is shown by its being gone.
    before = {text for text, _where in found(sought, everything_stored())}
    assert before >= {FIRST, SECOND, LAST, LOGIN}
    assert zaphod.delete("players/me/").status_code == 204
    yield sought
    assert [text for text, _where in found([*sought], _lines(caplog))] == []


# As config/settings.py has it for what is printed.
_AS_PRINTED = logs.LineFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s")


def _lines(caplog: pytest.LogCaptureFixture) -> Iterator[tuple[str, str]]:
    for record in caplog.get_records("call") + caplog.get_records("setup"):
        yield f"log of {record.name}", _AS_PRINTED.format(record)


def test_no_table_keeps_a_name_a_password_or_a_token(gone: list[str]) -> None:
    assert found(gone, everything_stored()) == []


@pytest.mark.skipif(not given.REDIS_URL, reason="needs a Redis")
def test_no_key_of_redis_keeps_them(gone: list[str]) -> None:
    assert found(gone, everything_in_redis()) == []


def test_no_log_line_and_no_mail_has_them(gone: list[str], caplog, mailoutbox) -> None:
    assert len(list(_lines(caplog))) > 2
    assert found(gone, _lines(caplog)) == []
    logs.flush()
    assert found(gone, iter([("mail", str(mail.message())) for mail in mailoutbox])) == []


def test_the_admins_log_still_says_what_was_done_and_why(gone: list[str]) -> None:
    reasons = [json.loads(entry.change_message) for entry in LogEntry.objects.order_by("pk")]
    told = [entry["reason"] for entry in reasons if isinstance(entry, dict)]
    assert told == [
        "[name removed] had help.",
        "[name removed], for a week.",
        "The week is over.",
        "[name removed] was right.",
        "[name removed] is rude in some language.",
        "Writes to [name removed], once [name removed].",
        "[name removed] knew it.",
    ]


def test_a_name_that_is_a_word_takes_no_words_from_other_reasons(today, clock) -> None:
    boss = Player.objects.create_superuser("boss", "a long password")
    earlier, later = new_player("Earlier"), new_player("Later")
    services.set_blocked(player=earlier, is_blocked=True, actor=boss, reason="She had help.")
    clock.shift(1)
    caller = Caller("had")
    services.set_blocked(player=later, is_blocked=True, actor=boss, reason="Had no help, hadn't.")
    caller.delete("players/me/")
    entries = LogEntry.objects.filter(object_id__in=[str(earlier.pk), str(later.pk)])
    reasons = {json.loads(entry.change_message)["reason"] for entry in entries}
    assert reasons == {"She had help.", "Had no help, hadn't."}
    names = {json.loads(entry.change_message)["before"]["name"] for entry in entries}
    assert names == {"Earlier", "Later"}


@pytest.fixture
def known_secrets(settings) -> Iterator[None]:
    """Give the installation secrets, and admins who are mailed."""
    settings.ADMINS = [("Admins", "admins@example.org")]
    for name, value in OF_THE_INSTALLATION.items():
        setattr(settings, name, value)
    logs._secrets.cache_clear()
    yield
    logs._secrets.cache_clear()


def test_no_secret_of_the_installation_is_anywhere_after_an_error(
    today, known_secrets, monkeypatch, caplog, mailoutbox
) -> None:
    caplog.set_level(logging.DEBUG)
    caller = Caller(FIRST)
    caller.put("players/me/password/", {"password": PASSWORD})

    def broken(**_options: object) -> None:
        raise RuntimeError(f"the disk is full, said {' '.join(SECRETS)} at {given.REDIS_URL}")

    monkeypatch.setattr(services, "set_password", broken)
    monkeypatch.setattr(services, "log_in", broken)
    caller.client.raise_request_exception = False
    failed = caller.put(
        "players/me/password/", {"password": PASSWORD, "current_password": PASSWORD}
    )
    assert failed.status_code == 500
    failed = caller.post("tokens/", {"display_name": FIRST, "password": PASSWORD})
    assert failed.status_code == 500
    sought = [*SECRETS, PASSWORD, caller.token]
    assert any("the disk is full" in str(record.exc_info) for record in caplog.records)
    assert found(sought, _lines(caplog)) == []
    assert found(sought, everything_stored()) == []
    logs.flush()
    mails = [("mail", str(mail.message())) for mail in mailoutbox]
    assert any("the disk is full" in mail for _where, mail in mails)
    assert found([*sought, FIRST], iter(mails)) == []
