"""The list of results in the admin: the same results, in the same order, as the boards."""

import pytest
from django.test import Client
from django.urls import reverse

from games import services
from games.models import DailyDeal, Player
from tests.logs import wins_of
from tests.play import Caller, assign, new_player, start, submit

pytestmark = pytest.mark.django_db
WINS = wins_of("eight-off")


def test_a_void_day_lists_no_ranked_results() -> None:
    boss = Player.objects.create_superuser("boss", "a long password")
    deal = assign("eight-off", win=WINS[0])
    DailyDeal.objects.filter(pk=deal.pk).update(status=DailyDeal.Status.OPEN)
    deal.refresh_from_db()
    submit(start(new_player("Ada Lovelace"), deal), WINS[0].movetext)
    desk = Client()
    desk.force_login(boss)
    address = reverse("admin:leaderboard_dailyresult_changelist")
    assert "Ada Lovelace" in desk.get(address).content.decode()

    services.void_deal(daily_deal=deal, actor=boss, reason="A wrong deal.")

    assert "Ada Lovelace" not in desk.get(address).content.decode()
    board = Caller().get(f"daily/eight-off/{deal.date}/leaderboard/").json()
    assert board["results"] == []
