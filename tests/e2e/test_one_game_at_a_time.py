"""A game is played in one tab, and an attempt on one device: the others get a warning."""

import re

from playwright.sync_api import expect

from games.models import Attempt, DailyDeal
from tests.e2e.conftest import Visit, Visitor
from tests.e2e.service import joined, shortest_win
from tests.e2e.table import Table


def test_a_second_tab_gets_a_warning_and_may_take_over(
    visitor: Visitor, today: dict[str, DailyDeal]
) -> None:
    win = shortest_win("eight-off")
    first = visitor.start(today["eight-off"])
    first.keys(" ".join(win.tokens[:6]))
    state = first.state()
    second = Table(visitor.context.new_page())
    second.page.goto(visitor.page.url)
    panel = second.panel("held")
    expect(panel).to_contain_text("open in another tab")
    # Nothing can be played behind the panel.
    second.keys(" ".join(win.tokens[6:8]))
    assert second.labels() == state[0]
    panel.get_by_role("button", name="Play here").click()
    second.is_laid()
    assert second.state() == state
    first.panel("held")
    first.keys(" ".join(win.tokens[6:8]))
    assert first.state() == state
    second.keys(" ".join(win.tokens[6:8]))
    assert second.counters()[1] == "8"
    # And back again, with the moves made in the meantime.
    first.panel("held").get_by_role("button", name="Play here").click()
    first.is_laid()
    assert first.state() == second.state()
    second.panel("held")


def test_a_second_device_gets_a_warning_and_may_start_again(
    visit: Visit, today: dict[str, DailyDeal]
) -> None:
    deal = today["eight-off"]
    _, session = joined("Ada")
    one, other = visit(kept={"session": session}), visit(kept={"session": session})
    one.start(deal).keys("1h bh 8e 8f")
    other.open(f"/play/{deal.variant}/{deal.date}/")
    other.table.panel("start").get_by_role("button", name="Start").click()
    panel = other.table.panel("elsewhere")
    expect(panel).to_contain_text(re.compile("attempt 1", re.IGNORECASE))
    assert Attempt.objects.count() == 1
    panel.get_by_role("button", name="Start again here").click()
    other.table.is_laid()
    assert other.table.counters()[1] == "0"
    expect(other.page.locator("#game-kind")).to_contain_text("attempt 2")
    assert Attempt.objects.count() == 2


def test_the_time_of_a_second_attempt_counts_from_the_first_start(
    visit: Visit, today: dict[str, DailyDeal]
) -> None:
    deal = today["eight-off"]
    player, session = joined("Ada")
    one = visit(kept={"session": session})
    one.start(deal)
    attempt = Attempt.objects.get(player=player)
    Attempt.objects.update(started_at=attempt.started_at.replace(hour=0, minute=0, second=0))
    other = visit(kept={"session": session})
    other.open(f"/play/{deal.variant}/{deal.date}/")
    other.table.panel("start").get_by_role("button", name="Start").click()
    other.table.panel("elsewhere").get_by_role("button", name="Start again here").click()
    other.table.is_laid()
    midnight = attempt.started_at.replace(hour=0, minute=0, second=0)
    seconds = (attempt.started_at - midnight).total_seconds()
    shown = [int(part) for part in other.page.inner_text("#time").split(":")]
    total = sum(part * 60**at for at, part in enumerate(reversed(shown)))
    assert seconds - 1 <= total <= seconds + 120
