"""Positions of Easy Harp for the search: columns made once, a talon of bits, plays with draws.

The rules are docs/rules.md, "Easy Harp". The solver sees face-down cards. Stock and waste
together are the *talon*: with one card drawn at a time and free passes, each of its cards can be
reached. So a search chooses among plays, and counts the draws before a play instead of searching
them.

A talon is an integer, bit i for the i-th card of the dealt stock; `drawn` is how far the waste
reaches into it, whatever has left it since.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from random import Random
from typing import Final

from games.engine.places import COLUMN_LETTERS

KING: Final = 12
KINGS: Final = (12, 25, 38, 51)
RANK: Final = tuple(card % 13 for card in range(52))
SUIT: Final = tuple(card // 13 for card in range(52))

# As a source: the talon. As a destination: the foundations. Other places are columns.
TALON: Final = -1
FOUNDATIONS: Final = -1


def _is_red(card: int) -> bool:
    return SUIT[card] in (1, 2)


# Which cards each card may go on in a column, and which may go on it.
PARENTS: Final = tuple(
    tuple(
        parent
        for parent in range(52)
        if RANK[parent] == RANK[card] + 1 and _is_red(parent) != _is_red(card)
    )
    for card in range(52)
)
CHILDREN: Final = tuple(
    tuple(child for child in range(52) if card in PARENTS[child]) for card in range(52)
)
OTHER_COLOUR: Final = tuple((0, 3) if _is_red(card) else (1, 2) for card in range(52))

# The two foundations of a suit are one number, 14 * cards on the higher one + cards on the
# lower one. RAISED is what it becomes with a card of a rank, -1 where neither accepts it.
COMPLETE: Final = 14 * 13 + 13
LOWER: Final = tuple(state % 14 for state in range(COMPLETE + 1))


def _raised(rank: int, state: int) -> int:
    higher, lower = divmod(state, 14)
    if rank == higher:
        return state + 14
    return state + 1 if rank == lower else -1


RAISED: Final = tuple(
    tuple(_raised(rank, state) for state in range(COMPLETE + 1)) for rank in range(13)
)
NEEDED: Final = tuple(tuple({state // 14, state % 14} - {13}) for state in range(COMPLETE + 1))


@dataclass(frozen=True, kw_only=True)
class Weights:
    """How a position is judged, lower is better; the numbers were tuned by trial on deals.

    Of each column: `face_down` cards, an `empty` column, a `king` at its base, `stacked` face-up
    cards on face-down ones. For the lower cards beneath each card: each pair of the same suit
    (`same_suit`, and `low` more the lower the buried card) or not (`other_suit`), each card that
    has a higher one of its suit above it (`buried`), each card above lower ones of other suits
    only (`above_others`). On the foundations: each card, and their `spread`. Of the moves: each
    draw, and each waste card put on a column.
    """

    empty: float = -3.84
    face_down: float = 4.8
    king: float = -6.0
    stacked: float = 0.96
    same_suit: float = 4.8
    low: float = 4.8
    other_suit: float = 1.6
    buried: float = 6.0
    above_others: float = 4.8
    foundation_card: float = -6.0
    spread: float = 0.47
    draw: float = 1.0
    waste_to_column: float = -0.3


class Column:
    """A column as its top card on the column below it, made once for each content.

    `below` is what is left when the top card goes (then the next one is face up). `score` is
    the column's part of the position's score and `code` of its code; `score_without` and
    `code_without` are the changes of both when the top card goes. `begins_with_king` is about
    the face-up cards on top of face-down ones.
    """

    __slots__ = (
        "begins_with_king",
        "below",
        "cards",
        "code",
        "code_without",
        "face_down",
        "score",
        "score_without",
        "top",
        "with_card",
    )

    def __init__(
        self,
        cards: tuple[int, ...],
        face_down: int,
        below: "Column | None",
        code: int,
        score: float,
    ) -> None:
        self.cards = cards
        self.face_down = face_down
        self.top = cards[-1] if cards else -1
        self.below = below or self
        self.begins_with_king = face_down > 0 and RANK[cards[face_down]] == KING
        self.with_card: dict[int, Column] = {}
        self.code = code
        self.score = score
        self.score_without = self.below.score - score
        self.code_without = self.below.code - code


# Where from, where to, and which card of the talon (-1 for none). Plays and candidates are plain
# tuples, because the search makes a hundred thousand of them a second.
Play = tuple[int, int, int]


class Node:
    """A position: its cards, its score, the moves so far and the play that led to it."""

    __slots__ = (
        "code",
        "columns",
        "drawn",
        "foundations",
        "moves",
        "parent",
        "plays",
        "score",
        "talon",
    )

    def __init__(
        self,
        columns: list[Column],
        foundations: list[int],
        talon: int,
        drawn: int,
        parent: "Node | None",
    ) -> None:
        self.columns = columns
        self.foundations = foundations
        self.talon = talon
        self.drawn = drawn
        self.parent = parent
        self.plays: list[Play] = []
        self.score = 0.0
        self.code = 0
        self.moves = 0

    @property
    def won(self) -> bool:
        return self.foundations == [COMPLETE] * 4

    def release(self) -> None:
        """Forget the position and keep only its plays: beams are wide."""
        self.columns = []
        self.foundations = []

    def all_plays(self) -> list[Play]:
        """Return the plays from the deal to this position."""
        parts = []
        at: Node | None = self
        while at:
            parts.append(at.plays)
            at = at.parent
        return [play for part in reversed(parts) for play in part]


# A play that a position allows: the score, moves and code that it leads to, the position, the play.
Candidate = tuple[float, int, int, Node, Play]


class Game:
    """A deal with weights; it makes columns, and positions from positions.

    Codes of positions are sums of random numbers, one for each content of a column, state of a
    suit and card of the talon, so that the order of the columns does not matter. Two positions
    with one code are possible and would cost a line, but never make a wrong one.
    """

    def __init__(
        self,
        columns: Iterable[Sequence[int]],
        stock: Sequence[int],
        weights: Weights,
        *,
        face_down: Sequence[int] | None = None,
        foundations: Sequence[int] = (0, 0, 0, 0),
    ) -> None:
        """Take a deal, or a position with its face-down cards and foundation states."""
        self.stock = stock
        self.foundations = foundations
        self.weights = weights
        self._random = Random(len(stock))  # noqa: S311 (any numbers will do, if always the same)
        self.talon_of = [0] * 52
        for index, card in enumerate(stock):
            self.talon_of[card] |= 1 << index
        self.talon_codes = [self._number() for _ in stock]
        self.suit_codes = [[self._number() for _ in range(COMPLETE + 1)] for _ in range(4)]
        self.up_score = [weights.foundation_card + weights.spread * (2 * rank + 1) for rank in RANK]
        self.empty = Column((), 0, None, 0, weights.empty)
        dealt = [reduce(self._deal, cards, self.empty) for cards in columns]
        self.columns = dealt if face_down is None else list(map(self._face_up, dealt, face_down))

    def start(self, *, settled: bool = True) -> Node:
        """Return the position of the deal, by default after the cards that go up right away."""
        node = Node(
            self.columns.copy(), list(self.foundations), (1 << len(self.stock)) - 1, 0, None
        )
        node.score = sum(column.score for column in node.columns)
        node.code = sum(column.code for column in node.columns)
        if settled:
            self.settle(node)
        return node

    def put(self, column: Column, card: int) -> Column:
        """Return a column with a card on it."""
        result = column.with_card.get(card)
        if result is None:
            cards = (*column.cards, card)
            result = column.with_card[card] = self._column(cards, column.face_down, column)
        return result

    def settle(self, node: Node) -> None:
        """Send up each column's top card whose possible children are on the foundations."""
        changed = True
        while changed:
            changed = False
            for index in range(len(node.columns)):
                while self._may_settle(node, node.columns[index].top):
                    self.play(node, (index, FOUNDATIONS, -1))
                    changed = True

    def _may_settle(self, node: Node, card: int) -> bool:
        if card < 0:
            return False
        rank = RANK[card]
        foundations = node.foundations
        if RAISED[rank][foundations[SUIT[card]]] < 0:
            return False
        one, other = OTHER_COLOUR[card]
        return rank < 2 or (LOWER[foundations[one]] >= rank <= LOWER[foundations[other]])

    def play(self, node: Node, play: Play) -> None:
        """Carry out a legal play that draws nothing, or whose draws are already counted."""
        source, destination, talon_card = play
        columns = node.columns
        node.plays.append(play)
        if source == TALON:
            cards: tuple[int, ...] = (self.stock[talon_card],)
            node.talon ^= 1 << talon_card
            node.drawn = talon_card
            node.code -= self.talon_codes[talon_card]
        else:
            column = columns[source]
            into_empty = destination >= 0 and columns[destination] is self.empty
            cards = column.cards[column.face_down :] if into_empty else (column.top,)
            self._replace(node, source, _without(column, len(cards)))
        if destination == FOUNDATIONS:
            self._raise(node, cards[0])
        else:
            self._replace(node, destination, reduce(self.put, cards, columns[destination]))
        node.moves += 1

    def _replace(self, node: Node, index: int, column: Column) -> None:
        before = node.columns[index]
        node.score += column.score - before.score
        node.code += column.code - before.code
        node.columns[index] = column

    def _raise(self, node: Node, card: int) -> None:
        suit = SUIT[card]
        before = node.foundations[suit]
        after = node.foundations[suit] = RAISED[RANK[card]][before]
        node.code += self.suit_codes[suit][after] - self.suit_codes[suit][before]
        node.score += self.up_score[card]

    def _number(self) -> int:
        return self._random.getrandbits(59)

    def _face_up(self, column: Column, face_down: int) -> Column:
        """Return a column with at most this many cards face down."""
        cards = column.cards
        if len(cards) <= face_down + 1:
            return column
        return reduce(
            self.put, cards[face_down + 1 :], _without(column, len(cards) - face_down - 1)
        )

    def _deal(self, column: Column, card: int) -> Column:
        return self._column((*column.cards, card), len(column.cards), column)

    def _column(self, cards: tuple[int, ...], face_down: int, below: Column) -> Column:
        return Column(cards, face_down, below, self._number(), self._judge(cards, face_down))

    def _judge(self, cards: tuple[int, ...], face_down: int) -> float:
        weights = self.weights
        score = weights.face_down * face_down
        if RANK[cards[0]] == KING:
            score += weights.king
        if face_down and RANK[cards[face_down]] != KING:
            score += weights.stacked * (len(cards) - face_down)
        return score + self._judge_buried(cards, face_down)

    def _judge_buried(self, cards: tuple[int, ...], face_down: int) -> float:
        weights = self.weights
        score = 0.0
        buried = set()
        for index, card in enumerate(cards):
            beneath = [
                deep for deep in range(min(index, face_down)) if RANK[cards[deep]] < RANK[card]
            ]
            same = [deep for deep in beneath if SUIT[cards[deep]] == SUIT[card]]
            buried.update(same)
            score += weights.same_suit * len(same)
            score += weights.low * sum(12 - RANK[cards[deep]] for deep in same) / 12
            score += weights.other_suit * (len(beneath) - len(same))
            if beneath and not same:
                score += weights.above_others
        return score + weights.buried * len(buried)


