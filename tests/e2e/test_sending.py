"""No finished game is lost: not without a network, not without an answer, not without a session."""

from typing import Any

from knox.models import AuthToken
from playwright.sync_api import Page, Route, expect

from games.models import Attempt, DailyDeal, Submission
from tests.e2e.conftest import Visit, Visitor
from tests.e2e.service import joined, shortest_win
from tests.logs import Win

VARIANT = "eight-off-2"
PASSWORD = "a horse, a battery"


def all_but_the_last(win: Win) -> str:
    return " ".join(win.tokens[:-1])


def outbox(page: Page) -> list[str]:
    """Return the logs that the browser keeps for sending."""
    return page.evaluate(
        """Object.entries(localStorage)
          .filter(([key]) => key.startsWith("dailydeal.outbox."))
          .map(([, value]) => JSON.parse(value).movetext)"""
    )


def is_on_the_board(visitor: Visitor, deal: DailyDeal) -> None:
    visitor.open(f"/leaderboard/{deal.variant}/{deal.date}/")
    expect(visitor.page.locator("#board tr.is-own")).to_be_visible()


def win_offline(visitor: Visitor, deal: DailyDeal) -> None:
    win = shortest_win(deal.variant)
    visitor.watch.offline()
    visitor.start(deal).keys(all_but_the_last(win))
    visitor.context.set_offline(True)
    visitor.table.keys(win.tokens[-1])
    panel = visitor.table.panel("offline")
    expect(panel).to_contain_text("Your game is safe here and will be sent automatically.")
    assert outbox(visitor.page) == [win.movetext]
    assert not Submission.objects.exists()


def test_a_win_without_a_network_is_sent_when_it_is_back(
    visitor: Visitor, today: dict[str, DailyDeal]
) -> None:
    win_offline(visitor, today[VARIANT])
    visitor.context.set_offline(False)
    panel = visitor.table.panel("result")
    expect(panel).to_contain_text("Rank 1 of 1.")
    assert Submission.objects.get().movetext == shortest_win(VARIANT).movetext
    assert outbox(visitor.page) == []
    is_on_the_board(visitor, today[VARIANT])


def test_a_page_closed_without_a_network_sends_from_any_page_later(
    visitor: Visitor, today: dict[str, DailyDeal]
) -> None:
    win_offline(visitor, today[VARIANT])
    visitor.page.close()
    visitor.context.set_offline(False)
    visitor.page = visitor.context.new_page()
    with visitor.page.expect_response("**/submission/") as answer:
        visitor.open("/rules/")
    assert answer.value.status == 201
    assert Submission.objects.get().status == Submission.Status.ACCEPTED


def test_a_reload_without_a_network_finds_page_and_log(
    visit: Visit, today: dict[str, DailyDeal]
) -> None:
    visitor = visit(service_workers="allow")
    page = visitor.open("/")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    deal = today[VARIANT]
    win_offline(visitor, deal)
    page.goto(f"{visitor.address}/play/{deal.variant}/{deal.date}/")
    expect(page.locator("#panel h2")).to_be_visible()
    assert outbox(page) == [shortest_win(VARIANT).movetext]
    visitor.context.set_offline(False)
    visitor.open("/")
    is_on_the_board(visitor, deal)
    assert Submission.objects.count() == 1


def test_send_now_tries_at_once(visitor: Visitor, today: dict[str, DailyDeal]) -> None:
    win = shortest_win(VARIANT)
    visitor.watch.allow("ERR_CONNECTION_REFUSED", "ERR_FAILED")
    visitor.start(today[VARIANT]).keys(all_but_the_last(win))
    is_away = True

    def away(route: Route) -> None:
        if is_away:
            route.abort("connectionrefused")
        else:
            route.continue_()

    visitor.context.route("**/submission/", away)
    visitor.table.keys(win.tokens[-1])
    panel = visitor.table.panel("offline")
    is_away = False
    panel.get_by_role("button", name="Send now").click()
    visitor.table.panel("result")
    assert Submission.objects.count() == 1


def test_a_lost_answer_makes_no_second_submission(
    visitor: Visitor, today: dict[str, DailyDeal]
) -> None:
    win = shortest_win(VARIANT)
    visitor.watch.allow("ERR_CONNECTION_RESET")
    visitor.start(today[VARIANT]).keys(all_but_the_last(win))
    answers: list[int] = []

    def lose_the_first(route: Route) -> None:
        answer = route.fetch()
        answers.append(answer.status)
        if len(answers) == 1:
            route.abort("connectionreset")
        else:
            route.fulfill(response=answer)

    visitor.context.route("**/submission/", lose_the_first)
    visitor.table.keys(win.tokens[-1])
    visitor.table.panel("result")
    assert answers == [201, 200]
    assert Submission.objects.count() == 1


def test_a_session_that_ended_keeps_the_log_until_one_is_back(
    visit: Visit, today: dict[str, DailyDeal]
) -> None:
    win = shortest_win(VARIANT)
    player, session = joined("Ada", password=PASSWORD)
    visitor = visit(kept={"session": session})
    visitor.watch.allow("401")
    visitor.start(today[VARIANT]).keys(all_but_the_last(win))
    AuthToken.objects.filter(user=player).delete()
    visitor.table.keys(win.tokens[-1])
    panel = visitor.table.panel("signin")
    assert outbox(visitor.page) == [win.movetext]
    panel.get_by_role("link", name="Sign in").click()
    page = visitor.page
    expect(page.locator("#sign-in-name")).to_have_value("Ada")
    page.fill("#sign-in-password", PASSWORD)
    with page.expect_response("**/submission/") as answer:
        page.locator("#sign-in button").click()
    assert answer.value.status == 201
    assert Submission.objects.get().attempt.player == player
    is_on_the_board(visitor, today[VARIANT])


def test_a_game_may_be_finished_as_it_stands(visitor: Visitor, today: dict[str, DailyDeal]) -> None:
    win = shortest_win(VARIANT)
    visitor.start(today[VARIANT])
    page = visitor.page
    expect(page.locator("#finish")).to_be_disabled()
    visitor.table.keys(" ".join(win.tokens[:30]))
    page.locator("#finish").click()
    page.get_by_role("dialog").get_by_role("button", name="Keep playing").click()
    assert not Submission.objects.exists()
    page.locator("#finish").click()
    page.get_by_role("dialog").get_by_role("button", name="Finish and send").click()
    panel = visitor.table.panel("result")
    expect(panel.get_by_role("heading")).to_have_text("Finished")
    expect(panel).to_contain_text("Rank 1 of 1.")
    submission = Submission.objects.get()
    assert (submission.status, submission.won) == (Submission.Status.ACCEPTED, False)
    panel.get_by_role("link", name="Result").click()
    expect(page.locator("#result .facts")).to_contain_text(str(submission.score))
    is_on_the_board(visitor, today[VARIANT])
    # And it may be played again.
    visitor.start(today[VARIANT])
    assert Attempt.objects.count() == 2


def test_a_game_for_practice_is_never_sent(visitor: Visitor) -> None:
    win = shortest_win(VARIANT)
    sent: list[Any] = []
    visitor.context.on(
        "request", lambda request: sent.append(request.url) if request.method != "GET" else None
    )
    visitor.practise(win.code).keys(win.movetext)
    expect(visitor.table.panel("practice-won")).to_contain_text("aren't ranked")
    expect(visitor.page.locator("#finish")).to_have_count(0)
    assert sent == []
    assert not Submission.objects.exists()
    assert not Attempt.objects.exists()
