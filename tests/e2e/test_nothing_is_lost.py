"""No game is lost to another tab, a clock that is set, a full storage, or a stranger's answer."""

from playwright.sync_api import Page, Route, expect

from games.models import Attempt, DailyDeal, Player, Submission
from tests.e2e.conftest import Visit, Visitor
from tests.e2e.table import Table

HARP = "easy-harp"

Days = dict[str, DailyDeal]


def another_tab(visitor: Visitor, path: str) -> Table:
    table = Table(visitor.context.new_page())
    table.page.goto(f"{visitor.address}{path}")
    return table


def press(table: Table, panel: str, button: str) -> None:
    table.panel(panel).get_by_role("button", name=button).click()


def finish(page: Page) -> None:
    page.locator("#finish").click()
    page.get_by_role("dialog").get_by_role("button", name="Finish and send").click()


def path_of(deal: DailyDeal) -> str:
    return f"/play/{deal.variant}/{deal.date}/"


def test_a_page_opened_earlier_continues_with_the_game_stored_since(
    visitor: Visitor, today: Days
) -> None:
    stale = another_tab(visitor, path_of(today[HARP]))
    stale.panel("start")
    visitor.start(today[HARP]).keys("D7")
    visitor.page.close()
    press(stale, "start", "Start")
    stale.is_laid()
    assert stale.counters()[1] == "7"
    assert Attempt.objects.count() == 1


def test_a_tab_whose_game_was_taken_over_cannot_finish_it(visitor: Visitor, today: Days) -> None:
    first = visitor.start(today[HARP])
    first.keys("D3")
    second = another_tab(visitor, path_of(today[HARP]))
    press(second, "held", "Play here")
    second.is_laid()
    first.panel("held")
    expect(visitor.page.locator("#finish")).to_be_disabled()
    expect(visitor.page.locator("#undo")).to_be_disabled()
    second.keys("D2")
    finish(second.page)
    second.panel("result")
    assert Submission.objects.get().movetext == "D5"


def test_a_clock_that_is_set_ends_no_game(visitor: Visitor, today: Days) -> None:
    table = visitor.start(today[HARP])
    table.keys("D")
    with visitor.page.expect_response(f"**/daily/{HARP}/{today[HARP].date}/") as asked:
        visitor.page.evaluate("const now = Date.now; Date.now = () => now() + 3 * 86400 * 1000")
    assert asked.value.ok
    expect(visitor.page.locator("#panel")).to_be_hidden()
    table.keys("D")
    assert table.counters()[1] == "2"
    assert not Submission.objects.exists()


def test_a_browser_that_gives_no_locks_plays_and_sends(visitor: Visitor, today: Days) -> None:
    visitor.context.add_init_script(
        """navigator.locks.request =
             async () => { throw new DOMException("no", "SecurityError"); };"""
    )
    visitor.start(today[HARP]).keys("D4")
    finish(visitor.page)
    visitor.table.panel("result")
    assert Submission.objects.get().movetext == "D4"


def test_an_answer_that_is_no_receipt_takes_no_log_away(visitor: Visitor, today: Days) -> None:
    visitor.start(today[HARP]).keys("D4")
    # A network that wants a login answers in the service's place.
    visitor.context.route("**/submission/", lambda route: route.fulfill(status=200, body="{}"))
    finish(visitor.page)
    visitor.table.panel("offline")
    visitor.context.unroute("**/submission/")
    press(visitor.table, "offline", "Send now")
    visitor.table.panel("result")
    assert Submission.objects.get().movetext == "D4"


def test_a_log_that_cannot_be_stored_stays_in_the_record_of_its_game(
    visitor: Visitor, today: Days
) -> None:
    visitor.watch.offline()
    visitor.start(today[HARP]).keys("D4")
    visitor.page.evaluate(
        """() => {
          const { setItem } = Storage.prototype;
          Storage.prototype.setItem = function (key, value) {
            if (key.includes("outbox")) throw new DOMException("full", "QuotaExceededError");
            setItem.call(this, key, value);
          };
        }"""
    )
    visitor.context.set_offline(True)
    finish(visitor.page)
    expect(visitor.table.panel("offline")).to_contain_text("Keep this page open")
    # Closed before it could be sent: what only this page knew is gone.
    visitor.page.close()
    visitor.context.set_offline(False)
    again = another_tab(visitor, path_of(today[HARP]))
    again.is_laid()
    assert again.counters()[1] == "4"


def test_two_tabs_of_a_new_browser_are_one_guest(visitor: Visitor, today: Days) -> None:
    visitor.open(path_of(today[HARP]))
    other = another_tab(visitor, path_of(today["eight-off"]))
    # No answer before both have been asked to start.
    joining: list[Route] = []

    def hold(route: Route) -> None:
        joining.append(route)

    visitor.context.route("**/api/v1/players/", hold)
    for table in (visitor.table, other):
        table.panel("start")
        table.page.evaluate("document.querySelector('#panel button').click()")
    for route in joining:
        route.continue_()
    visitor.context.unroute("**/api/v1/players/")
    visitor.table.is_laid()
    other.is_laid()
    assert Player.objects.count() == 1
    assert set(Attempt.objects.values_list("player", flat=True)) == {Player.objects.get().pk}


def test_a_damaged_record_is_set_aside_and_the_deal_can_be_played(
    visitor: Visitor, today: Days
) -> None:
    visitor.start(today[HARP]).keys("D")
    # From a page that keeps no game: an answer on its way would write the record again.
    visitor.open("/rules/")
    visitor.page.evaluate(
        """() => {
          const key = Object.keys(localStorage).find((one) => one.includes("game.daily"));
          localStorage.setItem(key, '{"movetext": 3}');
        }"""
    )
    visitor.open(path_of(today[HARP]))
    visitor.table.panel("start")
    kept = visitor.page.evaluate("Object.keys(localStorage).filter((k) => k.includes('damaged'))")
    assert len(kept) == 1


def test_cards_that_a_key_moves_away_are_no_longer_held_by_the_hand(visit: Visit) -> None:
    visitor = visit()
    table = visitor.practise("EH1-N-AAAAAAB")
    # The jack is held; the queen that comes onto it would fit on column 5.
    table.keys("D4")
    held = table.point("w", "5")
    mouse = visitor.page.mouse
    mouse.move(held["x"], held["y"])
    mouse.down()
    mouse.move(held["x"] + held["dx"], held["y"] + held["dy"], steps=3)
    table.keys("D")
    mouse.up()
    assert table.counters()[1] == "5"
    expect(visitor.page.locator("#refusal")).to_be_hidden()
    expect(visitor.page.locator(".card.is-dragged")).to_have_count(0)


def test_settings_of_another_tab_are_drawn_at_once(visitor: Visitor) -> None:
    table = visitor.practise("EO1-C8-AAAAAAF")
    settings = another_tab(visitor, "/settings/").page
    before = table.faces()
    settings.locator('input[name="deck"][value="four"]').check(force=True)
    visitor.page.wait_for_function("document.documentElement.dataset.deck === 'four'")
    assert table.faces() != before


def test_signing_out_tells_of_games_that_are_not_sent(visitor: Visitor, today: Days) -> None:
    visitor.start(today[HARP]).keys("D")
    page = visitor.open("/settings/")
    page.locator("#sign-out").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("1 game hasn't been sent yet")
    dialog.get_by_role("button", name="Cancel").click()
    assert visitor.session()["token"]
