"""Refuses to start a service that needs deals of its own and would play public ones."""

import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from config.start import NoOwnDealsError, require_own_deals
from games import engine
from games.models import DailyDeal, PoolDeal
from games.services import pool
from tests.compose import ROOT
from tests.installed_settings import installed_settings
from tests.logs import wins_of
from tests.play import NOON, TODAY, assign
from tests.processes import free_port, fresh_database, machine_environment, running

WAYS = {
    "gunicorn": ["gunicorn", "config.wsgi", "--bind", "127.0.0.1:{port}", "--workers", "2"],
    "gunicorn, preloading": ["gunicorn", "config.wsgi", "--bind", "127.0.0.1:{port}", "--preload"],
    "runserver": ["python", "manage.py", "runserver", "127.0.0.1:{port}"],
    "runserver without reload": ["python", "manage.py", "runserver", "{port}", "--noreload"],
    "asgi": ["python", "-c", "import config.asgi"],
    "worker": ["celery", "--app", "config", "worker", "--pool", "threads", "--loglevel", "INFO"],
    "search": ["celery", "--app", "config", "worker", "--queues", "search"],
    "beat": ["celery", "--app", "config", "beat", "--schedule", "{folder}/beat"],
    "make run": ["python", "-m", "config.local.run", "--port", "{port}"],
    "roll_over": ["python", "manage.py", "roll_over"],
}  # fmt: skip
NOT_REFUSED = {
    "migrate": ["migrate", "--noinput"],
    "check": ["check"],
    "pool": ["pool"],
    "deal": ["deal", "EO1-C8-AAAAAFA"],
    "collectstatic": ["collectstatic", "--noinput", "--dry-run"],
    "certify": ["certify", "--variant", "eight-off-4", "--count", "1", "--processes", "1"],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("start")


@pytest.fixture(scope="module")
def environment(folder: Path) -> Iterator[dict[str, str]]:
    """A migrated database with an empty pool, and a service that has to have its own deals."""
    with fresh_database(folder) as database:
        given = machine_environment() | {
            "DATABASE_URL": database,
            "REDIS_URL": settings.REDIS_URL,
            "STATE_DIR": str(folder / "state"),
            "SECRET_KEY": "only-for-tests-" * 4,
            "REAL_DEALS": "true",
        }
        migrated = run(["python", "manage.py", "migrate", "--noinput"], given)
        assert migrated.returncode == 0, migrated.stderr
        yield given


def run(command: list[str], given: dict[str, str]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable if part == "python" else part for part in command]
    return subprocess.run(
        command, cwd=ROOT, env=given, capture_output=True, text=True, check=False, timeout=600
    )


@pytest.mark.parametrize("way", WAYS)
def test_no_way_of_starting_plays_public_deals(
    way: str, environment: dict[str, str], folder: Path
) -> None:
    if not settings.REDIS_URL:
        pytest.skip("needs a Redis")
    port = free_port()
    command = [part.format(port=port, folder=folder) for part in WAYS[way]]
    ended = run(command, environment)
    told = ended.stdout + ended.stderr
    assert ended.returncode not in (0, None), told
    sentences = {line for line in told.splitlines() if "installation's own" in line}
    assert len(sentences) == 1, told
    (sentence,) = sentences
    for part in (*engine.VARIANTS, "certify --variant easy-harp --count", "ALLOW_SHIPPED_DEALS"):
        assert part in sentence
    assert "Traceback" not in told
    with socket.socket() as asked:
        assert asked.connect_ex(("127.0.0.1", port)) != 0


@pytest.mark.parametrize("name", NOT_REFUSED)
def test_what_draws_no_deal_is_not_refused(
    name: str, environment: dict[str, str], folder: Path
) -> None:
    given = environment | {"STATIC_ROOT": f"{folder}/static"}
    done = run(["python", "manage.py", *NOT_REFUSED[name]], given)
    assert done.returncode == 0, done.stderr


def test_a_database_without_tables_is_no_filled_pool(
    environment: dict[str, str], tmp_path: Path
) -> None:
    given = environment | {"DATABASE_URL": f"sqlite:///{tmp_path}/empty.sqlite3"}
    assert "manage.py migrate" in run(["python", "-m", "config.start"], given).stderr


def test_a_database_that_is_away_is_no_refusal(environment: dict[str, str]) -> None:
    given = environment | {"DATABASE_URL": "postgres://nobody@127.0.0.1:1/none"}
    asked = run(["python", "-m", "config.start"], given)
    assert asked.returncode == 0, asked.stderr
    assert "could not be asked" in asked.stderr


@pytest.mark.parametrize(
    ("given", "is_refused"),
    [
        ({}, False),
        ({"REAL_DEALS": "true"}, True),
        ({"HTTPS_ONLY": "true"}, True),
        ({"HTTPS_ONLY": "true", "REAL_DEALS": "true"}, True),
        ({"REAL_DEALS": "true", "ALLOW_SHIPPED_DEALS": "true"}, False),
        ({"HTTPS_ONLY": "true", "ALLOW_SHIPPED_DEALS": "true"}, False),
        ({"HTTPS_ONLY": "false", "REAL_DEALS": "false"}, False),
    ],
    ids=str,
)
def test_which_settings_rule_public_deals_out(given: dict[str, str], is_refused: bool) -> None:
    assert installed_settings(**given)["OWN_DEALS_ONLY"] is is_refused


def test_the_deploy_check_says_so_too(environment: dict[str, str]) -> None:
    checked = run(["python", "manage.py", "check", "--deploy"], environment)
    assert "config.E002" in checked.stderr
    assert checked.returncode == 1


def test_a_run_here_starts_nothing_and_leaves_nothing(
    environment: dict[str, str], tmp_path: Path
) -> None:
    given = environment | {"STATE_DIR": str(tmp_path / "state"), "REDIS_URL": ""}
    given.pop("DATABASE_URL")
    command = [sys.executable, "-m", "config.local.run", "--port", str(free_port())]
    with running(command, given, tmp_path / "log") as service:
        assert service.ended() == 1
    assert service.output.startswith("Not started: the pool has no deals")
    assert not (tmp_path / "state" / "redis").exists()


# --- What fills a pool ------------------------------------------------------------------------


def own(variant: str, at: int) -> PoolDeal:
    """Put a deal into the pool that did not come with the service."""
    shipped = pool.shipped_numbers(variant)
    win = [win for win in wins_of(variant) if win.number not in shipped][at]
    return PoolDeal.objects.create(
        variant=variant,
        number=win.number,
        winning_movetext=win.movetext,
        par_moves=win.moves,
        grade=3,
    )


@pytest.mark.django_db
def test_one_deal_of_our_own_for_each_variant_is_enough_and_few_are_logged(
    settings, clock, caplog
) -> None:
    settings.OWN_DEALS_ONLY = True
    for variant in engine.VARIANTS:
        pool.load_shipped(variant=variant)
        with pytest.raises(NoOwnDealsError, match=variant):
            require_own_deals()
        with pytest.raises(CommandError, match=variant):
            call_command("roll_over")
        own(variant, 0)
    require_own_deals()
    assert "fewer deals of its own than days ahead" in caplog.text


@pytest.mark.django_db
@pytest.mark.parametrize(("days", "is_enough"), [(-1, False), (0, True), (3, True)])
def test_a_deal_of_our_own_on_a_day_to_come_is_enough(
    settings, clock, days: int, is_enough: bool
) -> None:
    settings.OWN_DEALS_ONLY = True
    for variant in engine.VARIANTS:
        deal = own(variant, 0)
        day = assign(variant, TODAY.replace(day=TODAY.day + days))
        DailyDeal.objects.filter(pk=day.pk).update(pool_deal=deal)
    assert (pool.lacking_own_deals(now=NOON) == []) == is_enough
