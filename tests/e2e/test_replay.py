"""The replay: your own log at once, other players' and the winning line when a deal is final."""

from playwright.sync_api import expect

from tests.e2e.conftest import Visit, Visitor
from tests.e2e.service import Competition, shortest_win
from tests.logs import wins_of


def test_your_own_log_can_be_watched_at_once(filled: Competition, visit: Visit) -> None:
    visitor = visit(kept={"session": filled.session})
    page = visitor.open(f"/result/{filled.attempt.pk}/")
    page.get_by_role("link", name="Replay").click()
    total = shortest_win("eight-off").moves
    expect(page.locator("#total")).to_have_text(str(total))
    expect(page.locator("#game-name")).to_contain_text("Ada")
    at, table = page.locator("#at"), visitor.table
    first = table.labels()
    expect(page.locator("#back")).to_be_disabled()
    page.locator("#forward").click()
    expect(at).to_have_text("1")
    one = table.labels()
    assert one != first
    page.keyboard.press("ArrowRight")
    expect(at).to_have_text("2")
    page.locator("#back").click()
    expect(at).to_have_text("1")
    assert table.labels() == one
    page.locator("#place").fill("20")
    expect(at).to_have_text("20")
    page.locator("#last").click()
    expect(at).to_have_text(str(total))
    expect(page.locator("#score")).to_have_text(str(shortest_win("eight-off").score))
    page.locator("#first").click()
    assert table.labels() == first


def test_it_plays_to_the_end_by_itself(filled: Competition, visit: Visit) -> None:
    visitor = visit(kept={"session": filled.session})
    page = visitor.open(f"/replay/{filled.attempt.pk}/#40")
    expect(page.locator("#at")).to_have_text("40")
    page.locator("#speed").select_option("40")
    page.locator("#play-pause").click()
    expect(page.locator("#play-pause")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#at")).to_have_text(str(shortest_win("eight-off").moves))
    expect(page.locator("#play-pause")).to_have_attribute("aria-pressed", "false")
    expect(page.locator("#table .slot.column").first).to_have_attribute(
        "aria-label", "column 1: empty"
    )


def test_another_players_log_is_hidden_before_the_deal_is_final(
    filled: Competition, visit: Visit
) -> None:
    visitor = visit(kept={"session": filled.session})
    visitor.watch.allow("status of 40[349]")
    page = visitor.open(f"/replay/{filled.other.pk}/")
    expect(page.locator("#panel h2")).to_have_text("No replay here")
    expect(page.locator("#table .card")).to_have_count(0)


def test_another_players_log_can_be_watched_when_the_deal_is_final(
    filled: Competition, visitor: Visitor
) -> None:
    page = visitor.open(f"/leaderboard/eight-off/{filled.final.date}/")
    page.locator("#board tr", has_text="Bea").locator("a.row-link").click()
    expect(page.locator("#game-name")).to_contain_text("Bea")
    page.locator("#last").click()
    expect(page.locator("#at")).to_have_text(str(wins_of("eight-off")[0].moves))


def test_the_winning_line_is_there_when_the_deal_is_final(
    filled: Competition, visitor: Visitor
) -> None:
    page = visitor.open(f"/leaderboard/eight-off/{filled.final.date}/")
    page.get_by_role("link", name="Watch the winning line").click()
    expect(page.locator("#game-name")).to_contain_text("Winning line")
    page.locator("#last").click()
    expect(page.locator("#score")).to_have_text(str(wins_of("eight-off")[0].score))
    visitor.watch.allow("status of 404")
    assert (
        page.goto(f"{visitor.address}/replay/eight-off/{filled.today['eight-off'].date}/").status
        == 404
    )
