"""The admin's pages that take a password: ten wrong ones an hour for a login and an address."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.db import connections
from django.http import HttpResponse
from django.test import Client

from games.models import Player

PASSWORD = "seven brown owls"
WRONG = "nine grey geese"
HERE, ELSEWHERE = "192.0.2.1", "192.0.2.2"


@pytest.fixture
def boss(db: None) -> Player:
    return Player.objects.create_superuser("boss", PASSWORD)


def log_in(
    login: str = "boss", password: str = PASSWORD, address: str = HERE, **extra: str
) -> HttpResponse:
    body = {"username": login, "password": password}
    return Client().post("/admin/login/", body, REMOTE_ADDR=address, **extra)


def test_after_ten_wrong_passwords_the_right_one_is_refused_too(boss, clock) -> None:
    assert [log_in(password=WRONG).status_code for _ in range(12)] == [200] * 10 + [429] * 2
    refused = log_in()
    assert (refused.status_code, refused["Retry-After"]) == (429, "3600")
    assert "Try again in 60 minutes" in refused.content.decode()
    assert log_in(address=ELSEWHERE).status_code == 302
    clock.shift(timedelta(hours=1))
    assert log_in().status_code == 302


def test_the_admin_has_a_rate_of_its_own(boss, settings) -> None:
    settings.THROTTLE_RATES = dict.fromkeys(settings.THROTTLE_RATES, "5/hour") | {
        "admin_login_per_name_and_address": "2/hour"
    }
    assert [log_in(password=WRONG).status_code for _ in range(3)] == [200, 200, 429]


@pytest.mark.parametrize("login", ["BOSS", "Boss", " boss ", "ｂｏｓｓ"])
def test_a_login_is_the_same_however_it_is_written(boss, login: str) -> None:
    for _ in range(10):
        log_in(login, WRONG)
    assert log_in().status_code == 429


def test_other_logins_are_not_affected(boss) -> None:
    Player.objects.create_superuser("deputy", PASSWORD)
    for _ in range(11):
        log_in(password=WRONG)
    assert log_in("deputy").status_code == 302


def test_the_right_password_resets_the_counter(boss) -> None:
    for _ in range(3):
        assert [log_in(password=WRONG).status_code for _ in range(9)] == [200] * 9
        assert log_in().status_code == 302


def test_being_logged_in_gives_no_more_guesses_at_other_logins(boss) -> None:
    """A failed guess does not reset the counter because someone is already logged in."""
    Player.objects.create_user("clerk", PASSWORD, is_staff=True)
    client = Client(REMOTE_ADDR=HERE)
    assert client.login(username="clerk", password=PASSWORD)
    body = {"username": "boss", "password": WRONG}
    statuses = [client.post("/admin/login/", body).status_code for _ in range(11)]
    assert statuses == [200] * 10 + [429]


def test_a_refused_login_is_not_checked(boss, monkeypatch) -> None:
    for _ in range(10):
        log_in(password=WRONG)
    hashed: list[object] = []
    monkeypatch.setattr(MD5PasswordHasher, "encode", lambda *args: hashed.append(args))
    for login in ("boss", "BOSS"):
        assert log_in(login).status_code == 429
    assert not hashed


def test_a_login_that_does_not_exist_is_refused_alike(boss) -> None:
    texts = {
        login: [log_in(login, WRONG).status_code for _ in range(11)] for login in ("boss", "nobody")
    }
    assert texts["boss"] == texts["nobody"]
    assert b"Too many wrong passwords" in log_in("nobody", WRONG).content


@pytest.mark.django_db(transaction=True)
def test_of_guesses_at_once_ten_are_checked() -> None:
    """74 wrong passwords passed, then the right one."""
    Player.objects.create_superuser("boss", PASSWORD)

    def guess(_at: int) -> int:
        try:
            return log_in(password=WRONG).status_code
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as pool:
        statuses = sorted(pool.map(guess, range(24)))
    assert statuses == [200] * 10 + [429] * 14


def change(client: Client, old: str) -> HttpResponse:
    body = {"old_password": old, "new_password1": WRONG, "new_password2": WRONG}
    return client.post("/admin/password_change/", body)


def test_guesses_at_the_present_password_are_counted_as_those_at_the_door(boss) -> None:
    client = Client(REMOTE_ADDR=HERE)
    client.force_login(boss)
    assert client.get("/admin/password_change/").status_code == 200
    assert [change(client, "no").status_code for _ in range(11)] == [200] * 10 + [429]
    refused = change(client, PASSWORD)
    assert (refused.status_code, int(refused["Retry-After"]) > 0) == (429, True)
    assert log_in().status_code == 429
    boss.refresh_from_db()
    assert boss.check_password(PASSWORD)
    away = Client(REMOTE_ADDR=ELSEWHERE)
    away.force_login(boss)
    changed = change(away, PASSWORD)
    assert (changed.status_code, changed.url) == (302, "/admin/password_change/done/")


def test_the_password_is_changed_by_staff_alone(boss) -> None:
    assert Client().get("/admin/password_change/").status_code == 302
    assert "/admin/login/" in Client().get("/admin/password_change/").url


@pytest.mark.parametrize("path", ["login", "password_change"])
def test_an_empty_form_is_not_a_guess(boss, path: str) -> None:
    client = Client(REMOTE_ADDR=HERE)
    if path == "password_change":
        client.force_login(boss)
    for _ in range(12):
        assert client.post(f"/admin/{path}/", {}).status_code == 200
    assert log_in().status_code == 302
