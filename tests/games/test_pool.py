"""The pool: certified deals from files and from the solver, and what happens when it runs low."""

import json
import logging
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction

from config import logs
from games import engine, services, solver
from games.errors import DealRefused, PoolFileError
from games.models import Certification, DailyDeal, PoolDeal
from games.pool_files import COLUMNS, read_pool, shipped_pool, write_pool
from games.services import pool
from games.tasks import certify_pending, top_up_pool
from tests.logs import wins_of
from tests.play import NOON, TODAY, new_player, start, submit

pytestmark = pytest.mark.django_db
WINS = wins_of("eight-off")
WIN = WINS[0]
# With two cells few deals can be won; number 1 cannot.
HOPELESS = "EO1-C2-AAAAAAB"


def row(win=WIN, *, movetext=None, par=None, grade=3) -> str:
    return f"{win.code}\t{movetext or win.movetext}\t{par or win.moves}\t{grade}\n"


HEADER = "\t".join(COLUMNS) + "\n"

# --- Files ------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", engine.VARIANTS)
def test_every_shipped_deal_is_proved_by_the_line_beside_it(variant: str) -> None:
    deals = read_pool(shipped_pool(variant), variant=variant)
    assert len(deals) >= 400
    for deal in deals:
        verdict = engine.replay(deal.code, deal.winning_movetext)
        assert (verdict.won, verdict.moves) == (True, deal.par_moves)
        assert engine.canonical(deal.code, deal.winning_movetext) == deal.winning_movetext


def test_a_pool_file_reads_back_as_it_was_written(tmp_path: Path) -> None:
    deals = [
        PoolDeal(
            variant=win.variant,
            number=win.number,
            winning_movetext=win.movetext,
            par_moves=win.moves,
            grade=1 + at % 5,
        )
        for at, win in enumerate(WINS)
    ]
    file = tmp_path / "pool.tsv"
    file.write_text(write_pool(deals))
    assert [_fields(deal) for deal in read_pool(file, variant="eight-off")] == [
        _fields(deal) for deal in deals
    ]


def _fields(deal: PoolDeal) -> tuple:
    return (deal.variant, deal.number, deal.winning_movetext, deal.par_moves, deal.grade)


DAMAGED = {
    "empty": "",
    "no columns": row(),
    "other columns": "code\tmovetext\n" + row(),
    "not a code": HEADER + row() + "EO1-C8-AAAAAAA\tD\t1\t1\n",
    "a line that does not win": HEADER + row() + row(WINS[1], movetext=WINS[1].half),
    "an illegal line": HEADER + row() + row(WINS[1], movetext=WINS[1].illegal),
    "an action after the win": HEADER + row(movetext=f"{WIN.movetext} U"),
    "a line of another deal": HEADER + row() + row(WINS[1], movetext=WIN.movetext),
    "another variant": HEADER + row() + row(wins_of("eight-off-4")[0]),
    "twice": HEADER + row() + row(),
    "a missing column": HEADER + row() + f"{WINS[1].code}\t{WINS[1].movetext}\n",
    "one column too many": HEADER + row().strip() + "\tmore\n",
    "a wrong par": HEADER + row() + row(WINS[1], par=7),
    "a par that is no number": HEADER + row(par="few"),
    "a grade out of range": HEADER + row() + row(WINS[1], grade=6),
    "no grade": HEADER + row(grade=""),
    "a log over the limits": HEADER + row(movetext="D20001"),
    "not ASCII": HEADER + row(movetext="é"),
    "cut off": (HEADER + row() + row(WINS[1]))[:-40],
}


@pytest.mark.parametrize("text", DAMAGED.values(), ids=DAMAGED.keys())
def test_a_damaged_pool_file_is_refused_by_name_and_loads_nothing(
    tmp_path: Path, monkeypatch, text: str
) -> None:
    file = tmp_path / "pool.tsv"
    file.write_text(text, encoding="utf-8")
    monkeypatch.setattr(pool, "shipped_pool", lambda _variant: file)
    with pytest.raises(PoolFileError, match=r"pool\.tsv"):
        pool.load_shipped(variant="eight-off")
    assert not PoolDeal.objects.exists()


def test_a_missing_pool_file_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(PoolFileError, match=r"nothing\.tsv"):
        read_pool(tmp_path / "nothing.tsv", variant="eight-off")


def test_loading_again_adds_nothing_and_changes_nothing() -> None:
    added = pool.load_shipped(variant="eight-off")
    assert added >= 400
    PoolDeal.objects.update(grade=5)
    assert pool.load_shipped(variant="eight-off") == 0
    assert set(PoolDeal.objects.values_list("grade", flat=True)) == {5}


