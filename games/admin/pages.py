"""Building blocks of the admin's pages: lists, actions with a reason, replays."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.models import LogEntry
from django.contrib.admin.views.main import ERROR_FLAG
from django.core.exceptions import PermissionDenied
from django.db import DataError
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games import engine, secrecy
from games.errors import ServiceError
from games.models import (
    Player,
    PoolDeal,
)
from games.tables import table_of_layout, table_of_snapshot

RowT = TypeVar("RowT", bound=Model)


def beside(row: Model, name: str) -> Any:
    """Return what a list's query worked out for a row, in addition to its columns."""
    return vars(row)[name]


class AnyLookupMixin:
    """Accepts any filter in a list's address: a value that no column can hold finds nothing.

    A filter has to be one that the list offers: whoever could ask for the beginning of a hidden
    value (`?deal__number__lt=`, `?password__startswith=`) would have it after some questions.
    """

    # Filters that our links use and the list does not offer.
    linked_lookups: tuple[str, ...] = ()

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Allow the list's own filters."""
        offered = {*self.linked_lookups, self.date_hierarchy}  # type: ignore[attr-defined]
        for entry in self.get_list_filter(request):  # type: ignore[attr-defined]
            if isinstance(entry, str):
                offered.add(entry)
            elif isinstance(entry, tuple):
                offered.add(entry[0])
            else:
                offered.add(entry.parameter_name)
        if not any(lookup == name or lookup.startswith(f"{name}__") for name in offered if name):
            return False
        # Of what an offered relation leads to, only what Django allows.
        return lookup in self.linked_lookups or super().lookup_allowed(lookup, value, request)  # type: ignore[misc]

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the history of a row, without the codes that the viewer may not see."""
        answer: HttpResponse = super().history_view(request, object_id, extra_context)  # type: ignore[misc]
        if isinstance(answer, TemplateResponse) and answer.context_data:
            entries = answer.context_data["action_list"]
            entries.object_list = list(entries.object_list)
            hide_codes(entries.object_list, request)
        return answer

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the list, or redirect to it without a filter that the database cannot take."""
        try:
            return super().changelist_view(request, extra_context)  # type: ignore[misc, no-any-return]
        except (OverflowError, ValueError, DataError):
            return HttpResponseRedirect(f"{request.path}?{ERROR_FLAG}=1")


class ReadOnlyMixin(AnyLookupMixin):
    """Forms show rows, but do not add, change or delete them."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse: services create these rows."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Refuse: history does not change."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Refuse: no accepted log is ever lost."""
        return False


class ReasonForm(forms.Form):
    """The reason that every action on a deal or a result asks for."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("The reason is kept with the action."),
    )


def hide_codes(entries: Sequence[LogEntry], request: HttpRequest) -> None:
    """Remove the codes that the viewer may not see from log entries. Cost: one query."""
    if secrecy.sees_all(player_of(request)):
        return
    texts = [text for entry in entries for text in (entry.object_repr, entry.change_message)]
    shown = iter(secrecy.without_hidden_codes(texts, now=timezone.now()))
    for entry in entries:
        entry.object_repr, entry.change_message = next(shown), next(shown)


def line_link(pool_deal: PoolDeal) -> SafeString:
    address = reverse("admin:games_pooldeal_replay", args=[pool_deal.pk])
    return format_html('<a href="{}">{}</a>', address, gettext("step by step"))


def drawn_layout(code: engine.DealCode) -> SafeString:
    table = table_of_layout(engine.deal(code))
    return mark_safe(render_to_string("admin/games/table.html", {"table": table}))  # noqa: S308


def replay_page(
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
    # Each of up to 20 000 steps has the whole table; keep only the shown one.
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


def action_page(
    request: HttpRequest,
    *,
    model_admin: "admin.ModelAdmin[Any]",
    form: forms.Form,
    title: str,
    explanation: str,
    act: Callable[[dict[str, Any]], Model],
) -> HttpResponse:
    """Show a form, and call `act` with its values.

    `act` calls one service and returns the row that it changed. The form shows a refusal.
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


def bound(form: type[forms.Form], request: HttpRequest, **initial: Any) -> forms.Form:
    return form(request.POST if request.method == "POST" else None, initial=initial)


def row_or_404(model_admin: "admin.ModelAdmin[RowT]", request: HttpRequest, pk: object) -> RowT:
    """Return a row that the admin's lists can show, or raise Http404."""
    row = model_admin.get_object(request, str(pk))
    if row is None:
        raise Http404
    return row


def player_of(request: HttpRequest) -> Player:
    if not isinstance(request.user, Player):
        raise PermissionDenied
    return request.user
