"""The facts, as tables.

What one row may hold, and which rows may not stand side by side, named constraints refuse here.
What has to agree across tables, such as the variant of a daily deal and of its pool deal, the
services keep and `manage.py verify_database` checks (docs/adr/0017).
"""

import uuid
from datetime import datetime
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from games import engine

VARIANT_CHOICES = [(variant.slug, variant.name) for variant in engine.VARIANTS.values()]
_VARIANT_SLUGS = list(engine.VARIANTS)


class PlayerManager(BaseUserManager["Player"]):
    """Makes staff accounts; players join through games.services."""

    def create_superuser(
        self, username: str, password: str | None = None, **extra: Any
    ) -> "Player":
        """Return a new account that may do everything in the admin."""
        return self.create_user(
            username=username, password=password, is_staff=True, is_superuser=True, **extra
        )

    def create_user(self, username: str, password: str | None = None, **extra: Any) -> "Player":
        """Return a new account that logs in by name and password."""
        extra.setdefault("display_name", username)
        player = self.model(username=username, **extra)
        player.set_password(password)
        player.save(using=self._db)
        return player


class Player(AbstractBaseUser, PermissionsMixin):
    """Somebody who plays, or who runs the competition.

    A guest has a display name and a token, no username and no password. A staff account has a
    username and need not be a player: without a skeleton it takes no display name from anybody.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    username = models.CharField(
        _("login"), max_length=150, unique=True, null=True, blank=True, default=None
    )
    display_name = models.CharField(_("display name"), max_length=150, blank=True)
    name_skeleton = models.CharField(  # noqa: DJ001 (unique: many may have none)
        max_length=400, unique=True, null=True, editable=False
    )
    is_staff = models.BooleanField(_("may use the admin"), default=False)
    is_active = models.BooleanField(_("active"), default=True)
    joined_at = models.DateTimeField(_("joined at"), auto_now_add=True)
    deleted_at = models.DateTimeField(_("deleted at"), null=True, blank=True, editable=False)

    USERNAME_FIELD = "username"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    objects = PlayerManager()

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        constraints = [
            models.CheckConstraint(
                name="player_deleted_keeps_no_name",
                condition=Q(deleted_at__isnull=True)
                | Q(display_name="", name_skeleton__isnull=True, username__isnull=True),
            ),
            models.CheckConstraint(
                name="player_can_be_told_apart",
                condition=Q(deleted_at__isnull=False)
                | Q(name_skeleton__isnull=False)
                | Q(username__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return self.display_name or str(_("deleted player"))


class KnownAddress(models.Model):
    """An address from which a player was let in, as a keyed hash: games.addresses."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="known_addresses")
    address_hash = models.CharField(max_length=64, editable=False)
    last_let_in_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="known_address_is_known_once", fields=["player", "address_hash"]
            )
        ]

    def __str__(self) -> str:
        return str(self.last_let_in_at)


class PoolDeal(models.Model):
    """A certified deal: one with a line that wins it. Only such a deal can be a daily deal."""

    variant = models.CharField(_("variant"), max_length=20, choices=VARIANT_CHOICES)
    number = models.PositiveIntegerField(_("deal number"))
    winning_movetext = models.TextField(_("winning line"))
    # The fewest moves of any winning line known: those of the line above.
    par_moves = models.PositiveIntegerField(_("par"))
    # How hard it is to win, 1 to 5: games.solver.grade.
    grade = models.PositiveSmallIntegerField(_("grade"))
    added_at = models.DateTimeField(_("added at"), auto_now_add=True)

    class Meta:
        verbose_name = _("pool deal")
        verbose_name_plural = _("pool deals")
        constraints = [
            models.UniqueConstraint(name="pool_deal_is_known_once", fields=["variant", "number"]),
            models.CheckConstraint(
                name="pool_deal_has_known_variant", condition=Q(variant__in=_VARIANT_SLUGS)
            ),
            models.CheckConstraint(
                name="pool_deal_number_in_range",
                condition=Q(number__gte=engine.MIN_NUMBER, number__lte=engine.MAX_NUMBER),
            ),
            models.CheckConstraint(
                name="pool_deal_has_a_winning_line",
                condition=~Q(winning_movetext="") & Q(par_moves__gte=1),
            ),
            models.CheckConstraint(
                name="pool_deal_grade_in_range", condition=Q(grade__gte=1, grade__lte=5)
            ),
        ]

    def __str__(self) -> str:
        return str(self.code)

    @property
    def code(self) -> engine.DealCode:
        return engine.DealCode(variant=engine.VARIANTS[self.variant], number=self.number)


