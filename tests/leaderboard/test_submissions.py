"""Submissions: judged at once, stored always, counted once."""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from http.client import HTTPConnection
from uuid import UUID, uuid4

import pytest
from django.db import IntegrityError, connections, transaction
from django.utils import timezone

from games import engine, services
from games.errors import SubmissionRefused
from games.models import Attempt, DailyDeal, Submission
from leaderboard import boards
from leaderboard.models import DailyResult
from leaderboard.services import rebuild_results
from tests.logs import FEW_WINS, wins_of
from tests.play import NOON, Caller, assign, error_of, new_player, open_day, start, submit

pytestmark = pytest.mark.django_db
WIN = wins_of("eight-off")[0]


def test_a_winning_log_is_accepted_with_verdict_best_and_rank(today, clock) -> None:
    ada = Caller("Ada")
    attempt = ada.start(today["eight-off"])
    clock.shift(timedelta(seconds=75, milliseconds=250))
    answer = ada.submit(attempt["id"], WIN.movetext)
    assert answer.status_code == 201
    receipt = answer.json()
    assert receipt["status"] == "accepted"
    assert receipt["verdict"] == engine.replay(WIN.code, WIN.movetext).as_dict()
    assert receipt["verdict"]["score"] == WIN.score
    assert (receipt["elapsed_ms"], receipt["since_first_start_ms"]) == (75_250, 75_250)
    assert receipt["rules_version"] == engine.RULES_VERSION
    assert (receipt["rank"], receipt["ranked_players"], receipt["percentile"]) == (1, 1, 100)
    assert receipt["best"] == {
        "attempt_id": attempt["id"],
        "attempt_number": 1,
        "won": True,
        "score": WIN.score,
        "ranked_score": WIN.ranked_score,
        "moves": WIN.moves,
        "seconds": 75,
        "received_at": "2026-05-04T12:01:15.250000Z",
    }


@pytest.mark.parametrize("win", FEW_WINS, ids=lambda win: f"{win.code}-{len(win.tokens)}")
def test_every_real_log_gets_the_verdict_written_beside_it(clock, win) -> None:
    deal = assign(win.variant, win=win)
    DailyDeal.objects.update(status="open")
    for slug in set(engine.VARIANTS) - {win.variant}:
        assign(slug)
    DailyDeal.objects.update(status="open")
    ada = Caller("Ada")
    answer = ada.submit(ada.start(deal)["id"], win.movetext)
    assert answer.status_code == 201
    verdict = answer.json()["verdict"]
    assert (verdict["legal"], verdict["won"], verdict["refused"]) == (True, True, None)
    assert verdict["code"] == win.code
    assert (verdict["score"], verdict["ranked_score"], verdict["moves"]) == (
        win.score,
        win.ranked_score,
        win.moves,
    )


def test_the_log_is_stored_as_it_was_sent_with_its_verdict(today) -> None:
    ada = Caller("Ada")
    sent = f"  {WIN.movetext}\n"
    ada.submit(ada.start(today["eight-off"])["id"], sent)
    stored = Submission.objects.get()
    assert stored.movetext == sent
    assert stored.rules_version == engine.RULES_VERSION
    assert stored.verdict == engine.replay(WIN.code, sent)


def test_an_illegal_log_is_a_verdict_that_is_stored_and_leaves_the_attempt_free(today) -> None:
    ada = Caller("Ada")
    attempt = ada.start(today["eight-off"])["id"]
    first = ada.submit(attempt, WIN.illegal)
    assert first.status_code == 201
    assert first.json()["status"] == "refused"
    refused = first.json()["verdict"]["refused"]
    assert refused["code"].startswith("notation.")
    assert refused["message"]
    assert first.json()["verdict"]["actions"] == refused["index"]
    assert (first.json()["rank"], first.json()["percentile"]) == (None, None)
    second = ada.submit(attempt, WIN.movetext)
    assert (second.status_code, second.json()["status"]) == (201, "accepted")
    assert Submission.objects.count() == 2
    assert Submission.objects.filter(legal=False).get().verdict == engine.replay(
        WIN.code, WIN.illegal
    )


