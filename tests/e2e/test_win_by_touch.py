"""Eight Off with two cells, the deal of the day, on a phone: taps and drags of a finger."""

from playwright.sync_api import expect

from games.models import DailyDeal, Submission
from tests.e2e.conftest import Visitor
from tests.e2e.service import shortest_win
from tests.e2e.table import move_of


def test_a_whole_game_is_won_with_a_finger_and_ranked(
    phone: Visitor, today: dict[str, DailyDeal]
) -> None:
    win = shortest_win("eight-off-2")
    page = phone.open("/")
    page.locator('.deal[data-variant="eight-off-2"] [data-play]').tap()
    phone.table.panel("start").get_by_role("button", name="Start").tap()
    phone.table.is_laid()
    for at, token in enumerate(win.tokens, 1):
        source, destination, cards = move_of(token)
        # A tap sends a card to its foundation; anywhere else it is dragged.
        if destination == "h1":
            phone.table.tap(source)
        else:
            phone.table.finger(source, destination, cards)
        expect(page.locator("#moves"), token).to_have_text(str(at))
    panel = phone.table.panel("result")
    expect(panel.get_by_role("heading")).to_have_text("Won!")
    name = phone.session()["player"]["display_name"]
    submission = Submission.objects.get()
    assert submission.status == Submission.Status.ACCEPTED
    assert submission.movetext == win.movetext
    panel.get_by_role("link", name="Leaderboard").tap()
    expect(page.locator("#board tbody tr.is-own")).to_contain_text(name)
