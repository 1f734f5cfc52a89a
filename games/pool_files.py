"""Pool files: certified deals as text, one deal a row, one file for each variant.

Columns: the deal's code, a line that wins it, the moves of that line (par), and the grade. The
files in games/data/pool ship with the service.
"""

import csv
from collections.abc import Iterable
from functools import cache
from io import StringIO
from pathlib import Path

from games import engine
from games.errors import PoolFileError
from games.models import PoolDeal

COLUMNS = ["code", "movetext", "par_moves", "grade"]
GRADES = range(1, 6)
_SHIPPED = Path(__file__).parent / "data" / "pool"


def shipped_pool(variant: str) -> Path:
    """Return the file of a variant's deals that ships with the service."""
    return _SHIPPED / f"{variant}.tsv"


@cache
def shipped_numbers(variant: str) -> frozenset[int]:
    """Return the numbers of the deals of that variant whose lines are public. Reads the file once.

    Raises:
        PoolFileError: damaged.
    """
    path = shipped_pool(variant)
    try:
        rows = path.read_text(encoding="ascii").splitlines()[1:]
        return frozenset(engine.parse_code(row.partition("\t")[0]).number for row in rows)
    except (OSError, ValueError) as error:  # CodeError and UnicodeDecodeError among them
        raise PoolFileError(f"{path.name}: {error}") from error


def read_pool(path: Path, *, variant: str) -> list[PoolDeal]:
    """Return the unsaved deals of a pool file, after replaying each line to see that it wins.

    Raises:
        PoolFileError: a row does not match its columns; names the first such row.
    """
    try:
        with path.open(encoding="ascii", newline="") as file:
            rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE, strict=True)
            if next(rows, None) != COLUMNS:
                raise PoolFileError(f"{path.name}, row 1: the columns are not {COLUMNS}")
            deals = [_pool_deal(f"{path.name}, row {at}", row) for at, row in enumerate(rows, 2)]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise PoolFileError(f"{path.name}: {error}") from error
    seen: set[int] = set()
    for at, deal in enumerate(deals, 2):
        if deal.variant != variant or deal.number in seen:
            raise PoolFileError(
                f"{path.name}, row {at}: {deal.code} is of another variant or stands here twice"
            )
        seen.add(deal.number)
    return deals


def write_pool(deals: Iterable[PoolDeal]) -> str:
    """Return the text of a pool file of these deals: the inverse of `read_pool`."""
    file = StringIO()
    rows = csv.writer(file, delimiter="\t", quoting=csv.QUOTE_NONE, lineterminator="\n")
    rows.writerow(COLUMNS)
    for deal in deals:
        rows.writerow([deal.code, deal.winning_movetext, deal.par_moves, deal.grade])
    return file.getvalue()


def _pool_deal(where: str, row: list[str]) -> PoolDeal:
    try:
        text, movetext, par_moves, grade = row
        code = engine.parse_code(text)
        verdict = engine.replay(code, movetext)
        deal = PoolDeal(
            variant=code.variant.slug,
            number=code.number,
            winning_movetext=movetext,
            par_moves=int(par_moves),
            grade=int(grade),
        )
    except ValueError as error:  # CodeError and LimitError among them
        raise PoolFileError(f"{where}: {error}") from error
    if not (verdict.legal and verdict.won):
        raise PoolFileError(f"{where}: the line does not win {code}")
    if verdict.moves != deal.par_moves:
        raise PoolFileError(f"{where}: the line has {verdict.moves} moves, not {deal.par_moves}")
    if deal.grade not in GRADES:
        raise PoolFileError(f"{where}: a grade is from 1 to 5")
    return deal
