"""The tasks: sent once the transaction is committed, to the right worker, and never in the way."""

import json
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from celery import current_app
from celery.schedules import crontab
from django.conf import settings
from django.db import transaction
from django.test import Client
from django.urls import reverse

from config.local.run import commands
from config.redis import short_client
from games import engine, tasks
from games.models import DailyDeal, KnownAddress, Player
from games.services import guesses
from tests.compose import ROOT, service
from tests.installed_settings import installed_settings
from tests.logs import wins_of
from tests.play import NOON, TODAY, Caller, assign, new_player
from tests.processes import PATIENCE_S, machine_environment

OURS = sorted(name for name in current_app.tasks if name.startswith(("games.", "leaderboard.")))
# They search for minutes, beside everything else.
SEARCHES = {
    "games.tasks.analyse_pending",
    "games.tasks.certify_pending",
    "games.tasks.top_up_pool",
}


# --- As the settings have them ----------------------------------------------------------------


def _limit_s(name: str) -> int:
    limit_s: int | None = current_app.tasks[name].time_limit or current_app.conf.task_time_limit
    assert limit_s, f"{name} may run for ever"
    return limit_s


def test_there_are_the_tasks_that_these_tests_are_about() -> None:
    assert len(OURS) == 6
    assert set(OURS) > SEARCHES


@pytest.mark.parametrize("name", OURS)
def test_a_task_goes_to_the_queue_of_its_kind(name: str) -> None:
    queue = current_app.amqp.router.route({}, name)["queue"].name
    assert queue == ("search" if name in SEARCHES else "celery")


def test_each_queue_has_a_worker_of_its_own() -> None:
    """With compose and with `make run`: one names the searches' queue, one the default by none."""
    for started in (
        {name: service(name)["command"] for name in ("worker", "search")},
        commands("127.0.0.1", 8000, ROOT),
    ):
        assert "--queues" not in started["worker"]
        search = started["search"]
        assert search[search.index("--queues") + 1] == settings.SEARCH_QUEUE
        assert search[search.index("--concurrency") + 1] == "1"
    assert current_app.conf.task_default_queue == "celery"


@pytest.mark.parametrize("name", OURS)
def test_a_task_ends_before_its_message_would_be_delivered_again(name: str) -> None:
    """A worker takes messages ahead of those it works on: these wait as long as one runs."""
    visible_s = current_app.conf.broker_transport_options["visibility_timeout"]
    taken = current_app.conf.worker_prefetch_multiplier
    assert 0 < taken * _limit_s(name) < visible_s
    assert _limit_s(name) == (3600 if name in SEARCHES else 300)


@pytest.mark.parametrize("name", OURS)
def test_a_task_whose_worker_dies_is_not_lost_and_keeps_no_result(name: str) -> None:
    task = current_app.tasks[name]
    assert (task.acks_late, task.ignore_result) == (True, True)


# What runs each minute, what now and then, and what once a day.
RUNS_A_DAY = {
    "games.tasks.roll_over": 24 * 60,
    "games.tasks.certify_pending": 24 * 60,
    "games.tasks.analyse_pending": 24 * 60,
    "games.tasks.top_up_pool": 24 * 6,
    "games.tasks.forget_addresses": 1,
    "games.tasks.forget_refused_logs": 1,
}


def _minutes_of_the_day(times: crontab) -> list[int]:
    assert (len(times.day_of_week), len(times.day_of_month), len(times.month_of_year)) == (
        7,
        31,
        12,
    )
    return sorted(60 * hour + minute for hour in times.hour for minute in times.minute)


def test_beat_sends_every_task_as_often_as_it_is_needed() -> None:
    """In UTC: the first minute of the day opens its deals."""
    entries = current_app.conf.beat_schedule.values()
    sent = {entry["task"]: len(_minutes_of_the_day(entry["schedule"])) for entry in entries}
    assert sent == RUNS_A_DAY
    assert set(sent) == set(OURS)
    assert len(entries) == len(sent)
    assert str(current_app.timezone) == "UTC"


@pytest.mark.parametrize("entry", settings.CELERY_BEAT_SCHEDULE.values(), ids=lambda e: e["task"])
def test_of_what_beat_sends_nothing_waits_for_longer_than_the_next(entry: dict) -> None:
    """A worker that was away does not find a day of messages."""
    minutes = _minutes_of_the_day(entry["schedule"])
    gaps = [60 * (later - earlier) for earlier, later in pairwise(minutes)]
    assert 0 < entry["options"]["expires"] < min(gaps, default=24 * 3600)


def test_without_redis_no_broker_is_asked_and_with_it_no_other() -> None:
    assert installed_settings()["CELERY_BROKER_URL"] == "memory://"
    assert installed_settings(REDIS_URL="redis://there")["CELERY_BROKER_URL"] == "redis://there"
    assert current_app.conf.broker_url == settings.CELERY_BROKER_URL


# --- What they do -----------------------------------------------------------------------------


@pytest.mark.django_db
def test_the_task_of_the_rollover_opens_what_is_due(clock, settings) -> None:
    settings.DAYS_AHEAD = 1
    for variant in engine.VARIANTS:
        for at, day in enumerate([TODAY, TODAY + timedelta(days=1)]):
            assign(variant, day, win=wins_of(variant)[at])
    tasks.roll_over()
    assert set(DailyDeal.objects.values_list("date", "status")) == {
        (TODAY, "open"),
        (TODAY + timedelta(days=1), "scheduled"),
    }