@pytest.mark.parametrize(("language", "word"), [("en", "card"), ("it", "carta"), ("es", "carta")])
def test_the_refusal_is_explained_in_the_players_language(today, language, word) -> None:
    ada = Caller("Ada")
    attempt = ada.start(today["eight-off"])["id"]
    answer = ada.post(
        f"attempts/{attempt}/submission/", {"movetext": "1h"}, HTTP_ACCEPT_LANGUAGE=language
    )
    assert word in answer.json()["verdict"]["refused"]["message"]


@pytest.mark.parametrize("again", [WIN.movetext, f" {WIN.movetext.replace(' ', chr(10))} "])
def test_the_same_log_again_gives_the_same_answer_with_200(today, clock, again) -> None:
    ada = Caller("Ada")
    attempt = ada.start(today["eight-off"])["id"]
    first = ada.submit(attempt, WIN.movetext)
    clock.shift(timedelta(minutes=5))
    second = ada.submit(attempt, again)
    assert second.status_code == 200
    assert second.json() == {**first.json(), "server_now": second.json()["server_now"]}
    assert Submission.objects.count() == 1


def test_a_refused_log_again_gives_the_same_answer_with_200(today) -> None:
    ada = Caller("Ada")
    attempt = ada.start(today["eight-off"])["id"]
    first = ada.submit(attempt, WIN.illegal)
    ada.submit(attempt, WIN.movetext)
    again = ada.submit(attempt, WIN.illegal)
    assert again.status_code == 200
    assert again.json()["verdict"] == first.json()["verdict"]


def test_other_white_space_makes_a_different_log(today) -> None:
    """A no-break space belongs to a token: that log is refused, and is not the one without."""
    ada = Caller("Ada")
    attempt = ada.start(today["eight-off"])["id"]
    assert ada.submit(attempt, WIN.movetext.replace(" ", "\u00a0")).json()["status"] == "refused"
    assert ada.submit(attempt, WIN.movetext).json()["status"] == "accepted"


def test_another_log_after_a_legal_one_is_409(today) -> None:
    ada = Caller("Ada")
    attempt = ada.start(today["eight-off"])["id"]
    ada.submit(attempt, WIN.half)
    for other in (WIN.movetext, WIN.illegal, ""):
        answer = ada.submit(attempt, other)
        assert (answer.status_code, error_of(answer)["code"]) == (409, "attempt_used")
    assert Submission.objects.count() == 1


def test_an_empty_log_is_a_legal_game_of_no_actions(today) -> None:
    ada = Caller("Ada")
    receipt = ada.submit(ada.start(today["eight-off"])["id"], "").json()
    assert (receipt["status"], receipt["verdict"]["actions"], receipt["rank"]) == ("accepted", 0, 1)


def test_a_foreign_attempt_is_403_and_an_unknown_one_404(today) -> None:
    ada, bruno = Caller("Ada"), Caller("Bruno")
    attempt = ada.start(today["eight-off"])["id"]
    for answer in (bruno.submit(attempt, WIN.movetext), bruno.get(f"attempts/{attempt}/")):
        assert (answer.status_code, error_of(answer)["code"]) == (403, "not_your_attempt")
    for answer in (ada.submit(str(uuid4()), WIN.movetext), ada.get(f"attempts/{uuid4()}/")):
        assert (answer.status_code, error_of(answer)["code"]) == (404, "not_found")
    assert Caller().submit(attempt, WIN.movetext).status_code == 401
    assert not Submission.objects.exists()


