"""Passwords and tokens: coming back from another device, and shutting others out."""

import hashlib
import re
from datetime import timedelta

import pytest
from django.conf import global_settings
from django.contrib.auth.hashers import MD5PasswordHasher, PBKDF2PasswordHasher, make_password
from django.utils import timezone
from knox.models import AuthToken

import config.settings
from games import services
from games.addresses import Call
from games.errors import LoginRefused, PlayerGone, WrongPassword
from games.models import KnownAddress, Player
from tests.play import NOON, Caller, error_of

pytestmark = pytest.mark.django_db
PASSWORD = "seven brown owls"
OTHER = "nine grey geese"


def set_password(caller: Caller, password: object = PASSWORD, **more: object):
    return caller.put("players/me/password/", {"password": password, **more})


def log_in(name: object = "Ada", password: object = PASSWORD, **extra: str):
    body = {"display_name": name, "password": password}
    return Caller().post("tokens/", body, **extra)


def with_token(token: str) -> Caller:
    caller = Caller()
    caller.client.credentials(HTTP_AUTHORIZATION=f"Token {token}")
    return caller


@pytest.fixture
def ada() -> Caller:
    """Return someone with a password."""
    caller = Caller("Ada")
    assert set_password(caller).status_code == 200
    return caller


def test_a_guest_with_a_password_comes_back_from_another_device() -> None:
    ada = Caller("Ada")
    assert ada.get("players/me/").json()["has_password"] is False
    changed = set_password(ada)
    assert (changed.status_code, changed.json()["has_password"]) == (200, True)
    answer = log_in()
    assert answer.status_code == 201
    assert answer.json()["player"] == ada.get("players/me/").json()
    elsewhere = with_token(answer.json()["token"])
    assert elsewhere.get("players/me/").json()["id"] == str(ada.player.pk)
    # One device more, not one instead.
    assert ada.get("players/me/").status_code == 200


@pytest.mark.parametrize("name", ["ada", "A D A", " Ada ", "Аԁа"])
def test_the_name_is_found_as_names_are_compared(ada, name: str) -> None:
    assert log_in(name).status_code == 201


def test_a_password_is_the_same_however_a_keyboard_writes_it() -> None:
    set_password(Caller("Ada"), "caf\u00e9 au lait")
    assert log_in(password="cafe\u0301 au lait").status_code == 201


def test_the_password_is_stored_hashed_by_djangos_default(settings) -> None:
    assert not hasattr(config.settings, "PASSWORD_HASHERS")
    settings.PASSWORD_HASHERS = global_settings.PASSWORD_HASHERS
    set_password(Caller("Ada"))
    assert Player.objects.get().password.startswith(PBKDF2PasswordHasher.algorithm)
    assert PASSWORD not in str(Player.objects.values().get())
    assert log_in().status_code == 201


def test_only_your_own_profile_shows_whether_you_have_a_password(ada) -> None:
    assert "has_password" not in Caller().get(f"players/{ada.player.pk}/").json()
    joined = Caller().post("players/", {"display_name": "Bruno"}).json()
    assert joined["player"]["has_password"] is False


@pytest.mark.parametrize("current", [{}, {"current_password": None}, {"current_password": ""}])
def test_changing_a_password_asks_for_the_present_one(ada, current: dict) -> None:
    for body in (current, {"current_password": OTHER}):
        answer = set_password(ada, OTHER, **body)
        assert answer.status_code == 400
        error = error_of(answer)
        assert (error["code"], error["attr"]) == ("wrong_password", "current_password")
    assert log_in(password=OTHER).status_code == 400
    assert set_password(ada, OTHER, current_password=PASSWORD).status_code == 200
    assert log_in(password=OTHER).status_code == 201
    assert log_in(password=PASSWORD).status_code == 400


