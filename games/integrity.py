"""Facts about related rows that no constraint of the database can hold.

The services keep these facts. `manage.py verify_database` finds rows that something else wrote
(docs/adr/0017).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import Exists, F, Min, Model, OuterRef, Q
from knox.models import get_token_model

from games import commitment, engine
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
from games.names import name_skeleton
from games.services.attempts import digest_of, ms_between

_CHUNK = 500  # rows read at once where each is checked: logs are long


@dataclass(frozen=True, slots=True)
class Fact:
    """A statement that holds for all rows, and the rows for which it does not."""

    text: str
    broken: Iterable[Model]


def facts(*, now: datetime) -> list[Fact]:
    """Return the facts about players, deals and logs. Cost: one query each, on evaluation."""
    return [
        Fact(
            "A daily deal has the variant of its pool deal.",
            DailyDeal.objects.exclude(variant=F("pool_deal__variant")),
        ),
        Fact(
            "A daily deal opens on its date.",
            DailyDeal.objects.exclude(opens_at__date=F("date")),
        ),
        Fact(
            "A final deal has closed.",
            DailyDeal.objects.filter(status=DailyDeal.Status.FINAL, closes_at__gt=now),
        ),
        Fact("A daily deal's commitment is to its own deal, day and salt.", _broken_promises()),
        Fact(
            "An attempt starts while its deal is open.",
            Attempt.objects.filter(
                Q(started_at__lt=F("daily_deal__opens_at"))
                | Q(started_at__gte=F("daily_deal__closes_at"))
            ),
        ),
        Fact(
            "A player's attempts at a deal are numbered from 1 without a gap.",
            Attempt.objects.filter(
                ~Exists(
                    Attempt.objects.filter(
                        daily_deal=OuterRef("daily_deal"),
                        player=OuterRef("player"),
                        number=OuterRef("number") - 1,
                    )
                ),
                number__gt=1,
            ),
        ),
        Fact(
            "No log follows the legal one of its attempt.",
            Submission.objects.filter(
                Exists(
                    Submission.objects.filter(
                        attempt=OuterRef("attempt"), pk__lt=OuterRef("pk"), legal=True
                    )
                )
            ),
        ),
        Fact("A submission has its log.", Submission.objects.filter(log__isnull=True)),
        Fact(
            "A log that counts arrived before the grace of its deal was over.",
            Submission.objects.filter(
                status__in=[Submission.Status.ACCEPTED, Submission.Status.DISQUALIFIED],
                received_at__gt=F("attempt__daily_deal__closes_at") + settings.GRACE,
            ),
        ),
        Fact(
            "A void log is of a void deal.",
            Submission.objects.filter(status=Submission.Status.VOID).exclude(
                attempt__daily_deal__status=DailyDeal.Status.VOID
            ),
        ),
        Fact(
            "An analysis is of a legal log that did not win.",
            Analysis.objects.filter(Q(submission__legal=False) | Q(submission__won=True)),
        ),
        Fact(
            "An analysis counts no more actions than its log has.",
            Analysis.objects.filter(
                Q(winnable_after__gt=F("submission__actions"))
                | Q(lost_after__gt=F("submission__actions"))
            ),
        ),
        Fact(
            "A deal found to be winnable is in the pool.",
            Certification.objects.filter(~_is_in_pool(), outcome=Certification.Outcome.WINNABLE),
        ),
        Fact(
            "A deal proved to be unwinnable is not in the pool.",
            Certification.objects.filter(_is_in_pool(), outcome=Certification.Outcome.UNWINNABLE),
        ),
        Fact(
            "A player who has left cannot come in.",
            Player.objects.filter(
                Q(is_active=True) | Q(is_staff=True) | Q(is_superuser=True),
                deleted_at__isnull=False,
            ),
        ),
        Fact(
            "A player who has left holds no token.",
            get_token_model().objects.filter(user__deleted_at__isnull=False),
        ),
        Fact(
            "A player who has left has no known address.",
            KnownAddress.objects.filter(player__deleted_at__isnull=False),
        ),
        Fact("A player's name is taken under its own skeleton.", _misfiled_names()),
    ]


def replayed_facts() -> list[Fact]:
    """Return the facts that take a replay of every log and of every line of the pool."""
    return [
        Fact("A pool deal's line wins it, in as many moves as its par.", _lines_that_fail()),
        Fact(
            "A log has the verdict, the digest and the times that are worked out from it.",
            _misjudged_logs(),
        ),
    ]


def _is_in_pool() -> Exists:
    return Exists(PoolDeal.objects.filter(variant=OuterRef("variant"), number=OuterRef("number")))


def _broken_promises() -> Iterator[DailyDeal]:
    for deal in DailyDeal.objects.select_related("pool_deal").iterator():
        if not commitment.is_kept(
            promised=deal.commitment,
            salt=deal.salt,
            variant=deal.variant,
            day=deal.date,
            code=str(deal.pool_deal.code),
        ):
            yield deal


def _misfiled_names() -> Iterator[Player]:
    for player in Player.objects.filter(name_skeleton__isnull=False).iterator():
        if player.name_skeleton != name_skeleton(player.display_name):
            yield player


def _lines_that_fail() -> Iterator[PoolDeal]:
    for deal in PoolDeal.objects.iterator(_CHUNK):
        verdict = engine.replay(deal.code, deal.winning_movetext)
        if not (verdict.legal and verdict.won and verdict.moves == deal.par_moves):
            yield deal


def _misjudged_logs() -> Iterator[Submission]:
    """Yield the logs whose stored verdict differs from today's rules.

    Leaves out logs judged by an older version of the rules.
    """
    starts = Attempt.objects.filter(
        daily_deal=OuterRef("attempt__daily_deal"), player=OuterRef("attempt__player")
    )
    first_start = (
        starts.order_by().values("player").annotate(first=Min("started_at")).values("first")
    )
    logs: Any = (
        Submission.objects.filter(rules_version=engine.RULES_VERSION)
        .select_related("log", "attempt__daily_deal__pool_deal")
        .annotate(first_start=first_start)
    )
    for log in logs.iterator(_CHUNK):
        attempt = log.attempt
        expected = (
            engine.replay(attempt.daily_deal.pool_deal.code, log.movetext),
            digest_of(log.movetext),
            ms_between(attempt.started_at, log.received_at),
            ms_between(log.first_start, log.received_at),
        )
        if expected != (log.verdict, log.digest, log.elapsed_ms, log.since_first_start_ms):
            yield log
