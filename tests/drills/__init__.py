"""Drills: the service under what goes wrong, on servers of their own, measured.

Each module of this package is one drill, except those whose names begin with _. It has a `NAME`
and `run() -> list[Row]`, which starts what it needs, ends it, and returns its figures.
`python -m tests.drills` runs them.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One line of the table: what was measured, the figure, its aim, and whether it is met."""

    what: str
    figure: str
    aim: str
    ok: bool
