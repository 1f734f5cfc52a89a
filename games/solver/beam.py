"""Beam search of Easy Harp: level by level, keeping only the best positions of each.

A level is a play and the cards that go up right after it. Draws are moves too and count against a
position, so the beam favours orders of plays that need few of them.
"""

from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import Final

from .easy_harp import (
    CHILDREN,
    FOUNDATIONS,
    KINGS,
    NEEDED,
    PARENTS,
    RAISED,
    RANK,
    SUIT,
    TALON,
    Candidate,
    Game,
    Node,
    draws_to,
)
from .meter import Meter

# Twice the width is judged again after cards went up.
_SECOND_LOOK: Final = 2

_SCORE_THEN_MOVES: Final = itemgetter(0, 1)
_Tops = dict[int, list[int]]


def beam(game: Game, width: int, meter: Meter) -> tuple[Node | None, bool]:
    """Return a won position of few moves, if the beam of this width meets one.

    The second value says whether the beam left nothing out: then no other position can be
    reached without take-backs. Each candidate is counted; raises what the meter raises.
    """
    start = game.start()
    if start.won:
        return start, False
    fewest_moves = {start.code: start.moves}
    level = [start]
    complete = True
    while level:
        found = [candidate for node in level for candidate in candidates(game, node)]
        meter.count_many(len(found))
        found.sort(key=_SCORE_THEN_MOVES)
        following: list[Node] = []
        for candidate in found:
            if len(following) == _SECOND_LOOK * width:
                complete = False
                break
            node = _follow(game, candidate, fewest_moves)
            if node:
                following.append(node)
        found.clear()
        for node in level:
            node.release()
        won = [node for node in following if node.won]
        if won:
            return min(won, key=lambda node: node.moves), False
        following.sort(key=lambda node: node.score)
        complete = complete and len(following) <= width
        level = following[:width]
    return None, complete


def _follow(game: Game, candidate: Candidate, fewest_moves: dict[int, int]) -> Node | None:
    """Return the position of a candidate, unless it was reached before in as few moves."""
    score, moves, code, parent, play = candidate
    if fewest_moves.get(code, moves + 1) <= moves:
        return None
    fewest_moves[code] = moves
    node = Node(
        parent.columns.copy(), parent.foundations.copy(), parent.talon, parent.drawn, parent
    )
    game.play(node, play)
    node.score, node.moves, node.code = score, moves, code
    game.settle(node)
    if node.code != code:
        if fewest_moves.get(node.code, node.moves + 1) <= node.moves:
            return None
        fewest_moves[node.code] = node.moves
    return node


def candidates(game: Game, node: Node) -> list[Candidate]:
    """Return each play that a position allows, except take-backs.

    Only one empty column is tried, and a column that is a king's run stays where it is.
    """
    tops: _Tops = {}
    for index, column in enumerate(node.columns):
        tops.setdefault(column.top, []).append(index)
    empty = tops.pop(-1, None)
    found: list[Candidate] = []
    _from_columns(game, node, tops, found)
    _from_talon(game, node, _talon_plays(game, node, tops, empty), found)
    if empty:
        _king_runs(game, node, empty[0], found)
    return found


def _from_columns(game: Game, node: Node, tops: _Tops, found: list[Candidate]) -> None:
    columns = node.columns
    moves = node.moves + 1
    for card, sources in tops.items():
        suit = SUIT[card]
        state = node.foundations[suit]
        raised = RAISED[RANK[card]][state]
        targets = [target for parent in PARENTS[card] for target in tops.get(parent, ())]
        if raised < 0 and not targets:
            continue
        for source in sources:
            column = columns[source]
            score = node.score + column.score_without
            code = node.code + column.code_without
            if raised >= 0:
                codes = game.suit_codes[suit]
                up = score + game.up_score[card], moves, code + codes[raised] - codes[state]
                found.append((*up, node, (source, FOUNDATIONS, -1)))
            for target in targets:
                onto = columns[target]
                put = onto.with_card.get(card) or game.put(onto, card)
                across = score - put.score_without, moves, code - put.code_without
                found.append((*across, node, (source, target, -1)))


# A playable card of the talon: where to, its copies there as bits, and what the play adds to score
# and code beside the draws and the card's own code.
_TalonPlay = tuple[int, int, float, int]


def _talon_plays(
    game: Game, node: Node, tops: _Tops, empty: list[int] | None
) -> Iterator[_TalonPlay]:
    talon, talon_of = node.talon, game.talon_of
    for suit, state in enumerate(node.foundations):
        codes = game.suit_codes[suit]
        for rank in NEEDED[state]:
            card = 13 * suit + rank
            if copies := talon_of[card] & talon:
                code = codes[RAISED[rank][state]] - codes[state]
                yield FOUNDATIONS, copies, game.up_score[card], code
    places = [(CHILDREN[top], columns) for top, columns in tops.items()]
    if empty:
        places.append((KINGS, empty[:1]))
    for cards, columns in places:
        for card in cards:
            if copies := talon_of[card] & talon:
                for index in columns:
                    onto = node.columns[index]
                    put = onto.with_card.get(card) or game.put(onto, card)
                    score = game.weights.waste_to_column - put.score_without
                    yield index, copies, score, -put.code_without


def _from_talon(
    game: Game, node: Node, plays: Iterable[_TalonPlay], found: list[Candidate]
) -> None:
    talon, drawn = node.talon, node.drawn
    weight, codes = game.weights.draw, game.talon_codes
    for destination, copies, score, code in plays:
        while copies:
            index = copies.bit_length() - 1
            copies ^= 1 << index  # noqa: PLW2901 (one copy after the other)
            draws = draws_to(talon, drawn, index)
            found.append(
                (
                    node.score + score + weight * draws,
                    node.moves + 1 + draws,
                    node.code + code - codes[index],
                    node,
                    (TALON, destination, index),
                )
            )


def _king_runs(game: Game, node: Node, empty: int, found: list[Candidate]) -> None:
    for index, column in enumerate(node.columns):
        if column.begins_with_king:
            copy = Node(node.columns.copy(), node.foundations, node.talon, node.drawn, node)
            copy.score, copy.code = node.score, node.code
            play = (index, empty, -1)
            game.play(copy, play)
            found.append((copy.score, node.moves + 1, copy.code, node, play))