def test_a_new_password_voids_every_other_token() -> None:
    ada, bruno = Caller("Ada"), Caller("Bruno")
    _record, lost = AuthToken.objects.create(user=ada.player)
    set_password(ada)
    assert with_token(lost).get("players/me/").status_code == 401
    second = log_in().json()["token"]
    set_password(with_token(second), OTHER, current_password=PASSWORD)
    assert ada.get("players/me/").status_code == 401
    assert with_token(second).get("players/me/").status_code == 200
    assert bruno.get("players/me/").status_code == 200


@pytest.mark.parametrize(
    ("password", "codes"),
    [
        ("abc", {"password_too_short", "password_too_common"}),
        ("73519462", {"password_entirely_numeric"}),
        ("password", {"password_too_common"}),
        ("Ada-Lovelace1", {"password_too_similar"}),
        ("x" * 129, {"max_length"}),
        ("", {"blank"}),
        (None, {"null"}),
        ("long enough\0", {"null_characters_not_allowed"}),
        (["seven brown owls"], {"invalid"}),
    ],
)
def test_a_bad_password_is_refused_with_every_reason(password: object, codes: set[str]) -> None:
    ada = Caller("Ada Lovelace")
    answer = set_password(ada, password)
    assert answer.status_code == 400
    errors = answer.json()["errors"]
    assert codes <= {error["code"] for error in errors}
    assert {error["attr"] for error in errors} == {"password"}
    assert ada.get("players/me/").json()["has_password"] is False


@pytest.mark.parametrize("password", ["abc", "password", "73519462", "Ada-Lovelace1"])
@pytest.mark.parametrize("language", ["it", "es"])
def test_the_reasons_come_in_the_players_language(language: str, password: str) -> None:
    ada = Caller("Ada Lovelace")

    def reasons(language: str) -> list[str]:
        body = {"password": password}
        answer = ada.put("players/me/password/", body, HTTP_ACCEPT_LANGUAGE=language)
        return [error["detail"] for error in answer.json()["errors"]]

    assert not set(reasons(language)) & set(reasons("en"))


def test_blanks_belong_to_a_password() -> None:
    set_password(Caller("Ada"), f" {PASSWORD} ")
    assert log_in().status_code == 400
    assert log_in(password=f" {PASSWORD} ").status_code == 201


def _staff() -> None:
    Player.objects.create_superuser("boss", PASSWORD)


def _staff_who_play() -> None:
    Caller("boss")
    Player.objects.filter(display_name="boss").update(
        username="boss", is_staff=True, password=make_password(PASSWORD)
    )


def _blocked() -> None:
    set_password(Caller("boss"))
    Player.objects.filter(display_name="boss").update(is_active=False)


def _without_a_password() -> None:
    Caller("boss")


def _who_left() -> None:
    boss = Caller("boss")
    set_password(boss)
    boss.delete("players/me/")


@pytest.mark.parametrize(
    "somebody",
    [None, _staff, _staff_who_play, _blocked, _without_a_password, _who_left],
    ids=lambda maker: maker.__name__ if maker else "nobody",
)
def test_every_refused_login_looks_like_a_wrong_password(ada, somebody, monkeypatch) -> None:
    """The same answer and the same work: a difference would reveal which names have a password."""
    if somebody:
        somebody()
    hashed = []
    real = MD5PasswordHasher.encode

    def counted(self: MD5PasswordHasher, *args: object) -> str:
        hashed.append(args)
        return real(self, *args)

    monkeypatch.setattr(MD5PasswordHasher, "encode", counted)
    wrong = log_in(password=OTHER)
    assert (wrong.status_code, error_of(wrong)["code"]) == (400, "login_refused")
    assert len(hashed) == 1
    tokens = AuthToken.objects.count()
    for name in ("boss", "no such name", "!!", "x" * 400):
        hashed.clear()
        answer = log_in(name)
        assert (answer.status_code, answer.json()) == (400, wrong.json())
        assert len(hashed) == 1
    assert AuthToken.objects.count() == tokens