# --- Certifying -------------------------------------------------------------------------------


def test_a_winnable_deal_comes_into_the_pool_with_line_par_and_grade() -> None:
    found = pool.certify(code=engine.parse_code(WIN.code), budget=200_000, now=NOON)
    assert found.certification.outcome == "winnable"
    deal = PoolDeal.objects.get()
    verdict = engine.replay(WIN.code, deal.winning_movetext)
    assert (verdict.won, verdict.moves) == (True, deal.par_moves)
    assert deal.grade in range(1, 6)


def test_an_unwinnable_deal_is_remembered_and_comes_into_no_pool() -> None:
    found = pool.certify(code=engine.parse_code(HOPELESS), budget=2_000_000, now=NOON)
    assert (found.certification.outcome, found.pool_deal) == ("unwinnable", None)
    assert not PoolDeal.objects.exists()


def test_a_spent_budget_is_unknown() -> None:
    found = pool.certify(code=engine.parse_code(WIN.code), budget=3, now=NOON)
    assert (found.certification.outcome, found.pool_deal) == ("unknown", None)
    assert found.certification.positions <= 3


@pytest.mark.parametrize("budget", [0, -1, solver.MAX_BUDGET + 1])
def test_a_budget_out_of_range_is_refused(budget: int) -> None:
    with pytest.raises(solver.BudgetError):
        pool.certify(code=engine.parse_code(WIN.code), budget=budget, now=NOON)
    assert not Certification.objects.exists()


def test_a_deal_in_the_pool_is_not_searched_again() -> None:
    code = engine.parse_code(WIN.code)
    pool.certify(code=code, budget=200_000, now=NOON)
    again = pool.certify(code=code, budget=1, now=NOON)
    assert again.certification.outcome == "winnable"
    assert again.pool_deal == PoolDeal.objects.get()


def test_the_task_searches_what_an_admin_requested(clock) -> None:
    staff = new_player("Olga")
    for code in (WIN.code, HOPELESS):
        services.request_certification(
            code=code, budget=2_000_000, actor=staff, reason="For Sunday.", now=NOON
        )
    assert set(Certification.objects.values_list("outcome", flat=True)) == {"pending"}
    certify_pending()
    outcomes = {str(row.code): row.outcome for row in Certification.objects.all()}
    assert outcomes == {WIN.code: "winnable", HOPELESS: "unwinnable"}
    certify_pending()  # redelivered, it changes nothing
    assert PoolDeal.objects.count() == 1


def test_a_search_that_fails_holds_up_no_other(monkeypatch, caplog, clock) -> None:
    staff = new_player("Olga")
    for code in (WIN.code, WINS[1].code):
        services.request_certification(
            code=code, budget=100_000, actor=staff, reason="For Sunday.", now=NOON
        )
        clock.shift(1)
    real = solver.solve

    def broken_for_the_first(code: str, *arguments: object, **options: object) -> solver.Solution:
        if code == WIN.code:
            raise MemoryError
        return real(code, *arguments, **options)

    monkeypatch.setattr(pool.solver, "solve", broken_for_the_first)
    certify_pending()
    outcomes = {str(row.code): row.outcome for row in Certification.objects.all()}
    assert outcomes == {WIN.code: "unknown", WINS[1].code: "winnable"}
    assert f"The search of {WIN.code} failed" in caplog.text


def test_a_search_that_ended_with_its_process_stands_back(monkeypatch, clock) -> None:
    """The first in line takes its worker with it each time; the others get their turn."""
    staff = new_player("Olga")
    first, *others = [win.code for win in WINS[:3]]
    for at, code in enumerate([first, *others]):
        services.request_certification(
            code=code,
            budget=100_000,
            actor=staff,
            reason="Sunday.",
            now=NOON + timedelta(seconds=at),
        )
    real = solver.solve

    def ends_the_worker(code: str, *arguments: object, **options: object) -> solver.Solution:
        if code == first:
            raise SystemExit
        return real(code, *arguments, **options)

    def outcomes() -> dict[str, str]:
        return {str(row.code): row.outcome for row in Certification.objects.all()}

    monkeypatch.setattr(pool.solver, "solve", ends_the_worker)
    with pytest.raises(SystemExit):
        certify_pending()
    assert outcomes() == dict.fromkeys([first, *others], "pending")
    with pytest.raises(SystemExit):
        certify_pending()
    assert outcomes() == {first: "pending", **dict.fromkeys(others, "winnable")}