@pytest.mark.parametrize("movetext", ["D20001", "x" * 65_537])
def test_a_log_over_the_limits_is_413_and_leaves_the_attempt_free(today, movetext) -> None:
    ada = Caller("Ada")
    attempt = ada.start(today["eight-off"])["id"]
    assert ada.submit(attempt, movetext).status_code == 413
    assert ada.submit(attempt, WIN.movetext).status_code == 201


def test_the_receipt_is_the_same_answer_again(today) -> None:
    ada = Caller("Ada")
    attempt = ada.start(today["eight-off"])["id"]
    before = ada.get(f"attempts/{attempt}/").json()
    assert (before["status"], before["verdict"], before["received_at"]) == ("started", None, None)
    ada.submit(attempt, WIN.illegal)
    assert ada.get(f"attempts/{attempt}/").json()["status"] == "refused"
    answer = ada.submit(attempt, WIN.movetext).json()
    assert ada.get(f"attempts/{attempt}/").json() == answer


def test_a_claim_is_reported_where_it_differs_and_never_believed(today) -> None:
    ada = Caller("Ada")
    attempt = ada.start(today["eight-off"])["id"]
    half = engine.replay(WIN.code, WIN.half)
    receipt = ada.submit(attempt, WIN.half, won=True, score=999, moves=half.moves).json()
    assert receipt["claim_differences"] == [
        {"field": "won", "claimed": True, "verified": False},
        {"field": "score", "claimed": 999, "verified": half.score},
    ]
    assert receipt["claimed"] == {"won": True, "score": 999, "moves": half.moves}
    assert receipt["best"]["score"] == half.score


@pytest.mark.parametrize(
    "claimed", ["won", 7, ["won"], {"won": "perhaps"}, {"score": "many"}, {"moves": 10**30}]
)
def test_a_claim_of_another_shape_is_400(today, claimed) -> None:
    ada = Caller("Ada")
    attempt = ada.start(today["eight-off"])["id"]
    answer = ada.post(
        f"attempts/{attempt}/submission/", {"movetext": WIN.movetext, "claimed": claimed}
    )
    assert answer.status_code == 400
    assert error_of(answer)["attr"].startswith("claimed")
    assert not Submission.objects.exists()


# --- Time -------------------------------------------------------------------------------------


def test_time_counts_from_the_first_start_of_the_deal(today, clock) -> None:
    """Studying a deal in one attempt before playing it in the next takes time."""
    ada = Caller("Ada")
    ada.start(today["eight-off"])
    clock.shift(timedelta(minutes=30))
    second = ada.start(today["eight-off"])["id"]
    clock.shift(timedelta(minutes=2))
    receipt = ada.submit(second, WIN.movetext).json()
    assert receipt["elapsed_ms"] == 2 * 60_000
    assert receipt["since_first_start_ms"] == 32 * 60_000
    assert receipt["best"]["seconds"] == 32 * 60


def test_a_log_may_come_until_ten_minutes_after_the_close(clock) -> None:
    deal = open_day()["eight-off"]
    names = {"Ada": timedelta(0), "Bruno": timedelta(minutes=10)}
    clock.move_to(deal.closes_at - timedelta(seconds=1))
    callers = {name: Caller(name) for name in (*names, "Carla")}
    attempts = {name: caller.start(deal)["id"] for name, caller in callers.items()}
    for name, after in names.items():
        clock.move_to(deal.closes_at + after)
        receipt = callers[name].submit(attempts[name], WIN.movetext).json()
        assert receipt["status"] == "accepted"
    clock.move_to(deal.submissions_until + timedelta(microseconds=1))
    late = callers["Carla"].submit(attempts["Carla"], WIN.movetext)
    assert late.status_code == 201
    assert late.json()["status"] == "late"
    assert late.json()["verdict"]["won"]
    assert (late.json()["rank"], late.json()["ranked_players"]) == (None, 2)


