"""The boards in the admin."""

from django.contrib import admin
from django.db.models import OuterRef, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from games.admin.pages import ReadOnlyMixin, beside
from leaderboard.boards import count_on_board
from leaderboard.models import DailyResult


@admin.register(DailyResult)
class DailyResultAdmin(ReadOnlyMixin, admin.ModelAdmin[DailyResult]):
    """Every player's best log of each deal, in board order."""

    list_display = ("daily_deal", "rank", "player", "won", "ranked_score", "moves", "seconds")
    list_filter = ("daily_deal__variant", "daily_deal__date")
    list_select_related = ("daily_deal", "player", "submission")
    search_fields = ("player__display_name", "=player__id")
    date_hierarchy = "daily_deal__date"
    ordering = ("-daily_deal__date", "daily_deal__variant", "-rank_key", "submission_id")
    fields = ("daily_deal", "rank", "player", "submission", "won", "ranked_score", "moves")

    def get_queryset(self, request: HttpRequest) -> QuerySet[DailyResult]:
        """Return the ranked results, with how many on their board are strictly better."""
        better = count_on_board(rank_key__gt=OuterRef("rank_key"))
        return DailyResult.objects.ranked().annotate(better=better)

    @admin.display(description=_("rank"))
    def rank(self, result: DailyResult) -> int:
        """Return the rank on the board of its deal."""
        return int(beside(result, "better")) + 1

    @admin.display(description=_("won"), boolean=True)
    def won(self, result: DailyResult) -> bool:
        """Return whether the game was won."""
        return result.key.won

    @admin.display(description=_("ranked score"))
    def ranked_score(self, result: DailyResult) -> int:
        """Return the score that ranks."""
        return result.key.ranked_score

    @admin.display(description=_("moves"))
    def moves(self, result: DailyResult) -> int:
        """Return the moves."""
        return result.key.moves

    @admin.display(description=_("seconds"))
    def seconds(self, result: DailyResult) -> int:
        """Return the whole seconds since the player's first start."""
        return result.key.seconds
