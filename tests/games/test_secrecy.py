"""Who may see a deal before it is final: no one without the right, on no page and by no detour."""

import html
import logging
import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from games import engine, secrecy, services
from games.admin.pages import drawn_layout
from games.errors import DealRefused
from games.models import Certification, DailyDeal, Player, PoolDeal, Submission
from tests.logs import wins_of
from tests.play import NOON, TODAY, Caller, assign, new_player, start, submit

pytestmark = pytest.mark.django_db
WINS = wins_of("eight-off")
DAY = timedelta(days=1)
NOT_PROVED = WINS[50].code
SEE = "see_unplayed_deals"


class World:
    """A calendar with a deal in each state, and everything that can be known of them."""

    def __init__(self) -> None:
        self.boss = Player.objects.create_superuser("boss", "a long password")
        self.ada = new_player("Ada")
        numbers = {win.number for win in WINS}
        apart = next(win for win in wins_of("eight-off-4") if win.number not in numbers)
        self.deals = {
            "scheduled": assign("eight-off", TODAY + DAY, win=WINS[0]),
            "open": assign("eight-off", TODAY, win=WINS[1]),
            "grace": assign("eight-off", TODAY - DAY, win=WINS[2]),
            "final": assign("eight-off", TODAY - 2 * DAY, win=WINS[3]),
            "void": assign("eight-off", TODAY - 3 * DAY, win=WINS[4]),
            "void today": assign("eight-off-4", TODAY, win=apart),
        }
        for at in range(10, 16):
            PoolDeal.objects.create(
                variant="eight-off",
                number=WINS[at].number,
                winning_movetext=WINS[at].movetext,
                par_moves=WINS[at].moves,
                grade=1 + at % 5,
            )
        for pool_deal in PoolDeal.objects.all():
            Certification.objects.create(
                variant=pool_deal.variant,
                number=pool_deal.number,
                outcome="winnable",
                budget=1000,
                positions=100 + pool_deal.pk,
                requested_at=NOON,
                finished_at=NOON,
            )
        for state, deal in self.deals.items():
            if state != "scheduled":
                DailyDeal.objects.filter(pk=deal.pk).update(status="open")
                deal.refresh_from_db()
                # At a time of its own day.
                moment = deal.opens_at + timedelta(hours=1)
                submit(start(self.ada, deal, moment), self.line(deal), moment)
                submit(start(self.ada, deal, moment), "1h zz", moment)
            self.act_on(deal)
            DailyDeal.objects.filter(pk=deal.pk).update(status=state.split()[0])
        # In the middle of its grace: later it would be final by the next request.
        closes_at = NOON - timedelta(minutes=5)
        DailyDeal.objects.filter(pk=self.deals["grace"].pk).update(closes_at=closes_at)
        self.keep_searches()

    @staticmethod
    def line(deal: DailyDeal) -> str:
        return deal.pool_deal.winning_movetext

    def act_on(self, deal: DailyDeal) -> None:
        """Leave traces in the log: a schedule by code, and a reason with a code in it."""
        DailyDeal.objects.filter(pk=deal.pk).update(status="scheduled")
        if deal.date > TODAY:
            services.schedule_deal(
                variant=deal.variant,
                day=deal.date,
                code=str(deal.pool_deal.code),
                actor=self.boss,
                reason=f"We play {str(deal.pool_deal.code).lower()} then.",
                now=NOON,
            )
        for submission in Submission.objects.filter(attempt__daily_deal=deal, won=True):
            services.disqualify(
                submission=submission, actor=self.boss, reason=f"Had {deal.pool_deal.code} before."
            )

    def keep_searches(self) -> None:
        """As an older release logged a search: by its code."""
        services.request_certification(
            code=NOT_PROVED, budget=5, actor=self.boss, reason="To see.", now=NOON
        )
        entry = LogEntry.objects.latest("pk")
        for deal in self.deals.values():
            entry.pk = None
            entry.object_id = str(Certification.objects.get(number=deal.pool_deal.number).pk)
            entry.object_repr = str(deal.pool_deal.code)
            entry.save(force_insert=True)

    def hidden(self) -> list[DailyDeal]:
        """Return the deals that are not everyone's now, as they are stored."""
        deals = DailyDeal.objects.select_related("pool_deal").order_by("pk")
        return [deal for deal in deals if not deal.is_public_at(NOON)]


