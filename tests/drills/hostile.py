"""One hostile client at full speed, at each call that costs much: how long do the others wait?

On gunicorn with 2 processes of 4 threads. The client calls over one connection, as fast as it is
answered, far beyond its limits; three others look at boards and start attempts now and then, each
from an address of its own. The drill measures their waits just before and
during the attack.
"""

import http.client
import json
import multiprocessing
import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count
from urllib.parse import urlsplit

from django.conf import settings

from games import engine
from tests.drills import Row
from tests.installation import Installation, installed
from tests.logs import wins_of

NAME = "hostile"
OTHERS = 3
MEASURED_S = 8.0
PAUSE_S = 0.05
AIM = 2.0
HOSTILE_ADDRESS = "198.51.100.66"


@dataclass(frozen=True)
class Call:
    """What a client sends."""

    method: str
    path: str
    body: str | None = None

    def headers(self, address: str, token: str = "") -> dict[str, str]:
        """Return its headers, as our proxy would pass them on."""
        headers = {"X-Forwarded-For": address, "Content-Type": "application/json"}
        return headers | ({"Authorization": f"Token {token}"} if token else {})


def run() -> list[Row]:
    """Return by how much the medians of boards and starts grow with each kind of hostile call."""
    rates = {f"THROTTLE_{scope.upper()}": rate for scope, rate in settings.THROTTLE_RATES.items()}
    of_the_others = {
        f"THROTTLE_START_PER_{whose}": "1000000/minute" for whose in ("PLAYER", "ADDRESS")
    }
    with installed(TRUSTED_PROXY_COUNT="1", **(rates | of_the_others)) as service:
        tokens = [service.join(f"Other {at}") for at in range(OTHERS)]
        _medians(service, tokens, MEASURED_S)  # every process loads what it needs
        return [
            row
            for what, call in _hostile_calls(service).items()
            for row in _measured(service, tokens, what, call)
        ]


def _deal(service: Installation) -> str:
    """Return the address of one of today's deals."""
    deal = service.call("GET", "/api/v1/daily/").body[0]
    return f"/api/v1/daily/{deal['variant']}/{deal['date']}/"


def _hostile_calls(service: Installation) -> dict[str, Call]:
    deal = _deal(service)
    worst = json.dumps(
        {"code": wins_of("easy-harp")[0].code, "movetext": "D U " * (engine.MAX_ACTIONS // 2)}
    )
    guess = json.dumps({"display_name": "Other 1", "password": "seven brown owls"})
    return {
        "the worst log to verify": Call("POST", "/api/v1/verify/", worst),
        "the schema": Call("GET", "/api/v1/schema/"),
        "random deals": Call("GET", "/api/v1/deals/random/?variant=easy-harp"),
        "boards": Call("GET", f"{deal}leaderboard/"),
        "pages": Call("GET", "/archive/"),
        "wrong passwords": Call("POST", "/api/v1/tokens/", guess),
    }


def _measured(service: Installation, tokens: list[str], what: str, call: Call) -> list[Row]:
    before = _medians(service, tokens, MEASURED_S)
    spawned = multiprocessing.get_context("spawn")
    answered = spawned.Value("i", 0)
    hostile = spawned.Process(target=_attack, args=(service.url, call, answered), daemon=True)
    hostile.start()
    try:
        while not answered.value:
            time.sleep(0.01)
        began, known = time.monotonic(), answered.value
        meanwhile = _medians(service, tokens, MEASURED_S)
        pace = (answered.value - known) / (time.monotonic() - began)
    finally:
        hostile.terminate()
        hostile.join()
    return [
        Row(
            f"{name}, one client at {what} ({pace:.0f} calls/s)",
            f"median {before[name] * 1000:.0f} ms alone, {meanwhile[name] * 1000:.0f} ms with it:"
            f" x {meanwhile[name] / before[name]:.1f}",
            f"at most x {AIM:.0f}",
            ok=meanwhile[name] <= AIM * before[name],
        )
        for name in before
    ]


def _medians(service: Installation, tokens: list[str], seconds: float) -> dict[str, float]:
    """Return how long the others wait for a board and for a start, in seconds."""
    deal = _deal(service)

    def one(at: int) -> dict[str, list[float]]:
        connection = _connection(service.url)
        calls = {
            "boards": Call("GET", f"{deal}leaderboard/"),
            "starts": Call("POST", f"{deal}attempts/"),
        }
        times: dict[str, list[float]] = {name: [] for name in calls}
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for name, call in calls.items():
                began = time.monotonic()
                _send(connection, call, f"203.0.113.{at + 1}", tokens[at])
                times[name].append(time.monotonic() - began)
                time.sleep(PAUSE_S)
        return times

    with ThreadPoolExecutor(OTHERS) as pool:
        every = list(pool.map(one, range(OTHERS)))
    return {
        name: statistics.median(second for times in every for second in times[name])
        for name in every[0]
    }


def _attack(url: str, call: Call, answered: "multiprocessing.sharedctypes.Synchronized") -> None:
    connection = _connection(url)
    for at in count(1):
        _send(connection, call, HOSTILE_ADDRESS)
        answered.value = at


def _connection(url: str) -> http.client.HTTPConnection:
    return http.client.HTTPConnection(urlsplit(url).netloc, timeout=60)


def _send(connection: http.client.HTTPConnection, call: Call, address: str, token: str = "") -> int:
    try:
        connection.request(call.method, call.path, call.body, call.headers(address, token))
        answer = connection.getresponse()
        answer.read()
    except (http.client.HTTPException, OSError):
        connection.close()  # it was idle for too long: the next one is opened by itself
        return 0
    return answer.status
