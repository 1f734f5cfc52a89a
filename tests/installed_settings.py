"""config/settings.py as an installation reads it, whatever the suite's own environment says."""

import os
import runpy
from typing import Any
from unittest import mock

from config import settings
from tests.processes import machine_environment

# Without it, the settings make a folder for SQLite.
ELSEWHERE = {"DATABASE_URL": "postgres://127.0.0.1/none"}


def installed_settings(**given: str | None) -> dict[str, Any]:
    """Return the settings of an installation with these environment variables and no other.

    A database is named unless DATABASE_URL is None.

    Raises:
        EnvError: one of the variables is refused.
    """
    environment = {**machine_environment(), **ELSEWHERE, **given}
    named = {name: value for name, value in environment.items() if value is not None}
    with mock.patch.dict(os.environ, named, clear=True):
        read = runpy.run_path(settings.__file__)
    return {name: value for name, value in read.items() if name.isupper() and name[0] != "_"}
