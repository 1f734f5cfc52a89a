"""Our PostgreSQL backend: the limits that a process's statements carry, and the breaker."""

from collections.abc import Iterator
from functools import partial

import psycopg
import pytest
from django.db import DatabaseError, OperationalError, connection, connections, transaction
from django.test.utils import CaptureQueriesContext

from config.database import limits
from config.database.errors import is_unavailable
from config.database.postgresql import base
from games import services
from games.models import Player
from tests.installation import mail_server_that_hangs
from tests.play import new_player

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif("connection.vendor != 'postgresql'", reason="PostgreSQL alone"),
]
NAMES = ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout")


@pytest.fixture
def in_web(monkeypatch: pytest.MonkeyPatch, settings) -> None:
    monkeypatch.setattr(limits, "_in_web", True)
    settings.DATABASE_WEB_LIMITS = {
        "statement_ms": 20_000,
        "lock_ms": 100,
        "idle_in_transaction_ms": 30_000,
    }


@pytest.fixture
def breaker(transactional_db: None) -> Iterator[None]:
    """Close it again before the database is emptied for the next test."""
    yield
    assert base.breaker.wait_closed(60)


@transaction.atomic
def lock(player: Player) -> None:
    services.lock(player.pk)


def rename_all(name: str) -> None:
    Player.objects.update(display_name=name)


def shown() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(f'current_setting({name!r})' for name in NAMES)}")
        return list(cursor.fetchone())


def test_the_web_s_limits_are_short_in_and_out_of_a_transaction(in_web) -> None:
    with transaction.atomic():
        assert shown() == ["20s", "100ms", "30s"]
        Player.objects.count()
        with transaction.atomic():
            assert shown() == ["20s", "100ms", "30s"]
    assert shown() == ["20s", "100ms", "0"]


def test_others_limits_are_long_in_a_transaction_and_none_outside() -> None:
    with transaction.atomic():
        assert shown() == ["15min", "2min", "15min"]
    assert shown() == ["0", "0", "0"]


def test_nothing_stays_on_the_connection(in_web, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pooler hands it to somebody else after the transaction."""
    shown()
    with transaction.atomic():
        shown()
    monkeypatch.setattr(limits, "_in_web", False)
    assert shown() == ["0", "0", "0"]


def test_limits_are_no_queries_of_their_own_and_change_no_results(in_web) -> None:
    new_player("Ada")
    with CaptureQueriesContext(connection) as queries:
        assert list(Player.objects.values_list("display_name", flat=True)) == ["Ada"]
        assert Player.objects.update(display_name="Bea") == 1
        assert [player.display_name for player in Player.objects.iterator()] == ["Bea"]
    assert len(queries) == 3
    assert not any("timeout" in query["sql"] for query in queries)


def test_a_lock_that_is_not_granted_ends_one_request_alone(in_web) -> None:
    player = new_player("Ada")
    parameters = connection.get_connection_params() | {"cursor_factory": psycopg.Cursor}
    with psycopg.connect(**parameters) as other:
        other.execute("SELECT FROM games_player FOR UPDATE")
        for wait in (partial(lock, player), partial(rename_all, "Bea")):
            with pytest.raises(OperationalError, match="lock timeout") as raised:
                wait()
            assert is_unavailable(raised.value)
            assert not base.breaker.is_open
            assert Player.objects.get().display_name == "Ada"


def test_a_statement_that_the_server_does_not_end_is_left_and_opens_the_breaker(
    breaker: None,
) -> None:
    connection.ensure_connection()
    # As if the server was stopped: it would take longer than is waited for.
    connection.connection.limit_s = 0.05
    with (
        pytest.raises(OperationalError, match="did not answer") as raised,
        connection.cursor() as cursor,
    ):
        cursor.execute("SELECT pg_sleep(30)")
    assert is_unavailable(raised.value)
    assert connection.connection.closed
    assert base.breaker.is_open
    with pytest.raises(psycopg.OperationalError, match="not asked") as refused:
        connections["default"].get_new_connection(connection.get_connection_params())
    assert is_unavailable(refused.value)
    assert base.breaker.wait_closed(60)
    connection.close()
    assert Player.objects.count() == 0


def test_a_server_that_accepts_and_is_silent_is_not_waited_for(
    breaker: None,
) -> None:
    with mail_server_that_hangs() as port:
        parameters = connection.get_connection_params() | {"host": "127.0.0.1", "port": port}
        with pytest.raises(psycopg.OperationalError):
            connections["default"].get_new_connection(parameters)
    assert base.breaker.is_open


def test_a_server_that_is_away_opens_no_breaker(in_web) -> None:
    parameters = connection.get_connection_params() | {"host": "127.0.0.1", "port": 1}
    with pytest.raises(psycopg.OperationalError):
        connections["default"].get_new_connection(parameters)
    assert not base.breaker.is_open


def test_a_connection_that_was_ended_is_not_usable() -> None:
    connection.ensure_connection()
    connection.connection.close()
    assert not connection.is_usable()
    connection.close()
    with pytest.raises(DatabaseError), connection.cursor() as cursor:
        cursor.execute("SELECT nothing")
    assert connection.is_usable()
