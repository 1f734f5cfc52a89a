"""The shipped pool of winnable deals: games/data/pool.tsv, a code and a winning line a row."""

import csv
from pathlib import Path

from games import engine
from games.errors import PoolFileError
from games.models import PoolDeal

SHIPPED = Path(__file__).parent / "data" / "pool.tsv"
_HEADER = ["code", "movetext"]


def read_pool(path: Path) -> list[PoolDeal]:
    """Return the deals of a pool file, unsaved, each line replayed and seen to win.

    Raises:
        PoolFileError: naming the first row that is not a deal with a line that wins it.
    """
    with path.open(encoding="ascii", newline="") as file:
        rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        try:
            if next(rows, None) != _HEADER:
                raise PoolFileError(f"{path.name}: the first row is not {_HEADER}")
            return [_pool_deal(path, at, row) for at, row in enumerate(rows, start=2)]
        except (UnicodeDecodeError, csv.Error) as error:
            raise PoolFileError(f"{path.name}: {error}") from error


def load_pool(path: Path = SHIPPED) -> int:
    """Add the deals of a pool file to the pool and return how many were new.

    A deal that is known stays as it is. Either the whole file is loaded or nothing.

    Raises:
        PoolFileError: as read_pool does.
    """
    before = PoolDeal.objects.count()
    PoolDeal.objects.bulk_create(read_pool(path), ignore_conflicts=True)
    return PoolDeal.objects.count() - before


def _pool_deal(path: Path, row_number: int, row: list[str]) -> PoolDeal:
    try:
        text, movetext = row
        code = engine.parse_code(text)
        verdict = engine.replay(code, movetext)
    except ValueError as error:  # CodeError and LimitError among them
        raise PoolFileError(f"{path.name}, row {row_number}: {error}") from error
    if not verdict.won:
        raise PoolFileError(f"{path.name}, row {row_number}: the line does not win {code}")
    return PoolDeal(
        variant=code.variant.slug,
        number=code.number,
        winning_movetext=movetext,
        par_moves=verdict.moves,
    )
