"""Players and staff."""

from typing import Any
from uuid import UUID

from django.contrib import admin
from django.db.models import Count, Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games import services
from games.admin.pages import (
    AnyLookupMixin,
    ReasonForm,
    action_page,
    beside,
    bound,
    player_of,
    row_or_404,
)
from games.models import Player


@admin.register(Player)
class PlayerAdmin(AnyLookupMixin, admin.ModelAdmin[Player]):
    """Players and staff. Players choose their own names; staff can block players here."""

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
    readonly_fields = ("id", "display_name", "username", "joined_at", "deleted_at", "is_active")
    change_form_template = "admin/games/player/change_form.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Player]:
        """Return the players with the number of deals each has started."""
        return (
            super()
            .get_queryset(request)
            .annotate(deals_started=Count("attempts__daily_deal", distinct=True))
        )

    @admin.display(description=_("deals started"), ordering="deals_started")
    def deals_started(self, player: Player) -> int:
        """Return the number of daily deals the player has started."""
        return int(beside(player, "deals_started"))

    def get_readonly_fields(self, request: HttpRequest, obj: Player | None = None) -> Any:
        """Let only superusers change rights: no one can grant themselves more."""
        if player_of(request).is_superuser:
            return self.readonly_fields
        return (*self.readonly_fields, "is_staff", "is_superuser", "user_permissions")

    def get_urls(self) -> list[URLPattern]:
        """Return the URLs of players, actions first."""
        view = self.admin_site.admin_view
        return [
            path("<uuid:pk>/block/", view(self.block_view), name="games_player_block"),
            path("<uuid:pk>/unblock/", view(self.unblock_view), name="games_player_unblock"),
            path("<uuid:pk>/take-name/", view(self.take_name_view), name="games_player_take_name"),
            *super().get_urls(),
        ]

    def block_view(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        """Ask for a reason, and block a player."""
        return self._set_blocked_view(
            request,
            pk,
            is_blocked=True,
            title=gettext("Block"),
            explanation=gettext(
                "The service refuses the player's token from now on. Results stay: disqualify "
                "those that should not count. You can unblock the player later."
            ),
        )

    def unblock_view(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        """Ask for a reason, and unblock a player."""
        return self._set_blocked_view(
            request,
            pk,
            is_blocked=False,
            title=gettext("Unblock"),
            explanation=gettext("The player's token works again."),
        )

    def _set_blocked_view(
        self, request: HttpRequest, pk: UUID, *, is_blocked: bool, title: str, explanation: str
    ) -> HttpResponse:
        player = row_or_404(self, request, pk)

        def act(fields: dict[str, Any]) -> Model:
            return services.set_blocked(
                player=player, is_blocked=is_blocked, actor=player_of(request), **fields
            )

        return action_page(
            request,
            model_admin=self,
            form=bound(ReasonForm, request),
            title=f"{title}: {player}",
            explanation=explanation,
            act=act,
        )

    def take_name_view(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        """Ask for a reason, and give a player a neutral name."""
        player = row_or_404(self, request, pk)

        def act(fields: dict[str, Any]) -> Model:
            return services.take_name_away(player=player, actor=player_of(request), **fields)

        return action_page(
            request,
            model_admin=self,
            form=bound(ReasonForm, request),
            title=gettext("Remove the name %(name)s") % {"name": player},
            explanation=gettext("The player gets a neutral name, shown everywhere at once."),
            act=act,
        )

    def save_model(self, _request: HttpRequest, obj: Player, form: Any, _change: bool) -> None:
        """Save only the changed fields: the rest of the row may have changed in the meantime."""
        fields = [name for name in form.changed_data if name != "user_permissions"]
        if fields:
            obj.save(update_fields=fields)

    def has_add_permission(self, _request: HttpRequest) -> bool:
        """Refuse: players join by the API, staff by `manage.py createsuperuser`."""
        return False

    def has_delete_permission(self, _request: HttpRequest, _obj: Model | None = None) -> bool:
        """Refuse: a player leaves by the API, and the logs stay."""
        return False
