"""Submissions: their verdicts, their replays, and their status."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games import engine, secrecy, services
from games.admin.pages import (
    ReadOnlyMixin,
    ReasonForm,
    action_page,
    beside,
    bound,
    player_of,
    replay_page,
    row_or_404,
)
from games.models import (
    Submission,
)


def _is_shown(submission: Submission) -> bool:
    return bool(beside(submission, "is_shown"))


@admin.register(Submission)
class SubmissionAdmin(ReadOnlyMixin, admin.ModelAdmin[Submission]):
    """Every submission, with its verdict and its replay."""

    list_display = (
        "id",
        "replay_link",
        "player",
        "daily_deal",
        "status",
        "won",
        "score",
        "moves",
        "time_taken",
        "refused_code",
        "received_at",
    )
    list_filter = (
        "status",
        "won",
        ("attempt__daily_deal__variant", admin.ChoicesFieldListFilter),
        ("attempt__daily_deal__date", admin.DateFieldListFilter),
        "refused_code",
        "rules_version",
    )
    list_select_related = ("attempt__daily_deal", "attempt__player")
    search_fields = ("attempt__player__display_name", "=attempt__id", "=attempt__player__id")
    # The calendar's link to a deal's submissions.
    linked_lookups = ("attempt__daily_deal",)
    search_help_text = _("Search by a player's name or ID, or by an attempt's ID.")
    date_hierarchy = "received_at"
    ordering = ("-id",)
    list_per_page = 50
    show_full_result_count = False
    fieldsets = (
        (None, {"fields": ("attempt", "player", "daily_deal", "status", "received_at")}),
        (
            _("Verdict"),
            {
                "fields": (
                    "legal",
                    "won",
                    "score",
                    "ranked_score",
                    "moves",
                    "undos",
                    "take_backs",
                    "foundation_cards",
                    "actions",
                    "refusal",
                    "rules_version",
                )
            },
        ),
        (_("Time"), {"fields": ("elapsed_ms", "since_first_start_ms")}),
        (_("Log"), {"fields": ("replay_link", "sent_log", "claim")}),
    )
    change_form_template = "admin/games/submission/change_form.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Submission]:
        """Return the logs, each with whether the viewer may see its content."""
        shown = secrecy.shown_to(player_of(request), timezone.now(), "attempt__daily_deal__")
        return super().get_queryset(request).annotate(is_shown=shown)

    @admin.display(description=_("log"))
    def sent_log(self, submission: Submission) -> str:
        """Return the log as it was sent; a winning log is a winning line."""
        return submission.movetext if _is_shown(submission) else secrecy.hidden_text()

    @admin.display(description=_("claimed by the client"))
    def claim(self, submission: Submission) -> str:
        """Return the client's claims about its game."""
        return str(submission.claimed or "–") if _is_shown(submission) else secrecy.hidden_text()

    @admin.display(description=_("player"), ordering="attempt__player__display_name")
    def player(self, submission: Submission) -> SafeString:
        """Return a link to the player who sent it."""
        player = submission.attempt.player
        address = reverse("admin:games_player_change", args=[player.pk])
        return format_html('<a href="{}">{}</a>', address, player)

    @admin.display(description=_("daily deal"), ordering="attempt__daily_deal__date")
    def daily_deal(self, submission: Submission) -> SafeString:
        """Return a link to its daily deal."""
        daily_deal = submission.attempt.daily_deal
        address = reverse("admin:games_dailydeal_change", args=[daily_deal.pk])
        return format_html('<a href="{}">{}</a>', address, daily_deal)

    @admin.display(description=_("seconds"), ordering="since_first_start_ms")
    def time_taken(self, submission: Submission) -> int:
        """Return whole seconds since the player's first start."""
        return submission.since_first_start_ms // 1000

    @admin.display(description=_("reason for refusal"))
    def refusal(self, submission: Submission) -> str:
        """Return the refused action and the reason."""
        if submission.legal:
            return "–"
        if not _is_shown(submission):
            return f"{submission.refused_code} ({secrecy.hidden_text()})"
        return gettext("Action %(index)d, token %(token)d, “%(action)s”: %(text)s (%(code)s)") % {
            "index": submission.refused_index,
            "token": submission.refused_token,
            "action": submission.refused_action,
            "text": gettext(engine.REFUSALS[submission.refused_code]),
            "code": submission.refused_code,
        }

    @admin.display(description=_("replay"))
    def replay_link(self, submission: Submission) -> str:
        """Return a link to the replay page."""
        if not _is_shown(submission):
            return secrecy.hidden_text()
        address = reverse("admin:games_submission_replay", args=[submission.pk])
        return format_html('<a href="{}">{}</a>', address, gettext("step by step"))

    def get_urls(self) -> list[URLPattern]:
        """Return the URLs of submissions, replay and actions first."""
        view = self.admin_site.admin_view
        return [
            path("<int:pk>/replay/", view(self.replay_view), name="games_submission_replay"),
            path(
                "<int:pk>/disqualify/",
                view(self.disqualify_view),
                name="games_submission_disqualify",
            ),
            path(
                "<int:pk>/reinstate/", view(self.reinstate_view), name="games_submission_reinstate"
            ),
            *super().get_urls(),
        ]

    def replay_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show a log step by step."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        submission = row_or_404(self, request, pk)
        attempt = submission.attempt
        if not secrecy.may_see(
            viewer=player_of(request), daily_deal=attempt.daily_deal, now=timezone.now()
        ):
            raise PermissionDenied(secrecy.hidden_text())
        return replay_page(
            request,
            model_admin=self,
            row=submission,
            code=attempt.daily_deal.pool_deal.code,
            movetext=submission.movetext,
            title=gettext("Replay of submission %(id)s") % {"id": submission},
            subtitle=f"{attempt.player} · {submission.get_status_display()}",
        )

    def disqualify_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Ask for a reason, and disqualify a log."""
        submission = row_or_404(self, request, pk)

        def act(fields: dict[str, Any]) -> Model:
            return services.disqualify(
                submission=submission, actor=player_of(request), reason=fields["reason"]
            )

        return action_page(
            request,
            model_admin=self,
            form=bound(ReasonForm, request),
            title=gettext("Disqualify submission %(id)s") % {"id": submission},
            explanation=gettext(
                "The log is kept but no longer ranked; the player's next best log counts instead. "
                "If you reinstate it, the ranks return to what they were."
            ),
            act=act,
        )

    def reinstate_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Ask for a reason, and reinstate a disqualified log."""
        submission = row_or_404(self, request, pk)

        def act(fields: dict[str, Any]) -> Model:
            return services.reinstate(
                submission=submission, actor=player_of(request), reason=fields["reason"]
            )

        return action_page(
            request,
            model_admin=self,
            form=bound(ReasonForm, request),
            title=gettext("Reinstate submission %(id)s") % {"id": submission},
            explanation=gettext("The log is ranked again, and the ranks return to what they were."),
            act=act,
        )
