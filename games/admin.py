"""The desk of a person who runs the competition: the calendar, submissions, players.

What must not change has no form. What may is an action with a reason, done by a service and kept
in Django's own admin log, which the History of each row shows.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.admin.models import LogEntry
from django.contrib.admin.views.main import ERROR_FLAG
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied
from django.db import DataError
from django.db.models import Count, Model, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from knox.models import AuthToken

from games import engine, services, solver, tasks
from games.errors import ServiceError
from games.models import (
    VARIANT_CHOICES,
    Certification,
    DailyDeal,
    Player,
    PoolDeal,
    Submission,
)
from games.services import pool as pool_services
from games.tables import table_of_layout, table_of_snapshot

admin.site.site_header = _("Daily deal")
admin.site.site_title = _("Daily deal")
admin.site.index_title = _("Running the competition")
admin.site.unregister(Group)
# A token cannot be read back, and nobody at this desk has a use for its hash.
admin.site.unregister(AuthToken)


class AnyLookupMixin:
    """Answers a list's address with any filter: what no column can hold finds nothing."""

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the list, or lead back to it without a filter that the database cannot take."""
        try:
            return super().changelist_view(request, extra_context)  # type: ignore[misc, no-any-return]
        except (OverflowError, ValueError, DataError):
            return HttpResponseRedirect(f"{request.path}?{ERROR_FLAG}=1")


class ReadOnlyMixin(AnyLookupMixin):
    """No adding, changing or deleting through forms: rows are looked at."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse: services make these rows."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Refuse: what happened stays as it happened."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Refuse: nothing accepted is ever lost."""
        return False