def _without(column: Column, cards: int) -> Column:
    for _ in range(cards):
        column = column.below
    return column


def draws_to(talon: int, drawn: int, card: int) -> int:
    """Return how many stock actions bring a card of the talon to the top of the waste."""
    up_to_card = (2 << card) - 1
    if card >= drawn:
        return ((talon & up_to_card) >> drawn).bit_count()
    if (talon & ((1 << drawn) - 1)).bit_length() == card + 1:
        return 0
    return (talon >> drawn).bit_count() + 1 + (talon & up_to_card).bit_count()


def movetext(stock: Sequence[int], plays: Sequence[Play], order: Sequence[int]) -> str:
    """Return plays as movetext, with the draws that they need.

    `order` says which column of the table each column of the search is.
    """
    talon = (1 << len(stock)) - 1
    drawn = 0
    tokens: list[str] = []
    for source, destination, talon_card in plays:
        to = "h" if destination == FOUNDATIONS else COLUMN_LETTERS[order[destination]]
        if source == TALON:
            tokens += _draw_tokens(talon, drawn, talon_card)
            tokens.append(f"w{to}")
            talon ^= 1 << talon_card
            drawn = talon_card
        else:
            tokens.append(COLUMN_LETTERS[order[source]] + to)
    return " ".join(tokens)


def _draw_tokens(talon: int, drawn: int, card: int) -> Iterator[str]:
    draws = draws_to(talon, drawn, card)
    if card < drawn and draws:
        rest = (talon >> drawn).bit_count()
        if rest:
            yield f"D{rest}"
        yield "R"
        draws -= rest + 1
    if draws:
        yield f"D{draws}"
