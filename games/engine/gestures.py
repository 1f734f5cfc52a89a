"""The actions behind taps and drags: docs/rules.md, "What a client's gestures mean".

Places are those of the movetext, and `stock`. A function returns the token that the gesture
stands for, or None where it stands for none; `Position.apply` then plays it or says why not.
"""

from .cards import KING, RANK, card_index
from .places import CELL_LETTERS, COLUMN_LETTERS
from .position import Position


def tap(position: Position, place: str) -> str | None:
    """Return what a tap on the top card of a place does, or on the stock.

    A card goes to a foundation if one accepts it; the stock gives a card, or takes the waste
    back. None when nothing legal follows. Raises ValueError for a place the variant has not.
    """
    if place == "stock":
        return _first_legal(position, ["D"] if position.cards_at(place) else ["R"])
    if _is_foundation(place) or not position.cards_at(place):
        return None
    return _first_legal(position, [f"{place}h"])


def double_tap(position: Position, place: str, cards: int = 1) -> str | None:
    """Return what a double tap on a card of a place does, or on the stock.

    `cards` counts from the card tapped to the top of its column. The first of these that is
    legal: a foundation; the longest column that accepts the card (of equal ones the leftmost);
    for a king, with the run on it, an empty column; in Eight Off, for a card of a column, the
    first free cell. Raises ValueError for a place the variant has not.
    """
    if place == "stock":
        return tap(position, place)
    pile = position.cards_at(place)
    if _is_foundation(place) or not 0 < cards <= len(pile):
        return None
    lengths = {
        column: len(position.cards_at(column))
        for column in COLUMN_LETTERS[: position.variant.columns]
        if column != place
    }
    wishes = []
    if cards == 1:
        wishes.append(f"{place}h")
    by_length = sorted(lengths, key=lambda column: -lengths[column])
    # Only a king enters the empty columns, which come last.
    is_king = RANK[card_index(pile[-cards])] == KING
    wishes += [_token(place, column, cards) for column in by_length if is_king or lengths[column]]
    if cards == 1 and place in COLUMN_LETTERS:
        wishes += [f"{place}{cell}" for cell in CELL_LETTERS[: position.variant.cells]]
    return _first_legal(position, wishes)


def drop(position: Position, source: str, destination: str, cards: int = 1) -> str | None:
    """Return what a drag from one place to another means, legal or not.

    `cards` counts from the card dragged to the top of its column. A card dropped anywhere on
    the foundations (`h`, `h1`...) finds its place. None when it is dropped where it came from,
    when the stock is dragged, or when the token for these places would move another number of
    cards than were dragged. Raises ValueError for a source that the variant has not.
    """
    if source in (destination, "stock") or destination == "stock":
        return None
    if not 0 < cards <= len(position.cards_at(source)):
        return None
    if _is_foundation(destination) or destination == "h":
        destination = "h"
    action = _token(source, destination, cards)
    # Legal, but not in its canonical form: the board moves the whole run with this one card.
    moves_more = action not in position.legal_actions() and position.refusal(action) is None
    return None if moves_more else action


def _first_legal(position: Position, actions: list[str]) -> str | None:
    legal = position.legal_actions()
    return next((action for action in actions if action in legal), None)


def _token(source: str, destination: str, cards: int) -> str:
    return f"{source}{destination}" if cards == 1 else f"{source}{destination}v{cards:x}"


def _is_foundation(place: str) -> bool:
    return len(place) == 2
