"""Changes at the same time: no one waits in a circle, and who loses to another tries again.

On PostgreSQL, by connections that compete. SQLite has one writer, so there is nothing to test.
"""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from functools import partial
from typing import TypeVar

import pytest
from django.db import OperationalError, connection, transaction

from config.database.retry import MOST_TRIES, retried
from games import services
from games.errors import DealRefused
from games.models import Certification, DailyDeal, Player, PoolDeal
from games.services import calendar
from tests.logs import wins_of
from tests.play import NOON, TODAY, new_player

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif("connection.vendor != 'postgresql'", reason="SQLite has one writer"),
]
VARIANT = "eight-off"
T = TypeVar("T")


def at_once(*calls: Callable[[], T]) -> list[T | Exception]:
    """Begin all the calls together, each on a connection of its own; return what came of them."""
    begin = threading.Barrier(len(calls))

    def run(call: Callable[[], T]) -> T | Exception:
        begin.wait()
        try:
            return call()
        except Exception as error:  # noqa: BLE001 (the test looks at it)
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def pool_of(count: int) -> None:
    for win in wins_of(VARIANT)[:count]:
        PoolDeal.objects.create(
            variant=VARIANT,
            number=win.number,
            winning_movetext=win.movetext,
            par_moves=win.moves,
            grade=3,
        )


def test_plans_for_different_days_never_wait_in_a_circle() -> None:
    """Each takes days and deals; before there was a lock, they crossed in most of the rounds."""
    pool_of(6)
    actor = new_player("Olga")
    # Not tried again: a deadlock would show.
    plan_once = calendar.plan_days.__wrapped__  # type: ignore[attr-defined]

    def plan(first_day: date) -> list[DailyDeal]:
        return plan_once(
            variant=VARIANT, first_day=first_day, grades=[3] * 6, actor=actor, reason="x", now=NOON
        )

    for _round in range(5):
        DailyDeal.objects.all().delete()
        first_days = [TODAY + timedelta(days=10 * number) for number in (1, 2)]
        results = at_once(*(partial(plan, day) for day in first_days))
        # There are deals for one of them.
        (refused,) = (result for result in results if not isinstance(result, list))
        assert isinstance(refused, DealRefused), results
        assert DailyDeal.objects.count() == 6


def test_a_rollover_and_a_plan_never_wait_in_a_circle(settings) -> None:
    settings.DAYS_AHEAD = 5
    pool_of(len(wins_of(VARIANT)))
    actor = new_player("Olga")
    results = at_once(
        lambda: calendar.roll_over.__wrapped__(now=NOON),  # type: ignore[attr-defined]
        lambda: calendar.plan_days.__wrapped__(  # type: ignore[attr-defined]
            variant=VARIANT,
            first_day=TODAY + timedelta(days=1),
            grades=[3] * 5,
            actor=actor,
            reason="x",
            now=NOON,
        ),
    )
    assert not [result for result in results if isinstance(result, Exception)]
    assert DailyDeal.objects.filter(variant=VARIANT).count() == 6


def crossing(tries: list[str]) -> list[object]:
    """Lock two players in both orders at once, which one of the two has to lose."""
    one, other = new_player("One"), new_player("Other")
    both_hold = threading.Barrier(2)

    @retried
    def take(first: Player, second: Player) -> str:
        is_first_try = first.display_name not in tries
        tries.append(first.display_name)
        with transaction.atomic():
            services.lock(first.pk)
            if is_first_try:
                both_hold.wait()
            services.lock(second.pk)
        return first.display_name

    return list(at_once(lambda: take(one, other), lambda: take(other, one)))


def test_the_loser_of_a_deadlock_tries_again() -> None:
    tries: list[str] = []
    assert crossing(tries) == ["One", "Other"]
    assert len(tries) == 3


def test_a_repeated_loser_gives_up() -> None:
    tries = 0

    @retried
    def lose() -> None:
        nonlocal tries
        tries += 1
        with connection.cursor() as cursor:
            cursor.execute("DO $$BEGIN RAISE SQLSTATE '40001'; END$$")

    with pytest.raises(OperationalError):
        lose()
    assert tries == MOST_TRIES


def test_inside_a_transaction_only_its_owner_tries_again() -> None:
    tries = 0

    @retried
    def lose() -> None:
        nonlocal tries
        tries += 1
        with connection.cursor() as cursor:
            cursor.execute("DO $$BEGIN RAISE SQLSTATE '40P01'; END$$")

    with pytest.raises(OperationalError), transaction.atomic():
        lose()
    assert tries == 1


def test_two_requests_for_the_same_search_both_get_it() -> None:
    actor = new_player("Olga")

    def ask(code: str) -> Certification:
        return services.request_certification(
            code=code, budget=1000, actor=actor, reason="x", now=NOON
        )

    for win in wins_of(VARIANT)[:5]:
        results = at_once(*[partial(ask, win.code)] * 2)
        assert all(isinstance(result, Certification) for result in results), results