def test_a_finished_search_does_not_swallow_a_request_for_a_greater_one() -> None:
    staff = new_player("Olga")
    code = engine.parse_code(WIN.code)

    def ask(budget: int) -> None:
        services.request_certification(
            code=WIN.code, budget=budget, actor=staff, reason="More.", now=NOON
        )

    ask(3)
    solution = solver.solve(WIN.code, 3)
    ask(100_000)  # while the first is searched
    pool.keep_solution(solution=solution, budget=3, now=NOON)
    waiting = Certification.objects.get()
    assert (waiting.outcome, waiting.budget) == ("pending", 100_000)
    pool.certify(code=code, budget=100_000, now=NOON)
    assert Certification.objects.get().outcome == "winnable"


def test_a_proof_is_never_replaced_by_not_knowing() -> None:
    pool.certify(code=engine.parse_code(HOPELESS), budget=100_000, now=NOON)
    pool.keep_solution(solution=solver.solve(HOPELESS, 1), budget=1, now=NOON)
    assert Certification.objects.get().outcome == "unwinnable"


def test_requesting_a_known_deal_is_refused_with_the_reason() -> None:
    staff = new_player("Olga")

    def ask(code: str) -> None:
        services.request_certification(
            code=code, budget=1000, actor=staff, reason="Again.", now=NOON
        )

    pool.certify(code=engine.parse_code(WIN.code), budget=200_000, now=NOON)
    with pytest.raises(DealRefused, match="already certified"):
        ask(WIN.code)
    pool.certify(code=engine.parse_code(HOPELESS), budget=2_000_000, now=NOON)
    with pytest.raises(DealRefused, match="can't be won"):
        ask(HOPELESS)
    # What was given up may be tried again.
    pool.certify(code=engine.parse_code(WINS[1].code), budget=2, now=NOON)
    ask(WINS[1].code)


# --- Running low ------------------------------------------------------------------------------


def test_a_pool_that_runs_low_is_topped_up_a_part_at_a_time(settings, clock) -> None:
    settings.POOL_LOW_WATER = 2
    settings.CERTIFY_BUDGET = 100_000
    for variant in engine.VARIANTS:
        for win in wins_of(variant)[: 1 if variant == "eight-off" else 2]:
            PoolDeal.objects.create(
                variant=variant,
                number=win.number,
                winning_movetext=win.movetext,
                par_moves=win.moves,
                grade=3,
            )
    assert pool.top_up(now=NOON, most_positions=0) is True
    assert pool.unused_counts()["eight-off"] == 1
    settings.TOP_UP_POSITIONS = 10_000_000
    top_up_pool()
    assert pool.unused_counts() == dict.fromkeys(engine.VARIANTS, 2)
    assert pool.top_up(now=NOON, most_positions=0) is False


def test_an_empty_pool_is_an_alarm_and_never_no_deal(
    monkeypatch, caplog, mailoutbox, settings
) -> None:
    """Then a number that was never used is certified on the spot."""
    settings.ADMINS = [("Admins", "admins@example.org")]
    monkeypatch.setattr(pool, "load_shipped", lambda **_variant: 0)
    with caplog.at_level(logging.ERROR, "games.services.pool"):
        drawn = pool.draw(variant="eight-off", now=NOON)
    assert engine.replay(drawn.code, drawn.winning_movetext).won
    assert "The pool of eight-off is empty" in caplog.text
    logs.flush()
    assert any("The pool of eight-off" in mail.subject for mail in mailoutbox)


def test_a_damaged_shipped_file_is_an_alarm_and_never_no_deal(monkeypatch, caplog) -> None:
    def damaged(**_variant: str) -> int:
        raise PoolFileError("eight-off.tsv, row 3: not a deal")

    monkeypatch.setattr(pool, "load_shipped", damaged)
    assert pool.draw(variant="eight-off", now=NOON).pk
    assert "eight-off.tsv, row 3" in caplog.text


# --- Par --------------------------------------------------------------------------------------


def test_a_players_shorter_win_becomes_the_line_once_the_deal_is_final(today) -> None:
    deal = today["eight-off"]
    longer = f"{WIN.tokens[0]} U " * 3 + WIN.movetext
    PoolDeal.objects.filter(pk=deal.pool_deal_id).update(
        winning_movetext=longer, par_moves=WIN.moves + 3
    )
    submit(start(new_player(), deal), WIN.movetext)
    deal.pool_deal.refresh_from_db()
    assert deal.pool_deal.par_moves == WIN.moves + 3  # not while it is played
    services.roll_over(now=deal.submissions_until + (deal.closes_at - deal.opens_at))
    deal.pool_deal.refresh_from_db()
    assert deal.pool_deal.par_moves == WIN.moves
    assert deal.pool_deal.winning_movetext == engine.canonical(WIN.code, WIN.movetext)


