"""Places in games where a test can begin, found by the engine and never written down."""

from collections.abc import Iterator
from functools import cache
from itertools import product

from games import engine
from tests.e2e.service import shortest_win
from tests.logs import WINS, Win

_PLACES = "123456789wabcdefgk"


@cache
def refused(code: str, movetext: str, wanted: str) -> str:
    """Return a move from one place to another that is refused with this code."""
    for source, destination in product(_PLACES, _PLACES + "h"):
        verdict = engine.replay(code, f"{movetext} {source}{destination}")
        if verdict.refused and verdict.refused.code == wanted:
            return source + destination
    raise AssertionError(f"no move of {code} is refused with {wanted}")


def legal(code: str, movetext: str, token: str) -> bool:
    """Return whether a token may follow a log."""
    return engine.replay(code, f"{movetext} {token}").legal


def beginnings(win: Win) -> Iterator[tuple[str, str]]:
    """Yield every beginning of a log, and the token that follows."""
    for at, token in enumerate(win.tokens):
        yield " ".join(win.tokens[:at]), token


@cache
def before_take_back(variant: str) -> tuple[str, str, str]:
    """Return code, log, and a take-back to a column that may follow it."""
    for win in [win for win in WINS if win.variant == variant]:
        for movetext, _ in list(beginnings(win))[10:60:5]:
            for place, column in product("12345678", "123456789"):
                if legal(win.code, movetext, f"h{place}{column}"):
                    return win.code, movetext, f"h{place}{column}"
    raise AssertionError(f"no take-back in {variant}")


@cache
def before_group(variant: str) -> tuple[str, str, str]:
    """Return code, log, and a move of several cards that follows it."""
    win = shortest_win(variant)
    movetext, token = next(pair for pair in beginnings(win) if "v" in pair[1])
    return win.code, movetext, token


@cache
def before_tap(variant: str) -> tuple[str, str, str]:
    """Return code, log, and a column whose last card may go to the foundations and nowhere else."""
    win = shortest_win(variant)
    for movetext, token in beginnings(win):
        if token[0].isdigit() and token[1] == "h":
            return win.code, movetext, token[0]
    raise AssertionError(f"no card of {variant} goes to the foundations")


@cache
def before_column_move(variant: str) -> tuple[str, str, str]:
    """Return code, log, and a move of a column's last card onto another column, no foundation's."""
    win = shortest_win(variant)
    for movetext, token in beginnings(win):
        is_single = len(token) == 2 and token.isdigit()
        if is_single and not legal(win.code, movetext, f"{token[0]}h"):
            return win.code, movetext, token
    raise AssertionError(f"no card of {variant} moves between columns")
