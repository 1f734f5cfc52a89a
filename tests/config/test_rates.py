"""The rates of an installation: a malformed one is refused at the start, by its name."""

import subprocess
import sys

import pytest
from django.conf import settings

from tests.compose import ROOT
from tests.processes import machine_environment

pytestmark = pytest.mark.process


def start(**given: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=ROOT,
        env={**machine_environment(), **given},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("THROTTLE_JOIN_PER_ADDRESS", "many/hour"),
        ("THROTTLE_LOGIN_PER_NAME_CEILING", "100/month"),
        ("THROTTLE_IPV6_PREFIX", "129"),
    ],
)
def test_a_malformed_setting_is_refused_at_the_start(name: str, value: str) -> None:
    started = start(**{name: value})
    assert started.returncode != 0
    assert name in started.stderr.splitlines()[-1]


def test_every_rate_can_be_set() -> None:
    given = {f"THROTTLE_{scope.upper()}": "7/min" for scope in settings.THROTTLE_RATES}
    assert start(**given).returncode == 0
