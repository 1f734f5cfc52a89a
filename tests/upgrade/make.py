"""`python -m tests.upgrade.make NAME`: play the scenario, dump it, and record the answers.

Run it in a checkout of the release whose dump it is to be, on a database that no one needs:
`python -m tests.servers -- python -m tests.upgrade.make 2026-12-01`.
"""

import os
import sys
from dataclasses import asdict

import django


def main(name: str) -> None:
    """Write the dump of that name."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from django.apps import apps  # noqa: PLC0415 - the settings are read by now
    from django.conf import settings  # noqa: PLC0415
    from django.core.management import call_command  # noqa: PLC0415

    from tests.upgrade import answers, dumps, scenario  # noqa: PLC0415

    settings.ALLOWED_HOSTS = ["testserver"]
    settings.THROTTLE_RATES = dict.fromkeys(settings.THROTTLE_RATES, "1000000/minute")
    folder = dumps.FOLDER / name
    folder.mkdir(parents=True)
    call_command("migrate", verbosity=0)
    cast = scenario.play()
    dumps.write_dump(folder, apps)
    dumps.write_json(folder / "answers.jsonl.xz", [asdict(cast), *answers.record(cast)])


if __name__ == "__main__":
    main(*sys.argv[1:])
