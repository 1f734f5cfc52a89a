"""What every test stands on."""

import os
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.core.cache import cache


def pytest_configure(config: pytest.Config) -> None:
    """Give each process of pytest-xdist a Redis database of its own, as it has in PostgreSQL."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    if worker and settings.REDIS_URL:
        server = settings.REDIS_URL.rpartition("/")[0]
        settings.REDIS_URL = f"{server}/{int(worker.removeprefix('gw')) + 1}"
        settings.CACHES["default"]["LOCATION"] = settings.REDIS_URL
        settings.CELERY_BROKER_URL = settings.REDIS_URL


@pytest.fixture(autouse=True)
def _nobody_is_throttled_for_another_test() -> Iterator[None]:
    yield
    cache.clear()
