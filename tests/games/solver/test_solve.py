"""`solve` and its surroundings: answers, budgets, interruption, batches, grades."""

import ast
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

import games.solver
from games.engine import CodeError, canonical, replay
from games.solver import (
    DEFAULT_BUDGET,
    MAX_BUDGET,
    MIN_BUDGET,
    BudgetError,
    Solution,
    WrongLineError,
    eight_off,
    grade,
    solve,
    solve_many,
)
from games.solver.grades import THRESHOLDS

EASY_HARP = "EH1-N-AAAAAAG"
EIGHT_CELLS = "EO1-C8-AAAAAAB"
FOUR_CELLS = "EO1-C4-AAAAABE"
UNWINNABLE = "EO1-C4-AAAAAAB"
SMALL = 300_000

solved = cache(solve)  # for the tests that look at an answer, not at the search

SOURCES = sorted(Path(games.solver.__file__).parent.glob("*.py"))


@pytest.mark.slow
@pytest.mark.parametrize("code", [EASY_HARP, EIGHT_CELLS, FOUR_CELLS, "EO1-C2-AAAAAJV"])
def test_winnable_deals_come_with_a_line_that_the_engine_replays(code: str) -> None:
    solution = solved(code, SMALL)
    assert solution.outcome == "winnable"
    assert solution.movetext is not None
    verdict = replay(code, solution.movetext)
    assert (verdict.legal, verdict.won, verdict.moves) == (True, True, solution.moves)
    assert canonical(code, solution.movetext) == solution.movetext
    assert 0 < solution.effort <= solution.positions <= SMALL


@pytest.mark.slow
def test_easy_harp_lines_need_few_draws() -> None:
    solution = solved(EASY_HARP, SMALL)
    assert solution.moves is not None
    assert solution.moves < 500


@pytest.mark.parametrize("code", [UNWINNABLE, "EO1-C2-AAAAAAB"])
def test_unwinnable_deals_have_no_line(code: str) -> None:
    solution = solved(code, SMALL)
    assert (solution.outcome, solution.movetext, solution.moves) == ("unwinnable", None, None)
    assert solution.effort == solution.positions


@pytest.mark.parametrize("code", [EASY_HARP, EIGHT_CELLS, UNWINNABLE])
@pytest.mark.parametrize("budget", [1, 2, 10, 100, 1_000, 20_000])
def test_budget_is_never_exceeded(code: str, budget: int) -> None:
    solution = solve(code, budget)
    assert solution.positions <= budget


def test_unknown_when_the_budget_is_spent() -> None:
    solution = solve(EASY_HARP, 5_000)
    assert (solution.outcome, solution.movetext, solution.interrupted) == ("unknown", None, False)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("code", [EASY_HARP, EIGHT_CELLS, FOUR_CELLS, UNWINNABLE])
def test_same_budget_and_seed_same_answer(code: str, seed: int) -> None:
    assert solve(code, 120_000, seed=seed) == solve(code, 120_000, seed=seed)


@pytest.mark.slow
def test_first_line_will_do() -> None:
    first, short = solve(EIGHT_CELLS, SMALL, shorten=False), solved(EIGHT_CELLS, SMALL)
    assert first.positions == first.effort == short.effort < short.positions
    assert first.moves is not None
    assert short.moves is not None
    assert short.moves <= first.moves


@pytest.mark.slow
def test_answer_is_the_same_in_another_process() -> None:
    program = f"from games.solver import solve; print(solve({FOUR_CELLS!r}, {SMALL}).movetext)"
    printed = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout
    assert printed.strip() == solved(FOUR_CELLS, SMALL).movetext


@pytest.mark.parametrize("budget", [MIN_BUDGET - 1, -5, MAX_BUDGET + 1])
def test_budget_out_of_range(budget: int) -> None:
    with pytest.raises(BudgetError) as refused:
        solve(FOUR_CELLS, budget)
    assert refused.value.code == "budget.range"


@pytest.mark.parametrize("budget", ["100", 1e6, None, True])
def test_budget_that_is_no_integer(budget: object) -> None:
    with pytest.raises(BudgetError) as refused:
        solve(FOUR_CELLS, budget)  # type: ignore[arg-type]
    assert refused.value.code == "budget.not_an_integer"


