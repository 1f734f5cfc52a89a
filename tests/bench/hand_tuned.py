"""The yardstick: Easy Harp replayed by one loop over lists, tuned for speed and nothing else.

It judges complete logs without undos or group counts, and knows no reasons for refusals.
"""

from typing import Final

_ALPHABET: Final = {
    letter: digit for digit, letter in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
}
_THRESHOLDS: Final = [0] + [(1 << 32) % bound for bound in range(1, 105)]
_DRAW, _RECYCLE, _WASTE_UP, _COLUMN_UP, _WASTE_DOWN, _ACROSS, _TAKE_BACK, _UNDO = range(8)


def _token_table() -> dict[str, tuple[int, int, int]]:
    table = {"R": (_RECYCLE, 0, 0), "D": (_DRAW, 1, 0), "wh": (_WASTE_UP, 0, 0)}
    table |= {f"D{count}": (_DRAW, count, 0) for count in range(2, 105)}
    table["U"] = (_UNDO, 1, 0)
    table |= {f"U{count}": (_UNDO, count, 0) for count in range(2, 101)}
    for source in range(9):
        table[f"{source + 1}h"] = (_COLUMN_UP, source, 0)
        table[f"w{source + 1}"] = (_WASTE_DOWN, source, 0)
        for place in range(8):
            table[f"h{place + 1}{source + 1}"] = (_TAKE_BACK, place, source)
        for target in range(9):
            move = (_ACROSS, source, target)
            table[f"{source + 1}{target + 1}"] = move
            for cards in "23456789abcd":
                table[f"{source + 1}{target + 1}v{cards}"] = move
    return table


_TOKENS: Final = _token_table()


def _deck(number: int) -> list[int]:
    increment = 209
    mask = 0xFFFFFFFFFFFFFFFF
    state = ((increment + number) * 6364136223846793005 + increment) & mask
    deck = list(range(52)) * 2
    thresholds = _THRESHOLDS
    for size in range(104, 1, -1):
        while True:
            mixed = ((state >> 18 ^ state) >> 27) & 0xFFFFFFFF
            turn = state >> 59
            state = (state * 6364136223846793005 + increment) & mask
            value = (mixed >> turn | mixed << 32 - turn) & 0xFFFFFFFF
            if value >= thresholds[size]:
                break
        chosen = value % size
        last = size - 1
        deck[chosen], deck[last] = deck[last], deck[chosen]
    return deck


def replay(  # noqa: PLR0912, PLR0915 (one loop, no calls: that is what makes it fast)
    code: str, movetext: str
) -> tuple[bool, int, int, int]:
    """Return (won, score, take-backs, moves) of an Easy Harp log.

    Raises ValueError at the first action that is not legal.
    """
    number = 0
    for letter in code[6:]:
        number = number << 5 | _ALPHABET[letter]
    deck = _deck(number)
    columns: list[list[int]] = [[] for _ in range(9)]
    position = 0
    for row in range(9):
        for index in range(row, 9):
            columns[index].append(deck[position])
            position += 1
    talon = deck[45:]
    drawn = 0
    hidden = list(range(9))
    heights = [0] * 8
    score = moves = take_backs = on_foundations = 0
    history: list[tuple[int, int, int, int, int]] = []
    remember = history.append
    tokens = _TOKENS
    entries = [tokens[text] for text in movetext.split()]
    for kind, source, target in entries:
        if kind == 0:
            drawn += source
            if drawn > len(talon):
                raise ValueError("stock")
            moves += source
            remember((0, source, 0, 0, 0))
            continue
        if kind == 7:
            for _ in range(source):
                done, a, b, count, gain = history.pop()
                if done == 0:
                    drawn -= 1
                    if a > 1:
                        remember((0, a - 1, 0, 0, 0))
                    continue
                score -= gain
                if done == 1:
                    drawn = len(talon)
                elif done == 2:
                    heights[b] -= 1
                    on_foundations -= 1
                    talon.insert(drawn, b // 2 * 13 + heights[b])
                    drawn += 1
                elif done == 3:
                    hidden[a] += count
                    heights[b] -= 1
                    on_foundations -= 1
                    columns[a].append(b // 2 * 13 + heights[b])
                elif done == 4:
                    talon.insert(drawn, columns[b].pop())
                    drawn += 1
                elif done == 5:
                    if gain:
                        hidden[a] += 1
                    columns[a] += columns[b][-count:]
                    del columns[b][-count:]
                else:
                    columns[b].pop()
                    heights[a] += 1
                    on_foundations += 1
                    take_backs -= 1
            continue
        moves += 1
        if kind == 2:
            if not drawn:
                raise ValueError("waste")
            card = talon[drawn - 1]
            place = card // 13 * 2
            rank = card % 13
            if heights[place] != rank:
                place += 1
                if heights[place] != rank:
                    raise ValueError("foundation")
            heights[place] += 1
            drawn -= 1
            del talon[drawn]
            score += 10
            on_foundations += 1
            remember((2, 0, place, 1, 10))
        elif kind == 3:
            column = columns[source]
            card = column[-1]
            place = card // 13 * 2
            rank = card % 13
            if heights[place] != rank:
                place += 1
                if heights[place] != rank:
                    raise ValueError("foundation")
            heights[place] += 1
            del column[-1]
            on_foundations += 1
            if hidden[source] and hidden[source] == len(column):
                hidden[source] -= 1
                score += 15
                remember((3, source, place, 1, 15))
            else:
                score += 10
                remember((3, source, place, 0, 10))
        elif kind == 4:
            if not drawn:
                raise ValueError("waste")
            card = talon[drawn - 1]
            column = columns[source]
            if column:
                below = column[-1]
                if below % 13 != card % 13 + 1 or (card % 39 < 13) == (below % 39 < 13):
                    raise ValueError("column")
            elif card % 13 != 12:
                raise ValueError("king")
            column.append(card)
            drawn -= 1
            del talon[drawn]
            score += 5
            remember((4, 0, source, 1, 5))
        elif kind == 5:
            column = columns[source]
            onto = columns[target]
            if source == target:
                raise ValueError("same")
            if onto:
                card = column[-1]
                below = onto[-1]
                if below % 13 != card % 13 + 1 or (card % 39 < 13) == (below % 39 < 13):
                    raise ValueError("column")
                onto.append(card)
                del column[-1]
                count = 1
            else:
                start = hidden[source]
                if column[start] % 13 != 12:
                    raise ValueError("king")
                count = len(column) - start
                onto += column[start:]
                del column[start:]
            if hidden[source] and hidden[source] == len(column):
                hidden[source] -= 1
                score += 5
                remember((5, source, target, count, 5))
            else:
                remember((5, source, target, count, 0))
        elif kind == 1:
            if drawn != len(talon) or not drawn:
                raise ValueError("stock")
            drawn = 0
            remember((1, 0, 0, 0, 0))
        else:
            if not heights[source]:
                raise ValueError("foundation")
            card = source // 2 * 13 + heights[source] - 1
            column = columns[target]
            if column:
                below = column[-1]
                if below % 13 != card % 13 + 1 or (card % 39 < 13) == (below % 39 < 13):
                    raise ValueError("column")
            elif card % 13 != 12:
                raise ValueError("king")
            column.append(card)
            heights[source] -= 1
            on_foundations -= 1
            take_backs += 1
            remember((6, source, target, 1, 0))
    return on_foundations == 104, score, take_backs, moves