class Certification(models.Model):
    """What a search found about a deal, or that somebody asked for one."""

    class Outcome(models.TextChoices):
        PENDING = "pending", _("pending")
        WINNABLE = "winnable", _("winnable")
        UNWINNABLE = "unwinnable", _("unwinnable")
        UNKNOWN = "unknown", _("unknown")

    variant = models.CharField(_("variant"), max_length=20, choices=VARIANT_CHOICES)
    number = models.PositiveIntegerField(_("deal number"))
    outcome = models.CharField(_("outcome"), max_length=10, choices=Outcome.choices)
    budget = models.PositiveIntegerField(_("budget, in positions"))
    positions = models.PositiveIntegerField(_("positions searched"), default=0)
    requested_at = models.DateTimeField(_("requested at"))
    begun_at = models.DateTimeField(_("begun at"), null=True, blank=True)
    finished_at = models.DateTimeField(_("finished at"), null=True, blank=True)

    class Meta:
        verbose_name = _("certification")
        verbose_name_plural = _("certifications")
        constraints = [
            models.UniqueConstraint(name="certification_one_a_deal", fields=["variant", "number"]),
            models.CheckConstraint(
                name="certification_has_known_variant", condition=Q(variant__in=_VARIANT_SLUGS)
            ),
            models.CheckConstraint(
                name="certification_number_in_range",
                condition=Q(number__gte=engine.MIN_NUMBER, number__lte=engine.MAX_NUMBER),
            ),
            models.CheckConstraint(
                name="certification_has_known_outcome",
                condition=Q(outcome__in=["pending", "winnable", "unwinnable", "unknown"]),
            ),
            models.CheckConstraint(
                name="certification_finished_unless_pending",
                condition=Q(outcome="pending", finished_at__isnull=True)
                | (~Q(outcome="pending") & Q(finished_at__isnull=False)),
            ),
        ]
        indexes = [
            models.Index(
                name="certification_pending",
                fields=["requested_at"],
                condition=Q(outcome="pending"),
            )
        ]

    def __str__(self) -> str:
        return str(self.code)

    @property
    def code(self) -> engine.DealCode:
        return engine.DealCode(variant=engine.VARIANTS[self.variant], number=self.number)


class DailyDeal(models.Model):
    """The deal of one variant for one day, and where it stands between schedule and final.

    The one-to-one link is what keeps a deal from being used twice.
    """

    class Status(models.TextChoices):
        SCHEDULED = "scheduled", _("scheduled")
        OPEN = "open", _("open")
        GRACE = "grace", _("grace")
        FINAL = "final", _("final")
        VOID = "void", _("void")

    variant = models.CharField(_("variant"), max_length=20, choices=VARIANT_CHOICES)
    date = models.DateField(_("date"))
    deal = models.OneToOneField(
        PoolDeal, on_delete=models.PROTECT, related_name="daily_deal", verbose_name=_("deal")
    )
    status = models.CharField(
        _("status"), max_length=10, choices=Status.choices, default=Status.SCHEDULED
    )
    opens_at = models.DateTimeField(_("opens at"))
    closes_at = models.DateTimeField(_("closes at"))
    # docs/commitment.md: the hash is shown from `committed_at` on, the salt when it is final.
    salt = models.CharField(max_length=64, editable=False)
    commitment = models.CharField(_("commitment"), max_length=64, editable=False)
    committed_at = models.DateTimeField(_("committed at"), editable=False)

    class Meta:
        verbose_name = _("daily deal")
        verbose_name_plural = _("daily deals")
        constraints = [
            models.UniqueConstraint(name="daily_deal_one_a_day", fields=["variant", "date"]),
            models.CheckConstraint(
                name="daily_deal_has_known_variant", condition=Q(variant__in=_VARIANT_SLUGS)
            ),
            models.CheckConstraint(
                name="daily_deal_opens_before_it_closes", condition=Q(opens_at__lt=F("closes_at"))
            ),
            models.CheckConstraint(
                name="daily_deal_is_committed_to",
                condition=~Q(salt="") & ~Q(commitment=""),
            ),
            models.CheckConstraint(
                name="daily_deal_has_known_status",
                condition=Q(status__in=["scheduled", "open", "grace", "final", "void"]),
            ),
        ]
        indexes = [
            # What the rollover asks for every minute: the few that are not at their end.
            models.Index(
                name="daily_deal_unfinished",
                fields=["opens_at"],
                condition=Q(status__in=["scheduled", "open", "grace"]),
            ),
            models.Index(name="daily_deal_by_date", fields=["-date", "variant"]),
        ]

    def __str__(self) -> str:
        return f"{self.variant} {self.date.isoformat()}"

    @property
    def submissions_until(self) -> datetime:
        """Return when the grace ends: the last instant at which a log is ranked."""
        return self.closes_at + settings.GRACE

    @property
    def next_step_at(self) -> datetime | None:
        """Return when the stored status is due to change; None at the end of its life."""
        return {
            self.Status.SCHEDULED: self.opens_at,
            self.Status.OPEN: self.closes_at,
            # Nothing is final before the last request of the grace can have been answered.
            self.Status.GRACE: self.submissions_until + settings.SETTLE,
        }.get(self.Status(self.status))

    def is_public_at(self, now: datetime) -> bool:
        """Return whether code, cards, salt and winning line are everybody's (docs/adr/0003)."""
        if self.status == self.Status.VOID:
            return now >= self.submissions_until + settings.SETTLE
        return self.status == self.Status.FINAL

    def status_at(self, now: datetime) -> Status:
        """Return the status by the clock.

        The stored status may lag by a minute, or by as long as no scheduler ran; times decide
        what a player may do. Final and void are decisions, not times: they are as stored.
        """
        stored = self.Status(self.status)
        if stored in (self.Status.VOID, self.Status.FINAL):
            return stored
        if now < self.opens_at:
            return self.Status.SCHEDULED
        if now < self.closes_at:
            return self.Status.OPEN
        return self.Status.GRACE


