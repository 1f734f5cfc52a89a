"""The vectors, read once."""

import csv
import json
from pathlib import Path
from typing import Any, Final

_FOLDER: Final = Path(__file__).parents[2] / "vectors"


def _read_table(name: str) -> list[dict[str, str]]:
    with (_FOLDER / name).open() as rows:
        return list(csv.DictReader(rows, delimiter="\t"))


WINS: Final = _read_table("wins.tsv")
FC_SOLVE: Final = _read_table("fc_solve.tsv")
LAYOUTS: Final[dict[str, Any]] = json.loads((_FOLDER / "layouts.json").read_text())
WRONG_LOGS: Final[list[dict[str, Any]]] = json.loads((_FOLDER / "refusals.json").read_text())
