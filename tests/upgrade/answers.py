"""What a release answers to its players at some instants, asked once and compared ever after."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

import time_machine
from django.db.models import QuerySet
from django.http import HttpResponse
from rest_framework.test import APIClient

from games.models import Attempt, DailyDeal, Player
from tests.upgrade.scenario import TODAY, Cast, at

# One deal in its grace and one extended; the day after, all but the extended one final; and two
# days on, when the calendar has rolled over by itself.
INSTANTS = [at(TODAY, 0, 5), at(TODAY, 12), at(TODAY + 2, 9)]

# What may differ between releases, and why. Anything else that does is a fault.
DIFFERENCES: dict[str, str] = {
    "detail": "A text for people: the contract says that it may change.",
    "message": "A text for people.",
    "token": "A fresh secret in every answer.",
    "next": "A signed link; its pages are followed, and compared, instead.",
    "previous": "A signed link.",
}
# Fields that an answer has and the recorded one has not: clients ignore those they do not know.


Call = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """One call and its answer. A board's pages are followed; they are in `pages`."""

    method: str
    path: str
    token: str | None
    body: Any
    status: int
    pages: list[Any]


# One for all: each client would look through the static files once more.
_CLIENT = APIClient()


def ask(method: str, path: str, *, token: str | None = None, body: Any = None) -> Answer:
    """Call the API and return the answer without what differs between two answers anyway."""
    header = {"HTTP_AUTHORIZATION": f"Token {token}"} if token else {}
    call = getattr(_CLIENT, method.lower())
    answer: HttpResponse = call(f"/api/v1/{path}", body, **header)
    status = answer.status_code
    pages = []
    while answer.content:
        found = answer.json()
        pages.append(_plain(found))
        following = found.get("next") if isinstance(found, dict) else None
        if following is None:
            break
        answer = _CLIENT.get(following)
    return Answer(method, path, token, body, status, pages)


def record(cast: Cast) -> Iterator[dict[str, Any]]:
    """Yield the answers that everyone gets at each instant, as JSON."""
    for now in INSTANTS:
        with time_machine.travel(now, tick=False):
            # Once everything; after that what the rollovers in between could have changed.
            is_first = now == INSTANTS[0]
            since = 1 if is_first else TODAY - 2
            calls = [*_of_no_one(since), *_of_players(cast, since)]
            if is_first:
                calls += _logins(cast)  # slow on purpose
            yield {
                "now": now.isoformat(),
                "answers": [asdict(ask(**call)) for call in calls],
            }


def _of_no_one(since: int) -> Iterator[Call]:
    yield _get("daily/")
    for deal in _begun(since):
        path = f"daily/{deal.variant}/{deal.date}"
        yield _get(f"{path}/")
        yield _get(f"{path}/leaderboard/?limit=3")
        yield _get(f"deals/{deal.pool_deal.code}/")
    for deal in DailyDeal.objects.filter(date=at(TODAY + 2).date()):
        yield _get(f"daily/{deal.variant}/{deal.date}/")
    for player in Player.objects.order_by("joined_at"):
        yield _get(f"players/{player.pk}/")
        yield _get(f"players/{player.pk}/record/")
    for attempt in _attempts(since):
        yield _get(f"attempts/{attempt.pk}/log/")


def _of_players(cast: Cast, since: int) -> Iterator[Call]:
    for token in cast.void_tokens:
        yield _get("players/me/", token)
    for name, (token, *others) in cast.tokens.items():
        yield _get("daily/", token)
        for each in (token, *others):
            yield _get("players/me/", each)
        for deal in _begun(since).filter(attempts__player__display_name=name).distinct():
            path = f"daily/{deal.variant}/{deal.date}"
            yield _get(f"{path}/", token)
            yield _get(f"{path}/attempts/", token)
            yield _get(f"{path}/leaderboard/around-me/", token)
        for attempt in _attempts(since).filter(player__display_name=name):
            yield _get(f"attempts/{attempt.pk}/", token)
            yield _get(f"attempts/{attempt.pk}/log/", token)
            if attempt.submissions.filter(won=False, legal=True).exists():
                yield _get(f"attempts/{attempt.pk}/analysis/", token)
        strangers = _attempts(since).exclude(player__display_name=name)
        for attempt in (strangers.first(), strangers.last()):
            assert attempt is not None
            yield _get(f"attempts/{attempt.pk}/", token)
            yield _get(f"attempts/{attempt.pk}/log/", token)


def _logins(cast: Cast) -> Iterator[Call]:
    for name, password in [*cast.passwords.items(), *cast.wrong_logins]:
        body = {"display_name": name, "password": password}
        yield {"method": "POST", "path": "tokens/", "body": body}


def _begun(since: int) -> QuerySet[DailyDeal]:
    days = (at(since).date(), at(TODAY).date())
    deals = DailyDeal.objects.select_related("pool_deal").filter(date__range=days)
    return deals.order_by("date", "variant")


def _attempts(since: int) -> QuerySet[Attempt]:
    return Attempt.objects.filter(daily_deal__in=_begun(since)).order_by("started_at", "pk")


def _get(path: str, token: str | None = None) -> Call:
    return {"method": "GET", "path": path, "token": token}


def differences(recorded: dict[str, Any]) -> Iterator[str]:
    """Repeat the calls of an instant and yield the differences."""
    with time_machine.travel(datetime.fromisoformat(recorded["now"]), tick=False):
        for call in recorded["answers"]:
            then = Answer(**call)
            now = ask(then.method, then.path, token=then.token, body=then.body)
            where = f"{then.method} {then.path} at {recorded['now']}"
            if now.status != then.status:
                yield f"{where}: {then.status} became {now.status} {now.pages}"
            else:
                yield from _unlike(then.pages, now.pages, where)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items() if name not in DIFFERENCES}
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return value


def _unlike(then: Any, now: Any, where: str) -> Iterator[str]:
    if isinstance(then, dict) and isinstance(now, dict):
        for name, value in then.items():
            if name not in now:
                yield f"{where} {name}: is gone"
            else:
                yield from _unlike(value, now[name], f"{where} {name}")
    elif isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        for place, (before, after) in enumerate(zip(then, now, strict=True)):
            yield from _unlike(before, after, f"{where} [{place}]")
    elif then != now or type(then) is not type(now):
        yield f"{where}: {then!r} became {now!r}"
