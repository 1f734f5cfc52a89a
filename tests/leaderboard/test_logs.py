"""Logs for playing back: your own at any time, anyone's when the deal is public."""

from datetime import timedelta
from uuid import uuid4

import pytest

from games import services
from games.models import DailyDeal, Player, Submission
from tests.logs import wins_of
from tests.play import Caller, error_of

pytestmark = pytest.mark.django_db
WIN = wins_of("eight-off")[0]


@pytest.fixture
def deal(today) -> DailyDeal:
    return today["eight-off"]


@pytest.fixture
def ada() -> Caller:
    return Caller("Ada")


def make_final(deal: DailyDeal, clock) -> None:
    clock.move_to(deal.submissions_until + timedelta(minutes=2))


def log_path(attempt_id: str) -> str:
    return f"attempts/{attempt_id}/log/"


def refusal(answer) -> tuple[int, str]:
    return answer.status_code, error_of(answer)["code"]


def test_your_own_log_is_shown_at_any_time(deal, ada) -> None:
    attempt = ada.start(deal)["id"]
    assert refusal(ada.get(log_path(attempt))) == (404, "not_found")
    sent = f" {WIN.half}\n"
    receipt = ada.submit(attempt, sent).json()
    answer = ada.get(log_path(attempt))
    assert answer.status_code == 200
    assert answer.json() == {
        "attempt_id": attempt,
        "attempt_number": 1,
        "variant": "eight-off",
        "date": "2026-05-04",
        "code": WIN.code,
        "player": {"id": str(ada.player.pk), "display_name": "Ada"},
        "status": "accepted",
        "received_at": receipt["received_at"],
        "movetext": sent,
        "verdict": receipt["verdict"],
    }


def test_your_own_log_is_the_one_that_decides_the_attempt(deal, ada) -> None:
    attempt = ada.start(deal)["id"]
    ada.submit(attempt, WIN.illegal)
    refused = ada.get(log_path(attempt)).json()
    assert (refused["status"], refused["movetext"]) == ("refused", WIN.illegal)
    assert refused["verdict"]["refused"]["message"]
    ada.submit(attempt, WIN.movetext)
    assert ada.get(log_path(attempt)).json()["status"] == "accepted"


def test_another_players_log_is_hidden_before_the_deal_is_final(deal, ada, clock) -> None:
    attempt = ada.start(deal)["id"]
    ada.submit(attempt, WIN.movetext)
    bruno = Caller("Bruno")
    bruno.start(deal)  # and so knows the cards
    for moment in (deal.opens_at, deal.closes_at, deal.submissions_until + timedelta(seconds=59)):
        clock.move_to(moment)
        for other in (Caller(), bruno):
            answer = other.get(log_path(attempt))
            assert refusal(answer) == (409, "deal_not_final")
            assert WIN.code not in answer.content.decode()
    clock.move_to(deal.submissions_until + timedelta(minutes=1))
    for other in (Caller(), bruno):
        answer = other.get(log_path(attempt))
        assert answer.status_code == 200
        assert answer.json() == ada.get(log_path(attempt)).json()


def _disqualified(attempt: str) -> None:
    Submission.objects.filter(attempt=attempt).update(status="disqualified")


def _left(attempt: str) -> None:
    player = Player.objects.get(attempts=attempt)
    services.delete_player(player=player, now=player.joined_at)


def _voided(_attempt: str) -> None:
    DailyDeal.objects.filter(variant="eight-off").update(status="void")


@pytest.mark.parametrize("decision", [_disqualified, _left, _voided], ids=lambda d: d.__name__)
@pytest.mark.parametrize("is_final", [False, True])
def test_a_log_that_ranks_no_one_is_shown_to_no_one_else(
    deal, ada, clock, decision, is_final
) -> None:
    attempt = ada.start(deal)["id"]
    ada.submit(attempt, WIN.movetext)
    decision(attempt)
    if is_final:
        make_final(deal, clock)
    assert refusal(Caller().get(log_path(attempt))) == (404, "not_found")
    if decision is not _left:
        assert ada.get(log_path(attempt)).status_code == 200


def test_a_log_of_a_void_deal_says_so_to_its_player(deal, ada) -> None:
    attempt = ada.start(deal)["id"]
    ada.submit(attempt, WIN.movetext)
    _voided(attempt)
    assert ada.get(log_path(attempt)).json()["status"] == "void"


@pytest.mark.parametrize("kind", ["started", "refused", "late", "unknown"])
def test_no_other_log_is_shown_before_or_after(deal, ada, clock, kind: str) -> None:
    """Started, refused, late and missing logs look the same."""
    attempt = ada.start(deal)["id"] if kind != "unknown" else str(uuid4())
    if kind == "refused":
        ada.submit(attempt, WIN.illegal)
    open_answer = Caller().get(log_path(attempt))
    make_final(deal, clock)
    if kind == "late":
        assert ada.submit(attempt, WIN.movetext).json()["status"] == "late"
        assert ada.get(log_path(attempt)).json()["status"] == "late"
    for answer in (open_answer, Caller().get(log_path(attempt))):
        assert refusal(answer) == (404, "not_found")


def test_a_log_costs_two_queries(deal, ada, clock, django_assert_num_queries) -> None:
    attempt = ada.start(deal)["id"]
    ada.submit(attempt, WIN.movetext)
    make_final(deal, clock)
    Caller().get(log_path(attempt))  # which closes the deal
    with django_assert_num_queries(2):
        assert Caller().get(log_path(attempt)).status_code == 200
