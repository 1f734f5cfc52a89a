"""The deal of the day of each game, from the home page to the board, with the mouse."""

import pytest
from playwright.sync_api import expect

from games.models import DailyDeal, Submission
from tests.e2e.conftest import Visit
from tests.e2e.service import shortest_win


@pytest.mark.parametrize("variant", ["eight-off", "easy-harp"])
def test_a_whole_game_is_won_by_dragging_and_ranked(
    visit: Visit, today: dict[str, DailyDeal], variant: str
) -> None:
    visitor = visit(reduced_motion="no-preference")
    win = shortest_win(variant)
    page = visitor.open("/")
    page.locator(f'.deal[data-variant="{variant}"] [data-play]').click()
    visitor.table.panel("start").get_by_role("button", name="Start").click()
    visitor.table.is_laid()
    visitor.table.play_by_mouse(win.movetext)
    panel = visitor.table.panel("result")
    expect(panel.get_by_role("heading")).to_have_text("Won!")
    expect(panel).to_contain_text("Rank 1 of 1.")
    name = visitor.session()["player"]["display_name"]
    submission = Submission.objects.get()
    assert submission.status == Submission.Status.ACCEPTED
    assert submission.movetext == win.movetext
    panel.get_by_role("link", name="Leaderboard").click()
    expect(page.locator("#board tbody tr.is-own")).to_contain_text(name)
