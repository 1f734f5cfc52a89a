"""A whole installation for drills: web processes on a PostgreSQL, a Redis and a mail server of
their own, each of which can be stopped, killed and brought back.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import psutil
import psycopg

from config.local.embedded import redis_server
from tests.processes import Running, free_port, machine_environment, running, wait_for
from tests.servers import postgres_server

START_S = 180


@dataclass(frozen=True)
class Answer:
    """The answer to a request, and its time; status 0 means no answer."""

    status: int
    body: Any
    headers: dict[str, str]
    elapsed_s: float


@dataclass
class Installation:
    """The addresses and processes of what runs."""

    url: str
    database_url: str
    web: Running
    postgres: psutil.Process
    redis: psutil.Process
    postgres_data: Path
    postgres_exe: Path

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        token: str = "",
        timeout_s: float = 60,
        **headers: str,
    ) -> Answer:
        """Send a request and return its answer, whatever that is."""
        request = urllib.request.Request(self.url + path, method=method, headers=headers)
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        if token:
            request.add_header("Authorization", f"Token {token}")
        began = time.monotonic()
        try:
            with urllib.request.urlopen(request, timeout=timeout_s) as response:
                status, raw, found = response.status, response.read(), dict(response.headers)
        except urllib.error.HTTPError as error:
            status, raw, found = error.code, error.read(), dict(error.headers)
        except OSError as error:
            status, raw, found = 0, str(error).encode(), {}
        elapsed_s = time.monotonic() - began
        try:
            decoded = json.loads(raw)
        except ValueError:
            decoded = raw.decode(errors="replace")
        return Answer(status, decoded, found, elapsed_s)

    def join(self, name: str) -> str:
        """Make a player and return the token."""
        answer = self.call("POST", "/api/v1/players/", {"display_name": name})
        assert answer.status == 201, answer
        token: str = answer.body["token"]
        return token

    @cached_property
    def deal(self) -> str:
        """Return the address of one of today's deals, as `variant/day/`."""
        daily = self.call("GET", "/api/v1/daily/").body[0]
        return f"{daily['variant']}/{daily['date']}/"

    def board(self) -> Answer:
        """Ask for the board of that deal."""
        return self.call("GET", f"/api/v1/daily/{self.deal}leaderboard/")

    def health(self) -> Answer:
        """Ask how the service is."""
        return self.call("GET", "/healthz/")

    def start(self, token: str) -> Answer:
        """Start an attempt at that deal."""
        return self.call("POST", f"/api/v1/daily/{self.deal}attempts/", token=token)

    def submit(self, token: str, attempt_id: str, movetext: str) -> Answer:
        """Send a log."""
        address = f"/api/v1/attempts/{attempt_id}/submission/"
        return self.call("POST", address, {"movetext": movetext}, token=token)

    def kill_postgres(self) -> None:
        """End the server at once, with all its connections."""
        self._pg_ctl("stop")

    def restart_postgres(self) -> None:
        """Start the server again, as it was."""
        self._pg_ctl("restart")
        self.postgres = psutil.Process(_postgres_pid(self.postgres_data))

    def _pg_ctl(self, action: str) -> None:
        command = [self.postgres_exe.with_name("pg_ctl"), "-D", self.postgres_data]
        subprocess.run(
            [*command, action, "-m", "immediate", "-w", "-l", os.devnull],
            check=True,
            cwd=self.postgres_data,
            user=self.postgres_data.stat().st_uid,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=START_S,
        )

    def postgres_processes(self) -> list[psutil.Process]:
        """Return the server's process and those that it has made."""
        return [self.postgres, *self.postgres.children(recursive=True)]

    @contextmanager
    def hung(self, which: str) -> Iterator[None]:
        """Stop `postgres` or `redis` by a signal for as long as the block lasts."""
        stopped = self.postgres_processes() if which == "postgres" else [self.redis]
        for process in stopped:
            process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            for process in stopped:
                if process.is_running():
                    process.send_signal(signal.SIGCONT)

    def recovered(self) -> None:
        """Wait until requests that need the database are answered again, by every process."""

        def answers() -> bool:
            with ThreadPoolExecutor(8) as pool:
                asked = [pool.submit(self.board) for _ in range(24)]
                return all(future.result().status == 200 for future in asked)

        wait_for(answers, seconds=START_S, what="answers from the database")


@contextmanager
def mail_server_that_hangs() -> Iterator[int]:
    """Accept connections and say nothing on them; yield the port."""
    kept = []
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def accept() -> None:
            while True:
                try:
                    kept.append(listener.accept()[0])
                except OSError:
                    return

        threading.Thread(target=accept, daemon=True).start()
        try:
            yield listener.getsockname()[1]
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            for connection in kept:
                connection.close()


@contextmanager
def installed(**settings: str) -> Iterator[Installation]:
    """Start it all with gunicorn's 2 processes and 4 threads; yield it when it answers."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="dailydeal-")))
        database_url = stack.enter_context(postgres_server())
        with psycopg.connect(database_url) as connection:
            data = connection.execute("SHOW data_directory").fetchone()
        assert data is not None
        postgres_data = Path(data[0])
        postgres = psutil.Process(_postgres_pid(postgres_data))
        before = set(psutil.Process().children())
        redis_url = stack.enter_context(redis_server(folder / "redis"))
        (redis,) = set(psutil.Process().children()) - before - {postgres}
        port = free_port()
        environment = machine_environment() | {
            "STATE_DIR": str(folder / "state"),
            "DATABASE_URL": database_url,
            "REDIS_URL": redis_url,
            "SECRET_KEY": "only-for-drills-" + "0123456789" * 5,
            "PYTHONUNBUFFERED": "1",
            **dict.fromkeys(_throttles(), "1000000/minute"),
            **settings,
        }
        manage = (sys.executable, "manage.py")
        for command in (["migrate", "--verbosity", "0"], ["roll_over"]):
            with running([*manage, *command], environment, folder / "command.log") as started:
                assert started.ended(seconds=START_S) == 0, started.output
        web = stack.enter_context(
            running(
                [
                    *(sys.executable, "-m", "gunicorn", "config.wsgi"),
                    *("--bind", f"127.0.0.1:{port}", "--worker-class", "gthread"),
                    *("--workers", "2", "--threads", "4", "--no-control-socket"),
                ],
                environment,
                folder / "web.log",
            )
        )
        found = Installation(
            f"http://127.0.0.1:{port}",
            database_url,
            web,
            postgres,
            redis,
            postgres_data,
            Path(postgres.exe()),
        )
        wait_for(
            lambda: found.call("GET", "/healthz/").status == 200,
            seconds=START_S,
            what="a healthy service",
        )
        yield found


def _postgres_pid(data: Path) -> int:
    return int((data / "postmaster.pid").read_text().split()[0])


def _throttles() -> list[str]:
    example = Path(__file__).resolve().parent.parent / ".env.example"
    lines = example.read_text().splitlines()
    listed = dict(line[1:].split("=") for line in lines if line.startswith("#THROTTLE_"))
    return [name for name, value in listed.items() if "/" in value]
