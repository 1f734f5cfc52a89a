"""The pool of certified deals, and the searches that fill it."""

from typing import Any
from urllib.parse import urlencode

from django import forms
from django.conf import settings
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import BooleanField, Case, Exists, Model, OuterRef, QuerySet, Value, When
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games import secrecy, services, solver, tasks
from games.admin.pages import (
    ReadOnlyMixin,
    ReasonForm,
    action_page,
    beside,
    bound,
    drawn_layout,
    line_link,
    player_of,
    replay_page,
    row_or_404,
)
from games.models import (
    Certification,
    PoolDeal,
)
from games.services import pool as pool_services


class CertifyForm(ReasonForm):
    """The code of a deal to search."""

    code = forms.CharField(
        label=_("Deal code"), max_length=100, help_text=_("For example EO1-C8-AAAAAFA.")
    )
    budget = forms.IntegerField(
        label=_("Budget"),
        min_value=solver.MIN_BUDGET,
        max_value=settings.MAX_ASKED_BUDGET,
        help_text=_("The most positions the search may examine."),
    )
    field_order = ("code", "budget", "reason")


@admin.register(PoolDeal)
class PoolDealAdmin(ReadOnlyMixin, admin.ModelAdmin[PoolDeal]):
    """Certified deals, each with its proof."""

    list_display = ("code_text", "variant", "grade", "par_moves", "used_on", "line", "schedule")
    list_filter = ("variant", "grade", ("daily_deal", admin.EmptyFieldListFilter))
    list_select_related = ("daily_deal",)
    fields = (
        "code_text",
        "variant",
        "number",
        "grade",
        "par_moves",
        "used_on",
        "added_at",
        "cards",
        "line",
        "winning_movetext",
    )
    ordering = ("variant", "number")

    def get_queryset(self, request: HttpRequest) -> QuerySet[PoolDeal]:
        """Return the deals that the viewer may see: for most, those that were played.

        An unused deal is left out as well as a drawn one. If only the drawn were, what is
        missing would tell which they are.
        """
        deals = super().get_queryset(request)
        if secrecy.sees_all(player_of(request)):
            return deals
        return deals.filter(secrecy.public_at(timezone.now(), "daily_deal__"))

    @admin.display(description=_("deal code"), ordering="number")
    def code_text(self, pool_deal: PoolDeal) -> str:
        """Return the deal's code."""
        return str(pool_deal.code)

    @admin.display(description=_("played on"), ordering="daily_deal__date")
    def used_on(self, pool_deal: PoolDeal) -> Any:
        """Return the day of the deal."""
        daily_deal = getattr(pool_deal, "daily_deal", None)
        return daily_deal.date if daily_deal else None

    @admin.display(description=_("cards"))
    def cards(self, pool_deal: PoolDeal) -> SafeString:
        """Return the layout, drawn."""
        return drawn_layout(pool_deal.code)

    @admin.display(description=_("winning line"))
    def line(self, pool_deal: PoolDeal) -> SafeString:
        """Return a link to the line, step by step."""
        return line_link(pool_deal)

    @admin.display(description=_("schedule"))
    def schedule(self, pool_deal: PoolDeal) -> str:
        """Return a link for scheduling an unused deal."""
        if hasattr(pool_deal, "daily_deal"):
            return "–"
        query = urlencode({"variant": pool_deal.variant, "code": str(pool_deal.code)})
        address = f"{reverse('admin:games_dailydeal_schedule')}?{query}"
        return format_html('<a href="{}">{}</a>', address, gettext("choose a day"))

    def get_urls(self) -> list[URLPattern]:
        """Return the URLs of the pool, that of a line first."""
        view = self.admin_site.admin_view
        return [
            path("<int:pk>/replay/", view(self.replay_view), name="games_pooldeal_replay"),
            *super().get_urls(),
        ]

    def replay_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show the winning line step by step."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        pool_deal = row_or_404(self, request, pk)
        return replay_page(
            request,
            model_admin=self,
            row=pool_deal,
            code=pool_deal.code,
            movetext=pool_deal.winning_movetext,
            title=gettext("Winning line of %(code)s") % {"code": pool_deal},
            subtitle=gettext("Par %(par)d, grade %(grade)d")
            % {"par": pool_deal.par_moves, "grade": pool_deal.grade},
        )


