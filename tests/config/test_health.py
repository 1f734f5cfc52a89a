"""`/healthz/`: who asks it decides whether to send players here."""

import pytest
from django.db import OperationalError, connection
from django.test import Client
from pytest_django import Settings


@pytest.mark.django_db
def test_a_healthy_service_says_so(client: Client, settings: Settings) -> None:
    answer = client.get("/healthz/")
    assert answer.status_code == 200
    redis = "ok" if settings.REDIS_URL else "absent"
    assert answer.json() == {"status": "ok", "database": "ok", "redis": redis}
    assert "no-store" in answer.headers["Cache-Control"]


@pytest.mark.django_db
def test_without_its_database_it_wants_no_players(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> None:
        raise OperationalError("the connection was refused")

    monkeypatch.setattr(connection, "cursor", refuse)
    answer = client.get("/healthz/")
    assert answer.status_code == 503
    assert answer.json()["status"] == answer.json()["database"] == "down"


@pytest.mark.django_db
def test_without_redis_it_goes_on(client: Client, settings: Settings) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    answer = client.get("/healthz/")
    assert answer.status_code == 200
    assert answer.json() == {"status": "ok", "database": "ok", "redis": "down"}


@pytest.mark.django_db
def test_without_a_named_redis_there_is_none(client: Client, settings: Settings) -> None:
    settings.REDIS_URL = ""
    assert client.get("/healthz/").json()["redis"] == "absent"


@pytest.mark.django_db
def test_it_is_only_read(client: Client) -> None:
    assert client.head("/healthz/").status_code == 200
    assert client.post("/healthz/").status_code == 405
