"""The service that the browser plays on: Django in a thread, and today's deals."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta

from django.test.testcases import LiveServerThread

from games import engine
from games.models import DailyDeal
from tests.logs import Win, wins_of
from tests.play import assign


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


def shortest_win(variant: str) -> Win:
    """Return the winning log of a variant with the fewest tokens."""
    return min(wins_of(variant), key=lambda win: len(win.tokens))


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
    """Return a deal that is over, of the day before yesterday, by another win than today's."""
    shortest = shortest_win(variant)
    win = next(win for win in wins_of(variant) if win != shortest)
    day = day or datetime.now(UTC).date() - timedelta(days=2)
    deal = assign(variant, day, win=win)
    deal.status = DailyDeal.Status.FINAL
    deal.save()
    return deal
