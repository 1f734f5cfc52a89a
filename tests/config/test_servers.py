"""`python -m tests.servers`, on which the whole suite runs."""

import signal
import sys
import tempfile
from pathlib import Path

import psycopg
import pytest
import redis

from tests.processes import machine_environment, running

pytestmark = pytest.mark.process
SERVERS = [sys.executable, "-m", "tests.servers"]
SHOW = "import os; print(*(os.environ[n] for n in ('DATABASE_URL', 'REDIS_URL')), flush=True);"
WAIT = "import time\ntry: time.sleep(600)\nexcept KeyboardInterrupt: raise SystemExit(9)"


@pytest.fixture
def temporary(tmp_path: Path) -> Path:
    # Short: the path of PostgreSQL's socket has to fit into 107 bytes.
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_command_and_then_its_servers(
    number: signal.Signals, temporary: Path, tmp_path: Path
) -> None:
    environment = machine_environment() | {"TMPDIR": str(temporary)}
    command = [*SERVERS, "--", sys.executable, "-c", f"{SHOW}{WAIT}"]
    with running(command, environment, tmp_path / "log") as started:
        database, cache = started.printed("redis://").split()[-2:]
        psycopg.connect(database).close()
        with redis.Redis.from_url(cache) as client:
            assert client.ping()
        started.remember_family()
        if number == signal.SIGINT:
            started.signal_group(number)  # as a terminal: the command gets it too
        else:
            started.process.terminate()
        assert started.ended() == 9
        assert started.left_over() == []
    assert "Traceback" not in started.output
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(database)
    assert list(temporary.iterdir()) == []


def test_the_exit_code_is_the_commands(tmp_path: Path) -> None:
    command = [*SERVERS, "--sqlite", "--", "sh", "-c", "exit 7"]
    with running(command, machine_environment(), tmp_path / "log") as started:
        assert started.ended() == 7
    command = [*SERVERS, "--sqlite", "--", "sh", "-c", "kill -KILL $$"]
    with running(command, machine_environment(), tmp_path / "log") as started:
        assert started.ended() == 128 + signal.SIGKILL


def test_servers_that_the_environment_names_are_used(tmp_path: Path) -> None:
    named = {"DATABASE_URL": "postgres://named", "REDIS_URL": "redis://named"}
    command = [*SERVERS, "--", sys.executable, "-c", SHOW]
    with running(command, machine_environment() | named, tmp_path / "log") as started:
        assert started.ended() == 0
    assert started.output.split() == ["postgres://named", "redis://named"]


def test_the_checkouts_own_settings_file_does_not_reach_the_suite(
    tmp_path: Path,
) -> None:
    show = "from django.conf import settings; print(settings.DEBUG)"
    command = [*SERVERS, "--sqlite", "--", sys.executable, "manage.py", "shell", "-v0", "-c", show]
    own = tmp_path / "own.env"
    own.write_text("DEBUG=true\n")
    environment = machine_environment() | {"ENV_FILE": str(own)}
    with running(command, environment, tmp_path / "log") as started:
        assert started.ended() == 0
    assert started.output.split() == ["False"]


def test_sqlite_is_used_whatever_the_environment_names(tmp_path: Path) -> None:
    named = {"DATABASE_URL": "postgres://named", "REDIS_URL": "redis://named"}
    command = [*SERVERS, "--sqlite", "--", sys.executable, "-c", SHOW]
    with running(command, machine_environment() | named, tmp_path / "log") as started:
        assert started.ended() == 0
    assert started.output.startswith("sqlite:///")
