"""The service that the browser plays on: Django in a thread, today's deals, and players."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from functools import cache
from typing import Any

from django.test.testcases import LiveServerThread

from games import engine, services
from games.models import Attempt, DailyDeal, Player
from games.pool_files import read_pool, shipped_pool
from tests.logs import Win
from tests.play import assign, start, submit


@contextmanager
def served() -> Iterator[str]:
    """Serve this process's database; yield the address.

    No handler of static files stands before the application: they come from its own middleware,
    as in use.
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


def open_today() -> dict[str, DailyDeal]:
    """Open a deal of each variant by the real clock, that of its shortest win.

    They close a day late: a test that runs across midnight goes on.
    """
    today = datetime.now(UTC).date()
    deals = {}
    for slug in engine.VARIANTS:
        deal = assign(slug, today, win=shortest_win(slug))
        deal.status = DailyDeal.Status.OPEN
        deal.closes_at += timedelta(days=1)
        deal.save()
        deals[slug] = deal
    return deals


def final_day(variant: str, day: date | None = None) -> DailyDeal:
    """Return a deal that is over, of the day before yesterday unless another is named."""
    deal = assign(variant, day or datetime.now(UTC).date() - timedelta(days=2))
    deal.status = DailyDeal.Status.FINAL
    deal.save()
    return deal


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


def ranked(player: Player, deal: DailyDeal, movetext: str) -> Attempt:
    """Return an attempt with an accepted log, from a moment within the day of the deal."""
    now = min(datetime.now(UTC), deal.closes_at - timedelta(minutes=5))
    attempt = start(player, deal, now)
    submit(attempt, movetext, now)
    return attempt


def practice(code: str, movetext: str) -> dict[str, Any]:
    """Return a practice game that a browser keeps: its key and its record."""
    record = {"code": code, "movetext": movetext, "playedMs": 0, "changedAt": 1}
    return {f"game.practice.{code}": record}