class ReasonForm(forms.Form):
    """What every action on a deal or a result asks for."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Kept with the action, for whoever asks later."),
    )


class ScheduleForm(ReasonForm):
    """A deal for a day, by its code."""

    variant = forms.ChoiceField(label=_("Variant"), choices=VARIANT_CHOICES)
    day = forms.DateField(label=_("Date"), widget=forms.DateInput(attrs={"type": "date"}))
    code = forms.CharField(
        label=_("Deal code"), max_length=100, help_text=_("For example EO1-C8-AAAAAFA.")
    )
    field_order = ("variant", "day", "code", "reason")


class PlanForm(ReasonForm):
    """Days in a row, and how hard the deal of each is to be."""

    variant = forms.ChoiceField(label=_("Variant"), choices=VARIANT_CHOICES)
    first_day = forms.DateField(
        label=_("First day"), widget=forms.DateInput(attrs={"type": "date"})
    )
    grades = forms.RegexField(
        label=_("Grades"),
        regex=r"^\s*[1-5](\s+[1-5]){0,13}\s*$",
        help_text=_("From 1 (easy) to 5 (hard), one for each day, at most 14."),
    )
    field_order = ("variant", "first_day", "grades", "reason")

    def clean_grades(self) -> list[int]:
        """Return the grades as numbers."""
        return [int(grade) for grade in self.cleaned_data["grades"].split()]


class ExtendForm(ReasonForm):
    """How much longer a deal stays open."""

    hours = forms.IntegerField(
        label=_("Hours"), min_value=1, max_value=settings.MOST_EXTENDED_HOURS
    )
    field_order = ("hours", "reason")


class CertifyForm(ReasonForm):
    """A deal to be searched, by its code."""

    code = forms.CharField(
        label=_("Deal code"), max_length=100, help_text=_("For example EO1-C8-AAAAAFA.")
    )
    budget = forms.IntegerField(
        label=_("Budget"),
        min_value=solver.MIN_BUDGET,
        max_value=settings.MAX_ASKED_BUDGET,
        help_text=_("How many positions the search may look at."),
    )
    field_order = ("code", "budget", "reason")


def _line_link(pool_deal: PoolDeal) -> SafeString:
    address = reverse("admin:games_pooldeal_replay", args=[pool_deal.pk])
    return format_html('<a href="{}">{}</a>', address, gettext("step by step"))


def _drawn_layout(code: engine.DealCode) -> SafeString:
    table = table_of_layout(engine.deal(code))
    return mark_safe(render_to_string("admin/games/table.html", {"table": table}))  # noqa: S308


def _replay_page(
    request: HttpRequest,
    *,
    model_admin: "admin.ModelAdmin[Any]",
    row: Model,
    code: engine.DealCode,
    movetext: str,
    title: str,
    subtitle: str,
) -> HttpResponse:
    """Show a log step by step, with the table after the step that `?step=` names."""
    asked = request.GET.get("step", "0")
    number = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 7 else 0
    shown = None
    steps: list[dict[str, Any]] = []
    # A step has the whole table: of up to 20 000 only the one that is shown is kept.
    for step in engine.steps(code, movetext, joined=True):
        if len(steps) < number:
            shown = step
        names = ("action", "cards", "points", "refusal")
        steps.append({name: getattr(step, name) for name in names})
    number = min(number, len(steps))
    context = {
        **admin.site.each_context(request),
        "opts": model_admin.opts,
        "title": title,
        "subtitle": subtitle,
        "row": row,
        "row_url": reverse(f"admin:games_{model_admin.opts.model_name}_change", args=[row.pk]),
        "steps": steps,
        "number": number,
        "shown": shown,
        "refusal": gettext(shown.refusal.message) if shown and shown.refusal else "",
        "table": table_of_snapshot(shown.position) if shown else table_of_layout(engine.deal(code)),
        "previous": max(number - 1, 0),
        "next": min(number + 1, len(steps)),
    }
    return TemplateResponse(request, "admin/games/replay.html", context)


def _action_page(
    request: HttpRequest,
    *,
    model_admin: "admin.ModelAdmin[Any]",
    form: forms.Form,
    title: str,
    explanation: str,
    act: Callable[[dict[str, Any]], Model],
) -> HttpResponse:
    """Show a form, and do `act` with what it was filled with.

    `act` calls one service and returns the row that it changed. A refusal is shown at the form.
    """
    if not request.user.has_perm(_permission(model_admin)):
        raise PermissionDenied
    if request.method == "POST" and form.is_valid():
        try:
            changed = act(form.cleaned_data)
        except ServiceError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, gettext("Done: %(what)s") % {"what": changed})
            name = f"admin:games_{model_admin.opts.model_name}_change"
            return HttpResponseRedirect(reverse(name, args=[changed.pk]))
    context = {
        **admin.site.each_context(request),
        "opts": model_admin.opts,
        "title": title,
        "explanation": explanation,
        "form": form,
    }
    return TemplateResponse(request, "admin/games/action.html", context)


def _permission(model_admin: "admin.ModelAdmin[Any]") -> str:
    return f"games.change_{model_admin.opts.model_name}"


def _bound(form: type[forms.Form], request: HttpRequest, **initial: Any) -> forms.Form:
    return form(request.POST if request.method == "POST" else None, initial=initial)


def _player_of(request: HttpRequest) -> Player:
    if not isinstance(request.user, Player):
        raise PermissionDenied
    return request.user


class WhenFilter(admin.SimpleListFilter):
    """Today and what is ahead, unless the past is asked for: the calendar opens at today."""

    title = _("when")
    parameter_name = "when"

    def lookups(self, _request: HttpRequest, _model_admin: Any) -> list[tuple[str, Any]]:
        """Return the choices beside the default."""
        return [("past", _("past")), ("all", _("all days"))]

    def choices(self, changelist: Any) -> Iterator[Any]:
        """Yield the choices, the default named for what it shows."""
        for at, choice in enumerate(super().choices(changelist)):
            yield {**choice, "display": _("today and ahead")} if at == 0 else dict(choice)

    def queryset(self, _request: HttpRequest, deals: QuerySet[DailyDeal]) -> QuerySet[DailyDeal]:
        """Return the deals of the choice."""
        today = timezone.now().date()
        if self.value() == "all":
            return deals
        if self.value() == "past":
            return deals.filter(date__lt=today)
        return deals.filter(date__gte=today)


@admin.register(DailyDeal)
class DailyDealAdmin(ReadOnlyMixin, admin.ModelAdmin[DailyDeal]):
    """The deal calendar."""

    list_display = ("date", "variant", "status_now", "code", "grade", "par", "entrants", "winners")
    list_display_links = ("date", "variant")
    list_filter = (WhenFilter, "variant", "status")
    list_per_page = 60
    fields = (
        "variant",
        "date",
        "status_now",
        "opens_at",
        "closes_at",
        "submissions_until",
        "code",
        "grade",
        "par",
        "entrants",
        "winners",
        "cards",
        "winning_line",
        "commitment",
        "committed_at",
        "public_salt",
    )
    change_list_template = "admin/games/dailydeal/change_list.html"
    change_form_template = "admin/games/dailydeal/change_form.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[DailyDeal]:
        """Return the deals with how many started and how many won each."""
        started = Q(attempts__player__deleted_at__isnull=True)
        won = Q(
            attempts__submissions__status=Submission.Status.ACCEPTED,
            attempts__submissions__won=True,
        )
        return (
            super()
            .get_queryset(request)
            .select_related("deal")
            .annotate(
                entrants=Count("attempts__player", distinct=True, filter=started),
                winners=Count("attempts__player", distinct=True, filter=started & won),
            )
        )

    def get_ordering(self, request: HttpRequest) -> tuple[str, ...]:
        """Return the order: the next day first, and of the past the latest."""
        looks_back = request.GET.get("when") in ("past", "all")
        return ("-date", "variant") if looks_back else ("date", "variant")

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the calendar, and how long the pool of each variant lasts."""
        pool = [
            {"name": gettext(engine.VARIANTS[slug].name), "unused": unused}
            for slug, unused in pool_services.unused_counts().items()
        ]
        context = {"pool": pool, "alarm_at": settings.POOL_ALARM, **(extra_context or {})}
        return super().changelist_view(request, context)

    @admin.display(description=_("status"), ordering="status")
    def status_now(self, daily_deal: DailyDeal) -> str:
        """Return the status by the clock."""
        return str(daily_deal.status_at(timezone.now()).label)

    @admin.display(description=_("deal code"))
    def code(self, daily_deal: DailyDeal) -> str:
        """Return the deal's code."""
        return str(daily_deal.deal.code)

    @admin.display(description=_("grade"), ordering="deal__grade")
    def grade(self, daily_deal: DailyDeal) -> int:
        """Return how hard the deal is, 1 to 5."""
        return daily_deal.deal.grade

    @admin.display(description=_("par"), ordering="deal__par_moves")
    def par(self, daily_deal: DailyDeal) -> int:
        """Return the fewest moves of any winning line known."""
        return daily_deal.deal.par_moves

    @admin.display(description=_("entrants"), ordering="entrants")
    def entrants(self, daily_deal: DailyDeal) -> int:
        """Return how many players started it."""
        count: int = daily_deal.entrants  # type: ignore[attr-defined] # annotated above
        return count

    @admin.display(description=_("winners"), ordering="winners")
    def winners(self, daily_deal: DailyDeal) -> int:
        """Return how many players won it."""
        count: int = daily_deal.winners  # type: ignore[attr-defined] # annotated above
        return count

    @admin.display(description=_("cards"))
    def cards(self, daily_deal: DailyDeal) -> SafeString:
        """Return the layout, drawn."""
        return _drawn_layout(daily_deal.deal.code)

    @admin.display(description=_("winning line"))
    def winning_line(self, daily_deal: DailyDeal) -> SafeString:
        """Return the way to the line that proves the deal."""
        return _line_link(daily_deal.deal)

    @admin.display(description=_("salt"))
    def public_salt(self, daily_deal: DailyDeal) -> str:
        """Return the salt when everybody may have it: with it a leak could be proved."""
        return daily_deal.salt if daily_deal.is_public_at(timezone.now()) else "–"

    @admin.display(description=_("logs are ranked until"))
    def submissions_until(self, daily_deal: DailyDeal) -> str:
        """Return the end of the grace."""
        return date_format(daily_deal.submissions_until, "DATETIME_FORMAT")

    def get_urls(self) -> list[URLPattern]:
        """Return the pages of the calendar, those of the actions first."""
        view = self.admin_site.admin_view
        return [
            path("schedule/", view(self.schedule_view), name="games_dailydeal_schedule"),
            path("plan/", view(self.plan_view), name="games_dailydeal_plan"),
            path("<int:pk>/extend/", view(self.extend_view), name="games_dailydeal_extend"),
            path("<int:pk>/void/", view(self.void_view), name="games_dailydeal_void"),
            *super().get_urls(),
        ]

    def schedule_view(self, request: HttpRequest) -> HttpResponse:
        """Ask for a day and a code, and make it the deal of that day."""

        def act(wish: dict[str, Any]) -> Model:
            return services.schedule_deal(**wish, actor=_player_of(request), now=timezone.now())

        names = ("variant", "day", "code")
        asked = {name: request.GET[name] for name in names if name in request.GET}
        return _action_page(
            request,
            model_admin=self,
            form=_bound(ScheduleForm, request, **asked),
            title=gettext("Schedule a deal"),
            explanation=gettext(
                "The code becomes the deal of a day that has not begun, in place of the one "
                "that was drawn for it. A deal is played once and never again."
            ),
            act=act,
        )

    def plan_view(self, request: HttpRequest) -> HttpResponse:
        """Ask for a first day and grades, and give the days deals of those grades."""

        def act(wish: dict[str, Any]) -> Model:
            planned = services.plan_days(**wish, actor=_player_of(request), now=timezone.now())
            return planned[0]

        return _action_page(
            request,
            model_admin=self,
            form=_bound(PlanForm, request, grades="1 1 2 3 3 4 5"),
            title=gettext("Plan days by difficulty"),
            explanation=gettext(
                "Days in a row get unused deals of these grades, drawn at random, in place of "
                "those that were drawn for them: a week from easy to hard, for example."
            ),
            act=act,
        )

    def extend_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Ask for hours and a reason, and let the deal stay open longer."""
        daily_deal = self.get_object(request, str(pk))
        if daily_deal is None:
            raise Http404

        def act(wish: dict[str, Any]) -> Model:
            return services.extend_deal(
                daily_deal=daily_deal, **wish, actor=_player_of(request), now=timezone.now()
            )

        return _action_page(
            request,
            model_admin=self,
            form=_bound(ExtendForm, request, hours=1),
            title=gettext("Extend %(deal)s") % {"deal": daily_deal},
            explanation=gettext(
                "The deal closes later, for everybody: after an outage, for example. The deal "
                "of the next day opens all the same."
            ),
            act=act,
        )

    def void_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Ask for a reason and take the deal out of the competition."""
        daily_deal = self.get_object(request, str(pk))
        if daily_deal is None:
            raise Http404

        def act(wish: dict[str, Any]) -> Model:
            return services.void_deal(
                daily_deal=daily_deal, actor=_player_of(request), reason=wish["reason"]
            )

        return _action_page(
            request,
            model_admin=self,
            form=_bound(ReasonForm, request),
            title=gettext("Void %(deal)s") % {"deal": daily_deal},
            explanation=gettext(
                "A void deal ranks nobody and takes no further attempts. Its logs are kept. "
                "This cannot be undone."
            ),
            act=act,
        )


