"""`manage.py verify_database`: the facts that no constraint of the database can hold."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from games import integrity
from leaderboard import integrity as results_integrity

_MOST_LISTED = 10
EXIT_BROKEN = 1


class Command(BaseCommand):
    help = (
        "Check the facts about rows that belong together, which the database cannot refuse by "
        "itself, and list the rows that break them. Changes nothing; safe at any time. "
        "Exit status: 0 all hold, 1 one does not."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take how much to look at."""
        parser.add_argument(
            "--replay",
            action="store_true",
            help="replay every log and every line of the pool, too: slow for a large database",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Print each broken fact with its first rows."""
        facts = [*integrity.facts(now=timezone.now()), *results_integrity.facts()]
        if options["replay"]:
            facts += integrity.replayed_facts()
        broken = 0
        for fact in facts:
            count = 0
            for row in fact.broken:
                count += 1
                if count == 1:
                    broken += 1
                    self.stdout.write(f"BROKEN: {fact.text}")
                if count <= _MOST_LISTED:
                    self.stdout.write(f"  {row._meta.label} {row.pk}: {row}")
            if count > _MOST_LISTED:
                self.stdout.write(f"  … {count} rows in all")
        if broken:
            raise CommandError(
                f"{broken} of {len(facts)} facts do not hold.", returncode=EXIT_BROKEN
            )
        self.stdout.write(f"All {len(facts)} facts hold.")
