"""The actions behind taps and drags: docs/rules.md, "What a client's gestures mean".

Places are those of the movetext, and `stock`. Each function returns the token that the
gesture stands for, or None; `Position.apply` then plays the token or says why it cannot.
"""

from .cards import KING, RANK, card_index
from .places import CELL_LETTERS, COLUMN_LETTERS
from .position import Position


def tap(position: Position, place: str) -> str | None:
    """Return what a tap on the stock, or on the top card of a place, does.

    A card goes to a foundation that accepts it; the stock deals a card, or takes the waste back.
    None when nothing is legal. Raises ValueError for a place that the variant does not have.
    """
    if place == "stock":
        return _first_legal(position, ["D"] if position.cards_at(place) else ["R"])
    if _is_foundation(place) or not position.cards_at(place):
        return None
    return _first_legal(position, [f"{place}h"])


def double_tap(position: Position, place: str, cards: int = 1) -> str | None:
    """Return what a double tap on the stock, or on a card of a place, does.

    `cards` counts from the tapped card to the top of its column. The result is the first of these
    that is legal: a foundation; the longest column that accepts the card (of equal ones the
    leftmost); for a king, with the run on it, an empty column; in Eight Off, for a card of a
    column, the first free cell. Raises ValueError for a place that the variant does not have.
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
    tokens = []
    if cards == 1:
        tokens.append(f"{place}h")
    by_length = sorted(lengths, key=lambda column: -lengths[column])
    # Only a king enters the empty columns, which come last.
    is_king = RANK[card_index(pile[-cards])] == KING
    tokens += [_token(place, column, cards) for column in by_length if is_king or lengths[column]]
    if cards == 1 and place in COLUMN_LETTERS:
        tokens += [f"{place}{cell}" for cell in CELL_LETTERS[: position.variant.cells]]
    return _first_legal(position, tokens)


def drop(position: Position, source: str, destination: str, cards: int = 1) -> str | None:
    """Return what a drag from one place to another means, legal or not.

    `cards` counts from the dragged card to the top of its column. A card dropped anywhere on
    the foundations (`h`, `h1`...) finds its place. None when it is dropped where it came from,
    when the stock is dragged, or when the token for these places would move a different number
    of cards. Raises ValueError for a source that the variant does not have.
    """
    if source in (destination, "stock") or destination == "stock":
        return None
    if not 0 < cards <= len(position.cards_at(source)):
        return None
    if _is_foundation(destination) or destination == "h":
        destination = "h"
    action = _token(source, destination, cards)
    # Legal, but not canonical: the table moves the whole run with this card.
    moves_more = action not in position.legal_actions() and position.refusal(action) is None
    return None if moves_more else action


def _first_legal(position: Position, actions: list[str]) -> str | None:
    legal = position.legal_actions()
    return next((action for action in actions if action in legal), None)


def _token(source: str, destination: str, cards: int) -> str:
    return f"{source}{destination}" if cards == 1 else f"{source}{destination}v{cards:x}"


def _is_foundation(place: str) -> bool:
    return len(place) == 2