def test_an_account_of_the_admin_gets_no_password_by_a_token() -> None:
    """Otherwise a token, which is stored in a browser, would open the admin."""
    boss = Caller("boss")
    Player.objects.filter(pk=boss.player.pk).update(username="boss", is_staff=True)
    answer = set_password(boss)
    assert (answer.status_code, error_of(answer)["code"]) == (400, "password_refused")
    assert not Player.objects.get(pk=boss.player.pk).has_usable_password()


def test_a_rename_keeps_the_password(ada) -> None:
    ada.patch("players/me/", {"display_name": "Countess"})
    assert log_in("Countess").status_code == 201
    assert log_in("Ada").status_code == 400


def test_leaving_takes_the_password_away(ada) -> None:
    ada.delete("players/me/")
    assert not Player.objects.get().has_usable_password()
    assert log_in().status_code == 400
    assert set_password(ada).status_code == 401


def test_a_token_can_be_given_back(ada) -> None:
    elsewhere = with_token(log_in().json()["token"])
    assert elsewhere.delete("tokens/current/").status_code == 204
    assert elsewhere.get("players/me/").status_code == 401
    assert ada.get("players/me/").status_code == 200
    assert Caller().delete("tokens/current/").status_code == 401


def test_an_expired_token_is_refused_and_deleted_and_the_others_stay() -> None:
    """No token of ours expires; an organiser may give one an end."""
    ada = Caller("Ada")
    AuthToken.objects.update(expiry=timezone.now() + timedelta(hours=1))
    AuthToken.objects.create(user=ada.player)
    assert ada.get("players/me/").status_code == 200
    AuthToken.objects.filter(expiry__isnull=False).update(
        expiry=timezone.now() - timedelta(seconds=1)
    )
    answer = ada.get("players/me/")
    assert (answer.status_code, error_of(answer)["code"]) == (401, "authentication_failed")
    assert AuthToken.objects.get().expiry is None


def test_setting_a_password_needs_a_token() -> None:
    assert set_password(Caller()).status_code == 401


def test_of_two_changes_at_once_the_later_is_refused(ada) -> None:
    """Each request knows the player as they were when it began."""
    early, late = (Player.objects.get(pk=ada.player.pk) for _ in range(2))
    token = AuthToken.objects.get()
    change = {"current_password": PASSWORD, "kept_token": token}
    services.set_password(player=early, password=OTHER, **change)
    with pytest.raises(WrongPassword):
        services.set_password(player=late, password="five white mice", **change)
    gone = Player.objects.get(pk=ada.player.pk)
    services.delete_player(player=Player.objects.get(pk=ada.player.pk), now=NOON)
    with pytest.raises(PlayerGone):
        services.set_password(
            player=gone, password=PASSWORD, current_password=OTHER, kept_token=token
        )


def test_a_new_password_shuts_out_a_login_under_way_with_the_old_one(ada, monkeypatch) -> None:
    real = services.players.lock

    def changed_meanwhile(player_id: object) -> None:
        Player.objects.filter(pk=player_id).update(password=make_password(OTHER))
        real(player_id)

    monkeypatch.setattr(services.players, "lock", changed_meanwhile)
    with pytest.raises(LoginRefused):
        services.log_in(
            display_name="Ada", password=PASSWORD, call=Call(address="192.0.2.7", at=NOON)
        )
    assert AuthToken.objects.count() == 1


def test_an_outdated_hash_is_renewed_at_login(ada, settings) -> None:
    settings.PASSWORD_HASHERS = [
        "django.contrib.auth.hashers.ScryptPasswordHasher",
        *settings.PASSWORD_HASHERS,
    ]
    assert log_in().status_code == 201
    assert Player.objects.get().password.startswith("scrypt")
    assert log_in().status_code == 201


@pytest.fixture
def _low_rates(settings) -> None:
    settings.THROTTLE_RATES = settings.THROTTLE_RATES | {
        "login_per_name": "3/hour",
        "login_per_name_ceiling": "7/hour",
        "login_per_address": "5/hour",
        "password_per_player": "2/hour",
        "password_per_address": "3/hour",
    }


