"""Boards: pages by key, both ways, bound to their board, with ranks that hold."""

from datetime import timedelta
from itertools import count

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import Attempt, DailyDeal, Player, Submission
from leaderboard.models import DailyResult
from leaderboard.rules.ranking import RankKey, pack
from tests.logs import wins_of
from tests.play import NOON, TODAY, Caller, error_of, new_player, start, submit

pytestmark = pytest.mark.django_db
WIN = wins_of("eight-off")[0]
PATH = f"daily/eight-off/{TODAY}/leaderboard/"


def fill(deal: DailyDeal, keys: list[RankKey]) -> list[str]:
    """Put a result of each key on a board, by as many players, and return their ids.

    In bulk: hundreds of games played through the services would take long.
    """
    first = Player.objects.count()
    numbers = count(first)
    players = Player.objects.bulk_create(
        Player(display_name=f"P{n}", name_skeleton=f"p{n}")
        for n, _key in zip(numbers, keys, strict=False)
    )
    attempts = Attempt.objects.bulk_create(
        Attempt(player=player, daily_deal=deal, number=1, started_at=NOON) for player in players
    )
    submissions = Submission.objects.bulk_create(
        Submission(
            attempt=attempt,
            received_at=NOON,
            digest=str(attempt.pk),
            status="accepted",
            elapsed_ms=key.seconds * 1000,
            since_first_start_ms=key.seconds * 1000,
            rules_version="1",
            legal=True,
            won=key.won,
            score=key.ranked_score,
            ranked_score=key.ranked_score,
            moves=key.moves,
            undos=0,
            take_backs=0,
            foundation_cards=0,
            actions=key.moves,
        )
        for attempt, key in zip(attempts, keys, strict=True)
    )
    DailyResult.objects.bulk_create(
        DailyResult(
            daily_deal=deal, player_id=row.attempt.player_id, submission=row, rank_key=pack(key)
        )
        for row, key in zip(submissions, keys, strict=True)
    )
    return [str(player.pk) for player in players]


def walk(url: str, direction: str = "next") -> list[dict]:
    """Return the rows of a page and of all that follow it in one direction, as they come."""
    rows: list[dict] = []
    while url:
        page = Caller().get(url).json()
        rows = rows + page["results"] if direction == "next" else page["results"] + rows
        url = page[direction]
    return rows


def last_page(url: str) -> str:
    while True:
        page = Caller().get(url).json()
        if not page["next"]:
            return url
        url = page["next"]


EQUAL = RankKey(won=True, ranked_score=520, moves=100, seconds=60)


@pytest.mark.slow
def test_600_equal_results_share_a_rank_and_keep_their_order_both_ways(today, unthrottled) -> None:
    ids = fill(today["eight-off"], [EQUAL] * 600)
    down = walk(f"{PATH}?limit=40")
    assert [row["player"]["id"] for row in down] == ids
    assert {row["rank"] for row in down} == {1}
    up = walk(last_page(f"{PATH}?limit=40"), "previous")
    assert [row["player"]["id"] for row in up] == ids


