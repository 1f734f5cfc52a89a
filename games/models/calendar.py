"""The daily deals."""

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from games.models.choices import VARIANT_CHOICES, VARIANT_SLUGS
from games.models.pool import PoolDeal


class DailyDeal(models.Model):
    """The deal of one variant for one day, and its status from scheduled to final.

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
    pool_deal = models.OneToOneField(
        PoolDeal,
        on_delete=models.PROTECT,
        related_name="daily_deal",
        verbose_name=_("deal"),
        db_column="deal_id",  # named before; the release before can still write
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
        # docs/adr/0012: looking at the calendar is one right, knowing what it holds another.
        permissions = (("see_unplayed_deals", _("Can see deals that are not final yet")),)
        constraints = [
            models.UniqueConstraint(name="daily_deal_one_a_day", fields=["variant", "date"]),
            models.CheckConstraint(
                name="daily_deal_has_known_variant", condition=Q(variant__in=VARIANT_SLUGS)
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
            # The rollover asks every minute for the few that are not final or void.
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
        """Return when the stored status is due to change; None once it is final or void."""
        return {
            self.Status.SCHEDULED: self.opens_at,
            self.Status.OPEN: self.closes_at,
            # Nothing is final before the last request of the grace can have been answered.
            self.Status.GRACE: self.submissions_until + settings.SETTLE,
        }.get(self.Status(self.status))

    def is_public_at(self, now: datetime) -> bool:
        """Return whether code, cards, salt and winning line are public (docs/adr/0003)."""
        if self.status == self.Status.VOID:
            return now >= self.submissions_until + settings.SETTLE
        return self.status == self.Status.FINAL

    def status_at(self, now: datetime) -> Status:
        """Return the status by the clock.

        The stored status may lag by a minute, or by as long as no scheduler ran; times decide
        what a player may do. Final and void are decisions, not times: the stored status counts.
        """
        stored = self.Status(self.status)
        if stored in (self.Status.VOID, self.Status.FINAL):
            return stored
        if now < self.opens_at:
            return self.Status.SCHEDULED
        if now < self.closes_at:
            return self.Status.OPEN
        return self.Status.GRACE