@pytest.fixture
def world(clock) -> World:
    return World()


def client_of(player: Player) -> Client:
    client = Client()
    client.force_login(player)
    return client


def staff_with(*codenames: str) -> Player:
    helper = Player.objects.create_user("helper", "a long password", is_staff=True)
    found = Permission.objects.filter(codename__in=codenames)
    assert set(found.values_list("codename", flat=True)) == set(codenames)
    helper.user_permissions.set(found)
    return helper


MODELS = {
    "dailydeal": "games",
    "pooldeal": "games",
    "certification": "games",
    "submission": "games",
    "player": "games",
    "dailyresult": "leaderboard",
    "logentry": "admin",
}
KINDS = ("add", "change", "delete", "view")
ROLES = {f"{kind}_{model}": (f"{kind}_{model}",) for kind in ("view", "change") for model in MODELS}


def secrets_of(deal: DailyDeal) -> dict[str, str]:
    """Return what would tell which deal it is, as regular expressions."""
    code = deal.pool_deal.code
    return {
        "code": re.escape(str(code).split("-")[-1]),
        "number": rf"(?<![\w-]){code.number}(?![\w-])",
        "line": re.escape(html.escape(deal.pool_deal.winning_movetext[:60])),
        "salt": deal.salt,
        "layout": re.escape(str(drawn_layout(code))[:2000]),
    }


def guesses(world: World, models: set[str]) -> Iterator[str]:
    """Yield the addresses that no link may lead to: rows by number, orders, searches, filters.

    Of models that the role has no right to, one of each.
    """
    code = str(world.deals["scheduled"].pool_deal.code)
    number = world.deals["scheduled"].pool_deal.number
    salt = world.deals["scheduled"].salt
    for name, app in MODELS.items():
        base = f"/admin/{app}/{name}/"
        yield from (base, f"{base}1/change/", f"{base}1/history/", f"{base}1/replay/")
        if name not in models:
            continue
        yield from (f"{base}?o={sign}{at}" for at in range(1, 9) for sign in ("", "-"))
        yield from (f"{base}?q={code}", f"{base}?q={number}", f"{base}?_facets=True")
        yield from (
            f"{base}?{lookup}"
            for lookup in (
                f"number={number}", f"number__lt={number}", f"pool_deal__number={number}",
                f"pool_deal__number__gte={number}", "pool_deal__grade=3",
                f"salt__startswith={salt[:4]}",
                f"daily_deal__salt__startswith={salt[:4]}", "daily_deal__isempty=1",
                "daily_deal__isempty=0", "daily_deal__date__gte=2026-05-05", "grade=1",
                "winning_movetext__startswith=1", "change_message__contains=EO1",
                f"object_repr__contains={code}", "movetext__startswith=1",
                f"attempt__daily_deal__pool_deal__number={number}",
                f"daily_deal__pool_deal__number={number}", "password__startswith=pbkdf2",
                "when=all", "when=all&o=5", "when=all&o=-5", "when=all&o=6", "when=past",
                "status__exact=scheduled", "outcome__exact=winnable",
            )
        )  # fmt: skip
    rows: dict[str, Any] = {
        "dailydeal": DailyDeal.objects,
        "pooldeal": PoolDeal.objects,
        "certification": Certification.objects,
        "submission": Submission.objects,
        "logentry": LogEntry.objects,
    }
    pages = ("change/", "history/", "replay/", "replay/?step=9", "void/", "extend/")
    # In order: a message waits for the next page, which has to be the same one each time.
    for name in sorted(models & set(rows)):
        for pk in rows[name].order_by("pk").values_list("pk", flat=True):
            yield from (f"/admin/{MODELS[name]}/{name}/{pk}/{page}" for page in pages)
    yield "/admin/games/dailydeal/schedule/?variant=eight-off&day=2026-05-05"
    yield "/admin/games/dailydeal/plan/"
    yield "/admin/games/certification/certify/"
    yield "/admin/autocomplete/?app_label=games&model_name=attempt&field_name=daily_deal&term=EO1"
    yield "/admin/r/1/1/"


