"""Every position of an Easy Harp deal, one after another: the proof that none is won.

Nothing is forced, and nothing is left out except what makes no difference: the order of the
columns, and draws, since with free passes every card of the talon can be reached. Take-backs are
searched too: here, unlike in Eight Off, a card taken back could hold the next lower cards of the
other colour, which need not be on the foundations.
"""

from collections.abc import Iterator

from .beam import candidates
from .easy_harp import KING, PARENTS, RANK, Game, Node
from .meter import Meter

Key = tuple[tuple[tuple[int, tuple[int, ...]], ...], tuple[int, ...], int]


def any_win(game: Game, meter: Meter) -> bool:
    """Return whether a won position can be reached from the deal.

    Each position is counted and examined once. Raises what the meter raises.
    """
    start = game.start(settled=False)
    meter.count()
    seen = {key_of(start)}
    waiting = [start]
    while waiting:
        node = waiting.pop()
        if node.won:
            return True
        for following in successors(game, node):
            key = key_of(following)
            if key not in seen:
                meter.count()
                seen.add(key)
                waiting.append(following)
    return False


def key_of(node: Node) -> Key:
    """Return what makes two positions the same: the columns in any order, what is on the
    foundations, what is left of the talon."""
    columns = sorted((column.face_down, column.cards) for column in node.columns)
    return tuple(columns), tuple(node.foundations), node.talon


def successors(game: Game, node: Node) -> Iterator[Node]:
    """Yield the positions one play away: take-backs first, which are examined last."""
    for suit, state in enumerate(node.foundations):
        for card, lowered in _take_backs(suit, state):
            for target in _accepting(node, card):
                following = _copy(node)
                following.foundations[suit] = lowered
                following.columns[target] = game.put(node.columns[target], card)
                yield following
    for candidate in candidates(game, node):
        following = _copy(node)
        game.play(following, candidate[-1])
        yield following


def _copy(node: Node) -> Node:
    return Node(node.columns.copy(), node.foundations.copy(), node.talon, node.drawn, None)


def _take_backs(suit: int, state: int) -> Iterator[tuple[int, int]]:
    """Yield the top cards of the two foundations of a suit, and its state without each."""
    higher, lower = divmod(state, 14)
    if higher > lower:
        yield 13 * suit + higher - 1, state - 14
    if lower:
        yield 13 * suit + lower - 1, state - 1


def _accepting(node: Node, card: int) -> Iterator[int]:
    """Yield the columns that accept a card, one of the empty ones for a king."""
    tops = [column.top for column in node.columns]
    if RANK[card] == KING:
        if -1 in tops:
            yield tops.index(-1)
        return
    for index, top in enumerate(tops):
        if top in PARENTS[card]:
            yield index