def _is_shown(certification: Certification) -> bool:
    return bool(beside(certification, "is_shown"))


@admin.register(Certification)
class CertificationAdmin(ReadOnlyMixin, admin.ModelAdmin[Certification]):
    """Finished and requested searches."""

    list_display = ("code_text", "variant", "outcome", "why", "searched", "finished_at")
    list_filter = ("outcome", "variant")
    ordering = ("-requested_at",)
    show_full_result_count = False
    fields = (
        "code_text",
        "outcome",
        "why",
        "budget",
        "searched",
        "requested_at",
        "finished_at",
        "pool_deal",
        "cards",
    )
    change_list_template = "admin/games/certification/change_list.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Certification]:
        """Return the searches, each with whether the viewer may see its deal.

        One that found a line put a deal into the pool, from where it may be drawn.
        """
        certifications = super().get_queryset(request)
        if secrecy.sees_all(player_of(request)):
            is_shown: Any = Value(value=True, output_field=BooleanField())
        else:
            hidden = secrecy.hidden_pool_deals(timezone.now())
            is_shown = ~Exists(
                hidden.filter(variant=OuterRef("variant"), number=OuterRef("number"))
            )
        return certifications.annotate(is_shown=is_shown).annotate(
            # Ordered by these: the order of a list must not reveal what its cells hide.
            shown_number=Case(When(is_shown=True, then="number")),
            shown_positions=Case(When(is_shown=True, then="positions")),
        )

    @admin.display(description=_("deal code"), ordering="shown_number")
    def code_text(self, certification: Certification) -> str:
        """Return the deal's code."""
        return str(certification.code) if _is_shown(certification) else secrecy.hidden_text()

    @admin.display(description=_("positions searched"), ordering="shown_positions")
    def searched(self, certification: Certification) -> int | str:
        """Return the positions searched; hidden, since repeating a search would reveal the code."""
        return certification.positions if _is_shown(certification) else secrecy.hidden_text()

    @admin.display(description=_("meaning"))
    def why(self, certification: Certification) -> str:
        """Return what the outcome means for the deal."""
        return str(_MEANINGS[Certification.Outcome(certification.outcome)])

    @admin.display(description=_("pool deal"))
    def pool_deal(self, certification: Certification) -> str:
        """Return a link to the deal in the pool, if it is there."""
        if not _is_shown(certification):
            return secrecy.hidden_text()
        found = pool_services.in_pool(certification.code)
        if found is None:
            return "–"
        address = reverse("admin:games_pooldeal_change", args=[found.pk])
        return format_html('<a href="{}">{}</a>', address, found.code)

    @admin.display(description=_("cards"))
    def cards(self, certification: Certification) -> str:
        """Return the layout, drawn."""
        if not _is_shown(certification):
            return secrecy.hidden_text()
        return drawn_layout(certification.code)

    def get_urls(self) -> list[URLPattern]:
        """Return the URLs of certifications, that of requesting one first."""
        view = self.admin_site.admin_view
        return [
            path("certify/", view(self.certify_view), name="games_certification_certify"),
            *super().get_urls(),
        ]

    def certify_view(self, request: HttpRequest) -> HttpResponse:
        """Ask for a code, and request its search."""

        def act(fields: dict[str, Any]) -> Model:
            asked = services.request_certification(
                **fields, actor=player_of(request), now=timezone.now()
            )
            tasks.send_after_commit(tasks.certify_pending)
            return asked

        return action_page(
            request,
            model_admin=self,
            form=bound(
                CertifyForm,
                request,
                budget=min(settings.CERTIFY_BUDGET, settings.MAX_ASKED_BUDGET),
            ),
            title=gettext("Certify a deal"),
            explanation=gettext(
                "The solver looks for a winning line in the background: check again in a few "
                "minutes. A deal that can be won joins the pool, and you can then schedule it."
            ),
            act=act,
        )


_MEANINGS = {
    Certification.Outcome.PENDING: _("Waiting for the solver, or being searched."),
    Certification.Outcome.WINNABLE: _("Proved: the pool holds a winning line."),
    Certification.Outcome.UNWINNABLE: _("Refused: the solver tried everything, and no line wins."),
    Certification.Outcome.UNKNOWN: _(
        "Refused: the budget ran out before the solver found an answer."
    ),
}
