"""Players: joining, the profile, renaming, leaving."""

from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest
from django.db import connections
from knox.models import AuthToken

from games import services
from games.errors import PlayerGone
from games.models import Player
from games.names import name_skeleton
from leaderboard.models import DailyResult
from tests.logs import wins_of
from tests.play import NOON, Caller, error_of, new_player

pytestmark = pytest.mark.django_db


def test_a_guest_joins_by_name_and_gets_a_token() -> None:
    answer = Caller().post("players/", {"display_name": " Ada  Lovelace "})
    assert answer.status_code == 201
    body = answer.json()
    assert body["player"]["display_name"] == "Ada Lovelace"
    me = Caller().get("players/me/", HTTP_AUTHORIZATION=f"Token {body['token']}")
    assert me.json() == body["player"]


def test_the_token_is_stored_hashed() -> None:
    token = Caller("Ada").token
    stored = AuthToken.objects.get()
    assert token not in (stored.digest, stored.token_key)
    assert not any(token in str(value) for value in AuthToken.objects.values_list().get())


@pytest.mark.parametrize("name", ["ada", "AdA", "A d a", "Аԁа"])
def test_a_name_that_looks_like_anothers_is_taken(name: str) -> None:
    Caller("Ada")
    answer = Caller().post("players/", {"display_name": name})
    assert answer.status_code == 409
    assert error_of(answer)["code"] == "name_taken"


@pytest.mark.parametrize("name", ["", "a", "x" * 25, "a\u200bb", "pаypal", "!!", "\u202eab"])
def test_a_bad_name_is_refused(name: str) -> None:
    answer = Caller().post("players/", {"display_name": name})
    assert answer.status_code == 400
    assert error_of(answer)["detail"]
    assert not Player.objects.exists()


@pytest.mark.parametrize("body", [{}, {"display_name": None}, {"display_name": ["Ada"]}, [], "Ada"])
def test_a_missing_name_is_named(body: object) -> None:
    answer = Caller().post("players/", body)
    assert answer.status_code == 400
    assert answer.json()["type"] == "validation_error"


@pytest.mark.django_db(transaction=True)
def test_of_eight_simultaneous_requests_for_a_name_one_gets_it() -> None:
    def ask(_number: int) -> int:
        try:
            return Caller().post("players/", {"display_name": "Ada"}).status_code
        finally:
            connections.close_all()

    with ThreadPoolExecutor(max_workers=8) as threads:
        statuses = sorted(threads.map(ask, range(8)))
    assert statuses == [201] + [409] * 7


def test_a_rename_shows_everywhere_at_once(today) -> None:
    ada = Caller("Ada")
    deal = today["eight-off"]
    ada.submit(ada.start(deal)["id"], wins_of("eight-off")[0].movetext)
    assert ada.patch("players/me/", {"display_name": "Countess"}).status_code == 200
    board = Caller().get(f"daily/eight-off/{deal.date}/leaderboard/").json()
    assert [row["player"]["display_name"] for row in board["results"]] == ["Countess"]
    assert Caller().get(f"players/{ada.player.pk}/").json()["display_name"] == "Countess"
    # The old name is free again.
    assert Caller().post("players/", {"display_name": "Ada"}).status_code == 201


def test_renaming_to_your_own_name_in_other_letters_is_not_a_clash() -> None:
    ada = Caller("Ada")
    assert ada.patch("players/me/", {"display_name": "ADA"}).json()["display_name"] == "ADA"


def test_a_refused_rename_changes_nothing() -> None:
    Caller("Bruno")
    ada = Caller("Ada")
    assert ada.patch("players/me/", {"display_name": "bruno"}).status_code == 409
    assert ada.get("players/me/").json()["display_name"] == "Ada"


def test_a_rename_under_way_brings_no_left_or_blocked_player_back() -> None:
    """The request knows the player as they were when it began."""
    gone, kept_out = new_player("Ada"), new_player("Bruno")
    services.delete_player(player=Player.objects.get(pk=gone.pk), now=NOON)
    Player.objects.filter(pk=kept_out.pk).update(is_active=False)
    for player in (gone, kept_out):
        before = Player.objects.filter(pk=player.pk).values().get()
        with pytest.raises(PlayerGone):
            services.rename(player=player, display_name="Carla")
        assert Player.objects.filter(pk=player.pk).values().get() == before


