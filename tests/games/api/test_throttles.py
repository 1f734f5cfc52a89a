"""Throttles: for each player and for each address, with when to come again."""

import pytest
from rest_framework.throttling import SimpleRateThrottle

from tests.logs import WINS, wins_of
from tests.play import Caller, error_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _low_rates(monkeypatch: pytest.MonkeyPatch) -> None:
    rates = SimpleRateThrottle.THROTTLE_RATES
    for scope in rates:
        monkeypatch.setitem(rates, scope, "2/hour" if scope.endswith("player") else "3/hour")


def _is_throttled(answer) -> bool:
    if answer.status_code != 429:
        return False
    assert error_of(answer)["code"] == "throttled"
    assert 0 < int(answer["Retry-After"]) <= 3600
    return True


def test_joining_is_counted_by_address() -> None:
    names = ["Ada", "Bruno", "Carla", "Dario"]
    answers = [Caller().post("players/", {"display_name": name}) for name in names]
    assert [_is_throttled(answer) for answer in answers] == [False, False, False, True]
    elsewhere = Caller().post("players/", {"display_name": "Dario"}, REMOTE_ADDR="192.0.2.7")
    assert elsewhere.status_code == 201


def test_a_forged_forwarded_header_makes_no_new_address() -> None:
    """Only as many proxies are believed as settings.TRUSTED_PROXY_COUNT says: none here."""
    answers = [
        Caller().post("players/", {"display_name": name}, HTTP_X_FORWARDED_FOR=f"192.0.2.{at}")
        for at, name in enumerate(["Ada", "Bruno", "Carla", "Dario"])
    ]
    assert _is_throttled(answers[-1])


def test_starting_is_counted_by_player_and_by_address(today) -> None:
    deal = today["eight-off"]
    path = f"daily/eight-off/{deal.date}/attempts/"
    ada, bruno = Caller("Ada"), Caller("Bruno")
    assert [_is_throttled(ada.post(path)) for _ in range(3)] == [False, False, True]
    # Her three calls used up what the address may do; from elsewhere he plays.
    assert _is_throttled(bruno.post(path))
    assert bruno.post(path, REMOTE_ADDR="192.0.2.7").status_code == 201
    # Looking at one's own attempts is free.
    assert all(ada.get(path).status_code == 200 for _ in range(5))


def test_submitting_is_counted(today) -> None:
    ada = Caller("Ada")
    attempt = ada.start(today["eight-off"])["id"]
    logs = [wins_of("eight-off")[0].illegal + f" {n}" for n in range(3)]
    answers = [ada.submit(attempt, log) for log in logs]
    assert [_is_throttled(answer) for answer in answers] == [False, False, True]


def test_verifying_is_counted() -> None:
    body = {"code": WINS[0].code, "movetext": ""}
    answers = [Caller().post("verify/", body) for _ in range(4)]
    assert [_is_throttled(answer) for answer in answers] == [False, False, False, True]


def test_without_redis_nobody_is_refused(today, settings) -> None:
    """What counts is kept in Redis alone; when it is away, the service goes on."""
    settings.CACHES = {
        "default": {
            "BACKEND": "django_redis.cache.RedisCache",
            "LOCATION": "redis://127.0.0.1:1/0",
            "OPTIONS": {"IGNORE_EXCEPTIONS": True, "SOCKET_CONNECT_TIMEOUT": 1},
        }
    }
    body = {"code": WINS[0].code, "movetext": ""}
    assert [Caller().post("verify/", body).status_code for _ in range(6)] == [200] * 6
