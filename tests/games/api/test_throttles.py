"""Throttles: for each player and for each address, with when to come again."""

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from uuid import UUID

import pytest
from django.conf import settings
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from rest_framework.test import APIClient

from config.redis import redis_breaker
from games.counting import local
from tests.installed_settings import installed_settings
from tests.logs import WINS
from tests.play import Caller, error_of

pytestmark = pytest.mark.django_db
CONTRACT = (settings.BASE_DIR / "docs/contract.md").read_text()


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


# --- Which calls count, for whom, and by which rate -------------------------------------------

# The last, which makes the token void: a player who has left counts nothing.
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "OPTIONS", "TRACE", "DELETE")
# The scope of each row of docs/contract.md, "Throttles", by its first call.
SCOPES = {
    "POST players/": "join",
    "POST tokens/": "login",
    "PUT players/me/password/": "password",
    "POST daily/{variant}/{day}/attempts/": "start",
    "POST attempts/{attempt_id}/submission/": "submit",
    "PATCH players/me/": "rename",
    "POST attempts/{attempt_id}/analysis/": "analyse",
    "POST verify/": "verify",
    "GET deals/random/": "random",
    "GET schema/": "schema",
    "GET docs/": "docs",
    "GET daily/{variant}/{day}/leaderboard/": "board",
    "GET daily/": "daily",
    "the pages of the web client, together": "page",
}
# They are no pages: every page loads them, from the browser's cache.
FREE_FILES = {"/service-worker.js", "/texts/{language}.js"}


def _routes(resolver: URLResolver, prefix: str = "/") -> Iterator[str]:
    for each in resolver.url_patterns:
        route = prefix + str(each.pattern)
        if isinstance(each, URLPattern):
            yield re.sub(r"<\w+:(\w+)>", r"{\1}", route)
        elif not route.startswith("/admin/"):
            yield from _routes(each, route)


def _pages() -> set[str]:
    resolvers = [each for each in get_resolver().url_patterns if isinstance(each, URLResolver)]
    (web,) = [each for each in resolvers if each.namespace == "web"]
    return set(_routes(web)) - FREE_FILES


def _contract() -> Iterator[tuple[str, list[tuple[str, str]], dict[str, str]]]:
    """Yield each row of the contract's table: its scope, its calls, and its rates.

    Calls are a method and an address, as in COUNTED; rates are as the settings write them.
    """
    _heading, table, *_rest = CONTRACT.split("\n## Throttles\n")[1].split("\n\n")
    for line in table.splitlines()[2:]:
        calls, per_player, per_address = (cell.strip() for cell in line.strip("|").split("|"))
        named = re.findall(r"`((?:\w+ )?\S+)`", calls)
        addresses = []
        for name in named:
            method, _, path = name.rpartition(" ")
            if path.startswith("…"):  # below the call before it
                path = addresses[-1][1] + path.removeprefix("…/leaderboard/")
                addresses.append((addresses[-1][0], path))
            else:
                addresses.append((method, f"/api/v1/{path}"))
        scope = SCOPES[named[0] if named else calls]
        rates = {"per_player": per_player, "per_address": per_address}
        yield (
            scope,
            addresses or [("GET", page) for page in sorted(_pages())],
            {f"{scope}_{kind}": _as_rate(text) for kind, text in rates.items() if text},
        )


def _as_rate(text: str) -> str:
    amount, period = re.match(r"([0-9 ]+) an? (hour|minute)", text).groups()
    return f"{amount.replace(' ', '')}/{period}"


COUNTED = {
    (method, path): set(rates) for _scope, calls, rates in _contract() for method, path in calls
}
ROUTES = sorted(set(_routes(get_resolver())))
# A rate for each scope that no other has: the number of calls that pass says which one it was. The
# lowest for the pages, which are many.
BY_COST = ("page_per_address", "board_per_address", "daily_per_address")
OF_ITS_OWN = {
    scope: at
    for at, scope in enumerate(
        sorted(
            settings.THROTTLE_RATES,
            key=lambda scope: (scope not in BY_COST, not scope.endswith("player"), scope),
        ),
        start=2,
    )
}


@pytest.fixture
def rates_of_their_own(settings, clock) -> None:
    """Give each scope a rate of its own, count in this process, and trust one proxy."""
    settings.REDIS_URL = ""
    settings.THROTTLE_RATES = {scope: f"{amount}/hour" for scope, amount in OF_ITS_OWN.items()}
    settings.TRUSTED_PROXY_COUNT = 1


