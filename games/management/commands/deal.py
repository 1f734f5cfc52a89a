"""`manage.py deal CODE`: the cards of a deal."""

import json
from argparse import ArgumentParser
from itertools import zip_longest
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games import engine


class Command(BaseCommand):
    help = "Print the layout of a deal, as text or with --json."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the deal and the output format."""
        parser.add_argument("code", help="deal code, for example EO1-C8-AAAAAFA")
        parser.add_argument("--json", action="store_true", help="print the layout as JSON")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Print the layout."""
        try:
            code = engine.parse_code(options["code"])
        except engine.CodeError as error:
            if options["json"]:
                self.stdout.write(json.dumps({"error": error.code, "message": error.message}))
            raise CommandError(error.message, returncode=3) from error
        layout = engine.deal(code).as_dict()
        self.stdout.write(json.dumps(layout) if options["json"] else for_people(code, layout))


def for_people(code: engine.DealCode, layout: dict[str, Any]) -> str:
    """Return the layout as text: columns downwards, face-down cards in brackets."""
    lines = [f"{code}: {code.variant.name}, deal number {layout['number']}", ""]
    face_down = layout.get("face_down", [0] * len(layout["columns"]))
    columns = [
        [f"[{card}]" if at < hidden else f" {card} " for at, card in enumerate(column)]
        for column, hidden in zip(layout["columns"], face_down, strict=True)
    ]
    lines.append(" ".join(f" {number:>2} " for number in range(1, len(columns) + 1)))
    lines.extend(" ".join(row).rstrip() for row in zip_longest(*columns, fillvalue="    "))
    lines.append("")
    if "cells" in layout:
        lines.append("cells: " + " ".join(card or "--" for card in layout["cells"]))
    if "stock" in layout:
        lines.append("stock, next card first: " + " ".join(layout["stock"]))
    return "\n".join(lines)
