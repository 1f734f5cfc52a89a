"""The search of Easy Harp against the engine's own rules."""

from functools import reduce
from random import Random

import pytest

from games.engine import VARIANTS, DealCode, Position, card_index, deal, replay, start
from games.engine.places import COLUMN, FOUNDATION, STOCK, WASTE
from games.solver import easy_harp, exhaustive
from games.solver.beam import beam
from games.solver.easy_harp import Column, Game, Node, Weights
from games.solver.meter import Meter, OutOfBudgetError

Key = tuple[object, ...]


def easy_harp_code(number: int) -> DealCode:
    return DealCode(VARIANTS["easy-harp"], number)


def game_of(number: int) -> Game:
    layout = deal(easy_harp_code(number))
    return Game(layout.columns, layout.stock, Weights())


def key_of_position(position: Position) -> Key:
    """The places of all cards: columns in any order, stock and waste as one talon."""
    table = position._table
    columns = sorted(
        (table.face_down[place], tuple(table.piles[place])) for place in range(COLUMN, COLUMN + 9)
    )
    heights = [len(pile) for pile in table.piles[FOUNDATION : FOUNDATION + 8]]
    suits = tuple(tuple(sorted(heights[2 * suit : 2 * suit + 2])) for suit in range(4))
    talon = (*table.piles[WASTE], *reversed(table.piles[STOCK]))
    return tuple(columns), suits, talon


def key_of_node(game: Game, node: Node) -> Key:
    columns, foundations, talon = exhaustive.key_of(node)
    suits = tuple(tuple(sorted(divmod(state, 14))) for state in foundations)
    return columns, suits, tuple(c for i, c in enumerate(game.stock) if talon >> i & 1)


def reached_by_engine(position: Position) -> set[Key]:
    """Every position one play away, after any number of draws."""
    at = position.copy()
    reached = set()
    for _ in range(len(at.cards_at("stock")) + len(at.cards_at("w")) + 2):
        for action in at.legal_actions():
            if action[0] not in "DR":
                following = at.copy()
                following.apply(action)
                reached.add(key_of_position(following))
        draw = "D" if at.cards_at("stock") else "R"
        if draw not in at.legal_actions():
            break
        at.apply(draw)
    return reached - {key_of_position(position)}


def node_of(game: Game, position: Position) -> Node:
    """The same position for the search."""
    table = position._table
    columns = []
    for place in range(COLUMN, COLUMN + 9):
        face_down, cards = table.face_down[place], table.piles[place]
        base = game.empty
        if face_down:
            base = game.columns[place]
            while len(base.cards) > face_down + 1:
                base = base.below
        columns.append(reduce(game.put, cards[len(base.cards) :], base))
    heights = [len(pile) for pile in table.piles[FOUNDATION : FOUNDATION + 8]]
    foundations = [14 * max(pair) + min(pair) for pair in zip(heights[::2], heights[1::2])]  # noqa: B905
    return Node(columns, foundations, *talon_of(game, table.piles[WASTE], table.piles[STOCK]), None)


def talon_of(game: Game, waste: list[int], stock: list[int]) -> tuple[int, int]:
    """What is left of the talon, and how far the waste reaches; equal cards: the first that do."""
    talon = drawn = index = 0
    for place, card in enumerate((*waste, *reversed(stock))):
        while game.stock[index] != card:
            index += 1
        talon |= 1 << index
        index += 1
        if place == len(waste) - 1:
            drawn = index
    return talon, drawn


@pytest.mark.slow
@pytest.mark.parametrize("number", range(1, 9))
def test_search_plays_what_the_engine_allows(number: int) -> None:
    random = Random(number)
    game = game_of(number)
    position = start(easy_harp_code(number))
    for _ in range(40):
        node = node_of(game, position)
        by_search = {
            key_of_node(game, following) for following in exhaustive.successors(game, node)
        }
        assert by_search - {key_of_node(game, node)} == reached_by_engine(position)
        for _ in range(random.randint(1, 12)):
            actions = position.legal_actions()
            plays = [action for action in actions if action[0] not in "DR"]
            if not actions:
                return
            position.apply(random.choice(plays if plays and random.random() < 0.5 else actions))


@pytest.mark.slow
@pytest.mark.parametrize("number", [3, 6, 7])
def test_moves_are_counted_as_the_engine_counts(number: int) -> None:
    game = game_of(number)
    won, _ = beam(game, 30, Meter(10**6))
    assert won
    layout = deal(easy_harp_code(number))
    verdict = replay(layout.code, easy_harp.movetext(game.stock, won.all_plays(), range(9)))
    assert (verdict.won, verdict.moves) == (True, won.moves)


@pytest.mark.parametrize(
    ("drawn", "card", "actions"),
    [
        (0, 0, 1),  # the first card
        (0, 5, 6),
        (3, 2, 0),  # on top of the waste
        (3, 5, 3),
        (3, 1, 3 + 1 + 2),  # the rest, the waste put back, two cards
        (6, 0, 1 + 1),
    ],
)
def test_draws_to_a_card_of_the_talon(drawn: int, card: int, actions: int) -> None:
    assert easy_harp.draws_to(0b111111, drawn, card) == actions


def cards(names: str) -> list[int]:
    return [card_index(name) for name in names.split()]


def small_game(columns: list[str], stock: str = "") -> Game:
    return Game([cards(column) for column in columns], cards(stock), Weights())


def test_lost_when_nothing_can_be_played() -> None:
    game = small_game(["AS 3S", "AH 3H", "AD 3D", "AC 3C"])
    assert not exhaustive.any_win(game, Meter(1_000))


def test_take_backs_are_searched() -> None:
    """With the four of hearts back on the five of spades, the three of spades has a place."""
    game = small_game(["5S", "9H 3S"])
    node = game.start(settled=False)
    node.foundations[1] = 14 * 8 + 4
    reached = [exhaustive.key_of(following) for following in exhaustive.successors(game, node)]
    taken_back = ((0, tuple(cards("5S 4H"))), (1, tuple(cards("9H 3S"))))
    assert (taken_back, (0, 14 * 8 + 3, 0, 0), 0) in reached


def test_exhaustive_search_keeps_to_its_budget() -> None:
    meter = Meter(100)
    with pytest.raises(OutOfBudgetError):
        exhaustive.any_win(game_of(1), meter)
    assert meter.positions == 100


def test_equal_columns_are_one_object() -> None:
    game = game_of(1)
    column: Column = game.columns[0]
    assert game.put(column, 5) is game.put(column, 5)
    assert game.put(column, 5).below is column
