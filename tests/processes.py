"""Processes of ours, run and watched by the tests."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

import psutil
import psycopg
from django.conf import settings

ROOT = Path(__file__).resolve().parent.parent
BESIDE_PYTHON = Path(sys.executable).parent
T = TypeVar("T")
# There to find what hangs; a machine that does much else may take a good part of it.
PATIENCE_S = 90


def wait_for(condition: Callable[[], T | None], *, what: str, seconds: float = PATIENCE_S) -> T:
    """Return the first true result of the condition; fail if none comes in time."""
    deadline = time.monotonic() + seconds
    while True:
        if result := condition():
            return result
        if time.monotonic() > deadline:
            raise AssertionError(f"{seconds} s without {what}")
        time.sleep(0.05)


def free_port() -> int:
    """Return a port of the loopback address that no one listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
    return port


def status(url: str) -> int:
    """Return the status of the answer; raises OSError if there is none, or an error status."""
    with urllib.request.urlopen(url, timeout=PATIENCE_S) as response:
        code: int = response.status
    return code


class Running:
    """A process in a process group of its own, and what it has printed."""

    def __init__(self, command: list[str], environment: dict[str, str], log: Path) -> None:
        self.log = log
        with log.open("wb") as file:
            self.process = subprocess.Popen(
                command,
                cwd=ROOT,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.family: set[psutil.Process] = set()

    @property
    def output(self) -> str:
        """What it has printed up to now."""
        return self.log.read_text(errors="replace")

    def printed(self, text: str, *, seconds: float = PATIENCE_S) -> str:
        """Wait until it has printed the text, and return all it has printed."""

        def look() -> bool:
            ended = self.process.poll() is not None
            found = text in self.output
            assert found or not ended, f"it ended without {text!r}:\n{self.output}"
            return found

        try:
            wait_for(look, seconds=seconds, what=repr(text))
        except AssertionError as error:
            raise AssertionError(f"{error} in:\n{self.output}") from error
        return self.output

    def remember_family(self) -> set[psutil.Process]:
        """Note which processes it has started, and they in turn."""
        self.family |= set(psutil.Process(self.process.pid).children(recursive=True))
        return self.family

    def signal_group(self, number: int) -> None:
        """Send the signal to the process group, as a terminal does for Ctrl-C."""
        os.killpg(self.process.pid, number)

    def ended(self, *, seconds: float = PATIENCE_S) -> int:
        """Wait for its end and return its exit code."""
        return self.process.wait(seconds)

    def left_over(self) -> list[psutil.Process]:
        """Return the processes of its family that still run."""
        return [
            process
            for process in self.family
            if process.is_running() and process.status() != psutil.STATUS_ZOMBIE
        ]


@contextmanager
def running(command: list[str], environment: dict[str, str], log: Path) -> Iterator[Running]:
    """Run the command for as long as the block lasts; whatever is left of it then is killed."""
    started = Running(command, environment, log)
    try:
        yield started
    finally:
        if started.process.poll() is None:
            started.remember_family()
            started.process.terminate()
            try:
                started.process.wait(15)
            except subprocess.TimeoutExpired:
                started.process.kill()
                started.process.wait()
        for process in started.left_over():
            process.kill()


@contextmanager
def fresh_database(folder: Path) -> Iterator[str]:
    """Make an empty database of the kind that the suite runs on; yield its URL, and drop it."""
    if not settings.DATABASES["default"]["ENGINE"].endswith("postgresql"):
        (folder / "fresh.sqlite3").touch()
        yield f"sqlite:///{folder}/fresh.sqlite3"
        return
    server = os.environ["DATABASE_URL"]
    name = f"fresh_{uuid.uuid4().hex}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        try:
            yield urlsplit(server)._replace(path=f"/{name}").geturl()
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def machine_environment() -> dict[str, str]:
    """Return the environment that a command needs to be found and to run, and nothing else."""
    names = ("HOME", "LANG", "TMPDIR")
    environment = {name: os.environ[name] for name in names if name in os.environ}
    return environment | {
        "PATH": f"{BESIDE_PYTHON}{os.pathsep}{os.environ['PATH']}",
        "ENV_FILE": os.devnull,
    }