def test_a_longer_win_leaves_the_par(today) -> None:
    deal = today["eight-off"]
    submit(start(new_player(), deal), f"{WIN.tokens[0]} U {WIN.movetext}")
    services.roll_over(now=deal.submissions_until + (deal.closes_at - deal.opens_at))
    deal.pool_deal.refresh_from_db()
    assert (deal.pool_deal.par_moves, deal.pool_deal.winning_movetext) == (WIN.moves, WIN.movetext)


# --- What the database refuses ----------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [{"winning_movetext": ""}, {"par_moves": 0}, {"grade": 0}, {"grade": 6}, {"number": 0}],
    ids=str,
)
def test_the_database_refuses_a_pool_deal_without_proof(today, change: dict) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        PoolDeal.objects.update(**change)


def test_the_database_refuses_a_daily_deal_without_a_certified_one(today) -> None:
    deal = today["eight-off"]
    with pytest.raises(IntegrityError), transaction.atomic():
        DailyDeal.objects.filter(pk=deal.pk).update(pool_deal=None)


# --- Planning ---------------------------------------------------------------------------------


def _graded(*grades: int) -> None:
    for win, grade in zip(WINS[10:], grades, strict=False):
        PoolDeal.objects.create(
            variant="eight-off",
            number=win.number,
            winning_movetext=win.movetext,
            par_moves=win.moves,
            grade=grade,
        )


def plan(grades: list[int], first_day) -> list[DailyDeal]:
    return services.plan_days(
        variant="eight-off",
        first_day=first_day,
        grades=grades,
        actor=new_player("Olga"),
        reason="A week from easy to hard.",
        now=NOON,
    )


def test_a_week_is_planned_from_easy_to_hard(today) -> None:
    _graded(5, 4, 3, 2, 1, 1, 3)
    first_day = TODAY + (today["eight-off"].closes_at - today["eight-off"].opens_at)
    plan([1, 1, 2, 3, 3, 4, 5], first_day)
    planned = DailyDeal.objects.filter(date__gte=first_day, variant="eight-off").order_by("date")
    assert [deal.pool_deal.grade for deal in planned] == [1, 1, 2, 3, 3, 4, 5]


def test_a_plan_is_carried_out_whole_or_not_at_all(today) -> None:
    _graded(1, 2)
    with pytest.raises(DealRefused, match="grade 5"):
        plan([1, 2, 5], TODAY.replace(day=20))
    assert DailyDeal.objects.count() == len(engine.VARIANTS)


def test_a_plan_leaves_today_alone(today) -> None:
    _graded(1, 2)
    with pytest.raises(DealRefused, match="has begun"):
        plan([1, 2], TODAY)


# --- Commands ---------------------------------------------------------------------------------


def test_certify_adds_deals_and_can_go_on(capsys) -> None:
    for total in (1, 3):
        call_command(
            "certify", "--variant", "eight-off", "--count", str(total - PoolDeal.objects.count()),
            "--processes", "1", "--budget", "100000",
        )  # fmt: skip
        assert PoolDeal.objects.filter(variant="eight-off").count() == total
    assert "2 deals certified" in capsys.readouterr().out
    numbers = list(Certification.objects.values_list("number", flat=True))
    assert len(numbers) == len(set(numbers)) >= 3


@pytest.mark.parametrize(
    "options",
    [
        ["--count", "0"],
        ["--count", "1", "--budget", "0"],
        ["--count", "1", "--budget", "99999999999"],
        ["--count", "1", "--processes", "0"],
    ],
    ids=str,
)
def test_certify_refuses_senseless_options(options: list[str]) -> None:
    with pytest.raises(CommandError):
        call_command("certify", "--variant", "eight-off", *options)
    assert not Certification.objects.exists()


def test_pool_lists_the_deals_and_the_day_of_each(today, capsys) -> None:
    call_command("pool", "--json", "--variant", "eight-off")
    (listed,) = json.loads(capsys.readouterr().out)
    assert listed == {
        "code": WIN.code,
        "movetext": WIN.movetext,
        "par_moves": WIN.moves,
        "grade": 3,
        "used_on": "2026-05-04",
    }
    call_command("pool")
    listed = capsys.readouterr().out.splitlines()
    assert len(listed) == 8  # the deals, and a summary of each variant
    assert (
        f"eight-off: 1 deals, 0 unused, median par {WIN.moves}, grades 1:0 2:0 3:1 4:0 5:0"
        in listed
    )
    out = StringIO()
    call_command("pool", "--tsv", "--variant", "eight-off", stdout=out)
    assert out.getvalue() == HEADER + row()