def test_leaving_removes_name_token_and_rank_and_ranks_close_up(today) -> None:
    deal = today["eight-off"]
    win = wins_of("eight-off")[0]
    ada, bruno = Caller("Ada"), Caller("Bruno")
    ada.submit(ada.start(deal)["id"], win.movetext)
    bruno.submit(bruno.start(deal)["id"], win.half)
    assert bruno.get(f"daily/eight-off/{deal.date}/leaderboard/around-me/").json()["rank"] == 2
    assert ada.delete("players/me/").status_code == 204
    assert ada.get("players/me/").status_code == 401
    assert Caller().get(f"players/{ada.player.pk}/").status_code == 404
    assert bruno.get(f"daily/eight-off/{deal.date}/leaderboard/around-me/").json()["rank"] == 1
    assert DailyResult.objects.count() == 1
    row = Player.objects.get(pk=ada.player.pk)
    assert (row.display_name, row.name_skeleton, row.is_active) == ("", None, False)
    assert str(row) == "deleted player"
    assert not AuthToken.objects.filter(user=row).exists()
    # The logs stay; the name is free.
    assert row.attempts.get().submissions.count() == 1
    assert Caller().post("players/", {"display_name": "Ada"}).status_code == 201


def test_a_public_profile_tells_name_and_day_and_no_more() -> None:
    ada = Caller("Ada")
    assert set(Caller().get(f"players/{ada.player.pk}/").json()) == {
        "id",
        "display_name",
        "joined_at",
    }
    assert Caller().get(f"players/{uuid4()}/").status_code == 404


def test_staff_without_a_name_of_their_own_are_no_players() -> None:
    staff = Player.objects.create_superuser("boss", "a long password")
    assert Caller().get(f"players/{staff.pk}/").status_code == 404
    # and their login takes no name from a guest
    assert Caller().post("players/", {"display_name": "boss"}).status_code == 201


BAD_CREDENTIALS = {
    "none": "",
    "unknown": "Token " + "0" * 64,
    "no token": "Token",
    "two tokens": "Token a b",
    "not ASCII": "Token é",
    "no UTF-8": "Token \xff\xfe",
    "null": "Token a\0b",
    "long": "Token " + "a" * 5000,
    "another scheme": "Bearer abc",
}


@pytest.mark.parametrize("header", BAD_CREDENTIALS.values(), ids=BAD_CREDENTIALS.keys())
def test_a_missing_or_bad_token_says_so(header: str) -> None:
    answer = Caller().get("players/me/", HTTP_AUTHORIZATION=header)
    assert answer.status_code == 401
    assert error_of(answer)["code"] in {"not_authenticated", "authentication_failed"}
    assert answer["WWW-Authenticate"].startswith("Token")


def test_a_bad_token_is_refused_even_where_no_token_is_needed(today) -> None:
    assert Caller().get("daily/", HTTP_AUTHORIZATION="Token nonsense").status_code == 401


@pytest.mark.parametrize("name", ["admin", "Moderator", "Daily deal", "Ａ Ｄ Ｍ Ｉ Ｎ"])
def test_a_reserved_name_is_refused_when_joining_and_renaming(name: str) -> None:
    ada = Caller("Ada")
    joining = Caller().post("players/", {"display_name": name})
    renaming = ada.patch("players/me/", {"display_name": name})
    for answer in (joining, renaming):
        assert answer.status_code == 400
        error = error_of(answer)
        assert (error["code"], error["attr"]) == ("name_refused", "display_name")
        assert "reserved" in error["detail"]
    assert Player.objects.get().display_name == "Ada"


def test_a_player_who_already_has_a_reserved_name_keeps_it() -> None:
    ada = Caller("Ada")
    Player.objects.update(display_name="Admin", name_skeleton=name_skeleton("Admin"))
    assert ada.get("players/me/").json()["display_name"] == "Admin"
    assert ada.patch("players/me/", {"display_name": "ADMIN"}).status_code == 200
    assert ada.patch("players/me/", {"display_name": "Moderator"}).status_code == 400
    assert ada.put("players/me/password/", {"password": "seven brown owls"}).status_code == 200
    body = {"display_name": "admin", "password": "seven brown owls"}
    assert Caller().post("tokens/", body).status_code == 201
    assert ada.patch("players/me/", {"display_name": "Ada"}).status_code == 200
    assert ada.patch("players/me/", {"display_name": "Admin"}).status_code == 400