@pytest.mark.slow
def test_ranks_continue_over_pages_and_ties(today) -> None:
    keys = [EQUAL._replace(moves=100 + at // 3) for at in range(20)]
    fill(today["eight-off"], keys)
    expected = [1 + 3 * (at // 3) for at in range(20)]
    for limit in (1, 4, 7, 19, 20):
        assert [row["rank"] for row in walk(f"{PATH}?limit={limit}")] == expected
        assert [
            row["rank"] for row in walk(last_page(f"{PATH}?limit={limit}"), "previous")
        ] == expected


def test_a_page_has_links_only_where_there_are_rows(today) -> None:
    fill(today["eight-off"], [EQUAL] * 4)
    first = Caller().get(f"{PATH}?limit=2").json()
    assert first["previous"] is None
    second = Caller().get(first["next"]).json()
    assert second["next"] is None
    assert len(second["results"]) == 2
    back = Caller().get(second["previous"]).json()
    assert back["previous"] is None
    assert back["results"] == first["results"]


def test_a_page_that_everyone_left_leads_back(today) -> None:
    ids = fill(today["eight-off"], [EQUAL] * 4)
    first = Caller().get(f"{PATH}?limit=2").json()
    DailyResult.objects.filter(player__in=ids[2:]).delete()
    empty = Caller().get(first["next"]).json()
    assert (empty["results"], empty["next"]) == ([], None)
    back = Caller().get(empty["previous"]).json()
    assert [row["player"]["id"] for row in back["results"]] == ids[:2]

    fill(today["eight-off"], [EQUAL._replace(moves=200)] * 2)
    second = Caller().get(Caller().get(f"{PATH}?limit=2").json()["next"]).json()
    DailyResult.objects.filter(player__in=ids[:2]).delete()
    empty = Caller().get(second["previous"]).json()
    assert (empty["results"], empty["previous"]) == ([], None)
    on = Caller().get(empty["next"]).json()
    assert on["results"] == [{**row, "rank": 1} for row in second["results"]]


def test_an_empty_board_is_an_empty_page(today) -> None:
    page = Caller().get(PATH).json()
    assert (page["results"], page["next"], page["previous"], page["ranked_players"]) == (
        [],
        None,
        None,
        0,
    )


def test_no_row_is_lost_or_doubled_while_results_arrive(today) -> None:
    deal = today["eight-off"]
    ids = fill(deal, [EQUAL._replace(moves=200 + at) for at in range(30)])
    first = Caller().get(f"{PATH}?limit=10").json()
    # Better ones arrive ahead of the reader, as they do all day.
    fill(deal, [EQUAL._replace(moves=10)] * 7)
    second = Caller().get(first["next"]).json()
    seen = [row["player"]["id"] for row in first["results"] + second["results"]]
    assert seen == ids[:20]
    assert second["results"][0]["rank"] == 18


def test_a_cursor_is_bound_to_its_board(today) -> None:
    fill(today["eight-off"], [EQUAL] * 4)
    cursor = Caller().get(f"{PATH}?limit=2").json()["next"].partition("?")[2]
    for other in (
        f"daily/easy-harp/{TODAY}/leaderboard/",
        f"daily/eight-off-4/{TODAY}/leaderboard/",
    ):
        answer = Caller().get(f"{other}?{cursor}")
        assert (answer.status_code, error_of(answer)["code"]) == (400, "invalid_cursor")


def test_a_changed_cursor_is_refused(today) -> None:
    fill(today["eight-off"], [EQUAL] * 4)
    url = Caller().get(f"{PATH}?limit=2").json()["next"]
    answer = Caller().get(url[:-1] + ("A" if url[-1] != "A" else "B"))
    assert error_of(answer)["code"] == "invalid_cursor"


def test_a_page_costs_the_same_for_any_length(today) -> None:
    fill(today["eight-off"], [EQUAL._replace(moves=at) for at in range(150)])
    caller = Caller()
    costs = set()
    for limit in (1, 100):
        with CaptureQueriesContext(connection) as queries:
            assert len(caller.get(f"{PATH}?limit={limit}").json()["results"]) == limit
        costs.add(len(queries))
    assert len(costs) == 1


def test_around_me_has_my_rank_and_five_neighbours_on_each_side(today) -> None:
    deal = today["eight-off"]
    ada = Caller("Ada")
    ada.submit(ada.start(deal)["id"], WIN.movetext)
    mine = DailyResult.objects.get().key
    fill(deal, [mine._replace(moves=mine.moves - 1 - at) for at in range(8)])
    fill(deal, [mine] * 2 + [mine._replace(moves=mine.moves + 1 + at) for at in range(8)])
    around = ada.get(f"{PATH}around-me/").json()
    assert around["rank"] == 9
    assert around["ranked_players"] == 19
    assert around["percentile"] == 55  # of 18 others, 10 are no better
    assert [row["rank"] for row in around["results"]] == [4, 5, 6, 7, 8, 9, 9, 9, 12, 13, 14]
    assert around["results"][5]["player"]["display_name"] == "Ada"


def test_around_me_at_the_ends_of_a_board(today) -> None:
    ada = Caller("Ada")
    ada.submit(ada.start(today["eight-off"])["id"], WIN.movetext)
    around = ada.get(f"{PATH}around-me/").json()
    assert [row["rank"] for row in around["results"]] == [1]


def test_around_me_without_a_result_has_no_rank(today) -> None:
    around = Caller("Ada").get(f"{PATH}around-me/").json()
    assert (around["rank"], around["percentile"], around["results"]) == (None, None, [])
    assert Caller().get(f"{PATH}around-me/").status_code == 401


def test_late_refused_and_disqualified_rows_never_change_a_rank(today) -> None:
    deal = today["eight-off"]
    late = start(new_player("Late"), deal)
    submit(start(new_player("Ada"), deal), WIN.half)
    submit(start(new_player("Bruno"), deal), WIN.illegal)
    submit(late, WIN.movetext, deal.submissions_until + timedelta(seconds=1))
    start(new_player("Carla"), deal)
    board = Caller().get(PATH).json()
    assert [(row["rank"], row["player"]["display_name"]) for row in board["results"]] == [
        (1, "Ada")
    ]
