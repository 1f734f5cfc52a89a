"""What hangs takes nobody with it: a real service, on servers that are stopped under it.

How long that takes is measured by the drill of the same name (`make drills`); here nothing hangs
for good, and every answer is the right one.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from tests.installation import Answer, Installation, installed, mail_server_that_hangs
from tests.processes import wait_for

pytestmark = pytest.mark.process
CALLERS = 8


@pytest.fixture(scope="module")
def service() -> Iterator[Installation]:
    """Run a service whose mail server accepts mails and never answers."""
    with (
        mail_server_that_hangs() as port,
        installed(
            EMAIL_URL=f"smtp://:secret-of-mail@127.0.0.1:{port}",
            ADMIN_EMAILS="a@example.org",
            # A machine that does much else may be slow: nothing here waits for this one to end.
            DATABASE_WEB_STATEMENT_MS="20000",
        ) as found,
    ):
        yield found


@pytest.fixture(scope="module")
def token(service: Installation) -> str:
    return service.join("Ada")


def at_once(call, *arguments) -> list[Answer]:
    with ThreadPoolExecutor(CALLERS) as pool:
        return [
            future.result()
            for future in [pool.submit(call, *arguments) for _caller in range(CALLERS)]
        ]


def test_without_an_answer_from_redis_everything_goes_on(service: Installation, token: str) -> None:
    with service.hung("redis"):
        started = service.start(token)
        assert started.status == 201
        assert service.submit(token, started.body["id"], "x").status == 201
        assert service.board().status == 200
        assert service.join("Bea")
        without_redis = {"status": "ok", "database": "ok", "redis": "down"}
        wait_for(
            lambda: service.health().body == without_redis, seconds=60, what="health without Redis"
        )


def test_without_an_answer_from_postgresql_all_are_refused_until_it_is_back(
    service: Installation, token: str
) -> None:
    with service.hung("postgres"):
        # Every thread has a connection that hangs; then none is asked any more.
        for _time in range(2):
            for answer in [*at_once(service.board), *at_once(service.start, token)]:
                assert answer.status == 503
                assert int(answer.headers["Retry-After"]) >= 1
                assert answer.body["type"] == "server_error"
                assert answer.body["errors"][0]["code"] == "unavailable"
        page = service.call("GET", "/", **{"Accept-Language": "it"})
        admin = service.call("GET", "/admin/", Cookie="sessionid=" + "a" * 32)
        health = service.health()
    for answer in (page, admin):
        assert answer.status == 503
        assert int(answer.headers["Retry-After"]) >= 1
    assert '<html lang="it">' in page.body
    assert health.status == 503
    assert health.body["database"] == "down"
    service.recovered()
    # Errors were mailed meanwhile, to nobody who answers.
    assert {answer.status for answer in at_once(service.start, token)} == {201}
    assert service.web.output.count("Traceback") <= 8
    assert "secret-of-mail" not in service.web.output


def test_one_locked_row_is_in_the_way_of_one_player(service: Installation, token: str) -> None:
    other = service.join("Carl")
    with psycopg.connect(service.database_url) as connection:
        connection.execute("SELECT FROM games_player WHERE display_name = 'Ada' FOR UPDATE")
        assert {answer.status for answer in at_once(service.start, token)} == {503}
        assert service.board().status == 200
        assert service.start(other).status == 201
    assert service.start(token).status == 201


def test_a_locked_table_is_no_reason_to_stop_asking(service: Installation) -> None:
    with psycopg.connect(service.database_url) as connection:
        connection.execute("LOCK TABLE games_dailydeal")
        assert service.board().status == 503
        assert service.call("GET", "/api/v1/variants/").status == 200
    assert service.board().status == 200


def test_connections_that_were_ended_are_made_anew(service: Installation) -> None:
    with psycopg.connect(service.database_url) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    assert {answer.status for answer in at_once(service.board)} == {200}


def test_a_server_that_ended_is_used_again_when_it_is_back(
    service: Installation, token: str
) -> None:
    service.kill_postgres()
    assert {answer.status for answer in at_once(service.board)} == {503}
    assert service.health().status == 503
    service.restart_postgres()
    service.recovered()
    assert service.start(token).status == 201
