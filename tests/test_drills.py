"""`make drills`: what its table says, and when it fails."""

import importlib
from pathlib import Path

import pytest

from tests.drills import Row
from tests.drills.__main__ import Drill, found, main, ran, table

GOOD = Row("time of a board, worst", "12 ms", "under 1 s", ok=True)
BAD = Row("lost logs", "3", "0", ok=False)


def use(monkeypatch: pytest.MonkeyPatch, *drills: Drill) -> None:
    module = importlib.import_module("tests.drills.__main__")
    monkeypatch.setattr(module, "found", lambda: list(drills))


def test_a_figure_that_misses_its_aim_is_marked_and_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    use(monkeypatch, Drill("one", lambda: [GOOD]), Drill("two", lambda: [BAD]))
    assert main([]) == 1
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["lost", "logs", "3", "0", "MISSED"] in lines
    assert main(["one"]) == 0
    assert "lost logs" not in capsys.readouterr().out


def test_a_drill_that_breaks_fails_and_the_others_still_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def breaks() -> list[Row]:
        raise OSError("no server")

    use(monkeypatch, Drill("breaks", breaks), Drill("works", lambda: [GOOD]))
    assert main([]) == 1
    captured = capsys.readouterr()
    assert "broke: OSError" in captured.out
    assert "12 ms" in captured.out
    assert "no server" in captured.err


def test_a_drill_without_a_figure_fails() -> None:
    assert [row.ok for row in ran(Drill("idle", list))] == [False]


def test_an_unknown_name_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["nonsense"])
    assert ended.value.code == 2
    assert "nonsense" in capsys.readouterr().err


def test_the_columns_stand_below_each_other() -> None:
    lines = table([("one", [GOOD]), ("two", [BAD])]).splitlines()
    figure = lines[1].index("Figure")
    assert [line[figure:].split()[0] for line in lines if line.startswith("  ")] == [
        "Figure",
        "12",
        "3",
    ]


def test_every_module_is_a_drill() -> None:
    modules = {path.stem for path in Path("tests/drills").glob("[!_]*.py")}
    names = [drill.name for drill in found()]
    assert len(set(names)) == len(names) == len(modules)
