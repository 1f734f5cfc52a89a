"""Fixtures and options of every test."""

import os
import signal
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import pytest
import time_machine
from django.conf import settings
from django.core.management import CommandError
from django.core.management.commands import flush
from hypothesis import settings as hypothesis_settings
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from config.database.errors import is_retryable
from config.local.embedded import redis_server
from config.redis import redis_breaker, short_client
from games import counting
from games.models import DailyDeal, PoolDeal
from games.pool_files import read_pool, shipped_pool
from games.services import pool
from tests.play import NOON, open_day

BROWSER_TESTS = Path(__file__).parent / "e2e"
POOL_FIELDS = ("variant", "number", "winning_movetext", "par_moves", "grade")
DATABASE_FIXTURES = {"db", "transactional_db", "live_server"}

# No deadline: a loaded machine is not a failure. The gate tries the same examples each time, and a
# developer new ones; a failure prints what repeats it.
hypothesis_settings.register_profile(
    "suite", deadline=None, print_blob=True, derandomize="CI" in os.environ
)
hypothesis_settings.load_profile("suite")


# The kinds in the order in which they run. The longest tests come first, so that no process ends
# long after the others; those in the browser come last, because from then on their thread has a
# running event loop.
ORDER = ("process", "database", "pure", "e2e")
# Files whose tests stay in one process of pytest-xdist: they share a service that starts for them.
TOGETHER = (
    "tests/config/test_local_run.py",
    "tests/config/test_compose.py",
    "tests/config/test_proxy.py",
    "tests/config/test_static.py",
    "tests/config/test_update.py",
    "tests/config/test_hangs.py",
)


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Iterator[None]:
    """Mark each test with its kind, before -m selects by it, and put them in order."""
    for item in items:
        if item.path.is_relative_to(BROWSER_TESTS):
            item.add_marker("e2e")
        elif not (item.get_closest_marker("process") or item.get_closest_marker("database")):
            item.add_marker("database" if _uses_database(item) else "pure")
    yield
    items.sort(key=_order)


def _order(item: pytest.Item) -> tuple[bool, int]:
    (kind,) = (kind for kind in ORDER if item.get_closest_marker(kind))
    return not item.nodeid.startswith(TOGETHER), ORDER.index(kind)


class Scheduling(LoadScopeScheduling):
    """Hand out test by test, but for the files that stay together."""

    def _split_scope(self, nodeid: str) -> str:
        return nodeid.partition("::")[0] if nodeid.startswith(TOGETHER) else nodeid


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Scheduling:
    """Replace pytest-xdist's scheduling: its `loadgroup` has no effect with this pytest."""
    return Scheduling(config, log)


def _uses_database(item: pytest.Item) -> bool:
    fixtures = getattr(item, "fixturenames", ())
    return bool(item.get_closest_marker("django_db") or DATABASE_FIXTURES.intersection(fixtures))


def pytest_configure(config: pytest.Config) -> None:
    """Prepare this process: what is slow by design made quick, and a Redis database of its own."""
    # Slow by design. The test of the real hasher asks for it by name.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    # Each test client loads the middleware, and WhiteNoise would look at every static file for it.
    settings.WHITENOISE_AUTOREFRESH = True
    _flush_again_after_a_deadlock()
    _take_a_redis_database()
    # A loaded machine must not look like a hanging Redis: each process would then count for itself.
    counting.ANSWER_S, counting.ASKING_S = 30, 60


def _flush_again_after_a_deadlock() -> None:
    """Empty the database again when a page of the browser still asked for something."""
    flush_once = flush.Command.handle

    def handle(command: flush.Command, **options: object) -> None:
        for _again in range(4):
            try:
                return flush_once(command, **options)
            except CommandError as error:
                if error.__cause__ is None or not is_retryable(error.__cause__):
                    raise
        return flush_once(command, **options)

    flush.Command.handle = handle


def _take_a_redis_database() -> None:
    """Give each process of pytest-xdist a Redis database of its own, as it has in PostgreSQL."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    if worker and settings.REDIS_URL:
        number = int(worker.removeprefix("gw")) + 1
        settings.REDIS_URL = urlsplit(settings.REDIS_URL)._replace(path=f"/{number}").geturl()
        settings.CELERY_BROKER_URL = settings.REDIS_URL


@pytest.fixture(scope="session", autouse=True)
def _shipped_deals_are_replayed_once() -> Iterator[None]:
    """Load the shipped pools as often as tests ask, but replay their 1 700 lines only once.

    tests/games/test_pool.py reads them by themselves, and reads every other file.
    """
    remembered = cache(read_pool)

    def read(path: Path, *, variant: str) -> list[PoolDeal]:
        if path != shipped_pool(variant):
            return read_pool(path, variant=variant)
        return [
            PoolDeal(**{name: getattr(deal, name) for name in POOL_FIELDS})
            for deal in remembered(path, variant=variant)
        ]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pool, "read_pool", read)
        yield


@pytest.fixture(autouse=True)
def _no_one_is_throttled_for_another_test() -> Iterator[None]:
    yield
    counting.local.reset()
    client = short_client()
    if client is not None and redis_breaker.wait_closed(60):
        # A worker's database holds the task queue beside the counters.
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


@pytest.fixture
def own_redis(tmp_path: Path, settings) -> Iterator[psutil.Process]:
    """Return the process of a Redis that no one else has, which settings.REDIS_URL names."""
    before = set(psutil.Process().children())
    with redis_server(tmp_path / "redis") as url:
        settings.REDIS_URL = url
        (process,) = set(psutil.Process().children()) - before
        try:
            yield process
        finally:
            process.send_signal(signal.SIGCONT)
