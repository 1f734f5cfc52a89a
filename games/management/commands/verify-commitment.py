"""`manage.py verify-commitment`: check that a day's deal is the one promised."""

import json
import urllib.request
from argparse import ArgumentParser
from datetime import date
from http.client import HTTPException
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games import commitment, engine

_TIMEOUT_S = 30
EXIT_BROKEN = 1
EXIT_NOT_CHECKED = 3


class Command(BaseCommand):
    help = (
        "Check a commitment: that SHA-256 of salt:variant:date:code is what was shown before the "
        "day began. Give the four and the commitment, or the --url of a service that shows them. "
        "Exit status: 0 kept, 1 broken, 3 could not be checked."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the day, and the promise with its salt and code, or a service to ask."""
        parser.add_argument("variant")
        parser.add_argument("date", type=date.fromisoformat, help="for example 2026-11-29")
        parser.add_argument("--commitment", help="as you noted it before the day began")
        parser.add_argument("--salt")
        parser.add_argument("--code")
        parser.add_argument("--url", help="a service, for example http://127.0.0.1:8000")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Say whether the promise was kept."""
        if options["variant"] not in engine.VARIANTS:
            raise CommandError(
                f"There is no such variant. Choose one of {', '.join(engine.VARIANTS)}.",
                returncode=EXIT_NOT_CHECKED,
            )
        shown = _ask(options["url"], options["variant"], options["date"]) if options["url"] else {}
        # What the caller noted takes precedence over what the service shows now.
        names = ("commitment", "salt", "code")
        parts = {name: str(options[name] or shown.get(name) or "") for name in names}
        missing = [name for name, value in parts.items() if not value]
        if missing:
            raise CommandError(
                f"Cannot check without {', '.join(missing)}: salt and code are public once the "
                "deal is final.",
                returncode=EXIT_NOT_CHECKED,
            )
        try:
            code = str(engine.parse_code(parts["code"]))
        except engine.CodeError as error:
            raise CommandError(error.message, returncode=EXIT_NOT_CHECKED) from error
        kept = commitment.is_kept(
            promised=parts["commitment"],
            salt=parts["salt"],
            variant=options["variant"],
            day=options["date"],
            code=code,
        )
        if not kept:
            raise CommandError(
                f"BROKEN: {code} is not the deal that was promised.",
                returncode=EXIT_BROKEN,
            )
        self.stdout.write(f"Kept: {code} is the deal that was promised.")


def _ask(url: str, variant: str, day: date) -> dict[str, Any]:
    address = f"{url.rstrip('/')}/api/v1/daily/{variant}/{day.isoformat()}/"
    try:
        with urllib.request.urlopen(address, timeout=_TIMEOUT_S) as answer:  # noqa: S310
            shown: dict[str, Any] = json.load(answer)
    except (OSError, ValueError, HTTPException) as error:
        raise CommandError(f"{address}: {error}", returncode=EXIT_NOT_CHECKED) from error
    return shown
