"""The desk of a person who runs the competition: the calendar, submissions, players.

What must not change has no form. What may is an action with a reason, done by a service and kept
in Django's own admin log, which the History of each row shows.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied
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

from games import engine, services
from games.errors import ServiceError
from games.models import VARIANT_CHOICES, DailyDeal, Player, PoolDeal, Submission
from games.tables import table_of_layout, table_of_snapshot

admin.site.site_header = _("Daily deal")
admin.site.site_title = _("Daily deal")
admin.site.index_title = _("Running the competition")
admin.site.unregister(Group)
# A token cannot be read back, and nobody at this desk has a use for its hash.
admin.site.unregister(AuthToken)


class ReadOnlyMixin:
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

    list_display = ("date", "variant", "status_now", "code", "proof", "entrants", "winners")
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
        "proof",
        "entrants",
        "winners",
        "cards",
        "winning_line",
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
        unused = dict(
            PoolDeal.objects.filter(daily_deal__isnull=True)
            .exclude(winning_movetext="")
            .values_list("variant")
            .annotate(Count("pk"))
        )
        pool = [
            {"name": gettext(variant.name), "unused": unused.get(variant.slug, 0)}
            for variant in engine.VARIANTS.values()
        ]
        unproved = DailyDeal.objects.filter(
            deal__winning_movetext="",
            status__in=[DailyDeal.Status.SCHEDULED, DailyDeal.Status.OPEN],
        ).order_by("date", "variant")
        context = {"pool": pool, "unproved": unproved, **(extra_context or {})}
        return super().changelist_view(request, context)

    @admin.display(description=_("status"), ordering="status")
    def status_now(self, daily_deal: DailyDeal) -> str:
        """Return the status by the clock."""
        return str(daily_deal.status_at(timezone.now()).label)

    @admin.display(description=_("deal code"))
    def code(self, daily_deal: DailyDeal) -> str:
        """Return the deal's code."""
        return str(daily_deal.deal.code)

    @admin.display(description=_("proved"), boolean=True)
    def proof(self, daily_deal: DailyDeal) -> bool:
        """Return whether a winning line is known."""
        return daily_deal.deal.is_certified

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
        layout = engine.deal(daily_deal.deal.code)
        return mark_safe(  # noqa: S308 (a template of ours made it)
            render_to_string("admin/games/table.html", {"table": table_of_layout(layout)})
        )

    @admin.display(description=_("winning line"))
    def winning_line(self, daily_deal: DailyDeal) -> str:
        """Return the line that proves the deal."""
        return daily_deal.deal.winning_movetext or "–"

    @admin.display(description=_("logs are ranked until"))
    def submissions_until(self, daily_deal: DailyDeal) -> str:
        """Return the end of the grace."""
        return date_format(daily_deal.submissions_until, "DATETIME_FORMAT")

    def get_urls(self) -> list[URLPattern]:
        """Return the pages of the calendar, those of the actions first."""
        view = self.admin_site.admin_view
        return [
            path("schedule/", view(self.schedule_view), name="games_dailydeal_schedule"),
            path("<int:pk>/void/", view(self.void_view), name="games_dailydeal_void"),
            *super().get_urls(),
        ]

    def schedule_view(self, request: HttpRequest) -> HttpResponse:
        """Ask for a day and a code, and make it the deal of that day."""

        def act(wish: dict[str, Any]) -> Model:
            return services.schedule_deal(**wish, actor=_player_of(request), now=timezone.now())

        asked = {name: request.GET[name] for name in ("variant", "day") if name in request.GET}
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
    """The deals in store."""

    list_display = ("code_text", "variant", "par_moves", "used_on", "added_at")
    list_filter = ("variant", ("daily_deal", admin.EmptyFieldListFilter))
    list_select_related = ("daily_deal",)
    fields = ("code_text", "variant", "number", "par_moves", "used_on", "cards", "winning_movetext")
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
        layout = engine.deal(pool_deal.code)
        return mark_safe(  # noqa: S308 (a template of ours made it)
            render_to_string("admin/games/table.html", {"table": table_of_layout(layout)})
        )


@admin.register(Submission)
class SubmissionAdmin(ReadOnlyMixin, admin.ModelAdmin[Submission]):
    """Every log that was sent, with its verdict and its replay."""

    list_display = (
        "id",
        "received_at",
        "daily_deal",
        "player",
        "status",
        "won",
        "score",
        "moves",
        "time_taken",
        "refused_code",
        "replay_link",
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
        return lookup == "attempt__daily_deal" or super().lookup_allowed(lookup, value, request)

    def _submission(self, request: HttpRequest, pk: int) -> Submission:
        submission = self.get_object(request, str(pk))
        if submission is None:
            raise Http404
        return submission

    def replay_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show a log step by step, with the table after the step that `?step=` names."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        submission = self._submission(request, pk)
        code = submission.attempt.daily_deal.deal.code
        steps = list(engine.steps(code, submission.movetext, joined=True))
        asked = request.GET.get("step", "0")
        number = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 7 else 0
        number = min(number, len(steps))
        shown = steps[number - 1] if number else None
        if shown is None:
            table = table_of_layout(engine.deal(code))
        else:
            table = table_of_snapshot(shown.position)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": gettext("Replay of submission %(id)s") % {"id": submission},
            "submission": submission,
            "steps": steps,
            "number": number,
            "shown": shown,
            "refusal": gettext(engine.REFUSALS[shown.refusal.code])
            if shown and shown.refusal
            else "",
            "table": table,
            "previous": max(number - 1, 0),
            "next": min(number + 1, len(steps)),
        }
        return TemplateResponse(request, "admin/games/submission/replay.html", context)

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
class PlayerAdmin(admin.ModelAdmin[Player]):
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
        return (*self.readonly_fields, "is_staff", "is_superuser", "user_permissions")

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
