"""`/healthz/`: who asks it decides whether to send players here."""

import signal
from pathlib import Path

import psutil
import pytest
from django.db import connections
from django.test import Client
from pytest_django import Settings

from config import health
from config.local.embedded import redis_server

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _with_time_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Allow for a slow machine: the end of a wait shows a hang, not a clock."""
    monkeypatch.setattr(health, "ANSWER_S", 30)


def test_a_healthy_service_says_so(client: Client, settings: Settings) -> None:
    answer = client.get("/healthz/")
    assert answer.status_code == 200
    redis = "ok" if settings.REDIS_URL else "absent"
    assert answer.json() == {"status": "ok", "database": "ok", "redis": redis}
    assert "no-store" in answer.headers["Cache-Control"]


def test_without_its_database_it_wants_no_players(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere = {**connections.settings["default"], "HOST": "127.0.0.1", "PORT": 1, "NAME": "/no"}
    monkeypatch.setitem(connections.settings, "default", nowhere)
    answer = client.get("/healthz/")
    assert answer.status_code == 503
    assert answer.json()["status"] == answer.json()["database"] == "down"


def test_without_redis_it_goes_on(client: Client, settings: Settings) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    answer = client.get("/healthz/")
    assert answer.status_code == 200
    assert answer.json() == {"status": "ok", "database": "ok", "redis": "down"}


def test_with_a_redis_that_hangs_it_goes_on(
    client: Client, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "ANSWER_S", 0.2)
    before = set(psutil.Process().children())
    with redis_server(tmp_path) as url:
        settings.REDIS_URL = url
        (process,) = set(psutil.Process().children()) - before
        process.send_signal(signal.SIGSTOP)
        try:
            answer = client.get("/healthz/")
        finally:
            process.send_signal(signal.SIGCONT)
    assert answer.json()["redis"] == "down"


def test_without_the_setting_there_is_no_redis(client: Client, settings: Settings) -> None:
    settings.REDIS_URL = ""
    assert client.get("/healthz/").json()["redis"] == "absent"


def test_it_is_only_read(client: Client) -> None:
    assert client.head("/healthz/").status_code == 200
    assert client.post("/healthz/").status_code == 405


def test_it_is_asked_without_https(client: Client, settings: Settings) -> None:
    settings.SECURE_SSL_REDIRECT = True
    assert client.get("/healthz/").status_code == 200


def test_a_foreign_host_is_refused(client: Client) -> None:
    assert client.get("/healthz/", headers={"host": "evil.example"}).status_code == 400