@admin.register(PoolDeal)
class PoolDealAdmin(ReadOnlyMixin, admin.ModelAdmin[PoolDeal]):
    """The deals in store, each with its proof."""

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

    @admin.display(description=_("deal code"), ordering="number")
    def code_text(self, pool_deal: PoolDeal) -> str:
        """Return the deal's code."""
        return str(pool_deal.code)

    @admin.display(description=_("used on"), ordering="daily_deal__date")
    def used_on(self, pool_deal: PoolDeal) -> Any:
        """Return the day it was or will be played."""
        daily_deal = getattr(pool_deal, "daily_deal", None)
        return daily_deal.date if daily_deal else None

    @admin.display(description=_("cards"))
    def cards(self, pool_deal: PoolDeal) -> SafeString:
        """Return the layout, drawn."""
        return _drawn_layout(pool_deal.code)

    @admin.display(description=_("winning line"))
    def line(self, pool_deal: PoolDeal) -> SafeString:
        """Return the way to the line, step by step."""
        return _line_link(pool_deal)

    @admin.display(description=_("schedule"))
    def schedule(self, pool_deal: PoolDeal) -> str:
        """Return the way to scheduling an unused deal."""
        if hasattr(pool_deal, "daily_deal"):
            return "–"
        query = urlencode({"variant": pool_deal.variant, "code": str(pool_deal.code)})
        address = f"{reverse('admin:games_dailydeal_schedule')}?{query}"
        return format_html('<a href="{}">{}</a>', address, gettext("choose a day"))

    def get_urls(self) -> list[URLPattern]:
        """Return the pages of the pool, that of a line first."""
        view = self.admin_site.admin_view
        return [
            path("<int:pk>/replay/", view(self.replay_view), name="games_pooldeal_replay"),
            *super().get_urls(),
        ]

    def replay_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show the winning line step by step."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        pool_deal = self.get_object(request, str(pk))
        if pool_deal is None:
            raise Http404
        return _replay_page(
            request,
            model_admin=self,
            row=pool_deal,
            code=pool_deal.code,
            movetext=pool_deal.winning_movetext,
            title=gettext("Winning line of %(code)s") % {"code": pool_deal},
            subtitle=gettext("Par %(par)d, grade %(grade)d")
            % {"par": pool_deal.par_moves, "grade": pool_deal.grade},
        )