class Attempt(models.Model):
    """One try of a player at a daily deal: it starts the clock and takes one legal log."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="attempts", verbose_name=_("player")
    )
    daily_deal = models.ForeignKey(
        DailyDeal, on_delete=models.PROTECT, related_name="attempts", verbose_name=_("daily deal")
    )
    number = models.PositiveIntegerField(_("number"))
    started_at = models.DateTimeField(_("started at"))

    class Meta:
        verbose_name = _("attempt")
        verbose_name_plural = _("attempts")
        constraints = [
            models.UniqueConstraint(
                name="attempt_numbered_once", fields=["daily_deal", "player", "number"]
            ),
            models.CheckConstraint(name="attempt_numbered_from_one", condition=Q(number__gte=1)),
        ]

    def __str__(self) -> str:
        return str(self.id)


class Submission(models.Model):
    """A log as it was sent, and the verdict on it. Nothing here is ever overwritten but status.

    The primary key grows with each row: it is the order of acceptance.
    """

    class Status(models.TextChoices):
        ACCEPTED = "accepted", _("accepted")
        REFUSED = "refused", _("refused")
        LATE = "late", _("late")
        VOID = "void", _("void")
        DISQUALIFIED = "disqualified", _("disqualified")

    attempt = models.ForeignKey(
        Attempt, on_delete=models.PROTECT, related_name="submissions", verbose_name=_("attempt")
    )
    received_at = models.DateTimeField(_("received at"))
    movetext = models.TextField(_("log"), blank=True)
    # SHA-256 of the tokens: the same log with other blanks is the same log.
    digest = models.CharField(max_length=64, editable=False)
    claimed = models.JSONField(_("claimed by the client"), null=True, blank=True)
    status = models.CharField(_("status"), max_length=12, choices=Status.choices)
    elapsed_ms = models.BigIntegerField(_("ms since the attempt's start"))
    since_first_start_ms = models.BigIntegerField(_("ms since the first start"))
    rules_version = models.CharField(_("rules version"), max_length=20)
    legal = models.BooleanField(_("legal"))
    won = models.BooleanField(_("won"))
    score = models.IntegerField(_("score"))
    ranked_score = models.IntegerField(_("ranked score"))
    moves = models.PositiveIntegerField(_("moves"))
    undos = models.PositiveIntegerField(_("undos"))
    take_backs = models.PositiveIntegerField(_("take-backs"))
    foundation_cards = models.PositiveIntegerField(_("cards on foundations"))
    actions = models.PositiveIntegerField(_("actions"))
    refused_code = models.CharField(_("refused for"), max_length=60, blank=True)
    refused_index = models.PositiveIntegerField(_("refused action"), null=True, blank=True)
    refused_token = models.PositiveIntegerField(_("refused token"), null=True, blank=True)
    refused_action = models.TextField(_("refused action text"), blank=True)

    class Meta:
        verbose_name = _("submission")
        verbose_name_plural = _("submissions")
        constraints = [
            models.UniqueConstraint(name="submission_stored_once", fields=["attempt", "digest"]),
            models.UniqueConstraint(
                name="submission_one_legal_an_attempt",
                fields=["attempt"],
                condition=Q(legal=True),
            ),
            models.CheckConstraint(
                name="submission_refused_says_why",
                condition=Q(
                    legal=True,
                    refused_code="",
                    refused_index__isnull=True,
                    refused_token__isnull=True,
                )
                | (
                    Q(legal=False, refused_index__isnull=False, refused_token__isnull=False)
                    & ~Q(refused_code="")
                ),
            ),
            models.CheckConstraint(
                name="submission_illegal_is_refused",
                condition=Q(legal=False, status="refused") | (Q(legal=True) & ~Q(status="refused")),
            ),
            models.CheckConstraint(
                name="submission_has_known_status",
                condition=Q(status__in=["accepted", "refused", "late", "void", "disqualified"]),
            ),
            models.CheckConstraint(
                name="submission_times_run_forward",
                condition=Q(elapsed_ms__gte=0, since_first_start_ms__gte=F("elapsed_ms")),
            ),
            models.CheckConstraint(
                name="submission_ranked_score_counts_cards_once",
                condition=Q(ranked_score=F("score") - engine.FOUNDATION_POINTS * F("take_backs")),
            ),
        ]
        indexes = [models.Index(name="submission_by_time", fields=["-received_at"])]

    def __str__(self) -> str:
        return f"#{self.pk}"

    @property
    def shown_status(self) -> Status:
        """Return the status as it is shown: what was accepted of a deal since voided is void.

        The attempt's deal decides: it ranks no one, like what came after it was voided.
        """
        is_voided = self.attempt.daily_deal.status == DailyDeal.Status.VOID
        if is_voided and self.status == self.Status.ACCEPTED:
            return self.Status.VOID
        return self.Status(self.status)

    @property
    def verdict(self) -> engine.Verdict:
        """Return the verdict as the engine gave it, its message in the reader's language."""
        refused = None
        if not self.legal:
            refused = engine.Refusal(
                index=self.refused_index or 0,
                token=self.refused_token or 0,
                action=self.refused_action,
                code=self.refused_code,
            )
        return engine.Verdict(
            code=str(self.attempt.daily_deal.deal.code),
            legal=self.legal,
            won=self.won,
            score=self.score,
            ranked_score=self.ranked_score,
            moves=self.moves,
            undos=self.undos,
            take_backs=self.take_backs,
            foundation_cards=self.foundation_cards,
            actions=self.actions,
            refused=refused,
        )


