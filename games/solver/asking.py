"""`ask`: can a position in the middle of a game still be won?"""

from games.engine import Position, card_index

from . import easy_harp, eight_off
from .meter import Meter, OutOfBudgetError
from .solution import Outcome, check_budget
from .solving import widen


def ask(position: Position, budget: int) -> tuple[Outcome, int]:
    """Return whether a position can be won, and how many positions the search examined.

    Undoing the game so far doesn't count. The answer depends only on the cards' places and on the
    budget. Raises BudgetError for an invalid budget.
    """
    meter = Meter(check_budget(budget))
    try:
        outcome = (
            _easy_harp(position, meter)
            if position.variant.has_stock
            else _eight_off(position, meter)
        )
    except OutOfBudgetError:
        return "unknown", meter.positions
    return outcome, meter.positions


def _eight_off(position: Position, meter: Meter) -> Outcome:
    table = position.snapshot()
    start = eight_off.first_node(
        columns=[_cards(column) for column in table.columns],
        cells=[card_index(card) if card else None for card in table.cells],
        foundations=_heights(table.foundations),
    )
    won = eight_off.search(start, position.variant.cells, meter, eight_off.DECIDING)
    return "winnable" if won else "unwinnable"


def _easy_harp(position: Position, meter: Meter) -> Outcome:
    table = position.snapshot()
    heights = _heights(table.foundations)
    suits = list(zip(heights[::2], heights[1::2], strict=True))

    def game(draw: float) -> easy_harp.Game:
        return easy_harp.Game(
            [_cards(column) for column in table.columns],
            # With free passes it doesn't matter how far the stock is drawn.
            [*_cards(table.waste), *_cards(table.stock)],
            easy_harp.Weights(draw=draw),
            face_down=table.face_down,
            foundations=[14 * max(pair) + min(pair) for pair in suits],
        )

    _won, outcome = widen(game, meter)
    return outcome


def _cards(names: tuple[str, ...]) -> list[int]:
    return [card_index(name) for name in names]


def _heights(tops: tuple[str | None, ...]) -> list[int]:
    """Return how many cards each foundation has, by its top card."""
    return [card_index(top) % 13 + 1 if top else 0 for top in tops]