def test_default_budget_is_a_budget() -> None:
    assert MIN_BUDGET <= DEFAULT_BUDGET <= MAX_BUDGET


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("EO1-C4", "code.format"),
        ("EO1-C3-AAAAAAB", "code.unknown_variant"),
        ("EH1-N-AAAAAAA", "code.range"),
    ],
)
def test_code_that_is_no_deal(code: str, reason: str) -> None:
    with pytest.raises(CodeError) as refused:
        solve(code)
    assert refused.value.code == reason


def test_code_is_read_as_the_engine_reads_it() -> None:
    assert solve(f"  {UNWINNABLE.lower()} ").code == UNWINNABLE


@pytest.mark.parametrize("code", [EASY_HARP, EIGHT_CELLS])
def test_interruption_before_a_win(code: str) -> None:
    solution = solve(code, SMALL, should_stop=lambda: True)
    assert (solution.outcome, solution.interrupted) == ("unknown", True)
    assert solution.positions < 10_000


@pytest.mark.slow
@pytest.mark.parametrize("code", [EASY_HARP, EIGHT_CELLS])
def test_interruption_after_a_win_keeps_the_line(code: str) -> None:
    effort = solve(code, SMALL).effort
    seen = 0

    def progress(positions: int, _budget: int) -> None:
        nonlocal seen
        seen = positions

    solution = solve(code, SMALL, progress=progress, should_stop=lambda: seen > effort)
    assert (solution.outcome, solution.interrupted) == ("winnable", True)


def test_progress_goes_up_to_the_budget() -> None:
    reports: list[tuple[int, int]] = []
    solve(EASY_HARP, 50_000, progress=lambda *report: reports.append(report))
    assert len(reports) > 5
    assert reports == sorted(reports)
    assert all(0 <= positions <= budget == 50_000 for positions, budget in reports)


def test_line_that_the_engine_refuses_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(eight_off, "movetext", lambda *_: "1h 1h 1h")
    with pytest.raises(WrongLineError):
        solve(FOUR_CELLS, SMALL)


@pytest.mark.slow
@pytest.mark.parametrize("processes", [1, 2])
def test_many_deals_in_order(processes: int) -> None:
    codes = [FOUR_CELLS, UNWINNABLE, "EO1-C2-AAAAAAB"]
    solutions = list(solve_many(codes, 5_000, processes=processes))
    assert solutions == [solve(code, 5_000) for code in codes]


def test_many_deals_refuse_bad_input_at_the_call() -> None:
    with pytest.raises(BudgetError):
        solve_many([FOUR_CELLS], 0)
    with pytest.raises(ValueError, match="process"):
        solve_many([FOUR_CELLS], processes=0)


@pytest.mark.parametrize("code", [EASY_HARP, EIGHT_CELLS, FOUR_CELLS, "EO1-C2-AAAAAJV"])
def test_grade_rises_with_the_effort(code: str) -> None:
    solution = Solution(
        code=code, outcome="winnable", movetext="", moves=0, positions=0, effort=0,
        interrupted=False,
    )  # fmt: skip
    efforts = [1, *THRESHOLDS[games.engine.parse_code(code).variant.slug]]
    assert [grade(replace(solution, effort=effort)) for effort in efforts] == [1, 2, 3, 4, 5]


def test_only_winnable_deals_have_a_grade() -> None:
    assert grade(solve(UNWINNABLE)) is None


def test_solver_needs_the_standard_library_and_the_engine_only() -> None:
    allowed = sys.stdlib_module_names
    for source in SOURCES:
        for node in ast.walk(ast.parse(source.read_text())):
            if isinstance(node, ast.Import):
                assert all(alias.name in allowed for alias in node.names), source
            elif isinstance(node, ast.ImportFrom) and not node.level:
                module = node.module or ""
                assert module.startswith("games.engine") or module.split(".")[0] in allowed, source


@pytest.mark.slow
def test_solver_runs_without_installed_packages() -> None:
    program = "from games.solver import solve; print(solve('EO1-C2-AAAAAAB').outcome)"
    root = Path(games.solver.__file__).parents[2]
    printed = subprocess.run(
        [sys.executable, "-S", "-c", program], cwd=root, capture_output=True, text=True, check=True
    ).stdout
    assert printed.strip() == "unwinnable"