def guess(at: int, name: str = "Ada", password: str = OTHER) -> int:
    """Guess a password from an address of that number; return the status of the answer."""
    return log_in(name, password, REMOTE_ADDR=f"192.0.2.{at}").status_code


@pytest.mark.usefixtures("_low_rates")
def test_wrong_passwords_are_counted_for_name_and_address(ada, clock) -> None:
    names = ["Ada", "ADA", "a d a", " ada "]
    assert [guess(1, name) for name in names] == [400, 400, 400, 429]
    # From there not even the right one, and from elsewhere a new counter; who is in, stays in.
    assert guess(1, password=PASSWORD) == 429
    assert guess(2) == 400
    assert ada.get("players/me/").status_code == 200
    assert guess(3, password=PASSWORD) == 201
    clock.shift(timedelta(hours=1))
    assert guess(1, password=PASSWORD) == 201


@pytest.mark.usefixtures("_low_rates")
def test_there_is_a_ceiling_over_all_addresses(ada, clock) -> None:
    statuses = [guess(at // 3) for at in range(9)]
    assert statuses == [400] * 7 + [429] * 2
    assert guess(77, password=PASSWORD) == 429
    clock.shift(timedelta(hours=1))
    assert guess(77, password=PASSWORD) == 201


@pytest.mark.usefixtures("_low_rates")
def test_a_guess_that_the_ceiling_refuses_counts_nowhere(ada, clock) -> None:
    for at in range(7):
        guess(at)
    clock.shift(timedelta(minutes=30))
    assert [guess(77) for _ in range(4)] == [429] * 4
    clock.shift(timedelta(minutes=30))
    assert guess(77, password=PASSWORD) == 201


@pytest.mark.usefixtures("_low_rates")
@pytest.mark.parametrize("way_in", ["join", "log in", "set a password"])
def test_a_player_is_not_shut_out_of_a_known_address(clock, way_in: str) -> None:
    """However many guess from elsewhere."""
    home = {"REMOTE_ADDR": "198.51.100.1"}
    if way_in == "join":
        joined = Caller().post("players/", {"display_name": "Ada"}, **home).json()
        set_password(with_token(joined["token"]))
    elif way_in == "log in":
        set_password(Caller("Ada"))
        assert log_in(**home).status_code == 201
    else:
        body = {"password": PASSWORD}
        assert Caller("Ada").put("players/me/password/", body, **home).status_code == 200
    for at in range(9):
        guess(at)
    assert log_in(REMOTE_ADDR="192.0.2.99").status_code == 429
    assert log_in(**home).status_code == 201
    # There, too, only a number of wrong passwords pass.
    assert [log_in(password=OTHER, **home).status_code for _ in range(4)] == [400] * 3 + [429]


@pytest.mark.usefixtures("_low_rates")
def test_an_address_is_known_for_thirty_days(clock, ada) -> None:
    home = {"REMOTE_ADDR": "198.51.100.1"}
    assert log_in(**home).status_code == 201
    clock.shift(timedelta(days=30, seconds=-1))
    for at in range(9):
        guess(at)
    assert log_in(**home).status_code == 201  # known for 30 days more, from now on
    clock.shift(timedelta(days=30))
    for at in range(9):
        guess(at)
    assert log_in(**home).status_code == 429
    assert KnownAddress.objects.exists()
    services.forget_addresses(now=timezone.now())
    assert not KnownAddress.objects.exists()


@pytest.mark.usefixtures("_low_rates")
def test_only_wrong_passwords_count(ada, settings) -> None:
    settings.THROTTLE_RATES = settings.THROTTLE_RATES | {"login_per_address": "100/hour"}
    away = {"REMOTE_ADDR": "192.0.2.1"}
    statuses = [
        log_in(password=password, **away).status_code
        for password in [OTHER, OTHER, PASSWORD, OTHER, OTHER, OTHER, PASSWORD]
    ]
    assert statuses == [400, 400, 201, 400, 400, 400, 429]
    # There the player is known by now. The ceiling holds two: five more make seven.
    assert [guess(at) for at in (2, 2, 2, 3, 3, 4)] == [400] * 5 + [429]


@pytest.mark.usefixtures("_low_rates")
def test_of_guesses_at_once_no_more_pass_than_one_after_the_other(ada, monkeypatch) -> None:
    """Each is counted before it is checked: while one is, the others find it counted."""
    real = MD5PasswordHasher.encode
    nested: list[int] = []

    def guess_meanwhile(self: MD5PasswordHasher, *args: object) -> str:
        if len(nested) < 6:
            nested.append(0)
            at = len(nested) - 1
            nested[at] = guess(1)
        return real(self, *args)

    monkeypatch.setattr(MD5PasswordHasher, "encode", guess_meanwhile)
    assert guess(1) == 400
    assert sorted(nested) == [400, 400, 429]


@pytest.mark.usefixtures("_low_rates")
@pytest.mark.parametrize("name", ["Ada", "nobody", "!!", "x" * 400])
def test_a_refused_guess_is_not_checked_and_says_the_same_of_any_name(
    ada, name: str, monkeypatch, django_assert_num_queries
) -> None:
    assert [guess(1, name) for _ in range(3)] == [400] * 3
    hashed: list[object] = []
    monkeypatch.setattr(MD5PasswordHasher, "encode", lambda *args: hashed.append(args))
    with django_assert_num_queries(2):
        answer = log_in(name, PASSWORD, REMOTE_ADDR="192.0.2.1")
    assert answer.status_code == 429
    assert not hashed
    assert error_of(answer)["code"] == "throttled"
    assert 0 < int(answer["Retry-After"]) <= 3600
    assert error_of(answer)["detail"].startswith("Request was throttled.")


@pytest.mark.usefixtures("_low_rates")
def test_a_known_address_outlives_a_change_of_the_key(ada, settings) -> None:
    home = {"REMOTE_ADDR": "198.51.100.1"}
    log_in(**home)
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "another key"
    for at in range(9):
        guess(at)
    assert log_in(**home).status_code == 201
    assert ada.player.known_addresses.count() == 2  # this one, and that of the fixture


def test_the_addresses_of_a_leaver_go_at_once(ada) -> None:
    log_in(REMOTE_ADDR="198.51.100.1")
    assert ada.player.known_addresses.exists()
    ada.delete("players/me/")
    assert not KnownAddress.objects.exists()


def test_addresses_are_kept_as_keyed_hashes(ada) -> None:
    log_in(REMOTE_ADDR="198.51.100.1")
    for known in KnownAddress.objects.all():
        assert re.fullmatch("[0-9a-f]{64}", known.address_hash)
        assert known.address_hash != hashlib.sha256(b"198.51.100.1").hexdigest()


@pytest.mark.usefixtures("_low_rates")
def test_guesses_from_one_address_are_counted_over_all_names(ada) -> None:
    answers = [log_in(f"somebody {at}").status_code for at in range(6)]
    assert answers == [400] * 5 + [429]
    assert log_in(REMOTE_ADDR="192.0.2.7").status_code == 201


@pytest.mark.usefixtures("_low_rates")
def test_guesses_at_the_present_password_are_counted() -> None:
    ada, bruno = Caller("Ada"), Caller("Bruno")
    set_password(ada)
    answers = [set_password(ada, OTHER, current_password="x").status_code for _ in range(2)]
    assert answers == [400, 429]
    assert set_password(bruno).status_code == 429  # the same address
    elsewhere = {"REMOTE_ADDR": "192.0.2.7"}
    body = {"password": PASSWORD}
    assert bruno.put("players/me/password/", body, **elsewhere).status_code == 200
