"""Rules: `verify_database` finds every fact that was broken behind the services' back."""

from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from knox.models import get_token_model

from games import engine, integrity, services
from games.models import (
    Analysis,
    Attempt,
    Certification,
    DailyDeal,
    KnownAddress,
    Player,
    PoolDeal,
    Submission,
)
from leaderboard import integrity as results_integrity
from leaderboard import services as leaderboard
from leaderboard.models import DailyResult
from tests.logs import wins_of
from tests.play import NOON, new_player, start, submit

WIN = wins_of("eight-off")[0]


@pytest.fixture
def played(today: dict[str, DailyDeal]) -> dict[str, DailyDeal]:
    """Return a day that two players have played, one of them twice, and one has left."""
    deal = today["eight-off"]
    for name in ("Ada", "Bruno"):
        player = new_player(name)
        submit(start(player, deal), WIN.half)
        submit(start(player, deal), WIN.movetext, NOON + timedelta(minutes=5))
    attempt = start(new_player("Carla"), deal)
    submit(attempt, "zz")
    submit(attempt, WIN.movetext)
    services.delete_player(player=attempt.player, now=NOON)
    return today


def verify(*options: str) -> list[str]:
    """Return the facts that the command says are broken."""
    out = StringIO()
    with suppress(CommandError):
        call_command("verify_database", *options, stdout=out)
    lines = out.getvalue().splitlines()
    broken = [line.removeprefix("BROKEN: ") for line in lines if line.startswith("BROKEN: ")]
    assert broken or lines[-1].endswith("facts hold.")
    return broken


def result_of(name: str) -> DailyResult:
    return DailyResult.objects.get(player__display_name=name)


def logs_of(name: str) -> list[Submission]:
    return list(Submission.objects.filter(attempt__player__display_name=name).order_by("pk"))


def certify(variant: str, number: int, outcome: str) -> None:
    Certification.objects.create(
        variant=variant,
        number=number,
        outcome=outcome,
        budget=1,
        requested_at=NOON,
        finished_at=None if outcome == "pending" else NOON,
    )


# --- Planted faults ---------------------------------------------------------------------------


def deal_of_another_variant(today: dict[str, DailyDeal]) -> None:
    spare = PoolDeal.objects.create(
        variant="eight-off-4", number=1, winning_movetext="x", par_moves=1, grade=1
    )
    DailyDeal.objects.filter(pk=today["easy-harp"].pk).update(pool_deal=spare)


def deal_of_another_date(today: dict[str, DailyDeal]) -> None:
    deal = today["easy-harp"]
    DailyDeal.objects.filter(pk=deal.pk).update(opens_at=deal.opens_at - timedelta(days=1))


def final_too_early(today: dict[str, DailyDeal]) -> None:
    DailyDeal.objects.filter(pk=today["easy-harp"].pk).update(status="final")


def other_salt(today: dict[str, DailyDeal]) -> None:
    DailyDeal.objects.filter(pk=today["easy-harp"].pk).update(salt="0" * 64)


def attempt_before_opening(today: dict[str, DailyDeal]) -> None:
    opens_at = today["eight-off"].opens_at
    Attempt.objects.filter(pk=result_of("Ada").submission.attempt_id).update(
        started_at=opens_at - timedelta(microseconds=1)
    )


def attempt_at_the_close(today: dict[str, DailyDeal]) -> None:
    deal = today["easy-harp"]
    Attempt.objects.create(
        player=new_player("Dora"), daily_deal=deal, number=1, started_at=deal.closes_at
    )


def attempt_numbered_with_a_gap(today: dict[str, DailyDeal]) -> None:
    Attempt.objects.filter(player__display_name="Ada", number=2).update(number=3)


def log_after_the_legal_one(_today: dict[str, DailyDeal]) -> None:
    Submission.objects.filter(legal=False).update(attempt=logs_of("Ada")[0].attempt)


def accepted_after_the_grace(_today: dict[str, DailyDeal]) -> None:
    Submission.objects.filter(pk=logs_of("Ada")[0].pk).update(
        received_at=NOON.replace(hour=0) + timedelta(days=1, minutes=10, microseconds=1)
    )


def void_log_of_a_deal_that_is_not(_today: dict[str, DailyDeal]) -> None:
    Submission.objects.filter(pk=logs_of("Ada")[0].pk).update(status="void")


def analysis_of_a_win(_today: dict[str, DailyDeal]) -> None:
    Analysis.objects.create(submission=logs_of("Ada")[1], requested_at=NOON)


def analysis_beyond_the_log(_today: dict[str, DailyDeal]) -> None:
    log = logs_of("Ada")[0]
    Analysis.objects.create(
        submission=log, requested_at=NOON, winnable_after=0, lost_after=log.actions + 1
    )


def winnable_and_not_in_the_pool(_today: dict[str, DailyDeal]) -> None:
    certify("eight-off", 1, "winnable")


