"""`manage.py solve`: docs/contract.md, "Commands and running"."""

import json
import sys
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from games.engine import replay

WINNABLE = "EO1-C4-AAAAABE"
UNWINNABLE = "EO1-C2-AAAAAAB"


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def solve(*arguments: str, stderr: StringIO | None = None) -> tuple[int, str]:
    """Run the command and return its exit status and what it printed."""
    printed = StringIO()
    with pytest.raises(SystemExit) as left:
        call_command("solve", *arguments, stdout=printed, stderr=stderr or StringIO())
    return int(left.value.code or 0), printed.getvalue()


def test_winnable_deal_prints_the_line_last() -> None:
    status, printed = solve(WINNABLE)
    assert status == 0
    assert replay(WINNABLE, printed.splitlines()[-1]).won


def test_unwinnable_deal() -> None:
    status, printed = solve(UNWINNABLE)
    assert status == 1
    assert "unwinnable" in printed


def test_unknown_deal() -> None:
    status, printed = solve("EH1-N-AAAAAAB", "--budget", "100")
    assert status == 2
    assert "unknown" in printed


def test_json_has_the_fields_of_the_contract() -> None:
    status, printed = solve(WINNABLE, "--json", "--budget", "20000")
    answer = json.loads(printed)
    assert status == 0
    assert answer["outcome"] == "winnable"
    assert replay(WINNABLE, answer["movetext"]).moves == answer["moves"]
    assert 0 < answer["positions"] <= 20_000
    assert answer["grade"] in range(1, 6)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("EO1-C3-AAAAAAB",), "code.unknown_variant"),
        ((WINNABLE, "--budget", "0"), "budget.range"),
        ((WINNABLE, "--budget=-1"), "budget.range"),
        ((WINNABLE, "--budget", "many"), "budget.not_an_integer"),
        ((WINNABLE, "--budget", "9" * 5000), "budget.not_an_integer"),
    ],
)
def test_bad_input_is_named(arguments: tuple[str, ...], code: str) -> None:
    printed = StringIO()
    with pytest.raises(CommandError) as refused:
        call_command("solve", *arguments, "--json", stdout=printed)
    assert refused.value.returncode == 3
    assert json.loads(printed.getvalue())["error"] == code


def test_terminal_shows_a_progress_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    solve("EH1-N-AAAAAAB", "--budget", "20000")
    assert "/20.0k" in terminal.getvalue()


def test_no_progress_bar_in_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    errors = StringIO()
    monkeypatch.setattr(sys, "stderr", errors)
    solve("EH1-N-AAAAAAB", "--budget", "20000")
    assert errors.getvalue() == ""
