"""`python -m tests.drills [NAME …]`: run the drills, or some, and print a table of their figures.

The exit code is 1 if a figure misses its aim or a drill breaks, 2 if a name is unknown.
"""

import argparse
import importlib
import os
import pkgutil
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass

import tests.drills
from tests.drills import Row

HEADINGS = ("What", "Figure", "Aim", "")


@dataclass(frozen=True)
class Drill:
    """A name, and what runs the drill."""

    name: str
    run: Callable[[], list[Row]]


def main(arguments: list[str] | None = None) -> int:
    """Run the drills that are named, or all; return the exit code."""
    # What a checkout's own .env says is of no concern to servers that live for a drill.
    os.environ["ENV_FILE"] = os.devnull
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    drills = found()
    parser = argparse.ArgumentParser(prog="python -m tests.drills", description=__doc__)
    parser.add_argument("name", nargs="*", help=", ".join(drill.name for drill in drills))
    names = parser.parse_args(arguments).name
    if unknown := set(names) - {drill.name for drill in drills}:
        parser.error(f"no drill has the name {', '.join(sorted(unknown))}")
    figures = [(drill.name, ran(drill)) for drill in drills if not names or drill.name in names]
    print(table(figures))
    return 0 if all(row.ok for _, rows in figures for row in rows) else 1


def found() -> list[Drill]:
    """Return every drill of the package, by name."""
    modules = [
        importlib.import_module(f"tests.drills.{module.name}")
        for module in pkgutil.iter_modules(tests.drills.__path__)
        if not module.name.startswith("_")
    ]
    drills = [Drill(module.NAME, module.run) for module in modules if hasattr(module, "NAME")]
    return sorted(drills, key=lambda drill: drill.name)


def ran(drill: Drill) -> list[Row]:
    """Return the figures of one drill; one that breaks, or measures nothing, misses its aim."""
    print(f"{drill.name} ...", file=sys.stderr, flush=True)
    began = time.monotonic()
    try:
        rows = drill.run()
    except Exception as error:  # noqa: BLE001 - the other drills still have their turn
        traceback.print_exc()
        rows = [Row("the drill", f"broke: {type(error).__name__}", "runs to its end", ok=False)]
    print(f"{drill.name}: {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    return rows or [Row("the drill", "no figure", "some", ok=False)]


def table(figures: list[tuple[str, list[Row]]]) -> str:
    """Return the figures of each drill below its name, in columns."""
    lines = [
        (row.what, row.figure, row.aim, "" if row.ok else "MISSED") for _, r in figures for row in r
    ]
    widths = [max(len(line[column]) for line in [HEADINGS, *lines]) for column in range(4)]

    def laid_out(line: tuple[str, str, str, str]) -> str:
        return "  ".join(
            text.ljust(width) for text, width in zip(line, widths, strict=True)
        ).rstrip()

    rest = iter(lines)
    blocks = [
        "\n".join([name, *(f"  {laid_out(next(rest))}" for _ in rows)]) for name, rows in figures
    ]
    return "\n\n".join([f"\n  {laid_out(HEADINGS)}", *blocks])


if __name__ == "__main__":
    sys.exit(main())
