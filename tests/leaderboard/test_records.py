"""The record of a player: sums, streaks and the latest results."""

from datetime import date, timedelta
from uuid import uuid4

import pytest

from games import engine, services
from games.models import DailyDeal, Player, PoolDeal, Submission
from leaderboard import records
from leaderboard.models import DailyResult
from leaderboard.rules.ranking import RankKey
from tests.leaderboard.test_boards import fill
from tests.logs import wins_of
from tests.play import NOON, TODAY, Caller, assign, new_player, open_day, start, submit

pytestmark = pytest.mark.django_db
WIN = wins_of("eight-off")[0]
WON = RankKey(won=True, ranked_score=520, moves=100, seconds=60)
LOST = RankKey(won=False, ranked_score=40, moves=50, seconds=30)


def past_deal(variant: str, day: date, number: int, status: str = "final") -> DailyDeal:
    """Make the deal of a past day, with any cards: no one plays it here."""
    PoolDeal.objects.create(
        variant=variant, number=number, winning_movetext="D", par_moves=1, grade=1
    )
    win = type(WIN)(str(PoolDeal.objects.latest("pk").code), "D", 0, 0, 1)
    deal = assign(variant, day, win=win)
    deal.status = status
    deal.save()
    return deal


def give(player: Player, deal: DailyDeal, key: RankKey) -> None:
    """Give a player a result of a deal."""
    (made,) = fill(deal, [key])
    result = DailyResult.objects.get(player=made)
    result.submission.attempt.player = player
    result.submission.attempt.save()
    result.player = player
    result.save()


@pytest.fixture
def days(today) -> dict[int, DailyDeal]:
    """Return the Eight Off deals of the last days, by how many days ago; 0 is open."""
    deals = {
        ago: past_deal("eight-off", TODAY - timedelta(days=ago), 1000 + ago) for ago in range(1, 8)
    }
    return {0: today["eight-off"], **deals}


@pytest.fixture
def ada(today) -> Player:
    return new_player("Ada")


def record_of(player: Player) -> dict:
    answer = Caller().get(f"players/{player.pk}/record/")
    assert answer.status_code == 200
    return answer.json()


def eight_off(player: Player) -> dict:
    (record,) = [row for row in record_of(player)["variants"] if row["variant"] == "eight-off"]
    return record


def streaks_of(player: Player) -> tuple[int, int]:
    record = eight_off(player)
    return record["streak"], record["longest_streak"]


def test_the_record_of_someone_new_names_every_variant(ada) -> None:
    record = record_of(ada)
    assert record["player"] == {
        "id": str(ada.pk),
        "display_name": "Ada",
        "joined_at": "2026-05-04T12:00:00Z",
    }
    assert record["variants"] == [
        {
            "variant": slug,
            "played": 0,
            "won": 0,
            "streak": 0,
            "longest_streak": 0,
            "best_score": None,
        }
        for slug in engine.VARIANTS
    ]
    assert record["results"] == []


def test_a_result_of_today_is_in_the_record_as_it_is_on_the_board(ada, today) -> None:
    attempt = start(ada, today["eight-off"])
    submit(attempt, WIN.movetext, NOON + timedelta(seconds=75))
    submit(start(new_player("Bruno"), today["eight-off"]), WIN.movetext)
    assert record_of(ada)["results"] == [
        {
            "variant": "eight-off",
            "date": "2026-05-04",
            "status": "open",
            "attempt_id": str(attempt.pk),
            "won": True,
            "score": WIN.score,
            "ranked_score": WIN.ranked_score,
            "moves": WIN.moves,
            "seconds": 75,
            "rank": 2,
            "ranked_players": 2,
        }
    ]
    assert eight_off(ada) == {
        "variant": "eight-off",
        "played": 1,
        "won": 1,
        "streak": 1,
        "longest_streak": 1,
        "best_score": WIN.ranked_score,
    }


def test_the_sums_count_each_variant_by_itself(ada, days, today) -> None:
    give(ada, days[1], WON)
    give(ada, days[2], LOST)
    give(ada, today["easy-harp"], LOST)
    assert [
        (row["variant"], row["played"], row["won"], row["best_score"])
        for row in record_of(ada)["variants"]
    ] == [
        ("easy-harp", 1, 0, 40),
        ("eight-off", 2, 1, 520),
        ("eight-off-4", 0, 0, None),
        ("eight-off-2", 0, 0, None),
    ]


