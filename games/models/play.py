"""Attempts at a daily deal, and the logs that were sent."""

import uuid

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from games import engine
from games.models.calendar import DailyDeal
from games.models.players import Player


class Attempt(models.Model):
    """One attempt of a player at a daily deal: it starts the clock and takes one legal log."""

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
    """The verdict on a log that was sent. Only the status ever changes.

    The primary key grows with each row, so it is the order of acceptance. The text of the log is a
    row of its own: see SubmissionLog.
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
    # SHA-256 of the tokens: the same log with other white space is the same log.
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
    def movetext(self) -> str:
        """Return the log as it was sent. Cost: one query, unless `log` was selected with it."""
        return self.log.movetext

    @property
    def shown_status(self) -> Status:
        """Return the status as shown: a log accepted for a deal that was voided later is void.

        The attempt's deal decides: it ranks no one, like a log sent after it was voided.
        """
        is_voided = self.attempt.daily_deal.status == DailyDeal.Status.VOID
        if is_voided and self.status == self.Status.ACCEPTED:
            return self.Status.VOID
        return self.Status(self.status)

    @property
    def verdict(self) -> engine.Verdict:
        """Return the engine's verdict, with its message in the reader's language."""
        refused = None
        if not self.legal:
            refused = engine.Refusal(
                index=self.refused_index or 0,
                token=self.refused_token or 0,
                action=self.refused_action,
                code=self.refused_code,
            )
        return engine.Verdict(
            code=str(self.attempt.daily_deal.pool_deal.code),
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


class SubmissionLog(models.Model):
    """The text of a log as it was sent: written once, and read only where a log is shown or played.

    It goes when its submission goes; the database sees to it (docs/adr/0014).
    """

    submission = models.OneToOneField(
        Submission,
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="log",
        verbose_name=_("submission"),
    )
    movetext = models.TextField(_("log"), blank=True)

    class Meta:
        verbose_name = _("log of a submission")
        verbose_name_plural = _("logs of submissions")

    def __str__(self) -> str:
        return f"#{self.pk}"
