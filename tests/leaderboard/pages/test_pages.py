"""Boards, the archive and players as pages."""

from datetime import date, timedelta
from uuid import uuid4

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games import engine, services
from games.models import DailyDeal, Player
from leaderboard.models import DailyResult
from leaderboard.pages.views import ROWS
from tests.logs import wins_of
from tests.pages import Page
from tests.play import NOON, TODAY, assign, new_player, start, submit

pytestmark = pytest.mark.django_db
WIN = wins_of("eight-off")[0]
BOARD = f"/leaderboard/eight-off/{TODAY}/"


def seen(client: Client, path: str, language: str = "en", status: int = 200) -> Page:
    answer = client.get(path, headers={"accept-language": language})
    assert answer.status_code == status, answer.status_code
    page = Page(answer)
    assert page.inline == []
    assert page.unclosed == []
    return page


def rows(page: Page) -> list[str]:
    """The players of the board's rows, in order."""
    return [given["data-player-id"] or "" for given in page.having("data-player-id")]


def play(deal: DailyDeal, name: str, *, seconds: int = 60, movetext: str = "") -> Player:
    """Let a player play a deal in this many seconds."""
    player = new_player(name)
    attempt = start(player, deal)
    submit(attempt, movetext or WIN.movetext, NOON + timedelta(seconds=seconds))
    return player


@pytest.fixture
def deal(today: dict[str, DailyDeal]) -> DailyDeal:
    return today["eight-off"]


def at_the_end(clock: time_machine.Traveller) -> None:
    """Move on until the standings are final."""
    clock.shift(timedelta(hours=13))
    services.roll_over(now=NOON + timedelta(hours=13))


# --- Boards ------------------------------------------------------------------------------------


def test_the_boards_begin_with_that_of_today(client: Client, today: dict[str, DailyDeal]) -> None:
    answer = client.get("/leaderboard/")
    assert answer.status_code == 302
    assert answer.headers["Location"] == f"/leaderboard/easy-harp/{TODAY}/"


def test_a_board_has_its_rows_in_order(client: Client, deal: DailyDeal) -> None:
    slow = play(deal, "Slow", seconds=3700)
    fast = play(deal, "Fast", seconds=247)
    half = play(deal, "Half", movetext=WIN.half)
    page = seen(client, BOARD)
    assert rows(page) == [str(one.pk) for one in (fast, slow, half)]
    assert f"1 Fast {WIN.moves} moves · 4:07 won 520 {WIN.moves} 4:07" in page.text
    assert "1:01:40" in page.text
    assert f"/players/{fast.pk}/" in page.links
    for slug in engine.VARIANTS:
        assert f"/leaderboard/{slug}/{TODAY}/" in page.links


def test_an_open_board_is_provisional_and_keeps_games_and_deal(
    client: Client, deal: DailyDeal
) -> None:
    play(deal, "Ada")
    page = seen(client, BOARD)
    assert "Provisional: final on Tuesday 5 May at 00:11 UTC" in page.text
    assert deal.commitment in page.text
    assert not [link for link in page.links if "/replay/" in link or "code=" in link]
    assert "Par" not in page.text
    assert deal.salt not in page.text
    assert reverse("web:play", args=["eight-off", TODAY]) in page.links


def test_a_final_board_shows_deal_line_and_games(
    client: Client, deal: DailyDeal, clock: time_machine.Traveller
) -> None:
    play(deal, "Ada")
    at_the_end(clock)
    deal.refresh_from_db()
    page = seen(client, BOARD)
    attempt_id = DailyResult.objects.get().submission.attempt_id
    assert f"/replay/{attempt_id}/" in page.links
    assert f"/replay/eight-off/{TODAY}/" in page.links
    assert f"/practice/?code={deal.pool_deal.code}" in page.links
    assert "3 of 5" in page.text
    assert f"{deal.pool_deal.par_moves} moves" in page.text
    assert f"{deal.salt}:eight-off:{TODAY}:{deal.pool_deal.code}" in page.text
    assert "Provisional" not in page.text


