"""How fast the engine replays logs: ratios first, because machines differ.

`python -m tests.bench.bench_engine`, on one core. The yardstick is `hand_tuned.replay`.
"""

import csv
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from games.engine import MAX_ACTIONS, deal, replay

from . import hand_tuned

WINS = Path(__file__).parents[1] / "vectors" / "wins.tsv"
ROUNDS = 25

Log = tuple[str, str]


def main() -> None:
    """Measure and print; stop if the two programs disagree on any log."""
    logs = read_logs()
    easy_harp = [log for log in logs if log[0].startswith("EH")]
    eight_off = [log for log in logs if log[0].startswith("EO")]
    for code, movetext in easy_harp:
        verdict = replay(code, movetext)
        expected = (verdict.won, verdict.score, verdict.take_backs, verdict.moves)
        if hand_tuned.replay(code, movetext) != expected:
            raise SystemExit(f"the yardstick gives another result for {code}")

    hand, engine, dealing, other = (
        sum(times)
        for times in fastest(
            [
                [lambda log=log: hand_tuned.replay(*log) for log in easy_harp],
                [lambda log=log: replay(*log) for log in easy_harp],
                [lambda log=log: deal(log[0]) for log in easy_harp],
                [lambda log=log: replay(*log) for log in eight_off],
            ]
        )
    )
    hand_rate, engine_rate = len(easy_harp) / hand, len(easy_harp) / engine
    other_rate = len(eight_off) / other
    report(
        "Easy Harp logs, engine to hand-tuned",
        engine_rate / hand_rate,
        f"{engine_rate:,.0f} to {hand_rate:,.0f} logs/s",
    )
    report(
        "dealing, part of an Easy Harp replay",
        dealing / engine,
        f"{1e6 * dealing / len(easy_harp):.0f} of {1e6 * engine / len(easy_harp):.0f} us",
    )
    report(
        "Eight Off logs to Easy Harp logs", other_rate / engine_rate, f"{other_rate:,.0f} logs/s"
    )
    for name, code, cycle in (
        ("single draws and undos", "EH1-N-AAAAAAF", "D D U D U U"),
        ("runs of draws", "EH1-N-AAAAAAF", "D59 R"),
        ("cell to cell", "EO1-C8-AAAAAFA", "ae ea"),
    ):
        growth(name, code, cycle)


def growth(name: str, code: str, cycle: str) -> None:
    """Compare the cost of an action in a log of 20 000 actions and in one of 2 000."""
    actions = replay(code, cycle).actions
    lengths = (MAX_ACTIONS // 10 // actions, MAX_ACTIONS // actions)
    short, long = (" ".join([cycle] * length) for length in lengths)
    # As long a measure of the one as of the other, or a busy machine is harder on the other.
    jobs = [lambda: [replay(code, short) for _ in range(10)], lambda: replay(code, long)]
    (ten_short, one_long), *_ = fastest([jobs])
    few, many = ten_short / (10 * lengths[0] * actions), one_long / (lengths[1] * actions)
    report(
        f"{name}, an action of 20 000 to one of 2 000",
        many / few,
        f"{1e9 * many:.0f} to {1e9 * few:.0f} ns",
    )


def read_logs() -> list[Log]:
    """Return code and movetext of the winning logs."""
    with WINS.open() as rows:
        return [(row["code"], row["movetext"]) for row in csv.DictReader(rows, delimiter="\t")]


def fastest(groups: Sequence[Sequence[Callable[[], object]]]) -> list[list[float]]:
    """Return the seconds that each job of each group takes in its best round.

    Groups take turns, job by job: a machine that slows down slows all of them down.
    """
    best = [[float("inf")] * len(jobs) for jobs in groups]
    for _ in range(ROUNDS):
        for index in range(max(map(len, groups))):
            for times, jobs in zip(best, groups, strict=True):
                if index < len(jobs):
                    begun = time.perf_counter()
                    jobs[index]()
                    times[index] = min(times[index], time.perf_counter() - begun)
    return best


def report(name: str, ratio: float, absolute: str) -> None:
    """Print one line of the table."""
    sys.stdout.write(f"{name:<58}{ratio:6.2f}   {absolute}\n")


if __name__ == "__main__":
    main()
