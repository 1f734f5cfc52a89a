"""An update while players play: deploy/update itself, with processes in the place of containers."""

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.client import HTTPConnection, HTTPException, RemoteDisconnected
from pathlib import Path
from typing import Any

from django.conf import settings

from config.local.embedded import redis_server
from tests.compose import service
from tests.drills import Row
from tests.processes import ROOT, free_port, machine_environment, wait_for
from tests.proxy import Proxy, proxy
from tests.servers import postgres_server

NAME = "rolling"
WEB_SERVERS = 2
NEW_EACH_TIME = 4
KEPT_OPEN = 4
LEAST_REQUESTS = 3000
UNTHROTTLED = {f"THROTTLE_{scope.upper()}": "1000000/minute" for scope in settings.THROTTLE_RATES}
# Placeholders for the deal's winning line, its code, and the counts of stored rows.
READ = """
import json
from games.models import Attempt, DailyDeal, Submission
deal = DailyDeal.objects.select_related("pool_deal").get(variant="eight-off", date="{day}")
line = deal.pool_deal.winning_movetext
print(json.dumps([line, Attempt.objects.count(), Submission.objects.count()]))
"""


@dataclass
class Fleet:
    """Web servers in the place of containers, behind the proxy."""

    folder: Path
    environment: dict[str, str]
    front: Proxy
    day: str

    def docker(self, *command: str, **said: str) -> str:
        """Run a command of the docker stand-in; return its output."""
        return subprocess.run(
            ["docker", *command],
            env=self.environment | said,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
            timeout=120,
        ).stdout

    def web_servers(self) -> list[str]:
        return self.docker("compose", "ps", "--quiet", "web").split()

    def update(self, **said: str) -> subprocess.CompletedProcess[str]:
        """Run deploy/update as it is shipped."""
        return subprocess.run(
            [ROOT / "deploy/update"],
            env=self.environment | said,
            check=False,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=600,
        )

    def passed_to(self) -> set[str]:
        """Return the web servers to which the proxy passes requests."""
        lines = (self.front.folder / "state/servers.conf").read_text().splitlines()
        return {line.split()[1].split(":")[0] for line in lines}

    def stored(self) -> tuple[str, int, int]:
        """Return the log that wins the day's deal, and how many attempts and logs are stored."""
        return _stored(self.environment, self.day)

    def kill(self, name: str) -> None:
        """Send SIGTERM to a web server, as a careless update would."""
        pid = json.loads((self.folder / "containers.json").read_text())[name]
        os.kill(pid, signal.SIGTERM)


def _stored(environment: dict[str, str], day: str) -> tuple[str, int, int]:
    command = ["manage.py", "shell", "--verbosity", "0", "-c", READ.format(day=day)]
    printed = _run([sys.executable, *command], environment)
    movetext, attempts, logs = json.loads(printed.splitlines()[-1])
    return movetext, attempts, logs


