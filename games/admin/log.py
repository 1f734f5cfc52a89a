"""The log of actions in the admin, with actor and reason."""

import json
from typing import Any

from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.admin.views.main import ChangeList
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from games.admin.pages import ReadOnlyMixin, hide_codes


@admin.register(LogEntry)
class LogEntryAdmin(ReadOnlyMixin, admin.ModelAdmin[LogEntry]):
    """The log of actions in the admin, with actor and reason."""

    list_display = ("action_time", "what", "about", "why", "user")
    list_filter = ("action_time", ("user", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("user", "content_type")
    date_hierarchy = "action_time"
    fields = ("action_time", "user", "content_type", "object_id", "about", "details")

    def get_changelist_instance(self, request: HttpRequest) -> ChangeList:
        """Return the list, without the codes that the viewer may not see."""
        shown = super().get_changelist_instance(request)
        shown.result_list = list(shown.result_list)
        hide_codes(shown.result_list, request)
        return shown

    def get_object(
        self, request: HttpRequest, object_id: str, from_field: str | None = None
    ) -> LogEntry | None:
        """Return an entry, without the codes that the viewer may not see."""
        entry = super().get_object(request, object_id, from_field)
        if entry is not None:
            hide_codes([entry], request)
        return entry

    @admin.display(description=_("object"))
    def about(self, entry: LogEntry) -> str:
        """Return the object of the action."""
        return entry.object_repr

    @admin.display(description=_("action"))
    def what(self, entry: LogEntry) -> str:
        """Return the name of the action."""
        return str(_details(entry).get("action", "")) or entry.get_change_message()

    @admin.display(description=_("reason"))
    def why(self, entry: LogEntry) -> str:
        """Return the reason."""
        return str(_details(entry).get("reason", ""))

    @admin.display(description=_("details"))
    def details(self, entry: LogEntry) -> SafeString:
        """Return everything stored about the action, including before and after."""
        return format_html(
            "<pre>{}</pre>", json.dumps(_details(entry), indent=2, ensure_ascii=False)
        )


def _details(entry: LogEntry) -> dict[str, Any]:
    try:
        details = json.loads(entry.change_message)
    except ValueError:
        return {}
    return details if isinstance(details, dict) else {}
