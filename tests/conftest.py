"""What every test stands on."""

import os
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
import time_machine
from django.conf import settings

from config.redis import redis_breaker, short_client
from games import counting
from games.models import DailyDeal
from tests.play import NOON, open_day


def pytest_configure(config: pytest.Config) -> None:
    """Give each process of pytest-xdist a Redis database of its own, as it has in PostgreSQL."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    if worker and settings.REDIS_URL:
        number = int(worker.removeprefix("gw")) + 1
        settings.REDIS_URL = urlsplit(settings.REDIS_URL)._replace(path=f"/{number}").geturl()
        settings.CELERY_BROKER_URL = settings.REDIS_URL


@pytest.fixture(autouse=True)
def _nobody_is_throttled_for_another_test() -> Iterator[None]:
    yield
    counting.local.reset()
    client = short_client()
    if client is not None and redis_breaker.wait_closed(60):
        # A worker's database has the queue of tasks beside what is counted.
        for key in client.scan_iter(f"{counting.KEY_PREFIX}:*"):
            client.delete(key)


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    """Stop the clock at noon of the tests' day; `clock.shift(timedelta)` moves it."""
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


@pytest.fixture
def today(db: None, clock: time_machine.Traveller) -> dict[str, DailyDeal]:
    """Return the open deal of each variant for the tests' day, at noon."""
    return open_day()


@pytest.fixture
def unthrottled(settings) -> None:
    """Let one test call as often as it likes."""
    settings.THROTTLE_RATES = dict.fromkeys(settings.THROTTLE_RATES, "1000000/minute")
