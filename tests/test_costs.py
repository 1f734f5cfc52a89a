"""What every address of the service costs the database.

`COSTS` has each method of each address but those of the admin: a new one fails until it is added.
Every statement counts but BEGIN and COMMIT. Nothing is due, and the caller of the API has a token,
a result of today, and a lost game of yesterday.
"""

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, URLResolver, get_resolver

from games.models import DailyDeal
from tests.logs import wins_of
from tests.play import TODAY, Caller, assign, open_day, start, submit

YESTERDAY = TODAY - timedelta(days=1)
WIN, LOSS = wins_of("eight-off")[:2]
PASSWORD = "seven brown owls"
# At most nine for the two that everyone's play is made of: a start and a submission.
COSTS = {
    "GET /": 2,
    "GET /play/<slug:variant>/<isodate:day>/": 1,
    "GET /practice/": 0,
    "GET /result/<uuid:attempt_id>/": 0,
    "GET /replay/<uuid:attempt_id>/": 0,
    "GET /replay/<slug:variant>/<isodate:day>/": 1,
    "GET /rules/": 0,
    "GET /rules/<slug:game>/": 0,
    "GET /settings/": 0,
    "GET /service-worker.js": 0,
    "GET /texts/<slug:language>.js": 0,
    "GET /leaderboard/": 0,
    "GET /leaderboard/<slug:variant>/<isodate:day>/": 7,
    "GET /archive/": 4,
    "GET /archive/<str:month>/": 4,
    "GET /players/<uuid:player_id>/": 6,
    "POST /i18n/setlang/": 0,
    "POST players/": 9,
    "GET players/me/": 1,
    "PATCH players/me/": 3,
    "PUT players/me/password/": 11,
    "GET players/<uuid:player_id>/": 2,
    "POST tokens/": 10,
    "DELETE tokens/current/": 2,
    "GET variants/": 1,
    "GET deals/random/": 1,
    "GET deals/<str:code>/": 1,
    "GET attempts/<uuid:attempt_id>/analysis/": 3,
    "POST attempts/<uuid:attempt_id>/analysis/": 5,
    "POST verify/": 1,
    "GET daily/": 4,
    "GET daily/<slug:variant>/<isodate:day>/": 4,
    "GET daily/<slug:variant>/<isodate:day>/attempts/": 3,
    "POST daily/<slug:variant>/<isodate:day>/attempts/": 6,
    "GET attempts/<uuid:attempt_id>/": 5,
    "GET attempts/<uuid:attempt_id>/log/": 3,
    "GET players/<uuid:player_id>/record/": 7,
    "POST attempts/<uuid:attempt_id>/submission/": 9,
    "GET daily/<slug:variant>/<isodate:day>/leaderboard/": 5,
    "GET daily/<slug:variant>/<isodate:day>/leaderboard/around-me/": 7,
    "GET schema/": 1,
    "GET docs/": 1,
    "GET /healthz/": 0,
    "DELETE players/me/": 14,
}
BODIES = {
    "POST players/": {"display_name": "Dora"},
    "PATCH players/me/": {"display_name": "Ada II"},
    "PUT players/me/password/": {"password": PASSWORD},
    "POST tokens/": {"display_name": "Bruno", "password": PASSWORD},
    "POST verify/": {"code": WIN.code, "movetext": WIN.movetext},
    "POST attempts/<uuid:attempt_id>/submission/": {"movetext": WIN.movetext},
}


def addresses(
    patterns: list[URLPattern | URLResolver] | None = None, before: str = ""
) -> Iterator[str]:
    """Yield each method of each address: `GET /archive/`, `GET daily/` of the API."""
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            if route != "admin/":
                yield from addresses(pattern.url_patterns, route)
        elif not route.startswith("admin/"):
            address = route.removeprefix("api/v1/") if "api/v1/" in route else f"/{route}"
            yield from (f"{method} {address}" for method in methods(pattern))


def methods(pattern: URLPattern) -> list[str]:
    """Return the methods that an address has beside HEAD and OPTIONS."""
    view = getattr(pattern.callback, "view_class", None)
    if view is None:
        return ["POST" if pattern.name == "set_language" else "GET"]
    known = {"get", "post", "put", "patch", "delete"}
    return [
        each.upper() for each in view.http_method_names if each in known and hasattr(view, each)
    ]


def cost(caller: Caller, address: str, named: dict[str, Any]) -> int:
    """Call an address, filled in by the names in it, and return its number of statements."""
    method, route = address.split(" ", 1)
    path = re.sub(r"<(?:\w+:)?(\w+)>", lambda found: str(named[found[1]]), route)
    call = getattr(caller.client, method.lower())
    query = {"variant": "eight-off"} if path == "deals/random/" else None
    with CaptureQueriesContext(connection) as queries:
        answer = call(
            path if path.startswith("/") else f"/api/v1/{path}", query or BODIES.get(address)
        )
    assert answer.status_code < 400, (address, answer.content)
    return sum(not query["sql"].startswith(("BEGIN", "COMMIT")) for query in queries)


@pytest.mark.django_db(transaction=True)
def test_every_address_costs_what_is_written_here(clock, unthrottled) -> None:
    deal = open_day()["eight-off"]
    final = assign("eight-off", YESTERDAY, win=LOSS)
    ada, bruno, carla = Caller("Ada"), Caller("Bruno"), Caller("Carla")
    lost = start(ada.player, final, final.opens_at)
    submit(lost, LOSS.half, final.opens_at)
    DailyDeal.objects.filter(pk=final.pk).update(status="final")
    ada.post(f"attempts/{lost.pk}/analysis/")
    won = ada.start(deal)["id"]
    ada.submit(won, WIN.movetext)
    bruno.put("players/me/password/", {"password": PASSWORD})
    named = {
        "variant": "eight-off",
        "player_id": ada.player.pk,
        "code": WIN.code,
        "month": f"{TODAY:%Y-%m}",
        "game": "eight-off",
        "language": "it",
    }
    ContentType.objects.clear_cache()  # another test may have asked for some
    found = {}
    # The caller leaves last.
    for address in sorted(addresses(), key=lambda address: address.startswith("DELETE players")):
        caller, named["day"], named["attempt_id"] = ada, TODAY, won
        if address.startswith("GET /replay/"):
            named["day"] = YESTERDAY
        elif "/analysis/" in address:
            named["attempt_id"] = lost.pk
        elif "tokens/" in address:
            caller = bruno
        elif address.endswith("/submission/"):  # as most are: the first of its player
            caller, named["attempt_id"] = carla, carla.start(deal)["id"]
        found[address] = cost(caller, address, named)
    assert found == COSTS
