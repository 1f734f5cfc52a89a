"""Players, and where they were let in."""

import uuid
from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class PlayerManager(BaseUserManager["Player"]):
    """Creates staff accounts; players join through games.services."""

    def create_superuser(
        self, username: str, password: str | None = None, **extra: Any
    ) -> "Player":
        """Return a new account that may do everything in the admin."""
        return self.create_user(
            username=username, password=password, is_staff=True, is_superuser=True, **extra
        )

    def create_user(self, username: str, password: str | None = None, **extra: Any) -> "Player":
        """Return a new account that logs in with name and password."""
        extra.setdefault("display_name", username)
        player = self.model(username=username, **extra)
        player.set_password(password)
        player.save(using=self._db)
        return player


class Player(AbstractBaseUser, PermissionsMixin):
    """A person who plays or who runs the competition.

    A guest has a display name and a token, no username and no password. A staff account has a
    username and need not be a player: without a skeleton it takes no display name from anyone.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    username = models.CharField(
        _("login"), max_length=150, unique=True, null=True, blank=True, default=None
    )
    display_name = models.CharField(_("display name"), max_length=150, blank=True)
    name_skeleton = models.CharField(  # noqa: DJ001 (unique: many may have none)
        max_length=400, unique=True, null=True, editable=False
    )
    is_staff = models.BooleanField(_("may use the admin"), default=False)
    is_active = models.BooleanField(_("active"), default=True)
    joined_at = models.DateTimeField(_("joined at"), auto_now_add=True)
    deleted_at = models.DateTimeField(_("deleted at"), null=True, blank=True, editable=False)

    USERNAME_FIELD = "username"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    objects = PlayerManager()

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        constraints = [
            models.CheckConstraint(
                name="player_deleted_keeps_no_name",
                condition=Q(deleted_at__isnull=True)
                | Q(display_name="", name_skeleton__isnull=True, username__isnull=True),
            ),
            models.CheckConstraint(
                name="player_can_be_told_apart",
                condition=Q(deleted_at__isnull=False)
                | Q(name_skeleton__isnull=False)
                | Q(username__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return self.display_name or str(_("deleted player"))


class KnownAddress(models.Model):
    """An address from which a player was let in, as a keyed hash: games.addresses."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="known_addresses")
    address_hash = models.CharField(max_length=64, editable=False)
    last_let_in_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="known_address_is_known_once", fields=["player", "address_hash"]
            )
        ]

    def __str__(self) -> str:
        return str(self.last_let_in_at)
