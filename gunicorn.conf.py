"""What gunicorn reads by itself from the folder it is started in; options stay on its command line.

The refusal of config.start comes here, before there is any worker: two workers that end at the
same moment, each refusing, make gunicorn stop in the middle of stopping, with a traceback.
"""

import subprocess
import sys
from pathlib import Path


def on_starting(_arbiter: object) -> None:
    """End gunicorn if the service must not start.

    It is asked in a process of its own, so that no worker begins with a copy of Django that the
    arbiter has set up.

    Raises:
        SystemExit
    """
    command = [sys.executable, "-m", "config.start"]
    asked = subprocess.run(command, cwd=Path(__file__).parent, check=False)  # noqa: S603
    if asked.returncode != 0:
        sys.exit(asked.returncode)
