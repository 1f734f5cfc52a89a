"""Real logs: every winning line of tests/vectors/wins.tsv, with the verdict written beside it."""

import csv
from dataclasses import dataclass
from pathlib import Path

from games import engine

VECTORS = Path(__file__).parent / "vectors"


@dataclass(frozen=True)
class Win:
    """A code, a log that wins it, and what the log is worth."""

    code: str
    movetext: str
    score: int
    ranked_score: int
    moves: int

    @property
    def variant(self) -> str:
        return engine.parse_code(self.code).variant.slug

    @property
    def number(self) -> int:
        return engine.parse_code(self.code).number

    @property
    def tokens(self) -> list[str]:
        return self.movetext.split()

    @property
    def half(self) -> str:
        """The first half of the log: legal, not won."""
        return " ".join(self.tokens[: len(self.tokens) // 2])

    @property
    def illegal(self) -> str:
        """Half the log and then something that no token is."""
        return f"{self.half} zz"


def _read() -> list[Win]:
    with (VECTORS / "wins.tsv").open(newline="") as file:
        return [
            Win(
                row["code"],
                row["movetext"],
                int(row["score"]),
                int(row["ranked_score"]),
                int(row["moves"]),
            )
            for row in csv.DictReader(file, delimiter="\t")
        ]


WINS = _read()


def wins_of(variant: str) -> list[Win]:
    """Return the wins of one variant."""
    return [win for win in WINS if win.variant == variant]


def _few() -> list[Win]:
    """Pick for each variant its shortest and its longest win, and one that takes actions back."""
    few = []
    for slug in engine.VARIANTS:
        by_length = sorted(wins_of(slug), key=lambda win: len(win.tokens))
        few += [by_length[0], by_length[-1]]
    few.append(_with_undos(few[-1]))
    assert any(win.score != win.ranked_score for win in few)  # cards taken back
    assert any("v" in win.movetext for win in few)  # groups
    return few


def _with_undos(win: Win) -> Win:
    """Return the win with its first actions taken back and played again, one by one."""
    tokens = [part for token in win.tokens[:10] for part in (token, "U", token)]
    movetext = " ".join([*tokens, *win.tokens[10:]])
    verdict = engine.replay(win.code, movetext)
    return Win(win.code, movetext, verdict.score, verdict.ranked_score, verdict.moves)


# The engine judges all of WINS. These show that what calls the engine passes its verdicts on.
FEW_WINS = _few()
