"""`manage.py certify`: fill the pool with deals that the solver has proved winnable."""

import os
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from tqdm import tqdm

from games import engine, solver
from games.services import pool


class Command(BaseCommand):
    help = (
        "Certify untried deals until COUNT more are in the pool. Each is kept as soon as it is "
        "found: stop with Ctrl-C, and run the command again to continue."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the variant, how many deals, and how hard to try."""
        parser.add_argument("--variant", required=True, choices=list(engine.VARIANTS))
        parser.add_argument("--count", type=int, required=True, help="how many deals to add")
        parser.add_argument("--budget", type=int, default=settings.CERTIFY_BUDGET)
        parser.add_argument(
            "--processes", type=int, default=os.cpu_count() or 1, help="default: one per processor"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Search and keep deals until there are enough."""
        variant, count, budget = options["variant"], options["count"], options["budget"]
        if count < 1 or options["processes"] < 1:
            raise CommandError("--count and --processes must be at least 1.")
        found = tried = 0
        try:
            solutions = solver.solve_many(_codes(variant), budget, processes=options["processes"])
            with tqdm(total=count, unit="deal", disable=None) as bar:
                for solution in solutions:
                    kept = pool.keep_solution(solution=solution, budget=budget, now=timezone.now())
                    tried += 1
                    if kept.pool_deal is not None:
                        found += 1
                        bar.update()
                    bar.set_postfix(tried=tried)
                    if found >= count:
                        solutions.close()
                        break
        except solver.BudgetError as error:
            raise CommandError(error.message) from error
        except KeyboardInterrupt:
            self.stderr.write("\nStopped. The deals found so far are kept.")
        self.stdout.write(f"{found} deals certified, {tried} tried.")


def _codes(variant: str) -> Iterator[str]:
    while True:
        yield str(pool.unknown_code(variant))
