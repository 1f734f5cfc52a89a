"""Throttles: for each player and for each address, with when to come again."""

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from uuid import UUID

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from config.redis import redis_breaker
from games.counting import local
from tests.logs import WINS, wins_of
from tests.play import Caller, error_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _low_rates(settings) -> None:
    settings.THROTTLE_RATES = {
        scope: "2/hour" if scope.endswith("player") else "3/hour"
        for scope in settings.THROTTLE_RATES
    }


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
    """Only settings.TRUSTED_PROXY_COUNT proxies are trusted: none here."""
    answers = [
        Caller().post("players/", {"display_name": name}, HTTP_X_FORWARDED_FOR=f"192.0.2.{at}")
        for at, name in enumerate(["Ada", "Bruno", "Carla", "Dario"])
    ]
    assert _is_throttled(answers[-1])


@pytest.mark.parametrize(
    "forwarded",
    [
        lambda at: f"2001:db8:0:7::{at:x}",
        lambda at: f"[2001:db8:0:7::{at:x}]:{5000 + at}",
        lambda at: f"192.0.2.7:{5000 + at}",
        lambda at: ["192.0.2.7", "::ffff:192.0.2.7", "::ffff:c000:207", "64:ff9b::192.0.2.7"][at],
        lambda at: f"made up {at}",
        lambda at: f"203.0.113.{at}, 192.0.2.7",
    ],
    ids=["one network", "with ports", "v4 with ports", "mapped", "no address", "more entries"],
)
def test_behind_a_proxy_one_customer_stays_one(settings, forwarded: Callable[[int], str]) -> None:
    settings.TRUSTED_PROXY_COUNT = 1
    names = ["Ada", "Bruno", "Carla", "Dario"]
    answers = [
        Caller().post("players/", {"display_name": name}, HTTP_X_FORWARDED_FOR=forwarded(at))
        for at, name in enumerate(names)
    ]
    assert [answer.status_code for answer in answers] == [201, 201, 201, 429]
    other = Caller().post(
        "players/", {"display_name": "Dario"}, HTTP_X_FORWARDED_FOR="2001:db8:0:8::1"
    )
    assert other.status_code == 201


def test_starting_is_counted_by_player_and_by_address(today) -> None:
    deal = today["eight-off"]
    path = f"daily/eight-off/{deal.date}/attempts/"
    ada, bruno = Caller("Ada"), Caller("Bruno")
    assert [_is_throttled(ada.post(path)) for _ in range(3)] == [False, False, True]
    # Her three calls used up what the address may do; from elsewhere he plays.
    assert _is_throttled(bruno.post(path))
    assert bruno.post(path, REMOTE_ADDR="192.0.2.7").status_code == 201
    # Reading your own attempts is free.
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


def test_a_client_that_waits_for_retry_after_may_call_again(clock) -> None:
    """A window slides: each call is free again when its own time is over."""
    for seconds in (0, 10, 20):
        assert Caller().get("deals/random/?variant=eight-off").status_code == 200, seconds
        clock.shift(timedelta(seconds=10))
    refused = Caller().get("deals/random/?variant=eight-off")
    assert (refused.status_code, refused["Retry-After"]) == (429, str(3600 - 30))
    clock.shift(timedelta(seconds=3600 - 31))
    assert Caller().get("deals/random/?variant=eight-off")["Retry-After"] == "1"
    clock.shift(timedelta(seconds=1))
    assert Caller().get("deals/random/?variant=eight-off").status_code == 200
    assert Caller().get("deals/random/?variant=eight-off")["Retry-After"] == "10"


def test_without_redis_each_process_counts_for_itself(settings) -> None:
    """The service asks Redis once, and then not until it is back."""
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    body = {"code": WINS[0].code, "movetext": ""}
    statuses = [Caller().post("verify/", body).status_code for _ in range(4)]
    assert statuses == [200, 200, 200, 429]
    assert redis_breaker.is_open
    assert len(local) == 1


# --- Which calls count ------------------------------------------------------------------------

# The last, which makes the token void: a player who has left counts nothing.
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "OPTIONS", "TRACE", "DELETE")
BOARD = "/api/v1/daily/<slug:variant>/<isodate:day>/leaderboard/"

