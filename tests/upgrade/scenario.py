"""A week of a competition, played through the API and the services at stopped clocks.

It fills a database with rows of every kind, in every state that a row can be in, for
`tests.upgrade.make` to dump. Nothing here is random but what the service draws itself.
"""

import csv
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from typing import Any

import time_machine
from django.contrib.auth.models import Group, Permission
from django.test import override_settings
from rest_framework.test import APIClient

from games import engine, services
from games.models import Attempt, DailyDeal, Player, PoolDeal, Submission
from games.pool_files import shipped_pool
from games.services import analysis, pool
from tests.logs import wins_of

DAY_1 = date(2026, 11, 20)
TODAY = 7  # the day on which the dump is taken, five minutes after midnight
# Enough that no day has to load the whole shipped file: 7 days, 14 ahead, and some to spare.
POOL_DEALS = 26
VARIANTS = list(engine.VARIANTS)
PASSWORDS = {"Ada": "wholly ordinary words", "Carla": "käse und brot", "Dora": "second thoughts"}


def at(day: int, hour: int = 12, minute: int = 0, second: int = 0) -> datetime:
    """Return an instant of the scenario's day, counted from 1."""
    midnight = datetime(DAY_1.year, DAY_1.month, DAY_1.day, tzinfo=UTC)
    return midnight + timedelta(days=day - 1, hours=hour, minutes=minute, seconds=second)


def on(day: int) -> str:
    """Return the date of the scenario's day, as addresses have it."""
    return at(day).date().isoformat()


@dataclass
class Cast:
    """The players: their tokens, their void tokens, and their passwords."""

    tokens: dict[str, list[str]] = field(default_factory=dict)
    void_tokens: list[str] = field(default_factory=list)
    passwords: dict[str, str] = field(default_factory=dict)
    wrong_logins: list[tuple[str, str]] = field(default_factory=list)
    staff: dict[str, str] = field(default_factory=dict)


@contextmanager
def clock(now: datetime) -> Iterator[None]:
    """Stop the clock at an instant."""
    with time_machine.travel(now, tick=False):
        yield


class Service:
    """The API, called by its players."""

    def __init__(self, cast: Cast) -> None:
        self.cast = cast
        # One for all: each client would look through the static files once more.
        self.client = APIClient()

    def call(self, method: str, path: str, body: Any = None, *, who: str = "") -> Any:
        """Return the answer to a call that has to be a success."""
        token = self.cast.tokens[who][0] if who else ""
        header = {"HTTP_AUTHORIZATION": f"Token {token}"} if token else {}
        answer = getattr(self.client, method.lower())(f"/api/v1/{path}", body, **header)
        assert answer.status_code < 300, (method, path, answer.status_code, answer.content)
        return answer.json() if answer.content else None

    def join(self, name: str, now: datetime) -> None:
        """Let someone join."""
        with clock(now):
            self.cast.tokens[name] = [
                self.call("POST", "players/", {"display_name": name})["token"]
            ]

    def log_in(self, name: str, now: datetime) -> str:
        """Let a player come back by password, with one more token."""
        with clock(now):
            body = {"display_name": name, "password": PASSWORDS[name]}
            token: str = self.call("POST", "tokens/", body)["token"]
        self.cast.tokens[name].append(token)
        return token

    def start(self, who: str, variant: str, day: int, now: datetime) -> str:
        """Start an attempt and return its id."""
        with clock(now):
            path = f"daily/{variant}/{on(day)}/attempts/"
            attempt_id: str = self.call("POST", path, who=who)["id"]
        return attempt_id

    def send(self, who: str, attempt_id: str, movetext: str, now: datetime, **claimed: Any) -> str:
        """Send a log and return the receipt's status."""
        body = {"movetext": movetext, **({"claimed": claimed} if claimed else {})}
        with clock(now):
            receipt = self.call("POST", f"attempts/{attempt_id}/submission/", body, who=who)
        status: str = receipt["status"]
        return status


def line_of(variant: str, day: int) -> str:
    """Return the line that wins the deal of a day."""
    return _deal(variant, day).pool_deal.winning_movetext


def with_detour(line: str, times: int) -> str:
    """Return a line whose first action is made and undone this many times first."""
    first = line.split(maxsplit=1)[0]
    first = "D" if first.startswith("D") else first
    return f"{first} U " * times + line


