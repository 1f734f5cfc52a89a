"""deploy/update, run as it is shipped, with processes in the place of containers."""

from collections.abc import Iterator

import pytest
from django.conf import settings

from tests.drills.rolling import Fleet, Load, fleet
from tests.processes import fresh_database, wait_for
from tests.proxy import require_nginx

pytestmark = pytest.mark.process


def load_on(running: Fleet) -> Load:
    """Return two players: one with a new connection each time, one with a kept one."""
    return Load(running.front, running.day, running.stored()[0], new_each_time=1, kept_open=1)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fleet]:
    require_nginx()
    if not settings.REDIS_URL or "sqlite" in settings.DATABASES["default"]["ENGINE"]:
        pytest.skip("needs a Redis and PostgreSQL, as there are in use")
    folder = tmp_path_factory.mktemp("update")
    with (
        fresh_database(folder) as database,
        fleet(folder, database, settings.REDIS_URL, web_servers=1) as started,
    ):
        yield started


def test_an_update_that_was_cut_short_and_run_again_costs_no_request(running: Fleet) -> None:
    before = set(running.web_servers())
    _movetext, attempts, logs = running.stored()
    with load_on(running) as load:
        cut_short = running.update(STANDIN_FAILS="rm")
        assert cut_short.returncode != 0
        assert not before & running.passed_to()
        again = running.update()
        assert again.returncode == 0, again.stdout
        so_far = load.counted["requests"]
        wait_for(lambda: load.counted["requests"] > so_far + 20, what="some more")
    assert load.wrong == []
    after = set(running.web_servers())
    assert len(after) == len(before)
    assert not before & after
    assert running.passed_to() == after
    assert running.stored()[1:] == (
        attempts + load.counted["started"],
        logs + load.counted["sent"],
    )
    # The files of the release are where the proxy looks for them.
    assert running.front.get("/static/new.js")[0] == 200


def test_a_release_that_does_not_become_healthy_leaves_the_old_one(running: Fleet) -> None:
    before = set(running.web_servers())
    with load_on(running) as load:
        update = running.update(STANDIN_BROKEN="1", UPDATE_PATIENCE_S="1")
    assert update.returncode != 0
    assert "did not become healthy; the old ones stay" in update.stdout
    assert load.wrong == []
    assert load.counted["sent"] > 0
    assert set(running.web_servers()) == before == running.passed_to()


def test_web_servers_that_end_without_the_procedure_are_noticed(running: Fleet) -> None:
    """What the tests above would see if an update ended the old ones first."""
    with load_on(running) as load:
        running.docker("stop", *running.web_servers())
        wait_for(lambda: load.wrong, what="an answer that failed")
    assert any("unavailable" in wrong for wrong in load.wrong)