class Analysis(models.Model):
    """Where a lost game went wrong, found by solving positions of its log.

    Counted in actions: after `winnable_after` the deal could still be won, after `lost_after` no
    longer; null as long as it is not known.
    """

    submission = models.OneToOneField(
        Submission, on_delete=models.PROTECT, related_name="analysis", verbose_name=_("submission")
    )
    requested_at = models.DateTimeField(_("requested at"))
    begun_at = models.DateTimeField(_("begun at"), null=True, blank=True)
    finished_at = models.DateTimeField(_("finished at"), null=True, blank=True)
    winnable_after = models.PositiveIntegerField(null=True, blank=True)
    lost_after = models.PositiveIntegerField(null=True, blank=True)
    positions = models.PositiveIntegerField(_("positions searched"), default=0)

    class Meta:
        verbose_name = _("analysis")
        verbose_name_plural = _("analyses")
        constraints = [
            models.CheckConstraint(
                name="analysis_lost_after_it_was_winnable",
                condition=Q(lost_after__isnull=True) | Q(winnable_after__lt=F("lost_after")),
            ),
        ]
        indexes = [
            models.Index(
                name="analysis_pending",
                fields=["requested_at"],
                condition=Q(finished_at__isnull=True),
            )
        ]

    def __str__(self) -> str:
        return str(self.submission)