def _filled_in(route: str, today: dict) -> str:
    values = {
        "variant": "eight-off",
        "day": str(today["eight-off"].date),
        "code": WINS[0].code,
        "game": "eight-off",
        "month": f"{today['eight-off'].date:%Y-%m}",
        "language": "it",
    }
    return re.sub(r"{(\w+)}", lambda found: values.get(found[1], str(UUID(int=7))), route)


def test_every_row_of_the_contract_is_a_call_and_every_rate_is_the_default() -> None:
    assert {path for _method, path in COUNTED} <= set(ROUTES)
    # The first three are in its prose.
    documented = {
        "login_per_name": "10/hour",
        "login_per_name_ceiling": "100/hour",
        "admin_login_per_name_and_address": "10/hour",
    }
    for _scope, _calls, rates in _contract():
        documented |= rates
    assert installed_settings()["THROTTLE_RATES"] == documented


@pytest.mark.parametrize("route", ROUTES)
def test_counted_is_the_call_that_the_contract_names_and_no_other(
    today, rates_of_their_own, route: str
) -> None:
    """Every address with every method, as a player: calls outside the table use up nothing."""
    ada = Caller("Ada")
    for method in METHODS:
        local.reset()
        ada.client.generic(method, _filled_in(route, today), "{}", content_type="application/json")
        named = "GET" if method == "HEAD" else method
        assert local.scopes() == COUNTED.get((named, route), set()), method


@pytest.mark.parametrize(
    ("method", "route"), [call for call in sorted(COUNTED) if "/api/" in call[1]]
)
def test_a_call_with_a_wrong_token_does_not_count(
    today, rates_of_their_own, method: str, route: str
) -> None:
    stranger = APIClient(HTTP_AUTHORIZATION="Token of-no-one")
    answer = stranger.generic(
        method, _filled_in(route, today), "{}", content_type="application/json"
    )
    assert (answer.status_code, local.scopes()) == (401, set())


@pytest.mark.parametrize(("method", "route"), sorted(COUNTED))
def test_a_call_is_stopped_by_the_rate_of_its_own_scope(
    today, rates_of_their_own, method: str, route: str
) -> None:
    """A player from ever new addresses by one, players at one address by the other.

    The addresses are those that the proxy wrote; its own says nothing.
    """
    scopes = COUNTED[method, route]
    (per_address,) = (OF_ITS_OWN[scope] for scope in scopes if scope.endswith("_per_address"))
    per_player = next((OF_ITS_OWN[scope] for scope in scopes if scope.endswith("_player")), None)
    path = _filled_in(route, today)

    def call(caller: Caller, at: int, **where: str) -> HttpResponse:
        # HEAD counts as GET; the last call has to have a body.
        head = method == "GET" and at % 2 == 0
        return caller.client.generic(
            "HEAD" if head else method, path, "{}", content_type="application/json", **where
        )

    def stopped_after(answers: list[HttpResponse]) -> int:
        return [answer.status_code for answer in answers].index(429)

    ada = Caller("Ada")
    answers = [
        call(ada, at, HTTP_X_FORWARDED_FOR=f"192.0.2.{at}")
        for at in range((per_player or per_address) + 1)
    ]
    assert {answer.status_code for answer in answers[:-1]}.isdisjoint({401, 429, 500})
    if per_player is None:
        assert answers[-1].status_code != 429
    else:
        assert stopped_after(answers) == per_player
    with_token = call(Caller(), 0).status_code == 401
    local.reset()
    others = [Caller(f"Player {at}") if with_token else Caller() for at in range(per_address + 1)]
    here = {"HTTP_X_FORWARDED_FOR": "192.0.2.7"}
    answers = [
        call(other, at, REMOTE_ADDR=f"10.0.0.{at}", **here) for at, other in enumerate(others)
    ]
    assert stopped_after(answers) == per_address
    refused = call(others[0], 1, **here)
    assert (refused.status_code, refused["Retry-After"]) == (429, "3600")
    if route.startswith("/api/") and route != "/api/v1/docs/":
        assert error_of(refused)["code"] == "throttled"
    else:
        assert refused["Content-Type"].startswith("text/html")
        assert "3,600" in refused.content.decode() or "3600" in refused.content.decode()


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
