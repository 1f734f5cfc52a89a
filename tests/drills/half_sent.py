"""Connections that send nothing, or half of a request, and what others notice of them."""

import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from socket import create_connection, socket

from config.local.embedded import redis_server
from tests.drills import Row
from tests.drills.rolling import fleet
from tests.processes import free_port, machine_environment, running
from tests.servers import postgres_server

NAME = "half-sent"
HALF_A_BODY = (
    b"POST /api/v1/verify/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    b'Content-Length: 400\r\n\r\n{"code": '
)
HALF_A_HEAD = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "
HOLDS = (
    ("60 idle connections", 60, b""),
    ("500 idle connections", 500, b""),
    ("10 half bodies", 10, HALF_A_BODY),
    ("90 half bodies", 90, HALF_A_BODY),
    ("500 half heads", 500, HALF_A_HEAD),
)
OF_A_TAB = HOLDS[:1] + HOLDS[2:3]
OTHERS = 2
EACH_ASKS = 30
AIM_S = 1.0


def run() -> list[Row]:
    """Hold connections before the proxy, and before `make run`; return how long others waited."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="dailydeal-half-")))
        database = stack.enter_context(postgres_server())
        redis = stack.enter_context(redis_server(folder / "redis"))
        front = stack.enter_context(fleet(folder, database, redis, web_servers=1)).front
        behind = measured("the proxy", front.connection, front.socket, HOLDS)
    with local() as (connection, opened):
        return behind + measured("make run", connection, opened, OF_A_TAB)


@contextmanager
def local() -> Iterator[tuple[Callable[[], HTTPConnection], Callable[[], socket]]]:
    """Run what `make run` runs; yield what opens a connection, and what opens a bare socket."""
    with tempfile.TemporaryDirectory(prefix="dailydeal-half-") as name:
        folder = Path(name)
        port = free_port()
        command = [sys.executable, "-m", "config.local.run", "--port", str(port)]
        environment = machine_environment() | {"STATE_DIR": str(folder / "state")}
        with running(command, environment, folder / "log") as service:
            service.printed("Ctrl-C stops it.")
            service.remember_family()
            yield (
                lambda: HTTPConnection("127.0.0.1", port, timeout=60),
                lambda: create_connection(("127.0.0.1", port), timeout=60),
            )


def measured(
    where: str,
    connection: Callable[[], HTTPConnection],
    opened: Callable[[], socket],
    holds: tuple[tuple[str, int, bytes], ...],
) -> list[Row]:
    """Return a row without anybody who holds connections, and one for each kind of them."""
    asked(connection)  # the first answers are slower
    rows = [_row(f"{where}, alone", asked(connection))]
    for what, number, sent in holds:
        with ExitStack() as held:
            for _ in range(number):
                held.enter_context(opened()).sendall(sent)
            rows.append(_row(f"{where}, {what}", asked(connection)))
    return rows


def asked(connection: Callable[[], HTTPConnection]) -> list[float]:
    """Have a few others look at boards; return how long each answer took, in seconds.

    What is not answered, or not well, took for ever.
    """
    took: list[float] = []

    def look() -> None:
        for _ in range(EACH_ASKS):
            began = time.monotonic()
            good = False
            try:
                with closing(connection()) as opened:
                    opened.request("GET", "/api/v1/daily/")
                    answer = opened.getresponse()
                    answer.read()
                    good = answer.status == 200
            except OSError as error:
                print(repr(error), file=sys.stderr)
            took.append(time.monotonic() - began if good else float("inf"))

    threads = [threading.Thread(target=look) for _ in range(OTHERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return took


def _row(what: str, took: list[float]) -> Row:
    middle, worst = statistics.median(took) * 1000, max(took) * 1000
    return Row(
        f"{what}: the day's deals, median and worst",
        f"{middle:.0f} and {worst:.0f} ms",
        f"median under {AIM_S:.0f} s, all answered",
        ok=middle < AIM_S * 1000 and worst < float("inf"),
    )
