"""The service that the browser plays on: Django in a thread, today's deals, and players."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.test.testcases import LiveServerThread

from games import engine, services
from games.models import Attempt, DailyDeal, Player
from games.pool_files import read_pool, shipped_pool
from tests.logs import Win
from tests.play import assign, start, submit


@contextmanager
def served() -> Iterator[str]:
    """Serve this process's database; yield the address.

    No handler of static files is in front of the application: its own middleware serves them, as
    in production.
    """
    thread = LiveServerThread("127.0.0.1", lambda handler: handler)
    thread.daemon = True
    thread.start()
    thread.is_ready.wait()
    if thread.error:
        raise thread.error
    try:
        yield f"http://127.0.0.1:{thread.port}"
    finally:
        thread.terminate()


@cache
def shortest_win(variant: str) -> Win:
    """Return the shortest winning line of the shipped deals of a variant that moves a group."""
    pool = read_pool(shipped_pool(variant), variant=variant)
    deal = min(
        (deal for deal in pool if "v" in deal.winning_movetext), key=lambda deal: deal.par_moves
    )
    verdict = engine.replay(deal.code, deal.winning_movetext)
    return Win(
        str(deal.code),
        deal.winning_movetext,
        verdict.score,
        verdict.ranked_score,
        verdict.moves,
    )


def open_today(*, days_late: int = 1) -> dict[str, DailyDeal]:
    """Open a deal of each variant by the real clock, that of its shortest win.

    They close a day late, so that a test can run across midnight.
    """
    # A late request of the browser before may plan days in the database just emptied: they go,
    # and once more if it plans them meanwhile. Nothing plans a day that has its deals.
    for _again in range(9):
        with suppress(IntegrityError), transaction.atomic():
            DailyDeal.objects.all().delete()
            return _opened(days_late=days_late)
    raise AssertionError("Somebody else plans this day all the time.")


def _opened(*, days_late: int) -> dict[str, DailyDeal]:
    today = datetime.now(UTC).date()
    deals = {}
    for slug in engine.VARIANTS:
        deal = assign(slug, today, win=shortest_win(slug))
        deal.status = DailyDeal.Status.OPEN
        deal.closes_at += timedelta(days=days_late)
        deal.save()
        deals[slug] = deal
    return deals


def joined(name: str = "Ada", *, password: str = "") -> tuple[Player, dict[str, Any]]:
    """Return a new player, and their session as a browser keeps it."""
    player, token = services.join(display_name=name)
    if password:
        player.set_password(password)
        player.save()
    known = {
        "id": str(player.pk),
        "display_name": player.display_name,
        "has_password": bool(password),
    }
    return player, {"player": known, "token": token}


def ranked(player: Player, deal: DailyDeal, movetext: str, *, minutes: int = 0) -> Attempt:
    """Return an attempt with an accepted log, played for this long within the deal's day."""
    sent = min(datetime.now(UTC), deal.closes_at - timedelta(minutes=5))
    attempt = start(player, deal, max(sent - timedelta(minutes=minutes), deal.opens_at))
    submit(attempt, movetext, sent)
    return attempt


def practice(code: str, movetext: str) -> dict[str, Any]:
    """Return a practice game that a browser keeps: its key and its record."""
    record = {"code": code, "movetext": movetext, "playedMs": 0, "changedAt": 1}
    return {f"game.practice.{code}": record}


@dataclass(frozen=True)
class Competition:
    """A day in the middle: a player here, results of today, and a deal that is over."""

    today: dict[str, DailyDeal]
    final: DailyDeal
    player: Player
    session: dict[str, Any]
    attempt: Attempt  # the player's, won, of today's Eight Off
    over: Attempt  # another player's, of the deal that is over
    other: Attempt  # another player's, of today's Eight Off

    @property
    def game(self) -> dict[str, Any]:
        """What the player's browser keeps beside the session: a practice game."""
        win = shortest_win("easy-harp")
        return {"session": self.session} | practice(win.code, " ".join(win.tokens[:40]))

    @property
    def pages(self) -> dict[str, tuple[str, str]]:
        """Every page: its address, and what it shows once its scripts have filled it in."""
        deal = self.today["eight-off"]
        code = shortest_win("easy-harp").code
        return {
            "home": ("/", "[data-own] .badge"),
            "play, before the start": (f"/play/easy-harp/{deal.date}/", "#panel h2"),
            "play": (f"/practice/?code={code}", "#table .card"),
            "result": (f"/result/{self.attempt.pk}/", "#result .facts"),
            "board": (f"/leaderboard/eight-off/{deal.date}/", "#own-standing strong"),
            "board, final": (f"/leaderboard/eight-off/{self.final.date}/", "#board"),
            "archive": ("/archive/", "main h1"),
            "player": (f"/players/{self.player.pk}/", "main h1"),
            "rules": ("/rules/", "main h1"),
            "rules of Easy Harp": ("/rules/easy-harp/", "main h1"),
            "rules of Eight Off": ("/rules/eight-off/", "main h1"),
            "settings": ("/settings/", "#signed-in"),
            "replay": (f"/replay/{self.attempt.pk}/", "#forward:enabled"),
            "404": ("/nothing/", "main h1"),
        }


def competition(
    today: dict[str, DailyDeal], others: tuple[str, ...] = ("Carla", "Bea")
) -> Competition:
    """Fill the days with players and results."""
    final = assign("eight-off", today["eight-off"].date - timedelta(days=2))
    final.status = DailyDeal.Status.OPEN
    final.save()
    player, session = joined("Ada", password="a horse, a battery")
    win = shortest_win("eight-off")
    line = final.pool_deal.winning_movetext.split()
    for at, name in enumerate(others):
        other, _ = joined(name)
        # Every other one of them wins; the rest come so far.
        share = 2 if at % 2 else 2 + at
        attempt = ranked(
            other, today["eight-off"], " ".join(win.tokens[: -10 * share]), minutes=7 + at
        )
        tokens = line[: -3 * at or None] if at % 2 == 0 else line
        over = ranked(other, final, " ".join(tokens), minutes=9 + 2 * at)
    mine = ranked(player, today["eight-off"], win.movetext, minutes=6)
    final.status = DailyDeal.Status.FINAL
    final.save()
    return Competition(
        today=today,
        final=final,
        player=player,
        session=session,
        attempt=mine,
        over=over,
        other=attempt,
    )


@contextmanager
def alone() -> Iterator[str]:
    """Serve a database of one's own, outside pytest; yield the address."""
    call_command("migrate", verbosity=0)
    with served() as address:
        yield address
