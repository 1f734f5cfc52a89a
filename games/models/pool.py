"""The pool: certified deals, and what was searched to fill it."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games import engine
from games.models.choices import VARIANT_CHOICES, VARIANT_SLUGS


class PoolDeal(models.Model):
    """A certified deal, with a winning line. Only a certified deal can be a daily deal."""

    variant = models.CharField(_("variant"), max_length=20, choices=VARIANT_CHOICES)
    number = models.PositiveIntegerField(_("deal number"))
    winning_movetext = models.TextField(_("winning line"))
    # The fewest moves of any known winning line: those of the line above.
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
                name="pool_deal_has_known_variant", condition=Q(variant__in=VARIANT_SLUGS)
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
    """What a search found about a deal, or the request for a search."""

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
                name="certification_has_known_variant", condition=Q(variant__in=VARIANT_SLUGS)
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
        # Not the code: this is what logs, titles and messages show (docs/adr/0012).
        return f"#{self.pk}"

    @property
    def code(self) -> engine.DealCode:
        return engine.DealCode(variant=engine.VARIANTS[self.variant], number=self.number)
