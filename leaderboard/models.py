"""The consequences of accepted logs, as tables: all of them can be counted again from `games`."""

from typing import Self

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models import DailyDeal, Player, Submission
from leaderboard.rules import ranking


class DailyResultQuerySet(models.QuerySet["DailyResult"]):
    """What ranks, and in what order: every board, rank and record uses these two methods."""

    def ranked(self) -> Self:
        """Keep the results that rank: a void deal ranks no one, but its rows stay."""
        return self.exclude(daily_deal__status=DailyDeal.Status.VOID)

    def in_board_order(self) -> Self:
        """Put the best first, and equal keys in order of acceptance."""
        return self.order_by("-rank_key", "submission_id")


class DailyResult(models.Model):
    """A player's best accepted log for one daily deal: one whole submission, never a mixture."""

    daily_deal = models.ForeignKey(
        DailyDeal, on_delete=models.PROTECT, related_name="results", verbose_name=_("daily deal")
    )
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="results", verbose_name=_("player")
    )
    submission = models.OneToOneField(
        Submission, on_delete=models.PROTECT, related_name="result", verbose_name=_("submission")
    )
    # ranking.pack of the submission's key: one comparison in SQL for the four of the rule.
    rank_key = models.BigIntegerField()

    objects = DailyResultQuerySet.as_manager()

    class Meta:
        verbose_name = _("daily result")
        verbose_name_plural = _("daily results")
        constraints = [
            models.UniqueConstraint(
                name="daily_result_one_a_player", fields=["daily_deal", "player"]
            ),
            models.CheckConstraint(
                name="daily_result_rank_key_in_range",
                condition=Q(rank_key__gte=0, rank_key__lte=ranking.MAX_PACKED),
            ),
        ]
        indexes = [
            # The board's own order: equal keys are listed by order of acceptance.
            models.Index(
                name="daily_result_board", fields=["daily_deal", "-rank_key", "submission"]
            )
        ]

    def __str__(self) -> str:
        return f"{self.daily_deal}: {self.player}"

    @property
    def key(self) -> ranking.RankKey:
        return ranking.unpack(self.rank_key)
