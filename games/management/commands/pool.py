"""`manage.py pool`: the certified deals."""

import json
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable, Iterator
from statistics import median
from typing import Any

from django.core.management.base import BaseCommand

from games import engine
from games.models import PoolDeal
from games.pool_files import write_pool
from games.services import pool


class Command(BaseCommand):
    help = "List the certified deals: code, winning line, par, grade, and the day of each."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add which deals, and the output format."""
        parser.add_argument("--variant", choices=list(engine.VARIANTS))
        form = parser.add_mutually_exclusive_group()
        form.add_argument("--json", action="store_true", help="print a JSON array")
        form.add_argument("--tsv", action="store_true", help="print a pool file, ready to ship")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Print the deals, variant by variant, by number."""
        deals = PoolDeal.objects.select_related("daily_deal").order_by("variant", "number")
        if options["variant"]:
            deals = deals.filter(variant=options["variant"])
        if options["tsv"]:
            self.stdout.write(write_pool(deals.iterator()), ending="")
        elif options["json"]:
            self.stdout.write(json.dumps([_data(deal) for deal in deals]))
        else:
            for deal in deals:
                data = _data(deal)
                self.stdout.write(
                    f"{data['code']}  par {data['par_moves']:>4}  grade {data['grade']}  "
                    f"{data['used_on'] or 'unused'}"
                )
            for line in _summary(deals):
                self.stdout.write(line)


def _summary(deals: Iterable[PoolDeal]) -> Iterator[str]:
    """Yield a line for each variant: how many deals, their median par and their grades."""
    by_variant: dict[str, list[PoolDeal]] = {}
    for deal in deals:
        by_variant.setdefault(deal.variant, []).append(deal)
    for variant, own in by_variant.items():
        grades = Counter(deal.grade for deal in own)
        spread = " ".join(f"{grade}:{grades[grade]}" for grade in range(1, 6))
        par = median(deal.par_moves for deal in own)
        unused = pool.unused_counts()[variant]
        yield f"{variant}: {len(own)} deals, {unused} unused, median par {par:g}, grades {spread}"


def _data(deal: PoolDeal) -> dict[str, Any]:
    daily_deal = getattr(deal, "daily_deal", None)
    return {
        "code": str(deal.code),
        "movetext": deal.winning_movetext,
        "par_moves": deal.par_moves,
        "grade": deal.grade,
        "used_on": daily_deal.date.isoformat() if daily_deal else None,
    }
