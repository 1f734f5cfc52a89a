"""Write fc_solve.tsv: lines printed by another program, to be accepted as they are.

`python -m tests.vectors.make_fc_solve` from the root of the checkout, with the Debian package
freecell-solver-bin installed.
"""

import shlex
import subprocess
import sys
from pathlib import Path

from games.engine import VARIANTS, DealCode, Layout, deal

COMMAND = "fc-solve --game eight_off --freecells-num 8 -l fg -p -t -m -snx -sel"
NUMBERS = (1, 2, 3, 5, 42, 160, 4242, 999_999)


def main() -> None:
    """Solve some deals and write what the program prints, with line ends as spaces."""
    lines = ["code\tmovetext"]
    for number in NUMBERS:
        layout = deal(DealCode(VARIANTS["eight-off"], number))
        printed = subprocess.run(
            shlex.split(COMMAND), input=board(layout), text=True, capture_output=True, check=True
        ).stdout
        if "This game is solveable." in printed:
            moves = printed.partition("\n\n")[2].partition("\n\nThis game")[0]
            lines.append(f"{layout.code}\t{' '.join(moves.splitlines())}")
    (Path(__file__).parent / "fc_solve.tsv").write_text("\n".join(lines) + "\n")
    sys.stdout.write(f"{len(lines) - 1} lines\n")


def board(layout: Layout) -> str:
    """Return a layout as the program reads it: the cells, then the columns."""
    names = layout.as_dict()
    cells = " ".join(card for card in names["cells"] if card)
    return "\n".join([f"Freecells: {cells}", *map(" ".join, names["columns"])]) + "\n"


if __name__ == "__main__":
    main()
