"""`make run`: everything starts with one command, and nothing of it stays."""

import http.cookiejar
import json
import re
import signal
import socket
import stat
import sys
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from django.conf import settings

from config.local.run import commands
from tests.processes import (
    PATIENCE_S,
    Running,
    free_port,
    fresh_database,
    machine_environment,
    running,
    status,
)

pytestmark = pytest.mark.process
READY = "Ctrl-C stops it."


def launcher(port: int) -> list[str]:
    return [sys.executable, "-m", "config.local.run", "--port", str(port)]


def login_works(address: str, name: str, password: str) -> bool:
    """Return whether the admin site accepts this login."""
    jar = http.cookiejar.CookieJar()
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
    page = f"{address}/admin/login/"
    browser.open(page, timeout=PATIENCE_S).close()
    token = next(cookie.value for cookie in jar if cookie.name == "csrftoken")
    form = {"username": name, "password": password, "csrfmiddlewaretoken": token, "next": "/admin/"}
    with browser.open(page, urllib.parse.urlencode(form).encode(), timeout=PATIENCE_S) as answer:
        return bool(answer.url == f"{address}/admin/")


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    # Deeper than the path of a socket file may be: some checkouts are.
    return tmp_path_factory.mktemp("deep" * 20) / "of-the-service"


@pytest.fixture(scope="module")
def environment(state: Path) -> dict[str, str]:
    return machine_environment() | {"STATE_DIR": str(state)}


@pytest.fixture(scope="module")
def service(
    environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Running]:
    log = tmp_path_factory.mktemp("run") / "log"
    with running(launcher(free_port()), environment, log) as started:
        started.printed(READY)
        started.printed(" ready.")  # the worker
        yield started


@pytest.fixture(scope="module")
def printed(service: Running) -> dict[str, str]:
    """What the service has said about itself: address, login and password."""
    return {
        "address": re.findall(r"Play +(\S+)/\n", service.output)[0],
        "login": re.findall(r"Login +(\S+)", service.output)[0],
        "password": re.findall(r"Password +(\S+)", service.output)[0],
    }


def test_the_printed_address_answers_with_database_and_redis(printed: dict[str, str]) -> None:
    with urllib.request.urlopen(f"{printed['address']}/healthz/", timeout=PATIENCE_S) as answer:
        assert json.load(answer) == {"status": "ok", "database": "ok", "redis": "ok"}


def test_todays_deals_are_open(printed: dict[str, str]) -> None:
    with urllib.request.urlopen(
        f"{printed['address']}/api/v1/daily/", timeout=PATIENCE_S
    ) as answer:
        text = answer.read().decode()
    for slug in ("easy-harp", "eight-off", "eight-off-4", "eight-off-2"):
        assert f'"{slug}"' in text


def test_the_printed_login_opens_the_admin_site(printed: dict[str, str]) -> None:
    assert login_works(printed["address"], printed["login"], printed["password"])
    assert not login_works(printed["address"], printed["login"], printed["password"] + "x")


def test_pages_have_their_files(printed: dict[str, str]) -> None:
    assert status(f"{printed['address']}/static/admin/css/base.css") == 200
    with urllib.request.urlopen(f"{printed['address']}/", timeout=PATIENCE_S) as answer:
        client = re.findall(r'(?:src|href)="(/static/[^"]+|/texts/[^"]+)"', answer.read().decode())
    assert len(client) >= 5
    assert {status(printed["address"] + file) for file in client} == {200}
    with urllib.request.urlopen(f"{printed['address']}/api/v1/docs/", timeout=PATIENCE_S) as answer:
        files = re.findall(r'(?:src|href)="(/static/[^"]+)"', answer.read().decode())
    assert files
    assert {status(printed["address"] + file) for file in files} == {200}


