"""What every test stands on."""

import os
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
import time_machine
from django.conf import settings
from django.core.cache import caches
from django_redis.cache import RedisCache
from rest_framework.throttling import SimpleRateThrottle

from games.models import DailyDeal
from tests.play import NOON, open_day


def pytest_configure(config: pytest.Config) -> None:
    """Give each process of pytest-xdist a Redis database of its own, as it has in PostgreSQL."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    if worker and settings.REDIS_URL:
        number = int(worker.removeprefix("gw")) + 1
        settings.REDIS_URL = urlsplit(settings.REDIS_URL)._replace(path=f"/{number}").geturl()
        settings.CACHES["default"]["LOCATION"] = settings.REDIS_URL
        settings.CELERY_BROKER_URL = settings.REDIS_URL


@pytest.fixture(autouse=True)
def _nobody_is_throttled_for_another_test() -> Iterator[None]:
    yield
    # django-redis would empty the whole database to clear, and not all of it is the cache.
    cache = caches["default"]
    if isinstance(cache, RedisCache):
        cache.delete_pattern("*")
    else:
        cache.clear()


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
def unthrottled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let one test call as often as it likes."""
    rates = SimpleRateThrottle.THROTTLE_RATES
    for scope in rates:
        monkeypatch.setitem(rates, scope, "1000000/minute")