def half_of(line: str) -> str:
    """Return the first half of a line: legal, not won."""
    tokens = line.split()
    return " ".join(tokens[: len(tokens) // 2])


def with_take_back(code: engine.DealCode, line: str) -> str:
    """Return a line of Eight Off that wins with a card taken back from the foundations once."""
    tokens = line.split()
    for place, token in enumerate(tokens[:-1]):
        for foundation in "1234" if token.endswith("h") else "":
            for cell in "abcdefgk":
                tried = [*tokens[: place + 1], f"h{foundation}{cell}", f"{cell}h"]
                text = " ".join([*tried, *tokens[place + 1 :]])
                verdict = engine.replay(code, text)
                if verdict.legal and verdict.won and verdict.take_backs:
                    return text
    raise AssertionError("no card of this line can be taken back")


def play() -> Cast:
    """Fill the database and return who took part."""
    cast = Cast(staff={"root": "a password of the staff"})
    service = Service(cast)
    with clock(at(1, 0, 0, 5)):
        root = _staff(cast)
        _fill_pool()
        _schedule_real_wins(root)
        services.roll_over(now=at(1, 0, 0, 5))
    _people(service)
    _plan(root)
    for day in range(2, TODAY + 1):
        with clock(at(day, 0, 0, 7)):
            services.roll_over(now=at(day, 0, 0, 7))
        DAYS.get(day - 1, lambda *_: None)(service, root)
    _today(service, root)
    _leave(service, root)
    _searches(service, root)
    return cast


# --- People and pool --------------------------------------------------------------------------


def _staff(cast: Cast) -> Player:
    root = Player.objects.create_superuser("root", cast.staff["root"])
    clerk = Player.objects.create_user("clerk", "another of the staff", is_staff=True)
    group = Group.objects.create(name="Clerks")
    group.permissions.add(*Permission.objects.filter(content_type__app_label="games")[:5])
    clerk.groups.add(group)
    clerk.user_permissions.add(Permission.objects.get(codename="view_logentry"))
    return root


def _fill_pool() -> None:
    for variant in VARIANTS:
        with shipped_pool(variant).open(newline="") as file:
            rows = csv.DictReader(file, delimiter="\t")
            for row in islice(rows, POOL_DEALS):
                _add_to_pool(row["code"], row["movetext"], row["par_moves"], row["grade"])
        for win in wins_of(variant)[:2]:
            _add_to_pool(win.code, win.movetext, win.moves, 2)


def _add_to_pool(code: str, movetext: str, moves: int | str, grade: int | str) -> None:
    parsed = engine.parse_code(code)
    PoolDeal.objects.get_or_create(
        variant=parsed.variant.slug,
        number=parsed.number,
        defaults={"winning_movetext": movetext, "par_moves": int(moves), "grade": int(grade)},
    )


def _people(service: Service) -> None:
    for minute, name in enumerate(
        ("Ada", "Bruno", "Carla", "Dora", "Emil", "Fatma", "Gül Çelik", "李小龙", "Hugo", "Ines")
    ):
        service.join(name, at(1, 0, minute + 1))
    for name, password in PASSWORDS.items():
        with clock(at(1, 0, 30)):
            body = {"password": "the first of two" if name == "Dora" else password}
            service.call("PUT", "players/me/password/", body, who=name)
            service.cast.passwords[name] = password
    service.log_in("Ada", at(1, 0, 31))
    service.log_in("Carla", at(2, 8))
    # Given back: void, while the others still work.
    with clock(at(2, 9)):
        service.call("DELETE", "tokens/current/", who="Carla")
        service.cast.void_tokens.append(service.cast.tokens["Carla"].pop(0))
    # A new password makes every other token void.
    with clock(at(2, 10)):
        body = {"display_name": "Dora", "password": "the first of two"}
        service.cast.void_tokens.append(service.call("POST", "tokens/", body)["token"])
        body = {"password": PASSWORDS["Dora"], "current_password": "the first of two"}
        service.call("PUT", "players/me/password/", body, who="Dora")
    service.cast.wrong_logins += [("Dora", "the first of two"), ("Bruno", "has none")]
    with clock(at(2, 11)):
        service.call("PATCH", "players/me/", {"display_name": "Zoë Ångström"}, who="Ada")
    for each in (service.cast.tokens, service.cast.passwords):
        each["Zoë Ångström"] = each.pop("Ada")
    PASSWORDS["Zoë Ångström"] = PASSWORDS["Ada"]


def _schedule_real_wins(root: Player) -> None:
    for variant in VARIANTS:
        for day, win in zip((3, 5), wins_of(variant)[:2], strict=True):
            _schedule(variant, day, win.code, root)


def _plan(root: Player) -> None:
    """Replace what was drawn for a day by a code, and plan another by grade."""
    for variant in VARIANTS:
        with clock(at(1, 1)):
            _schedule(variant, 12, str(_unused_deal(variant).code), root)
    with clock(at(1, 2)):
        services.plan_days(
            variant="eight-off-2",
            first_day=at(15).date(),
            grades=[_unused_deal("eight-off-2").grade],
            actor=root,
            reason="An easy week",
            now=at(1, 2),
        )


def _schedule(variant: str, day: int, code: str, root: Player) -> None:
    services.schedule_deal(
        variant=variant,
        day=at(day).date(),
        code=code,
        actor=root,
        reason="A deal of the anniversary",
        now=at(1, 0, 0, 5),
    )


def _unused_deal(variant: str) -> PoolDeal:
    deal = PoolDeal.objects.filter(variant=variant, daily_deal=None).order_by("number").first()
    assert deal is not None
    return deal


# --- Days -------------------------------------------------------------------------------------


def _day_1(service: Service, _root: Player) -> None:
    """Play a whole board of each variant: ties, detours, several attempts, refusals."""
    for variant in VARIANTS:
        line = line_of(variant, 1)
        tie = at(1, 14)
        for name in ("Bruno", "Carla", "Emil"):
            attempt = service.start(name, variant, 1, tie)
            log = line if name != "Emil" else with_detour(line, 1)
            assert service.send(name, attempt, log, tie + timedelta(minutes=4)) == "accepted"
        # The same key to the millisecond but not in the order of joining.
        attempt = service.start("Ines", variant, 1, tie)
        service.send("Ines", attempt, line, tie + timedelta(minutes=4, milliseconds=400))
        # Refused twice, then legal in the same attempt; a second attempt that is worse.
        attempt = service.start("Fatma", variant, 1, at(1, 15))
        assert service.send("Fatma", attempt, "1b 1c 1d zz", at(1, 15, 1)) == "refused"
        assert service.send("Fatma", attempt, f"{line} U", at(1, 15, 2), score=1) == "refused"
        service.send("Fatma", attempt, line, at(1, 15, 3), won=True, score=9999, moves=3)
        attempt = service.start("Fatma", variant, 1, at(1, 15, 4))
        service.send("Fatma", attempt, with_detour(line, 3), at(1, 15, 5))
        # A loss first, then a win on the clock of the first start.
        attempt = service.start("Hugo", variant, 1, at(1, 16))
        service.send("Hugo", attempt, half_of(line), at(1, 16, 5))
        attempt = service.start("Hugo", variant, 1, at(1, 17))
        service.send("Hugo", attempt, f"  {line.replace(' ', chr(10))}\t", at(1, 17, 0, 3))
        # Only losses, one of them empty; only a refusal; only a start.
        attempt = service.start("李小龙", variant, 1, at(1, 18))
        service.send("李小龙", attempt, "", at(1, 18, 1))
        attempt = service.start("李小龙", variant, 1, at(1, 18, 2))
        service.send("李小龙", attempt, half_of(line), at(1, 18, 3))
        attempt = service.start("Gül Çelik", variant, 1, at(1, 19))
        service.send("Gül Çelik", attempt, f"{half_of(line)} ½", at(1, 19, 1))
        service.start("Dora", variant, 1, at(1, 20))


def _day_2(service: Service, root: Player) -> None:
    """Void one deal before anyone played, one after, and one with logs still under way."""
    void = services.void_deal
    with clock(at(1, 23)):
        void(daily_deal=_deal("easy-harp", 2), actor=root, reason="A fault in the deal")
    for name in ("Bruno", "Carla"):
        attempt = service.start(name, "eight-off", 2, at(2, 12))
        service.send(name, attempt, line_of("eight-off", 2), at(2, 12, 5))
    waiting = service.start("Emil", "eight-off", 2, at(2, 12, 6))
    with clock(at(2, 13)):
        void(daily_deal=_deal("eight-off", 2), actor=root, reason="Somebody knew the line")
    service.send("Emil", waiting, line_of("eight-off", 2), at(2, 13, 1))
    for name in ("Bruno", "Zoë Ångström"):
        attempt = service.start(name, "eight-off-4", 2, at(2, 14))
        service.send(name, attempt, line_of("eight-off-4", 2), at(2, 14, 5))


def _day_3(service: Service, root: Player) -> None:
    """Extend a deal and play in the time it got."""
    with clock(at(3, 22)):
        services.extend_deal(
            daily_deal=_deal("eight-off-4", 3),
            hours=5,
            actor=root,
            reason="The service was away",
            now=at(3, 22),
        )
    attempt = service.start("Carla", "eight-off-4", 3, at(4, 3))
    line = line_of("eight-off-4", 3)
    service.send("Carla", attempt, line, at(4, 3, 30))
    attempt = service.start("Bruno", "eight-off-4", 3, at(3, 12))
    code = _deal("eight-off-4", 3).pool_deal.code
    service.send("Bruno", attempt, with_take_back(code, line), at(3, 12, 30))
    attempt = service.start("Bruno", "easy-harp", 3, at(3, 13))
    service.send("Bruno", attempt, line_of("easy-harp", 3), at(3, 13, 30))
    attempt = service.start("Carla", "easy-harp", 3, at(3, 13))
    service.send("Carla", attempt, half_of(line_of("easy-harp", 3)), at(3, 13, 30))


def _day_4(service: Service, root: Player) -> None:
    """Send late logs, disqualify, and reinstate."""
    line = line_of("eight-off", 4)
    for name, times in (("Bruno", 0), ("Carla", 1), ("Emil", 2), ("Hugo", 3)):
        attempt = service.start(name, "eight-off", 4, at(4, 12))
        service.send(name, attempt, with_detour(line, times), at(4, 12, 5))
    # The best is disqualified, with a second one to take its place; another is reinstated.
    attempt = service.start("Bruno", "eight-off", 4, at(4, 13))
    service.send("Bruno", attempt, with_detour(line, 4), at(4, 13, 5))
    with clock(at(4, 14)):
        for name in ("Bruno", "Carla", "Hugo"):
            log = _log(name, "eight-off", 4)
            services.disqualify(submission=log, actor=root, reason="Copied")
    with clock(at(4, 15)):
        log = _log("Carla", "eight-off", 4)
        services.reinstate(submission=log, actor=root, reason="Not copied after all")
    late = service.start("Ines", "eight-off", 4, at(4, 23, 50))
    in_grace = service.start("Fatma", "eight-off", 4, at(4, 23, 51))
    far_too_late = service.start("Fatma", "eight-off", 4, at(4, 23, 58))
    assert service.send("Fatma", in_grace, line, at(5, 0, 10)) == "accepted"
    assert service.send("Ines", late, half_of(line), at(5, 0, 10, 1)) == "late"
    with clock(at(5, 0, 12)):
        services.roll_over(now=at(5, 0, 12))
    assert service.send("Fatma", far_too_late, line, at(5, 8)) == "late"
    late = service.start("Ines", "easy-harp", 5, at(5, 1))
    service.send("Ines", late, "zz", at(5, 1, 1))


def _day_5(service: Service, _root: Player) -> None:
    """Win a day in a row, so that there are streaks, on deals of real logs."""
    for variant in VARIANTS:
        for name, minutes in (("Bruno", 3), ("Gül Çelik", 4)):
            start = at(5, 9) + timedelta(microseconds=654_893)
            attempt = service.start(name, variant, 5, start)
            end = start + timedelta(minutes=minutes, microseconds=65_007)
            service.send(name, attempt, line_of(variant, 5), end)


def _day_6(service: Service, root: Player) -> None:
    """Leave a day in its grace, with one deal extended, one void, and one that is not started."""
    for name, minutes in (("Bruno", 3), ("Zoë Ångström", 4), ("Hugo", 5)):
        attempt = service.start(name, "easy-harp", 6, at(6, 9))
        service.send(name, attempt, line_of("easy-harp", 6), at(6, 9, minutes))
        attempt = service.start(name, "eight-off-2", 6, at(6, 10))
        service.send(name, attempt, half_of(line_of("eight-off-2", 6)), at(6, 10, minutes))
        service.start(name, "eight-off", 6, at(6, 11, minutes))
    with clock(at(6, 12)):
        services.extend_deal(
            daily_deal=_deal("eight-off-2", 6),
            hours=24,
            actor=root,
            reason="A day more for all",
            now=at(6, 12),
        )
        services.void_deal(
            daily_deal=_deal("eight-off", 6), actor=root, reason="The cards were shown"
        )


DAYS: dict[int, Callable[[Service, Player], None]] = {
    1: _day_1,
    2: _day_2,
    3: _day_3,
    4: _day_4,
    5: _day_5,
    6: _day_6,
}


def _today(service: Service, root: Player) -> None:
    """Play the first minutes of the day of the dump."""
    line = line_of("eight-off", TODAY)
    for name, second in (("Bruno", 1), ("Carla", 2), ("Hugo", 2)):
        attempt = service.start(name, "eight-off", TODAY, at(TODAY, 0, 1))
        service.send(name, attempt, line, at(TODAY, 0, 3, second))
    attempt = service.start("Emil", "eight-off", TODAY, at(TODAY, 0, 1))
    service.send("Emil", attempt, "zz", at(TODAY, 0, 1, 30))
    service.start("Zoë Ångström", "eight-off", TODAY, at(TODAY, 0, 2))
    attempt = service.start("Bruno", "eight-off-2", TODAY, at(TODAY, 0, 2))
    service.send("Bruno", attempt, half_of(line_of("eight-off-2", TODAY)), at(TODAY, 0, 4))
    with clock(at(TODAY, 0, 4, 10)):
        services.void_deal(
            daily_deal=_deal("eight-off-2", TODAY), actor=root, reason="Wrong from the start"
        )
        services.void_deal(
            daily_deal=_deal("eight-off-4", TODAY + 2), actor=root, reason="Before anybody played"
        )


def _leave(service: Service, root: Player) -> None:
    """Let one player leave, block two, unblock one, and take a name away."""
    with clock(at(TODAY, 0, 4, 20)):
        service.call("DELETE", "players/me/", who="Hugo")
    service.cast.void_tokens += service.cast.tokens.pop("Hugo")
    for name, is_blocked in (("Emil", True), ("Fatma", True), ("Fatma", False)):
        with clock(at(TODAY, 0, 4, 25)):
            services.set_blocked(
                player=Player.objects.get(display_name=name),
                is_blocked=is_blocked,
                actor=root,
                reason="Asked by mail",
            )
    service.cast.void_tokens += service.cast.tokens.pop("Emil")
    with clock(at(TODAY, 0, 4, 30)):
        ines = services.take_name_away(
            player=Player.objects.get(display_name="Ines"), actor=root, reason="Offensive"
        )
    service.cast.tokens[ines.display_name] = service.cast.tokens.pop("Ines")


def _searches(service: Service, root: Player) -> None:
    """Ask where lost games went wrong, some answered, and certify deals with every outcome."""
    asked = [_log("李小龙", variant, 1, -1).attempt for variant in VARIANTS]
    for attempt in asked[:3]:
        with clock(at(TODAY, 0, 4, 40)):
            service.call("POST", f"attempts/{attempt.pk}/analysis/", who="李小龙")
    with override_settings(ANALYSIS_BUDGET=60_000):  # some get an answer, others none
        analysis.analyse_pending(clock=lambda: at(TODAY, 0, 4, 45))
    now = at(TODAY, 0, 4, 50)
    with clock(now):
        service.call("POST", f"attempts/{asked[3].pk}/analysis/", who="李小龙")
        # Proved to be lost, won, and not known.
        for variant, budget in zip(VARIANTS, (5, 60_000, 60_000, 60_000), strict=True):
            for number in (1, 2):
                code = engine.DealCode(variant=engine.VARIANTS[variant], number=number)
                pool.certify(code=code, budget=budget, now=now)
        services.request_certification(
            code=str(engine.DealCode(variant=engine.VARIANTS["eight-off"], number=999_999)),
            budget=1000,
            actor=root,
            reason="A player asked for it",
            now=now,
        )


def _deal(variant: str, day: int) -> DailyDeal:
    return DailyDeal.objects.select_related("pool_deal").get(variant=variant, date=at(day).date())


def _log(name: str, variant: str, day: int, place: int = 0) -> Submission:
    """Return one of the legal logs of a player for a deal, the first or the last (-1)."""
    attempts = Attempt.objects.filter(player__display_name=name, daily_deal=_deal(variant, day))
    logs = Submission.objects.select_related("attempt").filter(attempt__in=attempts, legal=True)
    return list(logs.order_by("pk"))[place]