_LINK = re.compile(r'href="([^"#]+)')
_CHANGING = re.compile(r'name="csrfmiddlewaretoken" value="[^"]*"')


def crawl(player: Player, world: World) -> dict[str, str]:
    """Return every page of the admin that this player gets, by address, links followed."""
    client = client_of(player)
    models = {
        name
        for name, app in MODELS.items()
        if {f"{app}.view_{name}", f"{app}.change_{name}"} & player.get_all_permissions()
    }
    waiting = ["/admin/", *guesses(world, models)]
    pages: dict[str, str] = {}
    while waiting:
        address = waiting.pop()
        if address in pages:
            continue
        answer = client.get(address)
        assert answer.status_code in (200, 301, 302, 400, 403, 404), (address, answer.status_code)
        text = _CHANGING.sub("", answer.content.decode())
        pages[address] = f"{answer.status_code} {answer.headers.get('Location', '')}\n{text}"
        for link in [html.unescape(found) for found in _LINK.findall(text)]:
            target = urljoin(address, link)
            path = urlsplit(target).path
            is_page = target.startswith("/admin/") and "logout" not in path
            # Of a replay the first steps: the others are made alike. No filter on a filter, and
            # no order on an order: those are guessed above.
            is_like_another = target.count("=") > 1 or re.search(
                r"step=\d\d|_changelist|[?&]o=", target
            )
            if is_page and not is_like_another:
                waiting.append(target)
    return pages


ALL_BUT = tuple(f"{kind}_{model}" for kind in KINDS for model in MODELS)


def revealed(pages: dict[str, str], world: World) -> list[tuple[str, str, str]]:
    """Return where what of which hidden deal stands."""
    # What was asked for stands in the page's own links and fields.
    read = {at: re.sub(r'(href|value)="[^"]*"', "", page) for at, page in pages.items()}
    return [
        (address, state, what)
        for state in ("scheduled", "open", "grace", "void today")
        for what, pattern in secrets_of(world.deals[state]).items()
        for address, page in read.items()
        if re.search(pattern, page)
    ]


@pytest.fixture
def _quiet() -> Iterator[None]:
    """Each refused page is a line of the log with its traceback: that is most of the time."""
    logging.disable(logging.WARNING)
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.usefixtures("_quiet")
@pytest.mark.parametrize("role", ROLES)
def test_no_page_of_the_admin_shows_a_deal_that_is_not_final(world: World, role: str) -> None:
    pages = crawl(staff_with(*ROLES[role]), world)
    assert sum(page.startswith("200") for page in pages.values()) > 3
    assert revealed(pages, world) == []


@pytest.mark.usefixtures("_quiet")
def test_all_rights_but_the_one_show_what_is_final_and_change_with_no_draw(world: World) -> None:
    helper = staff_with(*ALL_BUT)
    before = crawl(helper, world)
    assert revealed(before, world) == []
    everything = "\n".join(before.values())
    for state in ("final", "void"):
        found = {
            what: bool(re.search(pattern, everything))
            for what, pattern in secrets_of(world.deals[state]).items()
        }
        assert all(found.values()), (state, found)
    draw_others(world)
    after = crawl(helper, world)
    assert [address for address in before if before[address] != after.get(address)] == []
    assert set(before) == set(after)


