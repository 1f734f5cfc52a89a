"""The commitment: shown early, checked by anyone once salt and code are public."""

import subprocess
from datetime import timedelta

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from games import commitment, services
from games.models import DailyDeal, PoolDeal
from tests.logs import wins_of
from tests.play import NOON, TODAY, Caller, assign, new_player, open_day

WINS = wins_of("eight-off")


def test_the_commitment_is_what_sha256sum_says() -> None:
    """As docs/commitment.md says to check it, without any of our code."""
    salt, code = "ab" * 32, "EO1-C8-AAAAAFA"
    made = commitment.commitment(salt=salt, variant="eight-off", day=TODAY, code=code)
    printed = subprocess.run(
        ["sha256sum"], input=f"{salt}:eight-off:2026-05-04:{code}".encode(), capture_output=True,
        check=True,
    )  # fmt: skip
    assert printed.stdout.decode().split()[0] == made


@pytest.mark.django_db
def test_every_assigned_deal_is_committed_to_with_a_salt_of_its_own(clock) -> None:
    services.roll_over(now=NOON)
    deals = DailyDeal.objects.select_related("pool_deal")
    assert len({deal.salt for deal in deals}) == deals.count() == 60
    for deal in deals:
        assert deal.committed_at == NOON
        assert commitment.is_kept(
            promised=deal.commitment,
            salt=deal.salt,
            variant=deal.variant,
            day=deal.date,
            code=str(deal.pool_deal.code),
        )


@pytest.mark.django_db
def test_the_commitment_is_shown_from_assignment_and_the_salt_when_final(clock) -> None:
    deal = open_day()["eight-off"]
    later = assign("eight-off", TODAY + timedelta(days=5), win=WINS[1])
    path = f"daily/eight-off/{deal.date}/"
    ahead = Caller().get(f"daily/eight-off/{later.date}/").json()
    assert ahead["commitment"] == later.commitment
    for moment, is_told in (
        (NOON, False),
        (deal.closes_at + timedelta(minutes=9), False),
        (deal.submissions_until + settings.SETTLE, True),
    ):
        clock.move_to(moment)
        answer = Caller().get(path).json()
        assert answer["commitment"] == deal.commitment
        assert (answer["salt"] is not None) == is_told
        assert deal.salt not in Caller().get("daily/").content.decode()
    assert commitment.is_kept(
        promised=answer["commitment"],
        salt=answer["salt"],
        variant=answer["variant"],
        day=deal.date,
        code=answer["code"],
    )


@pytest.mark.django_db
def test_a_replaced_deal_gets_a_new_commitment_with_its_time(today) -> None:
    deal = assign("eight-off", TODAY + timedelta(days=5), win=WINS[1])
    PoolDeal.objects.create(
        variant="eight-off",
        number=WINS[2].number,
        winning_movetext=WINS[2].movetext,
        par_moves=WINS[2].moves,
        grade=1,
    )
    replaced = services.schedule_deal(
        variant="eight-off",
        day=deal.date,
        code=WINS[2].code,
        actor=new_player("Olga"),
        reason="Too hard.",
        now=NOON,
    )
    assert replaced.pk == deal.pk
    assert replaced.salt != deal.salt
    assert replaced.commitment != deal.commitment
    assert replaced.committed_at == NOON


@pytest.mark.parametrize(
    "change",
    [
        {"salt": "0" * 64},
        {"variant": "eight-off-4"},
        {"day": TODAY + timedelta(days=1)},
        {"code": "x"},
    ],
    ids=str,
)
def test_a_promise_about_anything_else_is_broken(change: dict) -> None:
    parts = {"salt": "ab" * 32, "variant": "eight-off", "day": TODAY, "code": "EO1-C8-AAAAAFA"}
    promised = commitment.commitment(**parts)
    assert commitment.is_kept(promised=f" {promised.upper()}\n", **parts)
    assert not commitment.is_kept(promised=promised, **{**parts, **change})


# --- manage.py verify-commitment --------------------------------------------------------------


def check(*options: str) -> int:
    try:
        call_command("verify-commitment", "eight-off", "2026-05-04", *options)
    except CommandError as refused:
        return refused.returncode
    return 0


def test_the_command_checks_what_it_is_given() -> None:
    salt, code = "ab" * 32, "EO1-C8-AAAAAFA"
    promised = commitment.commitment(salt=salt, variant="eight-off", day=TODAY, code=code)
    given = ["--commitment", promised, "--salt", salt, "--code"]
    assert check(*given, code) == 0
    assert check(*given, "EO1-C8-AAAAAFB") == 1
    assert check("--commitment", promised) == 3
    assert check(*given, "EO1-C8-AAAAAA1") == 3  # no code: nothing was checked
    assert check("--url", "http://127.0.0.1:9/a b") == 3
    with pytest.raises(CommandError, match="no such variant"):
        call_command("verify-commitment", "../x", "2026-05-04", "--url", "http://127.0.0.1:9")


@pytest.mark.django_db(transaction=True)
def test_the_command_asks_a_service_and_trusts_the_noted_commitment(live_server, clock) -> None:
    deal = open_day()["eight-off"]
    asked = ["--url", live_server.url]
    assert check(*asked) == 3  # still open: the salt is not public
    clock.move_to(deal.submissions_until + settings.SETTLE)
    assert check(*asked) == 0
    assert check(*asked, "--commitment", "0" * 64) == 1
    assert check("--url", "http://127.0.0.1:9") == 3