def test_a_void_deal_has_no_rows_and_says_why(client: Client, deal: DailyDeal) -> None:
    play(deal, "Ada")
    DailyDeal.objects.filter(pk=deal.pk).update(status="void")
    page = seen(client, BOARD)
    assert "This deal was withdrawn from the competition" in page.text
    assert rows(page) == []
    assert not [link for link in page.links if "/replay/" in link or "/play/" in link]


def test_an_empty_board_says_what_it_waits_for(
    client: Client, deal: DailyDeal, clock: time_machine.Traveller
) -> None:
    assert "No one is ranked yet" in seen(client, BOARD).text
    at_the_end(clock)
    assert "No one was ranked" in seen(client, BOARD).text


def test_a_deal_of_tomorrow_shows_its_promise_alone(client: Client, deal: DailyDeal) -> None:
    win = wins_of("eight-off")[1]
    tomorrow = assign("eight-off", TODAY + timedelta(days=1), win=win)
    page = seen(client, f"/leaderboard/eight-off/{tomorrow.date}/")
    assert "Opens in 12:00:00" in page.text
    assert tomorrow.commitment in page.text
    assert str(tomorrow.pool_deal.code) not in page.answer.content.decode()
    # And no board leads there before its day.
    assert f"/leaderboard/eight-off/{tomorrow.date}/" not in seen(client, BOARD).links


def test_days_lead_to_the_next_that_had_a_deal(client: Client, deal: DailyDeal) -> None:
    earlier = assign("eight-off", TODAY - timedelta(days=3), win=wins_of("eight-off")[1])
    services.roll_over(now=NOON)
    page = seen(client, f"/leaderboard/eight-off/{earlier.date}/")
    assert BOARD in page.links
    assert f"/leaderboard/eight-off/{earlier.date}/" in seen(client, BOARD).links


def test_a_long_board_is_paged_both_ways(client: Client, deal: DailyDeal) -> None:
    players = [str(play(deal, f"Player {at}", seconds=at).pk) for at in range(2 * ROWS + 3)]

    def after(page: Page, rel: str) -> str:
        (link,) = [
            given["href"]
            for given in page.having("rel")
            if given["rel"] == rel and "cursor=" in (given["href"] or "")
        ] or [""]
        return BOARD + (link or "") if link else ""

    found, page = [], seen(client, BOARD)
    assert after(page, "prev") == ""
    while True:
        found.append(rows(page))
        following = after(page, "next")
        if not following:
            break
        page = seen(client, following)
    assert found == [players[:ROWS], players[ROWS : 2 * ROWS], players[2 * ROWS :]]
    page = seen(client, after(page, "prev"))
    assert rows(page) == players[ROWS : 2 * ROWS]
    assert rows(seen(client, after(page, "prev"))) == players[:ROWS]


@pytest.mark.parametrize("cursor", ["nonsense", "a:b:c", "%00", "💥"])
def test_a_broken_cursor_leads_to_the_beginning(
    cursor: str, client: Client, deal: DailyDeal
) -> None:
    answer = client.get(BOARD, {"cursor": cursor})
    assert (answer.status_code, answer.headers["Location"]) == (302, BOARD)


def test_a_board_costs_the_same_for_one_row_and_many(client: Client, deal: DailyDeal) -> None:
    play(deal, "First")
    with CaptureQueriesContext(connection) as one:
        seen(client, BOARD)
    for at in range(9):
        play(deal, f"Player {at}", seconds=at)
    with CaptureQueriesContext(connection) as many:
        seen(client, BOARD)
    assert len(many) == len(one)


@pytest.mark.parametrize("name", ["<b>Bold</b>", 'O\'Neill "x"', "{{ 7 }} %}", "a&amp;b"])
def test_a_hostile_name_is_only_a_name(name: str, client: Client, deal: DailyDeal) -> None:
    player = play(deal, name)
    for path in (BOARD, "/archive/", f"/players/{player.pk}/"):
        page = seen(client, path)
        assert name in page.text
        assert "<b>Bold" not in page.answer.content.decode()


# --- The archive -------------------------------------------------------------------------------