def test_a_log_that_comes_when_the_deal_is_final_is_late_whatever_its_time(clock) -> None:
    """By then the winning line is public, so a request that took so long is no longer ranked."""
    deal = open_day()["eight-off"]
    attempt = start(new_player(), deal)
    DailyDeal.objects.filter(pk=deal.pk).update(status="final")
    submission, _created = submit(attempt, WIN.movetext, NOON + timedelta(minutes=1))
    assert submission.status == "late"
    assert not DailyResult.objects.exists()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_holding_back_the_body_does_not_stop_the_clock(live_server) -> None:
    """The headers of a request come early and its body late: the time is that of the body."""
    services.roll_over(now=timezone.now())
    deal = DailyDeal.objects.get(variant="eight-off", date=timezone.now().date())
    ada = Caller("Ada")
    attempt = ada.start(deal)["id"]
    body = b'{"movetext": ""}'
    connection = HTTPConnection(live_server.thread.host, live_server.thread.port)
    connection.putrequest("POST", f"/api/v1/attempts/{attempt}/submission/")
    for name, value in {
        "Authorization": f"Token {ada.token}",
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
    }.items():
        connection.putheader(name, value)
    connection.endheaders()
    connection.send(body[:5])
    # No sleep: the rest of the body follows the time that another request sees.
    deadline = time.monotonic() + 1.2
    while time.monotonic() < deadline:
        Caller().get("daily/")
    connection.send(body[5:])
    receipt = json.loads(connection.getresponse().read())
    connection.close()
    assert receipt["status"] == "accepted"
    assert receipt["elapsed_ms"] >= 1_000


def test_a_late_log_is_kept_for_days(clock) -> None:
    deal = open_day()["eight-off"]
    clock.move_to(deal.opens_at)
    ada = Caller("Ada")
    attempt = ada.start(deal)["id"]
    clock.move_to(deal.closes_at + timedelta(days=9))
    assert ada.submit(attempt, WIN.movetext).json()["status"] == "late"
    assert Submission.objects.get().verdict.won


def test_a_clock_set_back_gives_no_negative_time(today, clock) -> None:
    ada = Caller("Ada")
    attempt = ada.start(today["eight-off"])["id"]
    clock.shift(timedelta(seconds=-30))
    assert ada.submit(attempt, WIN.movetext).json()["elapsed_ms"] == 0


def test_logs_of_a_void_deal_are_kept_and_rank_no_one(today) -> None:
    ada, bruno = Caller("Ada"), Caller("Bruno")
    deal = today["eight-off"]
    first, second = ada.start(deal)["id"], bruno.start(deal)["id"]
    assert ada.submit(first, WIN.movetext).json()["rank"] == 1
    services.void_deal(daily_deal=deal, actor=new_player("Olga"), reason="A test of voiding.")
    receipt = bruno.submit(second, WIN.movetext).json()
    assert (receipt["status"], receipt["rank"], receipt["ranked_players"]) == ("void", None, 0)
    assert receipt["verdict"]["won"]
    assert Caller().get(f"daily/eight-off/{deal.date}/leaderboard/").json()["results"] == []


# --- The best result --------------------------------------------------------------------------


def test_a_best_result_is_one_whole_submission_never_a_mixture(today) -> None:
    player, deal = new_player(), today["eight-off"]
    slow = start(player, deal, NOON)
    submit(slow, WIN.movetext, NOON + timedelta(hours=1))
    quick = start(player, deal, NOON + timedelta(hours=1))
    submit(quick, WIN.half, NOON + timedelta(hours=1, seconds=1))
    result = DailyResult.objects.get()
    assert result.submission.attempt == slow
    assert result.key == (True, WIN.ranked_score, WIN.moves, 3600)


@pytest.mark.parametrize("order", [("half", "movetext"), ("movetext", "half")])
def test_a_worse_result_changes_nothing_and_a_better_one_counts(today, order) -> None:
    player, deal = new_player(), today["eight-off"]
    for which in order:
        submit(start(player, deal), getattr(WIN, which))
    assert DailyResult.objects.get().key.won


