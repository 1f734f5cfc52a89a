"""`manage.py roll_over`: do by hand what Celery beat does every minute."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from config.start import NoOwnDealsError, require_own_deals
from games import services


class Command(BaseCommand):
    help = "Assign, open and close the daily deals that are due. Safe to run at any time."

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Roll over and say what changed."""
        try:
            require_own_deals()
        except NoOwnDealsError as refusal:
            raise CommandError(f"Not done: {refusal}") from refusal
        report = services.roll_over(now=timezone.now())
        for deal, status in report.advanced:
            self.stdout.write(f"{deal}: {status.value}")
        for deal in report.replaced:
            self.stdout.write(f"{deal}: has a deal of our own now")
        self.stdout.write(f"{len(report.assigned)} deals assigned, {len(report.advanced)} steps.")
