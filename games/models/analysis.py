"""Where lost games went wrong."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from games.models.play import Submission


class Analysis(models.Model):
    """Where a lost game went wrong, found by solving positions of its log.

    Counted in actions: after `winnable_after` the deal could still be won, after `lost_after` no
    longer; null while unknown.
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
