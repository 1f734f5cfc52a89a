"""Refused logs do not pile up: an attempt has its last one, and some before it for a while."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.conf import settings
from django.db import connections
from django.utils import timezone

from games import services, tasks
from games.models import Attempt, Submission
from games.services import attempts as attempt_services
from tests.logs import wins_of
from tests.play import NOON, Caller, error_of, new_player, open_day, start, submit

pytestmark = pytest.mark.django_db
WIN = wins_of("eight-off")[0]
KEPT = 20
OLD = timedelta(days=90)


def illegal(number: int) -> str:
    """Return one of any number of different logs that break the same rule."""
    return f"zz{number}"


def logs_of(attempt: Attempt) -> list[str]:
    return list(attempt.submissions.order_by("pk").values_list("log__movetext", flat=True))


def test_an_attempt_keeps_its_last_twenty_refused_logs(today) -> None:
    attempt = start(new_player(), today["eight-off"])
    for number in range(KEPT + 5):
        submit(attempt, illegal(number))
        assert len(logs_of(attempt)) == min(number + 1, KEPT)
    assert logs_of(attempt) == [illegal(number) for number in range(5, KEPT + 5)]


def test_a_deleted_log_is_judged_again_and_a_kept_one_is_recognised(today) -> None:
    ada = Caller("Ada")
    attempt = ada.start(today["eight-off"])["id"]
    for number in range(KEPT + 1):
        assert ada.submit(attempt, illegal(number)).status_code == 201
    assert ada.submit(attempt, illegal(1)).status_code == 200
    again = ada.submit(attempt, illegal(0))
    assert (again.status_code, again.json()["status"]) == (201, "refused")
    assert Submission.objects.filter(log__movetext=illegal(0)).count() == 1
    # It took the place of the first.
    assert not Submission.objects.filter(log__movetext=illegal(1)).exists()


def test_an_attempt_shows_its_last_refused_log(today) -> None:
    ada = Caller("Ada")
    attempt = ada.start(today["eight-off"])["id"]
    for number in range(KEPT + 3):
        ada.submit(attempt, illegal(number))
    assert ada.get(f"attempts/{attempt}/log/").json()["movetext"] == illegal(KEPT + 2)
    receipt = ada.get(f"attempts/{attempt}/").json()
    assert receipt["verdict"]["refused"]["action"] == illegal(KEPT + 2)


def test_a_legal_log_and_other_attempts_lose_nothing(today) -> None:
    ada, bob = new_player("Ada"), new_player("Bob")
    attempts = [start(ada, today["eight-off"]), start(ada, today["eight-off"])]
    attempts.append(start(bob, today["eight-off"]))
    for attempt in attempts:
        for number in range(KEPT):
            submit(attempt, illegal(number))
    submit(attempts[0], WIN.movetext)
    submit(attempts[1], illegal(KEPT))
    assert [len(logs_of(attempt)) for attempt in attempts] == [KEPT + 1, KEPT, KEPT]
    assert attempts[0].submissions.filter(legal=True).count() == 1


def test_a_deleted_log_counts_as_another_log_after_a_legal_one(today) -> None:
    ada = Caller("Ada")
    attempt = ada.start(today["eight-off"])["id"]
    for number in range(KEPT + 1):
        ada.submit(attempt, illegal(number))
    assert ada.submit(attempt, WIN.movetext).status_code == 201
    assert ada.submit(attempt, illegal(1)).status_code == 200
    gone = ada.submit(attempt, illegal(0))
    assert (gone.status_code, error_of(gone)["code"]) == (409, "attempt_used")


def test_the_number_is_a_setting_and_one_is_the_least(today, settings) -> None:
    settings.REFUSED_LOGS_KEPT_PER_ATTEMPT = 1
    attempt = start(new_player(), today["eight-off"])
    for number in range(3):
        submit(attempt, illegal(number))
    assert logs_of(attempt) == [illegal(2)]


def test_forgetting_at_storing_costs_one_statement(today, django_assert_num_queries) -> None:
    attempt = start(new_player(), today["eight-off"])
    for number in range(KEPT):
        submit(attempt, illegal(number))
    with django_assert_num_queries(1):
        attempt_services._forget_all_but_the_last(attempt)


@pytest.mark.django_db(transaction=True)
def test_logs_that_come_at_the_same_time_leave_twenty(clock) -> None:
    attempt = start(new_player(), open_day()["eight-off"])
    for number in range(KEPT - 1):
        submit(attempt, illegal(number))

    def send(number: int) -> bool:
        try:
            return submit(Attempt.objects.get(pk=attempt.pk), illegal(number))[1]
        finally:
            connections.close_all()

    with ThreadPoolExecutor(max_workers=10) as threads:
        # Each log twice. The second one is known, unless twenty others came in between.
        stored = list(threads.map(send, [100 + number // 2 for number in range(60)]))
    assert stored.count(True) >= 30
    assert len(logs_of(attempt)) == KEPT
    assert len({*logs_of(attempt)}) == KEPT
    assert all(int(log[2:]) >= 100 for log in logs_of(attempt))


# --- Old logs ---------------------------------------------------------------------------------


def test_earlier_refused_logs_go_after_ninety_days_and_the_last_one_stays(today) -> None:
    attempt = start(new_player(), today["eight-off"])
    for number, after in enumerate((0, 1, 2)):
        submit(attempt, illegal(number), NOON + timedelta(hours=after))
    assert services.forget_refused_logs(now=NOON + OLD - timedelta(seconds=1)) == 0
    assert services.forget_refused_logs(now=NOON + OLD) == 1
    assert logs_of(attempt) == [illegal(1), illegal(2)]
    assert services.forget_refused_logs(now=NOON + 2 * OLD) == 1
    assert services.forget_refused_logs(now=NOON + 20 * OLD) == 0
    assert logs_of(attempt) == [illegal(2)]


def test_legal_logs_stay_and_the_last_refused_one_beside_them(today) -> None:
    attempt = start(new_player(), today["eight-off"])
    for log in (illegal(0), illegal(1), WIN.movetext):
        submit(attempt, log)
    assert services.forget_refused_logs(now=NOON + 2 * OLD) == 1
    assert logs_of(attempt) == [illegal(1), WIN.movetext]


def test_old_logs_are_deleted_in_batches_and_an_interrupted_run_continues(
    today, monkeypatch
) -> None:
    monkeypatch.setattr(attempt_services, "_FORGOTTEN_AT_ONCE", 3)
    attempts = [start(new_player(name), today["eight-off"]) for name in ("Ada", "Bob")]
    for number in range(8):
        for attempt in attempts:
            submit(attempt, illegal(number))
    whole, deleted = attempt_services._delete, []

    def breaks_at_the_third(batch) -> int:
        deleted.append(batch.count())
        if len(deleted) == 3:
            raise InterruptedError
        return whole(batch)

    with monkeypatch.context() as patched:
        patched.setattr(attempt_services, "_delete", breaks_at_the_third)
        with pytest.raises(InterruptedError):
            services.forget_refused_logs(now=NOON + OLD)
    assert deleted == [3, 3, 3]
    assert services.forget_refused_logs(now=NOON + OLD) == 14 - 6
    assert [logs_of(attempt) for attempt in attempts] == [[illegal(7)], [illegal(7)]]


def test_beat_has_old_logs_forgotten_once_a_day(today) -> None:
    entry = settings.CELERY_BEAT_SCHEDULE["forget-refused-logs"]
    assert entry["task"] == tasks.forget_refused_logs.name
    times = entry["schedule"]
    assert (len(times.hour), len(times.minute), len(times.day_of_week)) == (1, 1, 7)
    attempt = start(new_player(), today["eight-off"])
    for number in range(2):
        submit(attempt, illegal(number), timezone.now() - OLD)
    tasks.forget_refused_logs()
    assert logs_of(attempt) == [illegal(1)]