def draw_others(world: World) -> None:
    """Give the days that are not final other deals of the pool."""
    spare = PoolDeal.objects.filter(daily_deal=None, variant="eight-off").order_by("-grade", "pk")
    for state, other in zip(("scheduled", "open", "grace"), list(spare), strict=False):
        DailyDeal.objects.filter(pk=world.deals[state].pk).update(pool_deal=other)


@pytest.mark.usefixtures("_quiet")
@pytest.mark.parametrize("who", ["superuser", "with the right"])
def test_who_has_the_right_sees_all_but_the_salt(world: World, who: str) -> None:
    helper = world.boss
    if who == "with the right":
        helper = staff_with("view_dailydeal", "view_pooldeal", SEE)
    client = client_of(helper)
    for deal in world.hidden():
        addresses = [
            reverse("admin:games_dailydeal_change", args=[deal.pk]),
            reverse("admin:games_pooldeal_change", args=[deal.pool_deal_id]),
        ]
        calendar, pool = (client.get(address).content.decode() for address in addresses)
        assert "keep it to yourself until it is final" in calendar
        found = {what: bool(re.search(p, calendar + pool)) for what, p in secrets_of(deal).items()}
        assert found == dict.fromkeys(found, True) | {"salt": False}, deal
    address = reverse("admin:games_dailydeal_change", args=[world.deals["final"].pk])
    assert "keep it to yourself until it is final" not in client.get(address).content.decode()


def test_the_query_and_the_row_agree_on_what_is_public(world: World) -> None:
    closes_at = world.deals["open"].closes_at
    moments = [NOON + timedelta(hours=hours) for hours in range(-30, 60, 6)]
    moments += [closes_at + timedelta(seconds=660 + seconds) for seconds in (-1, 0, 1)]
    for now in moments:
        for player in (world.boss, world.ada):
            for deal in DailyDeal.objects.annotate(is_shown=secrecy.shown_to(player, now)):
                seen = secrecy.may_see(viewer=player, daily_deal=deal, now=now)
                assert deal.is_shown == seen, (deal, deal.status, now)


# --- Acting without seeing --------------------------------------------------------------------


def refusal_to_schedule(code: str, actor: Player) -> str:
    """Return the refusal of a code for the day after tomorrow."""
    with pytest.raises(DealRefused) as refused:
        services.schedule_deal(
            variant="eight-off",
            day=TODAY + 2 * DAY,
            code=code,
            actor=actor,
            reason="To see.",
            now=NOON,
        )
    return str(refused.value)


def test_a_refused_code_is_refused_in_the_same_words_and_the_try_is_kept(world: World) -> None:
    helper = staff_with("change_dailydeal")
    kept = LogEntry.objects.count()
    drawn = {
        refusal_to_schedule(str(world.deals[state].pool_deal.code), helper)
        for state in ("scheduled", "open")
    }
    assert drawn == {refusal_to_schedule(NOT_PROVED, helper)}
    entries = LogEntry.objects.order_by("pk")[kept:]
    assert [entry.user for entry in entries] == [helper] * 3
    assert "EO1-C8-" in entries[0].change_message
    # Who sees all is told why, and a deal that was played is no secret.
    assert "belongs to" in refusal_to_schedule(str(world.deals["open"].pool_deal.code), world.boss)
    assert "belongs to" in refusal_to_schedule(str(world.deals["final"].pool_deal.code), helper)


def test_a_plan_shows_no_code_and_a_try_at_how_many_are_left_is_kept(world: World) -> None:
    client = client_of(staff_with("change_dailydeal"))
    form = {"variant": "eight-off", "first_day": TODAY + DAY, "reason": "Rising."}
    address = reverse("admin:games_dailydeal_plan")
    done = client.post(address, form | {"grades": "1 2"}, follow=True).content.decode()
    for deal in DailyDeal.objects.filter(date__gt=TODAY):
        for what, pattern in secrets_of(deal).items():
            assert not re.search(pattern, done), what
    refused = client.post(address, form | {"grades": "4 4 4 4"}).content.decode()
    assert "too few unused deals" in refused
    assert '"asked_for": "4 4 4 4"' in LogEntry.objects.latest("pk").change_message