@admin.register(Certification)
class CertificationAdmin(ReadOnlyMixin, admin.ModelAdmin[Certification]):
    """What was searched, and what is to be."""

    list_display = ("code_text", "variant", "outcome", "why", "positions", "finished_at")
    list_filter = ("outcome", "variant")
    ordering = ("-requested_at",)
    show_full_result_count = False
    fields = (
        "code_text",
        "outcome",
        "why",
        "budget",
        "positions",
        "requested_at",
        "finished_at",
        "pool_deal",
        "cards",
    )
    change_list_template = "admin/games/certification/change_list.html"

    @admin.display(description=_("deal code"), ordering="number")
    def code_text(self, certification: Certification) -> str:
        """Return the deal's code."""
        return str(certification.code)

    @admin.display(description=_("meaning"))
    def why(self, certification: Certification) -> str:
        """Return what the outcome means for the deal."""
        return str(_MEANINGS[Certification.Outcome(certification.outcome)])

    @admin.display(description=_("pool deal"))
    def pool_deal(self, certification: Certification) -> str:
        """Return the way to the deal in the pool, if it is there."""
        found = PoolDeal.objects.filter(
            variant=certification.variant, number=certification.number
        ).first()
        if found is None:
            return "–"
        address = reverse("admin:games_pooldeal_change", args=[found.pk])
        return format_html('<a href="{}">{}</a>', address, found)

    @admin.display(description=_("cards"))
    def cards(self, certification: Certification) -> SafeString:
        """Return the layout, drawn."""
        return _drawn_layout(certification.code)

    def get_urls(self) -> list[URLPattern]:
        """Return the pages of certifications, that of asking for one first."""
        view = self.admin_site.admin_view
        return [
            path("certify/", view(self.certify_view), name="games_certification_certify"),
            *super().get_urls(),
        ]

    def certify_view(self, request: HttpRequest) -> HttpResponse:
        """Ask for a code and have it searched."""

        def act(wish: dict[str, Any]) -> Model:
            asked = services.request_certification(
                **wish, actor=_player_of(request), now=timezone.now()
            )
            tasks.send_after_commit(tasks.certify_pending)
            return asked

        return _action_page(
            request,
            model_admin=self,
            form=_bound(
                CertifyForm,
                request,
                budget=min(settings.CERTIFY_BUDGET, settings.MAX_ASKED_BUDGET),
            ),
            title=gettext("Certify a deal"),
            explanation=gettext(
                "The solver looks for a line that wins the deal. It works in the background: "
                "look again in some minutes. A deal that can be won comes into the pool, and can "
                "then be scheduled."
            ),
            act=act,
        )


