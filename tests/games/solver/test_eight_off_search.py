"""The search of Eight Off against the engine's own rules, played out in full."""

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest

from games.engine import VARIANTS, DealCode, Position, deal, replay, start
from games.engine.places import COLUMN, FOUNDATION
from games.solver import eight_off, solve
from games.solver.meter import Meter

PLENTY = 100_000
MOST_PLAYED_OUT = 2_000

with (Path(__file__).parent / "vectors" / "larger_formula.tsv").open(newline="") as file:
    LARGER_FORMULA = [
        (row["code"], row["movetext"]) for row in csv.DictReader(file, delimiter="\t")
    ]

Foundations = tuple[int, ...]


def columns_and_foundations(position: Position) -> tuple[tuple[tuple[int, ...], ...], Foundations]:
    piles = position._table.piles
    columns = tuple(sorted(tuple(pile) for pile in piles[COLUMN : COLUMN + 8]))
    return columns, tuple(len(pile) for pile in piles[FOUNDATION : FOUNDATION + 4])


def foundations_by_engine(code: str) -> set[Foundations] | None:
    """Play every legal action, take-backs included; None where that takes too long."""
    seen = {columns_and_foundations(start(code))}
    waiting = [start(code)]
    while waiting:
        at = waiting.pop()
        for action in at.legal_actions():
            following = at.copy()
            following.apply(action)
            key = columns_and_foundations(following)
            if key not in seen:
                seen.add(key)
                waiting.append(following)
        if len(seen) > MOST_PLAYED_OUT:
            return None
    return {foundations for _, foundations in seen}


def settled_positions(code: str) -> Iterator[eight_off.Node]:
    layout = deal(code)
    first = eight_off.first_node(layout.columns, layout.cells)
    seen = {first.code}
    waiting = [first]
    while waiting:
        node = waiting.pop()
        yield node
        for child in eight_off.children(node, layout.code.variant.cells):
            if child.code not in seen:
                seen.add(child.code)
                waiting.append(child)


def search(code: str) -> eight_off.Node | None:
    layout = deal(code)
    first = eight_off.first_node(layout.columns, layout.cells)
    return eight_off.search(first, layout.code.variant.cells, Meter(PLENTY), eight_off.DECIDING)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("slug", "numbers"), [("eight-off-2", range(1, 61)), ("eight-off-4", (2, 3, 5, 8, 11, 14, 21))]
)
def test_settled_positions_go_as_far_as_any_play(slug: str, numbers: range) -> None:
    compared = 0
    for number in numbers:
        code = str(DealCode(VARIANTS[slug], number))
        by_engine = foundations_by_engine(code)
        if by_engine is None:
            continue
        compared += 1
        settled = {tuple(node.foundations) for node in settled_positions(code)}
        for foundations in by_engine:
            assert any(
                all(cards <= more for cards, more in zip(foundations, others, strict=True))
                for others in settled
            ), (code, foundations)
    assert compared > len(numbers) // 2


@pytest.mark.slow
def test_each_move_of_the_search_is_legal_play() -> None:
    for number in range(1, 13):
        layout = deal(DealCode(VARIANTS["eight-off-4"], number))
        for node in list(settled_positions(str(layout.code)))[:40]:
            movetext = eight_off.movetext(layout, range(8), eight_off.steps_to(node))
            assert movetext is not None
            verdict = replay(layout.code, movetext)
            assert verdict.legal
            assert (verdict.moves, verdict.foundation_cards) == (node.moves, sum(node.foundations))


@pytest.mark.slow
@pytest.mark.parametrize(("code", "movetext"), LARGER_FORMULA, ids=[c for c, _ in LARGER_FORMULA])
def test_deals_that_only_the_larger_group_formula_wins(
    monkeypatch: pytest.MonkeyPatch, code: str, movetext: str
) -> None:
    assert replay(code, movetext).won
    assert search(code)
    monkeypatch.setattr(eight_off, "longest_group", lambda free_cells, _: free_cells + 1)
    assert search(code) is None


def test_larger_formula_has_a_deal_of_each_variant() -> None:
    assert {code[:6] for code, _ in LARGER_FORMULA} == {"EO1-C8", "EO1-C4", "EO1-C2"}


@pytest.mark.parametrize(
    ("slug", "winnable"),
    [
        ("eight-off-4", {36, 40}),
        ("eight-off-2", {309}),
    ],
)
def test_few_cells_are_decided_at_once(slug: str, winnable: set[int]) -> None:
    for number in {*range(30, 60), *winnable}:
        solution = solve(str(DealCode(VARIANTS[slug], number)), 20_000)
        assert solution.outcome != "unknown"
        if number in winnable:
            assert solution.outcome == "winnable"


@pytest.mark.parametrize("code", ["EO1-C8-AAAAAMW", "EO1-C8-AAAAAUN", "EO1-C8-AAAAB74"])
def test_unwinnable_with_eight_cells(code: str) -> None:
    solution = solve(code, 10_000)
    assert (solution.outcome, solution.movetext, solution.moves) == ("unwinnable", None, None)


def test_a_stop_on_the_way_is_left_out() -> None:
    stop = eight_off.Step(7, eight_off.TO_CELL)
    go_on = eight_off.Step(7, eight_off.TO_FOUNDATION)
    assert eight_off.without_detour([stop, go_on], 0) == [go_on]
    assert eight_off.without_detour([stop, go_on], 1) is None
