"""`manage.py replay CODE [FILE|-]`: the verdict on a log, from the command line."""

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games import engine

# docs/contract.md, "Verdict".
EXIT_WON = 0
EXIT_NOT_WON = 1
EXIT_REFUSED = 2
EXIT_NO_DEAL_OR_OVER_LIMITS = 3
EXIT_NO_INPUT = 66  # from sysexits.h, distinct from the verdicts above


class Command(BaseCommand):
    help = (
        "Replay a log and print the verdict. Exit status: 0 legal and won, 1 legal and not won, "
        "2 refused, 3 not a deal or over the limits, 66 no such file."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the deal, the log and the output format."""
        parser.add_argument("code", help="deal code, for example EH1-N-AAAAAAF")
        parser.add_argument("file", nargs="?", default="-", help="the log; - is standard input")
        parser.add_argument("--json", action="store_true", help="print the verdict as JSON")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Print the verdict and exit with its status."""
        movetext = _read(options["file"])
        try:
            verdict = engine.replay(options["code"], movetext)
        except (engine.CodeError, engine.LimitError) as error:
            if options["json"]:
                self.stdout.write(json.dumps({"error": error.code, "message": error.message}))
            raise CommandError(error.message, returncode=EXIT_NO_DEAL_OR_OVER_LIMITS) from error
        self.stdout.write(
            json.dumps(verdict.as_dict()) if options["json"] else _for_people(verdict)
        )
        if verdict.refused is not None:
            sys.exit(EXIT_REFUSED)
        sys.exit(EXIT_WON if verdict.won else EXIT_NOT_WON)


def _read(name: str) -> str:
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise CommandError(f"Cannot read the log: {error}", returncode=EXIT_NO_INPUT) from error
    # Bytes that are not UTF-8 are not movetext either: they become a sign that no token has.
    return data.decode("utf-8", errors="replace")


def _for_people(verdict: engine.Verdict) -> str:
    lines = [
        f"{verdict.code}: " + _outcome(verdict),
        f"score {verdict.score} (ranked {verdict.ranked_score}), {verdict.moves} moves, "
        f"{verdict.undos} undos, {verdict.take_backs} take-backs, "
        f"{verdict.foundation_cards} cards on the foundations",
    ]
    if verdict.refused is not None:
        refused = verdict.refused
        lines.append(
            f"action {refused.index} (token {refused.token}, {refused.action!r}): "
            f"{refused.code}: {engine.REFUSALS[refused.code]}"
        )
    return "\n".join(lines)


def _outcome(verdict: engine.Verdict) -> str:
    if verdict.refused is not None:
        return f"refused after {verdict.actions} legal actions"
    return "won" if verdict.won else "legal, not won"