_MEANINGS = {
    Certification.Outcome.PENDING: _("Waits for the solver, or is being searched."),
    Certification.Outcome.WINNABLE: _("Proved: a line that wins is in the pool."),
    Certification.Outcome.UNWINNABLE: _(
        "Refused: the whole space was searched, nobody can win it."
    ),
    Certification.Outcome.UNKNOWN: _("Refused: the budget was spent before an answer was found."),
}


@admin.register(Submission)
class SubmissionAdmin(ReadOnlyMixin, admin.ModelAdmin[Submission]):
    """Every log that was sent, with its verdict and its replay."""

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
    search_help_text = _("A player's name or id, or an attempt's id.")
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
        (_("Log"), {"fields": ("replay_link", "movetext", "claimed")}),
    )
    change_form_template = "admin/games/submission/change_form.html"

    @admin.display(description=_("player"), ordering="attempt__player__display_name")
    def player(self, submission: Submission) -> SafeString:
        """Return who sent it."""
        player = submission.attempt.player
        address = reverse("admin:games_player_change", args=[player.pk])
        return format_html('<a href="{}">{}</a>', address, player)

    @admin.display(description=_("daily deal"), ordering="attempt__daily_deal__date")
    def daily_deal(self, submission: Submission) -> SafeString:
        """Return the deal that it is a log of."""
        daily_deal = submission.attempt.daily_deal
        address = reverse("admin:games_dailydeal_change", args=[daily_deal.pk])
        return format_html('<a href="{}">{}</a>', address, daily_deal)

    @admin.display(description=_("seconds"), ordering="since_first_start_ms")
    def time_taken(self, submission: Submission) -> int:
        """Return whole seconds since the player's first start."""
        return submission.since_first_start_ms // 1000

    @admin.display(description=_("refused for"))
    def refusal(self, submission: Submission) -> str:
        """Return which action was refused, and why."""
        if submission.legal:
            return "–"
        return gettext("Action %(index)d, token %(token)d, “%(action)s”: %(text)s (%(code)s)") % {
            "index": submission.refused_index,
            "token": submission.refused_token,
            "action": submission.refused_action,
            "text": gettext(engine.REFUSALS[submission.refused_code]),
            "code": submission.refused_code,
        }

    @admin.display(description=_("replay"))
    def replay_link(self, submission: Submission) -> SafeString:
        """Return the way to the replay page."""
        address = reverse("admin:games_submission_replay", args=[submission.pk])
        return format_html('<a href="{}">{}</a>', address, gettext("step by step"))

    def get_urls(self) -> list[URLPattern]:
        """Return the pages of submissions, those of the replay and the actions first."""
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

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Allow what the calendar's link to a deal's submissions asks for."""
        if lookup == "attempt__daily_deal":
            return value.isascii() and value.isdigit() and len(value) < 10
        return super().lookup_allowed(lookup, value, request)

    def _submission(self, request: HttpRequest, pk: int) -> Submission:
        submission = self.get_object(request, str(pk))
        if submission is None:
            raise Http404
        return submission

    def replay_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show a log step by step."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        submission = self._submission(request, pk)
        attempt = submission.attempt
        return _replay_page(
            request,
            model_admin=self,
            row=submission,
            code=attempt.daily_deal.deal.code,
            movetext=submission.movetext,
            title=gettext("Replay of submission %(id)s") % {"id": submission},
            subtitle=f"{attempt.player} · {submission.get_status_display()}",
        )

    def disqualify_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Ask for a reason and take a log out of the ranking."""
        submission = self._submission(request, pk)

        def act(wish: dict[str, Any]) -> Model:
            return services.disqualify(
                submission=submission, actor=_player_of(request), reason=wish["reason"]
            )

        return _action_page(
            request,
            model_admin=self,
            form=_bound(ReasonForm, request),
            title=gettext("Disqualify submission %(id)s") % {"id": submission},
            explanation=gettext(
                "The log is kept but no longer ranked; the player's next best one counts "
                "instead. It can be reinstated, and the ranks are then as before."
            ),
            act=act,
        )

    def reinstate_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Ask for a reason and take a disqualified log into the ranking again."""
        submission = self._submission(request, pk)

        def act(wish: dict[str, Any]) -> Model:
            return services.reinstate(
                submission=submission, actor=_player_of(request), reason=wish["reason"]
            )

        return _action_page(
            request,
            model_admin=self,
            form=_bound(ReasonForm, request),
            title=gettext("Reinstate submission %(id)s") % {"id": submission},
            explanation=gettext("The log is ranked again, as if nothing had been."),
            act=act,
        )


@admin.register(Player)
class PlayerAdmin(AnyLookupMixin, admin.ModelAdmin[Player]):
    """Players and staff. A person's name is theirs; here one may be kept from playing."""

    list_display = ("display_name", "id", "is_staff", "is_active", "joined_at", "deals_started")
    list_filter = ("is_staff", "is_active", ("deleted_at", admin.EmptyFieldListFilter))
    search_fields = ("display_name", "username", "=id")
    ordering = ("-joined_at",)
    show_full_result_count = False
    fields = (
        "id",
        "display_name",
        "username",
        "joined_at",
        "deleted_at",
        "is_active",
        "is_staff",
        "is_superuser",
        "user_permissions",
    )
    filter_horizontal = ("user_permissions",)
    readonly_fields = ("id", "display_name", "username", "joined_at", "deleted_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Player]:
        """Return the players with how many deals each has started."""
        return (
            super()
            .get_queryset(request)
            .annotate(deals_started=Count("attempts__daily_deal", distinct=True))
        )

    @admin.display(description=_("deals started"), ordering="deals_started")
    def deals_started(self, player: Player) -> int:
        """Return how many daily deals the player has started."""
        count: int = player.deals_started  # type: ignore[attr-defined] # annotated above
        return count

    def get_readonly_fields(self, request: HttpRequest, obj: Player | None = None) -> Any:
        """Keep rights to those who have them all: nobody gives himself more."""
        if _player_of(request).is_superuser:
            return self.readonly_fields
        rights = ("is_staff", "is_superuser", "user_permissions")
        # Nor does anybody with less shut out the others who run the competition.
        own = ("is_active",) if obj is not None and obj.is_staff else ()
        return (*self.readonly_fields, *rights, *own)

    def save_model(self, _request: HttpRequest, obj: Player, form: Any, _change: bool) -> None:
        """Save what was changed, and nothing else of a row that may have changed meanwhile."""
        fields = [name for name in form.changed_data if name != "user_permissions"]
        if fields:
            obj.save(update_fields=fields)

    def has_add_permission(self, _request: HttpRequest) -> bool:
        """Refuse: players join by the API, staff by `manage.py createsuperuser`."""
        return False

    def has_delete_permission(self, _request: HttpRequest, _obj: Model | None = None) -> bool:
        """Refuse: a player leaves by the API, and the logs stay."""
        return False


@admin.register(LogEntry)
class LogEntryAdmin(ReadOnlyMixin, admin.ModelAdmin[LogEntry]):
    """What was done at this desk, by whom and why."""

    list_display = ("action_time", "user", "content_type", "object_repr", "what", "why")
    list_filter = ("action_time", "content_type")
    list_select_related = ("user", "content_type")
    date_hierarchy = "action_time"
    fields = ("action_time", "user", "content_type", "object_id", "object_repr", "details")

    @admin.display(description=_("action"))
    def what(self, entry: LogEntry) -> str:
        """Return the name of the action."""
        return str(_details(entry).get("action", "")) or entry.get_change_message()

    @admin.display(description=_("reason"))
    def why(self, entry: LogEntry) -> str:
        """Return the reason that was given."""
        return str(_details(entry).get("reason", ""))

    @admin.display(description=_("details"))
    def details(self, entry: LogEntry) -> SafeString:
        """Return everything kept of the action, before and after among it."""
        return format_html("<pre>{}</pre>", json.dumps(_details(entry), indent=2))


def _details(entry: LogEntry) -> dict[str, Any]:
    try:
        details = json.loads(entry.change_message)
    except ValueError:
        return {}
    return details if isinstance(details, dict) else {}