@pytest.mark.parametrize(
    ("number", "sent"),
    [
        (60, b""),
        (10, b"POST /api/v1/verify/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 400\r\n\r\n{"),
        (60, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "),
    ],
    ids=["60 idle", "10 half bodies", "60 half heads"],
)
def test_idle_connections_hold_up_no_one(printed: dict[str, str], number: int, sent: bytes) -> None:
    address = urllib.parse.urlsplit(printed["address"])
    with ExitStack() as held:
        for _ in range(number):
            spoken = socket.create_connection((address.hostname, address.port))
            held.enter_context(spoken).sendall(sent)
        for path in ("/healthz/", "/", "/api/v1/daily/") * 3:
            assert status(printed["address"] + path) == 200


def test_a_second_run_of_the_same_checkout_is_refused(
    service: Running, environment: dict[str, str], tmp_path: Path
) -> None:
    with running(launcher(free_port()), environment, tmp_path / "log") as second:
        assert second.ended() == 1
    assert second.output.startswith("Not started: the service of this checkout is running already")
    assert "Traceback" not in second.output


def test_the_key_is_for_its_owner_only_and_the_password_is_nowhere(
    printed: dict[str, str], state: Path
) -> None:
    assert stat.S_IMODE((state / "secret-key").stat().st_mode) == 0o600
    files = [path for path in state.rglob("*") if path.is_file()]
    assert files
    assert not [path for path in files if printed["password"].encode() in path.read_bytes()]


def test_ctrl_c_stops_all_of_it(
    service: Running, printed: dict[str, str], environment: dict[str, str], tmp_path: Path
) -> None:
    family = service.remember_family()
    assert len(family) > len(commands("127.0.0.1", 1, Path()))  # and the Redis
    service.signal_group(signal.SIGINT)
    assert service.ended() == 0, service.output
    assert service.left_over() == []
    assert service.output.rstrip().endswith("Stopped.")
    assert "Traceback" not in service.output
    # And the checkout is free for the next one, which begins with another password.
    with running(launcher(free_port()), environment, tmp_path / "log") as again:
        password = re.findall(r"Password +(\S+)", again.printed(READY))[0]
        again.remember_family()
        again.process.terminate()
        assert again.ended() == 0, again.output
        assert again.left_over() == []
    assert password != printed["password"]


def test_ctrl_c_during_the_start_leaves_nothing(tmp_path: Path) -> None:
    environment = machine_environment() | {"STATE_DIR": str(tmp_path / "state")}
    with running(launcher(free_port()), environment, tmp_path / "log") as service:
        service.printed("Migrating")
        service.remember_family()
        service.signal_group(signal.SIGINT)
        assert service.ended() == 0, service.output
        assert service.left_over() == []
        assert "Traceback" not in service.output


@pytest.mark.skipif(not settings.REDIS_URL, reason="needs a Redis")
def test_servers_named_in_the_settings_file_are_used(tmp_path: Path) -> None:
    named = tmp_path / "named.env"
    environment = machine_environment() | {
        "STATE_DIR": str(tmp_path / "state"),
        "ENV_FILE": str(named),
    }
    with fresh_database(tmp_path) as database:
        named.write_text(f"DATABASE_URL={database}\nREDIS_URL={settings.REDIS_URL}\n")
        with running(launcher(free_port()), environment, tmp_path / "log") as service:
            service.printed(READY)
            service.process.terminate()
            assert service.ended() == 0, service.output
    assert not (tmp_path / "state" / "db.sqlite3").exists()
    assert not (tmp_path / "state" / "redis").exists()


def test_a_port_in_use_is_reported_before_anything_starts(tmp_path: Path) -> None:
    environment = machine_environment() | {"STATE_DIR": str(tmp_path / "state")}
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        with running(launcher(port), environment, tmp_path / "log") as service:
            assert service.ended() == 1
    assert f"port {port} of 127.0.0.1 cannot be used" in service.output
    assert f"make run PORT={port + 1}" in service.output
    assert not (tmp_path / "state" / "db.sqlite3").exists()


@pytest.mark.parametrize(
    ("name", "url", "says"),
    [
        ("REDIS_URL", "redis://127.0.0.1:1/0", "REDIS_URL names a Redis that does not answer"),
        ("REDIS_URL", "nonsense", "REDIS_URL names a Redis that does not answer"),
        ("DATABASE_URL", "postgres://nobody@127.0.0.1:1/none", "the database does not do"),
    ],
)
def test_a_named_server_that_is_away_is_reported(
    name: str, url: str, says: str, tmp_path: Path
) -> None:
    environment = machine_environment() | {"STATE_DIR": str(tmp_path / "state"), name: url}
    with running(launcher(free_port()), environment, tmp_path / "log") as service:
        service.remember_family()
        assert service.ended() == 1
        assert service.left_over() == []
    assert f"Not started: {says}" in service.output
    assert "Traceback" not in service.output