# The table of docs/contract.md, "Throttles": address and method, and the scopes that count it.
COUNTED = {
    ("/api/v1/players/", "POST"): {"join_per_address"},
    ("/api/v1/tokens/", "POST"): {"login_per_address"},
    ("/api/v1/players/me/password/", "PUT"): {"password_per_player", "password_per_address"},
    ("/api/v1/daily/<slug:variant>/<isodate:day>/attempts/", "POST"): {
        "start_per_player",
        "start_per_address",
    },
    ("/api/v1/attempts/<uuid:attempt_id>/submission/", "POST"): {
        "submit_per_player",
        "submit_per_address",
    },
    ("/api/v1/players/me/", "PATCH"): {"rename_per_player", "rename_per_address"},
    ("/api/v1/attempts/<uuid:attempt_id>/analysis/", "POST"): {
        "analyse_per_player",
        "analyse_per_address",
    },
    ("/api/v1/verify/", "POST"): {"verify_per_player", "verify_per_address"},
    ("/api/v1/deals/random/", "GET"): {"random_per_address"},
    ("/api/v1/schema/", "GET"): {"schema_per_address"},
    ("/api/v1/docs/", "GET"): {"docs_per_address"},
    (BOARD, "GET"): {"board_per_address"},
    (f"{BOARD}around-me/", "GET"): {"board_per_address"},
    ("/api/v1/players/<uuid:player_id>/record/", "GET"): {"board_per_address"},
    ("/api/v1/daily/", "GET"): {"daily_per_address"},
    ("/api/v1/daily/<slug:variant>/<isodate:day>/", "GET"): {"daily_per_address"},
}
PAGES = (
    "/",
    "/play/<slug:variant>/<isodate:day>/",
    "/practice/",
    "/result/<uuid:attempt_id>/",
    "/replay/<uuid:attempt_id>/",
    "/replay/<slug:variant>/<isodate:day>/",
    "/rules/",
    "/rules/<slug:game>/",
    "/settings/",
    "/leaderboard/",
    "/leaderboard/<slug:variant>/<isodate:day>/",
    "/archive/",
    "/archive/<str:month>/",
    "/players/<uuid:player_id>/",
)
COUNTED |= {(page, "GET"): {"page_per_address"} for page in PAGES}
COUNTED |= {(path, "HEAD"): scopes for (path, method), scopes in COUNTED.items() if method == "GET"}


def _routes(resolver: URLResolver, prefix: str = "/") -> Iterator[str]:
    for each in resolver.url_patterns:
        route = prefix + str(each.pattern)
        if isinstance(each, URLPattern):
            yield route
        elif not route.startswith("/admin/"):
            yield from _routes(each, route)


ROUTES = sorted(set(_routes(get_resolver())))


def _filled_in(route: str, today: dict) -> str:
    values = {
        "variant": "eight-off",
        "day": str(today["eight-off"].date),
        "code": WINS[0].code,
        "game": "eight-off",
        "month": f"{today['eight-off'].date:%Y-%m}",
        "language": "it",
    }
    return re.sub(r"<\w+:(\w+)>", lambda found: values.get(found[1], str(UUID(int=7))), route)


def test_the_table_names_addresses_that_there_are() -> None:
    assert {path for path, _method in COUNTED} <= set(ROUTES)


@pytest.mark.parametrize("route", ROUTES)
def test_counted_is_the_call_that_the_contract_names_and_no_other(
    today, settings, route: str
) -> None:
    """Every address with every method, as a player: calls outside the table use up nothing."""
    settings.REDIS_URL = ""
    settings.THROTTLE_RATES = dict.fromkeys(settings.THROTTLE_RATES, "1000/day")
    ada = Caller("Ada")
    for method in METHODS:
        local.reset()
        ada.client.generic(method, _filled_in(route, today), "{}", content_type="application/json")
        assert local.scopes() == COUNTED.get((route, method), set()), method


@pytest.mark.parametrize("language", ["en", "it", "es"])
def test_a_page_asked_for_too_often_says_when_to_come_again(language: str, today) -> None:
    reader = Client(headers={"accept-language": language})
    assert [reader.get("/rules/").status_code for _ in range(3)] == [200] * 3
    answer = reader.get(f"/leaderboard/eight-off/{today['eight-off'].date}/")
    assert (answer.status_code, answer["Retry-After"]) == (429, "3600")
    assert f'lang="{language}"' in answer.content.decode()
    assert "3600" in answer.content.decode() or "3.600" in answer.content.decode()


def test_the_random_deals_cost_no_query(django_assert_num_queries) -> None:
    """No query reads the calendar, so no answer can differ by what is scheduled."""
    with django_assert_num_queries(0):
        assert Caller().get("deals/random/?variant=eight-off").status_code == 200
