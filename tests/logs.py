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