def test_an_equal_result_leaves_the_first_accepted(today) -> None:
    player, deal = new_player(), today["eight-off"]
    first, second = start(player, deal), start(player, deal)
    submit(first, WIN.movetext)
    submit(second, WIN.movetext)
    assert DailyResult.objects.get().submission.attempt == first


def test_equal_keys_share_a_rank_and_are_listed_in_order_of_acceptance(today) -> None:
    """1, 2, 2, 4."""
    deal = today["eight-off"]
    detour = f"{WIN.tokens[0]} U {WIN.movetext}"
    logs = {"Dario": WIN.half, "Carla": detour, "Ada": WIN.movetext, "Bruno": detour}
    for name, log in logs.items():
        submit(start(new_player(name), deal), log)
    board = Caller().get(f"daily/eight-off/{deal.date}/leaderboard/").json()
    assert [(row["rank"], row["player"]["display_name"]) for row in board["results"]] == [
        (1, "Ada"),
        (2, "Carla"),
        (2, "Bruno"),
        (4, "Dario"),
    ]


def test_the_rank_is_the_same_number_everywhere(today) -> None:
    deal = today["eight-off"]
    detour = f"{WIN.tokens[0]} U {WIN.movetext}"
    path = f"daily/eight-off/{deal.date}/leaderboard/"
    for name, log in {"Ada": detour, "Bruno": WIN.movetext, "Carla": detour, "Dario": ""}.items():
        caller = Caller(name)
        rank = caller.submit(caller.start(deal)["id"], log).json()["rank"]
        around = caller.get(f"{path}around-me/").json()
        listed = {row["player"]["id"]: row["rank"] for row in Caller().get(path).json()["results"]}
        assert rank == around["rank"] == listed[str(caller.player.pk)]
        assert rank in [row["rank"] for row in around["results"]]


# --- Disqualified and reinstated --------------------------------------------------------------


def test_disqualifying_lets_the_next_best_count_and_reinstating_restores_exact_ranks(today) -> None:
    deal, staff = today["eight-off"], new_player("Olga")
    ada = new_player("Ada")
    best, _created = submit(start(ada, deal), WIN.movetext)
    submit(start(ada, deal), WIN.half)
    submit(start(new_player("Bruno"), deal), f"{WIN.tokens[0]} U {WIN.movetext}")
    before = list(DailyResult.objects.order_by("-rank_key").values_list("player", "rank_key"))

    services.disqualify(submission=best, actor=staff, reason="Two accounts, one person.")
    standing = boards.standing(daily_deal=deal, player_id=ada.pk)
    assert (standing.rank, standing.best.key.won) == (2, False)

    services.reinstate(submission=best, actor=staff, reason="It was her sister.")
    assert before == list(
        DailyResult.objects.order_by("-rank_key").values_list("player", "rank_key")
    )


def test_a_disqualified_only_result_is_on_no_board(today) -> None:
    deal, staff = today["eight-off"], new_player("Olga")
    ada = new_player("Ada")
    submission, _created = submit(start(ada, deal), WIN.movetext)
    services.disqualify(submission=submission, actor=staff, reason="A bot.")
    assert not DailyResult.objects.exists()


def test_only_an_accepted_log_is_disqualified_and_only_a_disqualified_one_reinstated(today) -> None:
    staff = new_player("Olga")
    illegal, _created = submit(start(new_player("Ada"), today["eight-off"]), WIN.illegal)
    legal, _created = submit(start(new_player("Bruno"), today["eight-off"]), WIN.half)
    for action, submission in ((services.disqualify, illegal), (services.reinstate, legal)):
        with pytest.raises(SubmissionRefused) as refusal:
            action(submission=submission, actor=staff, reason="A mistake.")
        assert refusal.value.code == "submission_refused"
        assert submission.status == Submission.objects.get(pk=submission.pk).status