@pytest.mark.django_db
def test_the_task_that_forgets_addresses_forgets_those_that_are_no_longer_known(clock) -> None:
    for at, age in enumerate([guesses.KNOWN_FOR, guesses.KNOWN_FOR - timedelta(seconds=1)]):
        KnownAddress.objects.create(
            player=new_player(f"Player {at}"), address_hash="a" * 64, last_let_in_at=NOON - age
        )
    tasks.forget_addresses()
    assert KnownAddress.objects.get().player.display_name == "Player 1"


# --- How they are sent ------------------------------------------------------------------------


@pytest.fixture
def waiting() -> Iterator[Callable[[], list[str]]]:
    """Return what names the tasks that wait in the searches' queue, and empty it."""
    client = short_client(timeout_s=PATIENCE_S)
    if client is None:
        pytest.skip("needs a Redis")
    client.delete("search")
    yield lambda: [json.loads(each)["headers"]["task"] for each in client.lrange("search", 0, -1)]
    client.delete("search")


@pytest.fixture
def lost(clock) -> tuple[Caller, str]:
    """Return a player and the attempt of a lost game whose deal is final."""
    deal = assign("eight-off-2")
    DailyDeal.objects.update(status=DailyDeal.Status.OPEN)
    ada = Caller("Ada")
    attempt = ada.start(deal)["id"]
    ada.submit(attempt, " ".join(wins_of("eight-off-2")[0].tokens[:20]))
    clock.move_to(deal.submissions_until + settings.SETTLE)
    return ada, attempt


@pytest.mark.django_db
def test_a_question_is_sent_once_it_is_stored_and_not_once_it_is_answered(
    lost, waiting, django_capture_on_commit_callbacks
) -> None:
    ada, attempt = lost
    with django_capture_on_commit_callbacks(execute=True):
        assert ada.post(f"attempts/{attempt}/analysis/").status_code == 202
        assert waiting() == []
    assert waiting() == ["games.tasks.analyse_pending"]
    tasks.analyse_pending()
    with django_capture_on_commit_callbacks(execute=True):
        assert ada.post(f"attempts/{attempt}/analysis/").status_code == 200
    assert len(waiting()) == 1


@pytest.mark.django_db
def test_a_deal_to_certify_is_sent_once_it_is_stored(
    waiting, django_capture_on_commit_callbacks
) -> None:
    olga = Client()
    olga.force_login(Player.objects.create_superuser("olga", "a long password"))
    wanted = {"code": wins_of("eight-off")[0].code, "budget": 1000, "reason": "For Sunday."}
    with django_capture_on_commit_callbacks(execute=True):
        answer = olga.post(reverse("admin:games_certification_certify"), wanted)
        assert answer.status_code == 302
        assert waiting() == []
    assert waiting() == ["games.tasks.certify_pending"]


@pytest.mark.django_db(transaction=True)
def test_what_is_not_stored_is_not_sent(waiting) -> None:
    with transaction.atomic():
        tasks.send_after_commit(tasks.analyse_pending)
        transaction.set_rollback(True)
    assert waiting() == []


@pytest.mark.django_db(transaction=True)
def test_nothing_that_goes_wrong_with_sending_fails_what_is_stored(waiting, caplog) -> None:
    with transaction.atomic():
        tasks.send_after_commit(object())  # it has not even a name to log
        tasks.send_after_commit(tasks.analyse_pending)
    assert "Error calling" in caplog.text
    assert waiting() == ["games.tasks.analyse_pending"]


# In a process of an installation, with its own settings.
SEND = """
from config.redis import redis_breaker
from games import tasks
for _time in range(2):
    tasks.send_after_commit(tasks.analyse_pending)
print("open" if redis_breaker.is_open else "shut")
"""


@contextmanager
def _server(*, answers: bool) -> Iterator[tuple[int, list[socket.socket]]]:
    """Yield a port, and the connections made to it: they are closed at once, or never answered."""
    made: list[socket.socket] = []
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def accept() -> None:
            while True:
                try:
                    made.append(listener.accept()[0])
                except OSError:
                    return
                if answers:
                    made[-1].close()

        threading.Thread(target=accept, daemon=True).start()
        try:
            yield listener.getsockname()[1], made
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            for connection in made:
                connection.close()


def _send(redis_url: str, state: Path) -> tuple[str, str]:
    """Send two tasks from an installation; return how its breaker then is, and what it logged."""
    sent = subprocess.run(
        [sys.executable, "manage.py", "shell", "--verbosity", "0", "--no-imports", "-c", SEND],
        cwd=ROOT,
        env=machine_environment() | {"STATE_DIR": str(state), "REDIS_URL": redis_url},
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE_S,
    )
    return sent.stdout.strip(), sent.stderr


@pytest.mark.process
def test_without_redis_nothing_is_sent_and_nothing_is_said(tmp_path: Path) -> None:
    assert _send("", tmp_path) == ("shut", "")


@pytest.mark.process
def test_a_broker_that_is_away_is_asked_once_for_each_task(tmp_path: Path) -> None:
    """No try again, and no sleep before one, in the middle of a request."""
    with _server(answers=True) as (port, connections):
        breaker, said = _send(f"redis://:secret@127.0.0.1:{port}/0", tmp_path)
        assert (breaker, len(connections)) == ("shut", 2)
    assert said.count("games.tasks.analyse_pending was not sent") == 2
    assert "secret" not in said


@pytest.mark.process
def test_a_broker_that_hangs_is_asked_once_and_then_not_at_all(tmp_path: Path) -> None:
    with _server(answers=False) as (port, connections):
        breaker, said = _send(f"redis://127.0.0.1:{port}/0", tmp_path)
    assert (breaker, bool(connections)) == ("open", True)
    assert said.count("games.tasks.analyse_pending was not sent") == 1
