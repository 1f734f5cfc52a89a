"""Daily deals and attempts: who may see what when, and start when."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import engine, services
from games.errors import PlayerGone
from games.models import Attempt, DailyDeal, Player
from tests.logs import wins_of
from tests.play import NOON, TODAY, Caller, assign, error_of, new_player, open_day

pytestmark = pytest.mark.django_db


def test_today_has_a_deal_of_every_variant(today) -> None:
    deals = Caller().get("daily/").json()
    assert [deal["variant"] for deal in deals] == list(engine.VARIANTS)
    for deal in deals:
        assert deal["date"] == "2026-05-04"
        assert deal["opens_at"] == "2026-05-04T00:00:00Z"
        assert deal["closes_at"] == "2026-05-05T00:00:00Z"
        assert deal["submissions_until"] == "2026-05-05T00:10:00Z"
        assert deal["server_now"] == "2026-05-04T12:00:00Z"
        assert deal["status"] == "open"
        assert deal["entrants"] == 0
        assert deal["code"] is None


def test_the_first_request_of_a_day_makes_its_deals(clock) -> None:
    assert not DailyDeal.objects.exists()
    assert len(Caller().get("daily/").json()) == len(engine.VARIANTS)


def test_the_list_counts_the_entrants(today) -> None:
    for name in ("Ada", "Bruno", "Carla"):
        Caller(name).start(today["eight-off"])
    deals = Caller().get("daily/").json()
    assert {deal["variant"]: deal["entrants"] for deal in deals}["eight-off"] == 3


def test_the_code_of_an_open_deal_is_shown_only_to_players_who_started_it(today) -> None:
    deal = today["easy-harp"]
    ada, bruno = Caller("Ada"), Caller("Bruno")
    started = ada.start(deal)
    assert started["code"] == str(deal.pool_deal.code)
    for path in ("daily/", f"daily/easy-harp/{deal.date}/"):
        for other in (bruno, Caller()):
            assert str(deal.pool_deal.code) not in other.get(path).content.decode()
        assert str(deal.pool_deal.code) in ada.get(path).content.decode()
    # No one sees the winning line before the standings are final.
    assert ada.get(f"daily/easy-harp/{deal.date}/").json()["winning_movetext"] is None


def test_code_layout_and_winning_line_are_public_when_the_deal_is_final(clock) -> None:
    deal = open_day()["easy-harp"]
    path = f"daily/easy-harp/{deal.date}/"
    clock.move_to(deal.submissions_until - timedelta(seconds=1))
    in_grace = Caller().get(path).json()
    assert (in_grace["status"], in_grace["code"], in_grace["layout"]) == ("grace", None, None)
    clock.move_to(deal.submissions_until + timedelta(minutes=2))
    final = Caller().get(path).json()
    assert final["status"] == "final"
    assert final["code"] == str(deal.pool_deal.code)
    assert final["layout"] == engine.deal(deal.pool_deal.code).as_dict()
    verdict = engine.replay(final["code"], final["winning_movetext"])
    assert verdict.won


def test_a_future_deal_shows_its_times_and_not_its_cards(today) -> None:
    deal = assign("easy-harp", TODAY + timedelta(days=3), win=wins_of("easy-harp")[1])
    ada = Caller("Ada")
    answer = ada.get(f"daily/easy-harp/{deal.date}/").json()
    assert (answer["status"], answer["code"], answer["layout"]) == ("scheduled", None, None)


def test_starting_tells_code_layout_and_number_and_starts_the_clock(today) -> None:
    deal = today["eight-off-2"]
    ada = Caller("Ada")
    first, second = ada.start(deal), ada.start(deal)
    assert (first["number"], second["number"]) == (1, 2)
    assert first["id"] != second["id"]
    assert first["layout"] == engine.deal(deal.pool_deal.code).as_dict()
    assert first["started_at"] == "2026-05-04T12:00:00Z"
    listed = ada.get(f"daily/eight-off-2/{deal.date}/attempts/").json()
    assert [attempt["id"] for attempt in listed] == [second["id"], first["id"]]
    assert Caller("Bruno").start(deal)["number"] == 1
    assert Caller().get("daily/").json()[3]["entrants"] == 2


def test_a_deal_cannot_be_started_before_it_opens_or_after_it_closes(clock) -> None:
    deal = open_day()["eight-off"]
    ada = Caller("Ada")
    path = f"daily/eight-off/{deal.date}/attempts/"
    clock.move_to(deal.opens_at)
    assert ada.post(path).status_code == 201
    for moment, code in (
        (deal.opens_at - timedelta(microseconds=1), "deal_not_open"),
        (deal.closes_at, "deal_closed"),
        (deal.closes_at + timedelta(minutes=5), "deal_closed"),
        (deal.closes_at + timedelta(days=2), "deal_closed"),
    ):
        clock.move_to(moment)
        answer = ada.post(path)
        assert (answer.status_code, error_of(answer)["code"]) == (409, code)
    assert Attempt.objects.count() == 1


def test_a_void_deal_cannot_be_started(today) -> None:
    DailyDeal.objects.filter(variant="eight-off").update(status="void")
    answer = Caller("Ada").post(f"daily/eight-off/{TODAY}/attempts/")
    assert (answer.status_code, error_of(answer)["code"]) == (409, "deal_void")


@pytest.mark.parametrize(
    "path",
    [
        "daily/bridge/2026-05-04/",
        "daily/easy-harp/2026-02-30/",
        "daily/easy-harp/0000-00-00/",
        "daily/easy-harp/1999-01-01/",
        "daily/easy-harp/9999-12-31/",
        "daily/easy-harp/today/",
        "daily/easy-harp/2026-05-04/leaderboards/",
        "nothing/",
    ],
)
def test_an_unknown_address_is_404_in_the_envelope(today, path: str) -> None:
    answer = Caller().get(path)
    assert answer.status_code == 404
    assert error_of(answer)["code"] == "not_found"


def test_a_player_who_has_left_starts_nothing(today) -> None:
    """The request knows the player as they were when it began."""
    gone = new_player()
    services.delete_player(player=Player.objects.get(pk=gone.pk), now=NOON)
    with pytest.raises(PlayerGone):
        services.start_attempt(player=gone, daily_deal=today["eight-off"], now=NOON)
    assert not Attempt.objects.exists()


def test_starting_needs_a_token(today) -> None:
    answer = Caller().post(f"daily/easy-harp/{TODAY}/attempts/")
    assert answer.status_code == 401


def test_an_attempt_tells_since_when_the_ranking_time_counts_and_whether_it_is_free(
    today, clock
) -> None:
    deal = today["eight-off"]
    win = wins_of("eight-off")[0]
    ada = Caller("Ada")
    Caller("Bruno").start(deal)
    clock.shift(timedelta(minutes=1))
    used = ada.start(deal)
    assert (used["first_started_at"], used["is_open"]) == ("2026-05-04T12:01:00Z", True)
    clock.shift(timedelta(minutes=1))
    free = ada.start(deal)
    assert (free["started_at"], free["first_started_at"], free["is_open"]) == (
        "2026-05-04T12:02:00Z",
        "2026-05-04T12:01:00Z",
        True,
    )
    ada.submit(used["id"], win.half)
    ada.submit(free["id"], win.illegal)
    listed = ada.get(f"daily/eight-off/{deal.date}/attempts/").json()
    assert [(row["id"], row["is_open"]) for row in listed] == [
        (free["id"], True),
        (used["id"], False),
    ]
    assert {row["first_started_at"] for row in listed} == {"2026-05-04T12:01:00Z"}


def test_the_first_start_is_shown_when_it_is_no_longer_listed(today, clock) -> None:
    deal, ada = today["eight-off"], Caller("Ada")
    Attempt.objects.bulk_create(
        Attempt(
            player=ada.player,
            daily_deal=deal,
            number=number,
            started_at=NOON + timedelta(minutes=number),
        )
        for number in range(1, 121)
    )
    listed = ada.get(f"daily/eight-off/{deal.date}/attempts/").json()
    assert (len(listed), listed[-1]["number"]) == (100, 21)
    assert {row["first_started_at"] for row in listed} == {"2026-05-04T12:01:00Z"}


def test_the_list_of_attempts_costs_the_same_for_any_number(today, monkeypatch) -> None:
    deal, ada = today["eight-off"], Caller("Ada")
    costs = set()
    laid_out = []
    real = engine.deal
    monkeypatch.setattr(engine, "deal", lambda code: laid_out.append(code) or real(code))
    path = f"daily/eight-off/{deal.date}/attempts/"
    for count in (1, 8):
        for _ in range(count):
            ada.submit(ada.start(deal)["id"], wins_of("eight-off")[0].half)
        laid_out.clear()
        with CaptureQueriesContext(connection) as queries:
            ada.get(path)
        costs.add(len(queries))
        assert len(laid_out) == 1
    assert len(costs) == 1
    assert Caller("Bruno").get(path).json() == []
