"""A guest's account: a name, a password, another device, signing out and leaving."""

import re

from playwright.sync_api import Page, expect

from games.models import DailyDeal, Player
from tests.e2e.conftest import Visit
from tests.e2e.service import joined, ranked, shortest_win

PASSWORD = "a horse, a battery"


def test_a_guest_gets_a_name_a_password_and_a_second_device(
    visit: Visit, today: dict[str, DailyDeal]
) -> None:
    visitor = visit()
    visitor.start(today["eight-off"])
    assert re.fullmatch(r"Guest \d{6}", visitor.session()["player"]["display_name"])
    page = visitor.open("/settings/")
    expect(page.locator("#guest-warning")).to_be_visible()
    page.fill("#rename-name", "Grace")
    page.locator("#rename button").click()
    expect(page.locator("#me .me-name")).to_have_text("Grace")
    page.fill("#new-password", "12345678")
    visitor.watch.allow("status of 400")
    page.locator("#password button").click()
    expect(page.locator("#new-password-error, #password .field-error:not(:empty)")).to_be_visible()
    page.fill("#new-password", PASSWORD)
    page.locator("#password button").click()
    expect(page.locator("#guest-warning")).to_be_hidden()
    expect(page.locator("#current-field")).to_be_visible()

    second = visit()
    second.watch.allow("status of 400")
    there = second.open("/settings/")
    sign_in(there, "grace", "not the password")
    expect(there.locator("#sign-in .field-error:not(:empty)")).to_be_visible()
    sign_in(there, "grace", PASSWORD)
    expect(there.locator("#me .me-name")).to_have_text("Grace")
    assert second.session()["player"]["id"] == visitor.session()["player"]["id"]
    assert second.session()["token"] != visitor.session()["token"]


def sign_in(page: Page, name: str, password: str) -> None:
    page.fill("#sign-in-name", name)
    page.fill("#sign-in-password", password)
    page.locator("#sign-in button").click()


def test_a_taken_name_is_reported_at_its_field(visit: Visit) -> None:
    joined("Bea")
    _, session = joined("Ada")
    visitor = visit(kept={"session": session})
    visitor.watch.allow("status of 409")
    page = visitor.open("/settings/")
    page.fill("#rename-name", "bea")
    page.locator("#rename button").click()
    expect(page.locator("#rename .field-error")).not_to_be_empty()
    expect(page.locator("#rename-name")).to_have_attribute("aria-invalid", "true")


def test_signing_out_forgets_the_player_who_may_come_back(visit: Visit) -> None:
    _, session = joined("Ada", password=PASSWORD)
    visitor = visit(kept={"session": session})
    page = visitor.open("/settings/")
    page.locator("#sign-out").click()
    page.get_by_role("dialog").get_by_role("button", name="Sign out").click()
    expect(page.locator("#signed-out")).to_be_visible()
    expect(page.locator("#me .me-name")).to_have_text("Guest")
    sign_in(page, "Ada", PASSWORD)
    expect(page.locator("#signed-in")).to_be_visible()


def test_a_player_who_leaves_is_gone_from_the_boards(
    visit: Visit, today: dict[str, DailyDeal]
) -> None:
    deal = today["eight-off"]
    player, session = joined("Ada")
    ranked(player, deal, shortest_win("eight-off").half)
    visitor = visit(kept={"session": session})
    board = f"/leaderboard/eight-off/{deal.date}/"
    page = visitor.open(board)
    expect(page.locator("#board")).to_contain_text("Ada")
    visitor.open("/settings/")
    page.locator("#leave").click()
    dialog = page.get_by_role("dialog")
    # The choice that changes nothing has the focus.
    expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    dialog.get_by_role("button", name="Delete for good").click()
    expect(page.locator("#signed-out")).to_be_visible()
    visitor.open(board)
    expect(page.locator("main")).not_to_contain_text("Ada")
    assert not Player.objects.filter(pk=player.pk, is_active=True).exists()