# --- Players ----------------------------------------------------------------------------------


def routes(resolver: URLResolver, prefix: str = "") -> Iterator[str]:
    """Yield every route of the service but the admin's, as it is written."""
    for entry in resolver.url_patterns:
        route = prefix + str(entry.pattern)
        if isinstance(entry, URLPattern):
            yield route
        elif not route.startswith("admin"):
            yield from routes(entry, route)


def addresses(world: World) -> list[str]:
    """Return an address of each route for each deal; random deals are random."""
    (attempt, *_rest) = world.deals["open"].attempts.order_by("number")
    values = {
        "game": ["eight-off"],
        "month": ["2026-05"],
        "code": [NOT_PROVED],
        "attempt_id": [str(attempt.pk)],
        "player_id": [str(world.ada.pk)],
        "variant": ["eight-off"],
        "language": ["en"],
        "day": [(TODAY + n * DAY).isoformat() for n in range(-3, 3)],
    }
    found = []
    for route in routes(get_resolver()):
        # Health is about the servers, and the schema about the code.
        if any(word in route for word in ("random", "schema", "docs", "healthz")):
            continue
        made = [f"/{route.removeprefix('^').removesuffix('$')}"]
        for converter, name in re.findall(r"<(?:(\w+):)?(\w+)>", route):
            part = f"<{converter}:{name}>" if converter else f"<{name}>"
            made = [one.replace(part, value) for one in made for value in values[name]]
        found.extend(made)
    assert len(found) > 30
    return found


def answers(caller: Caller, world: World) -> dict[str, Any]:
    """Return what the service answers at each address, and the queries that it made for it."""

    def answer_of(call: Callable[[], Any]) -> Any:
        with CaptureQueriesContext(connection) as queries:
            answer = call()
        body = b"".join(answer.streaming_content) if answer.streaming else answer.content
        sent = {name: value for name, value in answer.headers.items() if name != "Set-Cookie"}
        return answer.status_code, sent, _CHANGING.sub("", body.decode()), len(queries)

    return {address: answer_of(lambda at=address: caller.get(at)) for address in addresses(world)}


@pytest.mark.parametrize("name", ["", "Bruno"], ids=["nobody", "a player who has not started"])
def test_no_answer_depends_on_which_deal_was_drawn(world: World, name: str) -> None:
    DailyDeal.objects.filter(date=TODAY).update(status="open")
    caller = Caller(name)
    answers(caller, world)  # what is looked up once in a process
    before = answers(caller, world)
    draw_others(world)
    after = answers(caller, world)
    assert [address for address in before if before[address] != after[address]] == []


def test_a_deal_for_practice_costs_the_same_whatever_it_is_used_for(world: World) -> None:
    caller, costs = Caller(), set()
    codes = [NOT_PROVED, *(str(deal.pool_deal.code) for deal in DailyDeal.objects.all())]
    for code in codes:
        with CaptureQueriesContext(connection) as queries:
            assert caller.get(f"deals/{code}/").status_code == 200
            judged = caller.post("verify/", {"code": code, "movetext": "1h"})
            assert judged.status_code == 200
        costs.add(len(queries))
    assert costs == {0}


def test_a_search_for_a_code_is_logged_without_it(world: World) -> None:
    services.request_certification(
        code=WINS[51].code, budget=5, actor=world.boss, reason="To see.", now=timezone.now()
    )
    asked = Certification.objects.get(number=WINS[51].number)
    assert LogEntry.objects.latest("pk").object_repr == str(asked) == f"#{asked.pk}"
    assert engine.parse_code(WINS[51].code) == asked.code
