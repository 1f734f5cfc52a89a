"""After the close: where a lost game went wrong."""

from datetime import timedelta

import pytest
from django.conf import settings

from games import engine
from games.models import Analysis, DailyDeal
from games.services.analysis import turning_point
from games.tasks import analyse_pending
from tests.logs import WINS, wins_of
from tests.play import Caller, error_of, open_day

WIN = wins_of("eight-off-2")[0]


def _depths(movetext: str) -> list[str]:
    """Return the position after each action of a log, the deal first, as comparable text."""
    position = engine.start(WIN.code)
    seen = [str(position.as_dict())]
    for step in engine.steps(WIN.code, movetext):
        position.apply(step.action)
        seen.append(str(position.as_dict()))
    return seen


def point(movetext: str, *, lost_from: int | None, unknown: range = range(0)):
    """Ask an oracle for whom the winning line is lost from a certain action on.

    It knows the positions of WIN's line by their order; every other position is lost.
    """
    line = _depths(WIN.movetext)

    def ask(position: engine.Position, _budget: int):
        seen = str(position.as_dict())
        at = line.index(seen) if seen in line else len(line)
        if at in unknown:
            return "unknown", 10
        return ("unwinnable" if lost_from is not None and at >= lost_from else "winnable"), 10

    return turning_point(engine.parse_code(WIN.code), movetext, budget=10_000, ask=ask)


TOKENS = WIN.tokens
HALF = " ".join(TOKENS[:20])


@pytest.mark.parametrize("lost_from", [1, 2, 7, 19, 20])
def test_the_last_winnable_action_is_found(lost_from: int) -> None:
    found = point(HALF, lost_from=lost_from)
    assert (found.winnable_after, found.lost_after) == (lost_from - 1, lost_from)


def test_a_game_given_up_while_it_could_be_won_was_never_lost() -> None:
    found = point(HALF, lost_from=None)
    assert (found.winnable_after, found.lost_after) == (20, None)


def test_an_undecided_search_leaves_a_gap_not_a_guess() -> None:
    found = point(HALF, lost_from=12, unknown=range(8, 12))
    assert (found.winnable_after, found.lost_after) == (7, 12)
    found = point(HALF, lost_from=None, unknown=range(8, 30))
    assert (found.winnable_after, found.lost_after) == (7, None)


def test_actions_that_were_undone_do_not_count_as_the_end_of_it() -> None:
    """Lost after the third action, taken back twice, and lost again by another third."""
    log = f"{' '.join(TOKENS[:3])} U {TOKENS[2]} U {TOKENS[2]} {TOKENS[3]}"
    found = point(log, lost_from=3)
    # Actions 1 and 2, then 3 U 3 U: six in all, and the seventh ends it.
    assert (found.winnable_after, found.lost_after) == (6, 7)


def test_the_budget_is_shared_evenly_by_all_questions() -> None:
    asked = []

    def ask(_position: engine.Position, budget: int):
        asked.append(budget)
        return "unknown", budget

    found = turning_point(engine.parse_code(WIN.code), HALF, budget=1000, ask=ask)
    assert found.positions <= 1000
    assert sum(asked) == found.positions
    assert len(set(asked)) == 1
    assert (found.winnable_after, found.lost_after) == (0, None)


@pytest.mark.django_db
def test_a_search_that_fails_is_answered_by_not_knowing_and_holds_up_no_other(
    lost, monkeypatch, caplog
) -> None:
    ada, attempt, _deal = lost
    ada.post(f"attempts/{attempt}/analysis/")

    def broken(*_arguments: object) -> tuple[str, int]:
        raise MemoryError

    monkeypatch.setattr("games.services.analysis.solver.ask", broken)
    analyse_pending()
    analysis = ada.get(f"attempts/{attempt}/analysis/").json()
    assert (analysis["status"], analysis["winnable_after"], analysis["lost_after"]) == (
        "done",
        0,
        None,
    )
    assert "failed" in caplog.text


@pytest.fixture
def lost(clock):
    """Return a player, the attempt of a lost game, and its deal, which is final."""
    deal = open_day()["eight-off-2"]
    ada = Caller("Ada")
    attempt = ada.start(deal)["id"]
    ada.submit(attempt, HALF)
    clock.move_to(deal.submissions_until + settings.SETTLE)
    return ada, attempt, deal


@pytest.mark.django_db
def test_a_player_asks_and_is_answered(lost) -> None:
    ada, attempt, _deal = lost
    path = f"attempts/{attempt}/analysis/"
    assert ada.get(path).status_code == 404
    asked = ada.post(path)
    assert asked.status_code == 202
    assert asked.json()["status"] == "pending"
    assert ada.get(path).json() == asked.json()
    analyse_pending()
    answer = ada.post(path)
    assert answer.status_code == 200
    analysis = answer.json()
    # The half of a winning line is not lost.
    assert (analysis["status"], analysis["actions"], analysis["lost_after"]) == ("done", 20, None)
    assert analysis["winnable_after"] == 20
    assert ada.get(path).json() == analysis
    before = Analysis.objects.values().get()
    analyse_pending()
    assert Analysis.objects.values().get() == before


@pytest.mark.django_db
def test_while_the_deal_can_be_played_nothing_is_shown(today) -> None:
    ada = Caller("Ada")
    attempt = ada.start(today["eight-off-2"])["id"]
    ada.submit(attempt, HALF)
    for status in ("open", "grace"):
        DailyDeal.objects.update(status=status)
        answer = ada.post(f"attempts/{attempt}/analysis/")
        assert (answer.status_code, error_of(answer)["code"]) == (409, "deal_not_final")
    assert not Analysis.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("movetext", [WIN.movetext, WIN.illegal, None], ids=["won", "bad", "none"])
def test_without_a_lost_game_there_is_nothing_to_analyse(clock, movetext) -> None:
    deal = open_day()["eight-off-2"]
    ada = Caller("Ada")
    attempt = ada.start(deal)["id"]
    if movetext:
        ada.submit(attempt, movetext)
    clock.move_to(deal.submissions_until + timedelta(hours=1))
    answer = ada.post(f"attempts/{attempt}/analysis/")
    assert (answer.status_code, error_of(answer)["code"]) == (409, "nothing_to_analyse")


@pytest.mark.django_db
def test_only_the_player_may_ask(lost) -> None:
    _ada, attempt, _deal = lost
    bruno = Caller("Bruno")
    for answer in (
        bruno.post(f"attempts/{attempt}/analysis/"),
        bruno.get(f"attempts/{attempt}/analysis/"),
    ):
        assert (answer.status_code, error_of(answer)["code"]) == (403, "not_your_attempt")
    assert Caller().post(f"attempts/{attempt}/analysis/").status_code == 401


def test_real_logs_of_every_variant_have_positions_to_ask_about() -> None:
    """Each question is a position of the log: asked in order of actions it would replay it."""
    for win in WINS[::60]:
        asked = []

        def ask(position: engine.Position, _budget: int, asked=asked):
            asked.append(position.moves)
            return "winnable", 1

        found = turning_point(engine.parse_code(win.code), win.half, budget=1000, ask=ask)
        assert found.winnable_after == engine.replay(win.code, win.half).actions
        assert len(asked) <= 12
