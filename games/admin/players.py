"""Players and staff."""

from typing import Any

from django.contrib import admin
from django.db.models import Count, Model, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from games.admin.pages import AnyLookupMixin, player_of
from games.models import (
    Player,
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
        if player_of(request).is_superuser:
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
