"""The commands of docs/contract.md, run as from a shell."""

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command, execute_from_command_line

from games import engine
from games.models import DailyDeal
from leaderboard.models import DailyResult
from tests.logs import FEW_WINS, VECTORS, wins_of
from tests.play import new_player, start, submit

WIN = wins_of("eight-off")[0]
LAYOUTS = json.loads((VECTORS / "layouts.json").read_text())


@dataclass(frozen=True)
class Done:
    """What a command left behind."""

    returncode: int
    stdout: str
    stderr: str


Run = Callable[..., Done]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return what runs a command as manage.py does, in this process: it starts at once."""

    def run(*arguments: str, stdin: bytes = b"") -> Done:
        monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(stdin)))
        status = 0
        try:
            execute_from_command_line(["manage.py", *arguments])
        except SystemExit as left:
            status = left.code
        return Done(status, *capsys.readouterr())

    return run


def replayed(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """Run `replay` in this process and return its exit status and what it printed."""
    with pytest.raises(SystemExit) as left:
        call_command("replay", *arguments)
    return left.value.code, capsys.readouterr().out


# --- replay -----------------------------------------------------------------------------------


@pytest.mark.parametrize("win", FEW_WINS, ids=lambda win: f"{win.code}-{len(win.tokens)}")
def test_every_real_log_wins_by_the_command_line(capsys, tmp_path: Path, win) -> None:
    log = tmp_path / "log"
    log.write_text(win.movetext)
    status, printed = replayed(capsys, win.code, str(log), "--json")
    verdict = json.loads(printed)
    assert status == 0
    assert verdict == engine.replay(win.code, win.movetext).as_dict()
    assert (verdict["score"], verdict["ranked_score"], verdict["moves"]) == (
        win.score,
        win.ranked_score,
        win.moves,
    )


@pytest.mark.process
def test_manage_py_replays_what_it_reads_and_leaves_with_the_verdict() -> None:
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "replay", WIN.code, "-"]
    done = subprocess.run(
        [*command, "--json"], input=WIN.half.encode(), capture_output=True, check=False
    )
    assert done.returncode == 1
    assert json.loads(done.stdout) == engine.replay(WIN.code, WIN.half).as_dict()


EXITS = {
    "won": (WIN.code, WIN.movetext, 0),
    "not won": (WIN.code, WIN.half, 1),
    "empty": (WIN.code, "", 1),
    "illegal": (WIN.code, WIN.illegal, 2),
    "after the win": (WIN.code, f"{WIN.movetext} U", 2),
    "not a deal": ("EO1-C8-AAAAAAA", "", 3),
    "over the limits": (WIN.code, "D20001", 3),
    "too large": (WIN.code, "x" * 70_000, 3),
}


@pytest.mark.parametrize(("code", "movetext", "status"), EXITS.values(), ids=EXITS.keys())
@pytest.mark.parametrize("form", [[], ["--json"]], ids=["text", "json"])
def test_the_exit_status_tells_the_verdict(
    run: Run, code: str, movetext: str, status: int, form
) -> None:
    done = run("replay", code, "-", *form, stdin=movetext.encode())
    assert done.returncode == status
    if form:
        answer = json.loads(done.stdout)
        assert ("error" in answer) == (status == 3)
    assert "Traceback" not in done.stderr
    assert bool(done.stderr.strip()) == (status == 3)


def test_a_refusal_is_explained_to_people(capsys, tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("1h")
    status, printed = replayed(capsys, WIN.code, str(log))
    refused = engine.replay(WIN.code, "1h").refused
    assert status == 2
    assert refused.code in printed
    assert engine.REFUSALS[refused.code] in printed


def test_bytes_that_are_no_text_are_a_refusal(run: Run) -> None:
    done = run("replay", WIN.code, "-", "--json", stdin=b"\xff\xfe\x00")
    assert done.returncode == 2
    assert json.loads(done.stdout)["refused"]["code"].startswith("notation.")


def test_a_file_that_is_missing_is_named(run: Run) -> None:
    done = run("replay", WIN.code, "no-such-file")
    assert done.returncode == 66
    assert "no-such-file" in done.stderr


# --- deal -------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", LAYOUTS)
def test_deal_prints_the_layout_of_the_vectors(capsys, code: str) -> None:
    call_command("deal", code.lower(), "--json")
    assert json.loads(capsys.readouterr().out) == LAYOUTS[code]


def test_deal_prints_the_cards_for_people(capsys) -> None:
    call_command("deal", "EH1-N-AAAAAAF")
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "EH1-N-AAAAAAF: Easy Harp, deal number 5"
    assert lines[3].split() == [
        "6D",
        "[2S]",
        "[KS]",
        "[7S]",
        "[7H]",
        "[8H]",
        "[TD]",
        "[3H]",
        "[3D]",
    ]
    assert lines[-1].endswith("3C TC 6C")
    call_command("deal", "EO1-C8-AAAAAFA")
    assert "cells: 2S 2C QD 4D -- -- -- --" in capsys.readouterr().out


def test_deal_refuses_a_text_that_is_not_a_code(run: Run) -> None:
    done = run("deal", "EO1-C8-AAAAAA1")
    assert done.returncode == 3
    assert "letters of a deal code" in done.stderr


# --- the rest ---------------------------------------------------------------------------------


@pytest.mark.django_db
def test_roll_over_says_what_it_did(capsys, clock) -> None:
    call_command("roll_over")
    assert "60 deals assigned, 4 steps." in capsys.readouterr().out
    call_command("roll_over")
    assert "0 deals assigned, 0 steps." in capsys.readouterr().out


@pytest.mark.django_db
def test_rebuild_results_counts_again(capsys, today) -> None:
    submit(start(new_player(), today["eight-off"]), WIN.movetext)
    DailyResult.objects.all().delete()
    call_command("rebuild_results")
    assert DailyResult.objects.count() == 1
    assert "1 results" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_demo_plays_the_main_job_over_http(capsys, live_server, clock) -> None:
    call_command("roll_over")
    call_command("demo", "--url", live_server.url)
    printed = capsys.readouterr().out
    assert printed.count("Board, 4 ranked:") == 4
    assert printed.count("accepted: won") == 8
    assert printed.count("refused: ") == 4
    assert DailyResult.objects.count() == 16
    assert DailyDeal.objects.filter(status="open").count() == 4


@pytest.mark.parametrize("url", ["http://127.0.0.1:9", "notaurl", "http://"])
def test_demo_says_what_to_do_when_no_one_answers(run: Run, url: str) -> None:
    done = run("demo", "--url", url)
    assert done.returncode == 1
    assert "make run" in done.stderr
    assert "Traceback" not in done.stderr