def unwinnable_and_in_the_pool(_today: dict[str, DailyDeal]) -> None:
    certify("eight-off", WIN.number, "unwinnable")


def left_and_active(_today: dict[str, DailyDeal]) -> None:
    Player.objects.filter(deleted_at__isnull=False).update(is_active=True)


def left_with_a_token(_today: dict[str, DailyDeal]) -> None:
    get_token_model().objects.create(user=Player.objects.get(deleted_at__isnull=False))


def left_with_an_address(_today: dict[str, DailyDeal]) -> None:
    left = Player.objects.get(deleted_at__isnull=False)
    KnownAddress.objects.create(player=left, address_hash="0" * 64, last_let_in_at=NOON)


def name_under_another_skeleton(_today: dict[str, DailyDeal]) -> None:
    Player.objects.filter(display_name="Ada").update(name_skeleton="bruna")


def result_of_another_player(_today: dict[str, DailyDeal]) -> None:
    DailyResult.objects.filter(pk=result_of("Ada").pk).update(player=new_player("Dora"))


def result_of_another_deal(today: dict[str, DailyDeal]) -> None:
    DailyResult.objects.filter(pk=result_of("Ada").pk).update(daily_deal=today["eight-off-4"])


def result_of_a_log_that_is_not_accepted(_today: dict[str, DailyDeal]) -> None:
    Submission.objects.filter(pk=logs_of("Ada")[1].pk).update(status="disqualified")


def result_of_a_player_who_left(_today: dict[str, DailyDeal]) -> None:
    log = Submission.objects.get(attempt__player__deleted_at__isnull=False, legal=True)
    DailyResult.objects.create(
        daily_deal=log.attempt.daily_deal,
        player=log.attempt.player,
        submission=log,
        rank_key=result_of("Ada").rank_key + 5 * 60,
    )


def other_rank_key(_today: dict[str, DailyDeal]) -> None:
    row = result_of("Ada")
    DailyResult.objects.filter(pk=row.pk).update(rank_key=row.rank_key + 1)


def result_of_a_worse_log(_today: dict[str, DailyDeal]) -> None:
    worse, better = logs_of("Ada")
    row = result_of("Ada")
    Submission.objects.filter(pk=better.pk).update(status="disqualified")
    leaderboard.refresh_result(daily_deal_id=row.daily_deal_id, player_id=row.player_id)
    Submission.objects.filter(pk=better.pk).update(status="accepted")
    assert result_of("Ada").submission == worse


def result_that_is_missing(_today: dict[str, DailyDeal]) -> None:
    result_of("Ada").delete()


def pool_line_that_does_not_win(_today: dict[str, DailyDeal]) -> None:
    PoolDeal.objects.filter(variant="eight-off-2").update(winning_movetext="zz")


def pool_line_of_another_par(_today: dict[str, DailyDeal]) -> None:
    PoolDeal.objects.filter(variant="eight-off-2").update(par_moves=1)


def other_score(_today: dict[str, DailyDeal]) -> None:
    Submission.objects.filter(pk=logs_of("Ada")[0].pk).update(foundation_cards=51)


def other_movetext(_today: dict[str, DailyDeal]) -> None:
    Submission.objects.filter(pk=logs_of("Ada")[0].pk).update(digest="0" * 64)


def log_without_its_text(_today: dict[str, DailyDeal]) -> None:
    logs_of("Ada")[0].log.delete()


def other_time(_today: dict[str, DailyDeal]) -> None:
    # Of a log that is not its player's best: the board is as it should be.
    Submission.objects.filter(pk=logs_of("Ada")[0].pk).update(since_first_start_ms=1)


def other_refusal(_today: dict[str, DailyDeal]) -> None:
    Submission.objects.filter(legal=False).update(refused_index=1)


VARIANT = "A daily deal has the variant of its pool deal."
PROMISE = "A daily deal's commitment is to its own deal, day and salt."
OPEN = "An attempt starts while its deal is open."
MISPLACED = "A result is of its log's deal and of its log's player."
BEST = "A result is the best of its player's accepted logs, of equal ones the first."
MISSING = "A player who is still here has a result for each deal with an accepted log."
KEY = "A result's rank key is that of its log."
POOL_LINE = "A pool deal's line wins it, in as many moves as its par."
JUDGED = "A log has the verdict, the digest and the times that are worked out from it."

