"""The deal of the day of each game, from the home page to the board, by keyboard alone."""

import pytest
from playwright.sync_api import expect

from games.models import DailyDeal, Submission
from tests.e2e.conftest import Visitor
from tests.e2e.service import shortest_win


@pytest.mark.parametrize("variant", ["easy-harp", "eight-off"])
def test_a_whole_game_is_won_by_keyboard_and_ranked(
    visitor: Visitor, today: dict[str, DailyDeal], variant: str
) -> None:
    win = shortest_win(variant)
    page = visitor.open("/")
    page.locator(f'.deal[data-variant="{variant}"] [data-play]').focus()
    page.keyboard.press("Enter")
    start = visitor.table.panel("start").get_by_role("button", name="Start")
    # The panel has the focus, and its first button is the next stop.
    page.keyboard.press("Tab")
    expect(start).to_be_focused()
    page.keyboard.press("Enter")
    visitor.table.is_laid()
    visitor.table.keys(win.movetext)
    panel = visitor.table.panel("result")
    expect(panel.get_by_role("heading")).to_have_text("Won!")
    expect(panel).to_contain_text("accepted")
    expect(panel).to_contain_text("Rank 1 of 1.")
    name = visitor.session()["player"]["display_name"]
    submission = Submission.objects.get()
    assert submission.status == Submission.Status.ACCEPTED
    assert submission.movetext == win.movetext
    assert (submission.won, submission.score, submission.moves) == (True, win.score, win.moves)
    link = panel.get_by_role("link", name="Leaderboard")
    link.focus()
    page.keyboard.press("Enter")
    row = page.locator("#board tbody tr.is-own")
    expect(row).to_contain_text(name)
    expect(row).to_contain_text(str(win.ranked_score))