def test_the_archive_has_every_deal_of_the_month(
    client: Client, today: dict[str, DailyDeal]
) -> None:
    play(today["eight-off"], "Ada")
    play(today["eight-off"], "Bruno", movetext=WIN.half)
    start(new_player("Carla"), today["eight-off"])
    page = seen(client, "/archive/")
    assert "May 2026" in page.text
    assert "Mon 4" in page.text
    for slug in engine.VARIANTS:
        assert f"/leaderboard/{slug}/{TODAY}/" in page.links
    assert "3 players, 1 won First place: Ada" in page.text
    assert "0 players, 0 won" in page.text


def test_a_void_deal_of_the_archive_has_no_best_player(
    client: Client, today: dict[str, DailyDeal]
) -> None:
    play(today["eight-off"], "Ada")
    DailyDeal.objects.filter(variant="eight-off").update(status="void")
    page = seen(client, "/archive/")
    assert "void" in page.text
    assert "Ada" not in page.text


def test_months_lead_from_the_first_deal_to_today(
    client: Client, today: dict[str, DailyDeal]
) -> None:
    assign("eight-off", date(2026, 3, 31), win=wins_of("eight-off")[1])
    services.roll_over(now=NOON)
    assert "/archive/2026-04/" in seen(client, "/archive/").links
    april = seen(client, "/archive/2026-04/")
    assert {"/archive/2026-03/", "/archive/2026-05/"} <= set(april.links)
    assert "No deals this month" in april.text
    march = seen(client, "/archive/2026-03/")
    assert "/archive/2026-02/" not in march.links
    assert "/leaderboard/eight-off/2026-03-31/" in march.links
    seen(client, "/archive/2026-02/", status=404)
    seen(client, "/archive/2026-06/", status=404)


def test_a_month_costs_the_same_for_one_day_and_many(
    client: Client, today: dict[str, DailyDeal]
) -> None:
    with CaptureQueriesContext(connection) as one:
        seen(client, "/archive/")
    for back in range(1, 4):
        other = assign("eight-off", TODAY - timedelta(days=back), win=wins_of("eight-off")[back])
        DailyDeal.objects.filter(pk=other.pk).update(status="final")
    play(today["eight-off"], "Ada")
    with CaptureQueriesContext(connection) as many:
        seen(client, "/archive/")
    assert len(many) == len(one) == 4


# --- Players -----------------------------------------------------------------------------------


def test_a_player_has_numbers_and_results(client: Client, today: dict[str, DailyDeal]) -> None:
    ada = play(today["eight-off"], "Ada")
    page = seen(client, f"/players/{ada.pk}/")
    assert page.title == "Ada"
    assert "Playing since" in page.text
    assert "Streak 1 Won 1/1 Longest streak 1 Best score 520" in page.text
    assert page.text.count("Not played yet") == 3
    assert BOARD in page.links


def test_a_player_without_results_still_has_a_page(
    client: Client, today: dict[str, DailyDeal]
) -> None:
    page = seen(client, f"/players/{new_player('Ada').pk}/", "it")
    assert "Ancora nessun risultato" in page.text


def test_a_player_who_has_left_has_no_page(client: Client, today: dict[str, DailyDeal]) -> None:
    ada = play(today["eight-off"], "Ada")
    services.delete_player(player=ada, now=NOON)
    seen(client, f"/players/{ada.pk}/", status=404)
    seen(client, f"/players/{uuid4()}/", status=404)
    assert "Ada" not in seen(client, BOARD).text


def test_staff_is_no_player(client: Client, today: dict[str, DailyDeal]) -> None:
    boss = Player.objects.create_superuser("boss", "a long password")
    seen(client, f"/players/{boss.pk}/", status=404)


def test_a_player_costs_the_same_for_one_result_and_many(
    client: Client, today: dict[str, DailyDeal]
) -> None:
    ada = play(today["eight-off"], "Ada")
    with CaptureQueriesContext(connection) as one:
        seen(client, f"/players/{ada.pk}/")
    for slug in ("easy-harp", "eight-off-4"):
        submit(start(ada, today[slug]), wins_of(slug)[0].movetext, NOON)
    with CaptureQueriesContext(connection) as many:
        seen(client, f"/players/{ada.pk}/")
    assert len(many) == len(one) == 6