def test_a_streak_lasts_until_a_deal_ends_without_a_win(ada, days, clock) -> None:
    for ago in (1, 2, 4, 5, 6):
        give(ada, days[ago], WON)
    give(ada, days[3], LOST)
    assert streaks_of(ada) == (2, 3)  # today can still be won
    clock.move_to(days[0].submissions_until)
    assert streaks_of(ada) == (2, 3)  # now it can just so
    clock.move_to(days[0].submissions_until + timedelta(seconds=1))
    assert streaks_of(ada) == (0, 3)


def test_a_win_of_today_counts_at_once(ada, days) -> None:
    give(ada, days[1], WON)
    give(ada, days[0], WON)
    assert streaks_of(ada) == (2, 2)


def test_void_days_and_days_without_a_deal_neither_count_nor_end_a_streak(ada, days) -> None:
    for ago in (1, 3, 5):
        give(ada, days[ago], WON)
    give(ada, days[2], WON)
    DailyDeal.objects.filter(pk=days[2].pk).update(status="void")
    days[4].results.all().delete()
    days[4].delete()
    assert streaks_of(ada) == (3, 3)
    assert eight_off(ada)["played"] == 3
    assert [row["date"] for row in record_of(ada)["results"]] == [
        str(days[ago].date) for ago in (1, 3, 5)
    ]


def test_a_disqualified_win_does_not_count(ada, days, clock) -> None:
    attempt = start(ada, days[0])
    submission, _ = submit(attempt, WIN.movetext)
    give(ada, days[1], WON)
    assert streaks_of(ada) == (2, 2)
    boss = Player.objects.create_superuser("boss", "a long password")
    services.disqualify(submission=submission, actor=boss, reason="an example")
    assert streaks_of(ada) == (1, 1)
    clock.shift(timedelta(days=1))
    assert streaks_of(ada) == (0, 1)


def test_a_win_of_another_player_ends_no_streak_and_makes_none(ada, days) -> None:
    bruno = new_player("Bruno")
    give(ada, days[3], WON)
    give(bruno, days[2], WON)
    give(ada, days[1], WON)
    assert streaks_of(ada) == (1, 1)
    assert streaks_of(bruno) == (0, 1)


def test_a_deal_that_was_extended_can_still_be_won(ada, days) -> None:
    give(ada, days[2], WON)
    DailyDeal.objects.filter(pk=days[1].pk).update(
        status="open", closes_at=NOON + timedelta(hours=1)
    )
    assert streaks_of(ada) == (1, 1)


def test_the_latest_results_come_by_day_and_then_in_the_order_of_the_variants(clock) -> None:
    for back in range(9, -1, -1):
        deals = open_day_of_any_cards(TODAY - timedelta(days=back), back)
        for deal in deals.values():
            fill(deal, [WON._replace(moves=99), WON._replace(moves=101)])
    ada = new_player("Ada")
    for deal in DailyDeal.objects.order_by("-variant", "date"):
        give(ada, deal, WON)
    results = record_of(ada)["results"]
    expected = [
        (slug, str(TODAY - timedelta(days=back))) for back in range(10) for slug in engine.VARIANTS
    ]
    assert [(row["variant"], row["date"]) for row in results] == expected[:30]
    assert {(row["rank"], row["ranked_players"]) for row in results} == {(2, 3)}
    assert sum(row["played"] for row in record_of(ada)["variants"]) == 40


def open_day_of_any_cards(day: date, number: int) -> dict[str, DailyDeal]:
    if day == TODAY:
        return open_day()
    return {slug: past_deal(slug, day, 2000 + number) for slug in engine.VARIANTS}


def test_a_record_costs_the_same_for_any_history(ada, days, django_assert_num_queries) -> None:
    give(ada, days[7], WON)
    for others in (0, 5):
        for ago in range(1, 1 + others):
            give(ada, days[ago], LOST)
            fill(days[ago], [WON] * 3)
        with django_assert_num_queries(4) as captured:
            record = records.record_of(player_id=ada.pk, now=NOON)
        assert len(record.latest) == 1 + others
        # Logs are long, and none is needed.
        assert not any("movetext" in query["sql"] for query in captured)
    # Two more: is there a deal of today, and is there such a player.
    with django_assert_num_queries(6):
        record_of(ada)


def test_a_player_who_left_or_never_joined_has_no_record(ada, today) -> None:
    submit(start(ada, today["eight-off"]), WIN.movetext)
    services.delete_player(player=ada, now=NOON)
    staff = Player.objects.create_superuser("boss", "a long password")
    for player_id in (ada.pk, staff.pk, uuid4()):
        assert Caller().get(f"players/{player_id}/record/").status_code == 404
    assert Submission.objects.count() == 1