def _run(command: list[str], environment: dict[str, str]) -> str:
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=300
    )
    if done.returncode:
        raise AssertionError(f"{command} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


@contextmanager
def fleet(
    folder: Path, database_url: str, redis_url: str, *, web_servers: int = WEB_SERVERS
) -> Iterator[Fleet]:
    """Run web servers behind the proxy, with today's deals, for as long as the block lasts."""
    day = datetime.now(UTC).date().isoformat()
    given = {
        **machine_environment(),
        "DATABASE_URL": database_url,
        "REDIS_URL": redis_url,
        "STATE_DIR": str(folder / "state"),
        "WEB_CONCURRENCY": "1",
        "ALLOW_SHIPPED_DEALS": "true",
        **UNTHROTTLED,
    }
    environment = service("web")["environment"] | given
    # No request asks for pages, so nothing has to be collected.
    del environment["STATIC_ROOT"]
    (folder / "static").mkdir()
    (folder / "static/new.js").write_text("export {};")
    programs = folder / "programs"
    programs.mkdir()
    (programs / "docker").write_text(
        f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m tests.drills._docker "$@"\n'
    )
    (programs / "docker").chmod(0o755)
    _run([sys.executable, "manage.py", "migrate", "--noinput"], environment)
    _run([sys.executable, "manage.py", "roll_over"], environment)
    # Loopback addresses that no one else has, short as a container's id.
    network = f"127.{random.randint(10, 99)}.{random.randint(10, 99)}"
    port = free_port()
    with proxy(
        folder / "proxy", [f"{network}.{n + 1}:{port}" for n in range(web_servers)]
    ) as front:
        (folder / "given.json").write_text(
            json.dumps(
                {
                    "environment": given,
                    "proxy": front.environment,
                    "network": network,
                    "port": port,
                }
            )
        )
        ours = environment | {
            "PATH": f"{programs}{os.pathsep}{environment['PATH']}",
            "STANDIN": str(folder),
            "WEB_PORT": str(port),
            "WEB_SCALE": str(web_servers),
        }
        started = Fleet(folder, ours, front, day)
        try:
            started.docker(
                *("compose", "up", "--detach", "--no-deps", "--no-build", "--no-recreate"),
                *("--scale", f"web={web_servers}", "web"),
            )
            for name in started.web_servers():
                wait_for(
                    lambda name=name: (
                        "healthy"
                        in started.docker("inspect", "--format", "{{.State.Health.Status}}", name)
                    ),
                    seconds=180,
                    what=f"a healthy {name}",
                )
            yield started
        finally:
            left = started.web_servers()
            if left:
                started.docker("rm", "--force", *left)


@dataclass
class Load:
    """Players who start attempts, send logs that win and look at boards, without a pause."""

    front: Proxy
    day: str
    movetext: str
    new_each_time: int = NEW_EACH_TIME
    kept_open: int = KEPT_OPEN
    counted: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    _ends: threading.Event = field(default_factory=threading.Event)
    _threads: list[threading.Thread] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __enter__(self) -> "Load":
        for number in range(self.new_each_time + self.kept_open):
            player = _Client(self, kept_open=number >= self.new_each_time)
            name = {"display_name": f"Player {chr(97 + number) * 3}{random.randint(0, 10**9)}"}
            player.token = (player.ask("POST", "players/", name) or {}).get("token", "")
            self._threads.append(threading.Thread(target=self._play, args=[player]))
        self.counted.clear()
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._ends.set()
        for thread in self._threads:
            thread.join()

    def count(self, what: str) -> None:
        with self._lock:
            self.counted[what] += 1

    def fail(self, what: str, kind: str) -> None:
        with self._lock:
            self.counted[kind] += 1
            self.wrong.append(what)

    def _play(self, player: "_Client") -> None:
        deal = f"daily/eight-off/{self.day}"
        while not self._ends.is_set():
            player.ask("GET", "daily/")
            if attempt := player.ask("POST", f"{deal}/attempts/"):
                self.count("started")
                log = {"movetext": self.movetext}
                if player.ask("POST", f"attempts/{attempt['id']}/submission/", log):
                    self.count("sent")
            player.ask("GET", f"{deal}/leaderboard/")
        player.close()


@dataclass
class _Client:
    load: Load
    kept_open: bool
    token: str = ""
    _connection: HTTPConnection | None = None

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def ask(self, method: str, path: str, body: Any = None) -> dict[str, Any] | None:
        """Return a good answer, and None after noting a bad one."""
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Token {self.token}"
        data = json.dumps(body) if body is not None else None
        self.load.count("requests")
        for _ in range(2):
            reused = self._connection is not None
            self._connection = self._connection or self.load.front.connection()
            try:
                self._connection.request(method, f"/api/v1/{path}", data, headers)
                answer = self._connection.getresponse()
                text = answer.read()
            except (RemoteDisconnected, ConnectionResetError, BrokenPipeError) as error:
                self.close()
                # An idle connection may be closed at any time: what was sent on it in that
                # moment was not read, and is sent again on a new one, as browsers do.
                if reused:
                    self.load.count("reopened")
                    continue
                return self._failed(method, path, repr(error))
            except ConnectionRefusedError as error:
                self.close()
                self.load.fail(f"{method} {path}: {error!r}", "refused")
                return None
            except (OSError, HTTPException) as error:
                self.close()
                return self._failed(method, path, repr(error))
            if not self.kept_open or answer.will_close:
                self.close()
            if answer.status not in {200, 201}:
                return self._failed(method, path, f"{answer.status} {text[:200]!r}")
            good: dict[str, Any] = json.loads(text)
            return good if isinstance(good, dict) else {}
        return self._failed(method, path, "closed twice")

    def _failed(self, method: str, path: str, what: str) -> None:
        self.load.fail(f"{method} {path}: {what}", f"failed {method}")


def run() -> list[Row]:
    """Update under load; then end a web server without the procedure."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="dailydeal-rolling-")))
        database = stack.enter_context(postgres_server())
        redis = stack.enter_context(redis_server(folder / "redis"))
        ours = stack.enter_context(fleet(folder, database, redis))
        return [*updated(ours), *ended_without(ours)]


def updated(ours: Fleet) -> list[Row]:
    """Run deploy/update twice, under load; return what it cost."""
    movetext, attempts, logs = ours.stored()
    before = ours.web_servers()
    with Load(ours.front, ours.day, movetext) as load:
        updates = [ours.update() for _ in range(2)]
        wait_for(
            lambda: load.counted["requests"] >= LEAST_REQUESTS, seconds=600, what="enough requests"
        )
    for update in updates:
        print(update.stdout, file=sys.stderr)
    for wrong in load.wrong[:10]:
        print(wrong, file=sys.stderr)
    _, attempts_after, logs_after = ours.stored()
    counted = load.counted
    failed = counted["failed GET"] + counted["failed POST"]
    left = set(ours.web_servers())
    replaced = len(left) == WEB_SERVERS and not set(before) & left
    doubled = attempts_after - attempts - counted["started"] + logs_after - logs - counted["sent"]
    return [
        Row(
            "updates that replaced every web server",
            str(sum(update.returncode == 0 for update in updates)),
            "2",
            ok=replaced and not any(update.returncode for update in updates),
        ),
        Row(
            f"requests meanwhile, of {NEW_EACH_TIME} players with new connections and "
            f"{KEPT_OPEN} with kept ones",
            str(counted["requests"]),
            f"{LEAST_REQUESTS} or more",
            ok=counted["requests"] >= LEAST_REQUESTS,
        ),
        Row("refused", str(counted["refused"]), "0", ok=not counted["refused"]),
        Row("failed", str(failed), "0", ok=not failed),
        Row("attempts and logs stored twice, or lost", str(doubled), "0", ok=doubled == 0),
        Row(
            "kept connections closed in the moment of a request, which was sent again",
            str(counted["reopened"]),
            "any",
            ok=True,
        ),
    ]


def ended_without(ours: Fleet) -> list[Row]:
    """Send SIGTERM to one of two web servers under load; return what it cost."""
    movetext, attempts, logs = ours.stored()
    victim = ours.web_servers()[0]
    with Load(ours.front, ours.day, movetext) as load:
        wait_for(lambda: load.counted["requests"] > 300, seconds=120, what="some requests")
        ours.kill(victim)
        wait_for(lambda: victim not in ours.web_servers(), seconds=120, what="its end")
        so_far = load.counted["requests"]
        wait_for(lambda: load.counted["requests"] > so_far + 300, seconds=120, what="some more")
    for wrong in load.wrong[:10]:
        print(wrong, file=sys.stderr)
    _, attempts_after, logs_after = ours.stored()
    counted = load.counted
    # A POST that failed may have been stored, once.
    more = attempts_after - attempts - counted["started"] + logs_after - logs - counted["sent"]
    unanswered = [wrong for wrong in load.wrong if "POST" in wrong and "unavailable" not in wrong]
    return [
        Row(
            "without it, SIGTERM to one of two web servers: connections refused",
            str(counted["refused"]),
            "0",
            ok=not counted["refused"],
        ),
        Row(
            "GETs failed",
            str(counted["failed GET"]),
            "0",
            ok=not counted["failed GET"],
        ),
        Row(
            "POSTs answered 502, for the client to send again",
            str(counted["failed POST"]),
            "any, with Retry-After",
            ok=not unanswered,
        ),
        Row(
            "stored by those POSTs",
            str(more),
            "each once at most",
            ok=0 <= more <= counted["failed POST"],
        ),
    ]