def test_rebuilding_gives_the_same_results(today) -> None:
    for name, log in {"Ada": WIN.movetext, "Bruno": WIN.half, "Carla": WIN.illegal}.items():
        submit(start(new_player(name), today["eight-off"]), log)
    fields = ("daily_deal", "player", "submission", "rank_key")
    before = list(DailyResult.objects.order_by("player").values_list(*fields))
    DailyResult.objects.all().delete()
    assert rebuild_results() == 3
    assert list(DailyResult.objects.order_by("player").values_list(*fields)) == before


# --- All at once ------------------------------------------------------------------------------


def _at_once(calls) -> list:
    def run(call):
        try:
            return call()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(max_workers=len(calls)) as threads:
        return list(threads.map(run, calls))


@pytest.mark.django_db(transaction=True)
def test_eight_identical_posts_make_one_result(clock) -> None:
    deal = open_day()["eight-off"]
    ada = Caller("Ada")
    attempt = ada.start(deal)["id"]
    token = {"HTTP_AUTHORIZATION": f"Token {ada.token}"}

    def post():
        return Caller().post(f"attempts/{attempt}/submission/", {"movetext": WIN.movetext}, **token)

    answers = _at_once([post] * 8)
    assert sorted(answer.status_code for answer in answers) == [200] * 7 + [201]
    assert len({answer.content for answer in answers}) == 1
    assert Submission.objects.count() == DailyResult.objects.count() == 1


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_fifty_parallel_posts_by_one_player_make_one_result_the_best(clock) -> None:
    deal = open_day()["eight-off"]
    ada = Caller("Ada")
    attempts = [ada.start(deal)["id"] for _ in range(5)]
    token = {"HTTP_AUTHORIZATION": f"Token {ada.token}"}
    first = WIN.tokens[0]
    logs = [f"{first} U " * detours + WIN.movetext for detours in range(10)]

    def post(attempt: str, log: str):
        return Caller().post(f"attempts/{attempt}/submission/", {"movetext": log}, **token)

    calls = [
        lambda attempt=attempt, log=log: post(attempt, log) for log in logs for attempt in attempts
    ]
    answers = _at_once(calls)
    assert len(answers) == 50
    # One log a try: the other nine of each attempt come after a legal one.
    assert sorted(answer.status_code for answer in answers) == [201] * 5 + [409] * 45
    result = DailyResult.objects.get()
    accepted = Submission.objects.order_by("moves", "pk")
    assert accepted.count() == 5
    assert result.submission == accepted.first()


@pytest.mark.django_db(transaction=True)
def test_parallel_starts_are_numbered_one_by_one(clock) -> None:
    deal = open_day()["eight-off"]
    player = new_player()
    _at_once([lambda: start(player, deal).number] * 12)
    numbers = list(Attempt.objects.order_by("number").values_list("number", flat=True))
    assert numbers == list(range(1, 13))


# --- What the database refuses by itself ------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        {"status": "refused"},
        {"status": "unheard"},
        {"legal": False},
        {"ranked_score": 1},
        {"elapsed_ms": -1},
        {"since_first_start_ms": -1},
        {"refused_code": "column.no_such"},
    ],
    ids=str,
)
def test_the_database_refuses_a_row_that_contradicts_itself(today, change) -> None:
    submission, _created = submit(start(new_player(), today["eight-off"]), WIN.movetext)
    with pytest.raises(IntegrityError), transaction.atomic():
        Submission.objects.filter(pk=submission.pk).update(**change)


def test_the_database_refuses_a_second_legal_log_of_an_attempt(today) -> None:
    submission, _created = submit(start(new_player(), today["eight-off"]), WIN.movetext)
    submission.pk, submission.digest = None, "0" * 64
    with pytest.raises(IntegrityError), transaction.atomic():
        submission.save(force_insert=True)


def test_an_attempt_id_is_a_uuid(today) -> None:
    assert UUID(Caller("Ada").start(today["eight-off"])["id"])