FAULTS: list[tuple[Callable[[dict[str, DailyDeal]], None], set[str]]] = [
    # Another deal is another promise, too.
    (deal_of_another_variant, {VARIANT, PROMISE}),
    (deal_of_another_date, {"A daily deal opens on its date."}),
    (final_too_early, {"A final deal has closed."}),
    (other_salt, {PROMISE}),
    (attempt_before_opening, {OPEN}),
    (attempt_at_the_close, {OPEN}),
    (
        attempt_numbered_with_a_gap,
        {"A player's attempts at a deal are numbered from 1 without a gap."},
    ),
    (log_after_the_legal_one, {"No log follows the legal one of its attempt."}),
    (log_without_its_text, {"A submission has its log."}),
    (
        accepted_after_the_grace,
        {"A log that counts arrived before the grace of its deal was over."},
    ),
    (void_log_of_a_deal_that_is_not, {"A void log is of a void deal."}),
    (analysis_of_a_win, {"An analysis is of a legal log that did not win."}),
    (analysis_beyond_the_log, {"An analysis counts no more actions than its log has."}),
    (winnable_and_not_in_the_pool, {"A deal found to be winnable is in the pool."}),
    (unwinnable_and_in_the_pool, {"A deal proved to be unwinnable is not in the pool."}),
    (left_and_active, {"A player who has left cannot come in."}),
    (left_with_a_token, {"A player who has left holds no token."}),
    (left_with_an_address, {"A player who has left has no known address."}),
    (name_under_another_skeleton, {"A player's name is taken under its own skeleton."}),
    (result_of_another_player, {MISPLACED, MISSING}),
    (result_of_another_deal, {MISPLACED, MISSING}),
    (result_of_a_log_that_is_not_accepted, {"A result's log is accepted."}),
    (result_of_a_player_who_left, {"A player who has left has no result."}),
    (other_rank_key, {KEY}),
    (result_of_a_worse_log, {BEST}),
    (result_that_is_missing, {MISSING}),
]
FAULTS_OF_LOGS = [
    (pool_line_that_does_not_win, {POOL_LINE}),
    (pool_line_of_another_par, {POOL_LINE}),
    (other_score, {JUDGED}),
    (other_movetext, {JUDGED}),
    (other_time, {JUDGED}),
    (other_refusal, {JUDGED}),
]


@pytest.mark.parametrize(
    ("plant", "broken"), FAULTS, ids=[plant.__name__ for plant, _broken in FAULTS]
)
def test_each_broken_fact_is_found(
    played: dict[str, DailyDeal],
    plant: Callable[[dict[str, DailyDeal]], None],
    broken: set[str],
) -> None:
    assert verify("--replay") == []
    plant(played)
    assert set(verify()) == broken


@pytest.mark.parametrize(
    ("plant", "broken"), FAULTS_OF_LOGS, ids=[plant.__name__ for plant, _broken in FAULTS_OF_LOGS]
)
def test_a_replay_finds_logs_that_break_the_rules(
    played: dict[str, DailyDeal],
    plant: Callable[[dict[str, DailyDeal]], None],
    broken: set[str],
) -> None:
    plant(played)
    assert verify() == []
    assert set(verify("--replay")) == broken


@pytest.mark.django_db
def test_each_fact_has_a_fault_that_breaks_it() -> None:
    facts = [*integrity.facts(now=NOON), *results_integrity.facts(), *integrity.replayed_facts()]
    broken = [broken for _plant, broken in [*FAULTS, *FAULTS_OF_LOGS]]
    assert {fact.text for fact in facts} == set().union(*broken)


def test_the_rows_that_break_a_fact_are_listed(played: dict[str, DailyDeal]) -> None:
    row = result_of("Ada")
    other_rank_key(played)
    out = StringIO()
    with pytest.raises(CommandError, match=r"1 of \d+ facts do not hold") as refused:
        call_command("verify_database", stdout=out)
    assert refused.value.returncode == 1
    assert f"leaderboard.DailyResult {row.pk}: {row}" in out.getvalue()


def test_of_many_rows_only_the_first_are_listed(played: dict[str, DailyDeal]) -> None:
    for number in range(1, 13):
        certify("eight-off", number, "winnable")
    out = StringIO()
    with pytest.raises(CommandError):
        call_command("verify_database", stdout=out)
    listed = [line for line in out.getvalue().splitlines() if "games.Certification" in line]
    assert len(listed) == 10
    assert "12 rows in all" in out.getvalue()


@pytest.mark.parametrize(
    "plant",
    [
        result_of_another_player,
        result_of_another_deal,
        result_of_a_log_that_is_not_accepted,
        result_of_a_player_who_left,
        other_rank_key,
        result_of_a_worse_log,
        result_that_is_missing,
    ],
)
def test_rebuild_results_puts_every_result_right(
    played: dict[str, DailyDeal], plant: Callable[[dict[str, DailyDeal]], None]
) -> None:
    plant(played)
    call_command("rebuild_results")
    assert verify() == []


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("variant", "number"),
    [("eight-off", 0), ("eight-off", 99_999_999), ("eight-off", 1_000_000), ("whist", 5)],
)
def test_a_certification_of_no_deal_is_refused(variant: str, number: int) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        certify(variant, number, "pending")


@pytest.mark.django_db
@pytest.mark.parametrize("number", [engine.MIN_NUMBER, engine.MAX_NUMBER])
def test_a_certification_of_the_last_deal_is_stored(number: int) -> None:
    certify("eight-off", number, "pending")
