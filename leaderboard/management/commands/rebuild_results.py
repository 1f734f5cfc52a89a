"""`manage.py rebuild_results`: the boards, counted again from the accepted logs."""

from typing import Any

from django.core.management.base import BaseCommand

from leaderboard import services


class Command(BaseCommand):
    help = "Count every player's best result again from the accepted logs. Safe at any time."

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Rebuild the results and print how many."""
        count = services.rebuild_results()
        self.stdout.write(f"{count} results of a player for a deal counted again.")
