"""Players come, take another name, and go."""

from datetime import datetime
from uuid import UUID

from django.db import IntegrityError, transaction
from knox.models import get_token_model

from games import signals
from games.errors import NameTaken, PlayerGone
from games.models import Player
from games.names import clean_name, name_skeleton


def join(*, display_name: str) -> tuple[Player, str]:
    """Make a guest of that name and return it with its token, which is stored only as a hash.

    Raises:
        NameRefused, NameTaken
    """
    name = clean_name(display_name)
    player = Player(display_name=name, name_skeleton=name_skeleton(name))
    player.set_unusable_password()
    try:
        with transaction.atomic():
            player.save()
            _record, token = get_token_model().objects.create(user=player)
    except IntegrityError as error:  # the unique column decides between two who ask at once
        raise NameTaken from error
    return player, token


def rename(*, player: Player, display_name: str) -> Player:
    """Give a player another name, which shows everywhere at once.

    Raises:
        NameRefused, NameTaken, PlayerGone
    """
    name = clean_name(display_name)
    # An update of the name alone, of somebody who is still there: the caller's copy of the row
    # may be older than the player's leaving.
    there = Player.objects.filter(pk=player.pk, deleted_at__isnull=True, is_active=True)
    try:
        with transaction.atomic():
            updated = there.update(display_name=name, name_skeleton=name_skeleton(name))
    except IntegrityError as error:
        raise NameTaken from error
    if not updated:
        raise PlayerGone
    player.refresh_from_db()
    return player


def delete_player(*, player: Player, now: datetime) -> None:
    """Remove a player's name, login and tokens, and announce it so that ranks close up.

    The row stays, nameless, and so do the logs: they are the proof of results of others' days.
    """
    with transaction.atomic():
        locked = Player.objects.select_for_update().get(pk=player.pk)
        locked.display_name = ""
        locked.name_skeleton = None
        locked.username = None
        locked.is_active = locked.is_staff = locked.is_superuser = False
        locked.deleted_at = now
        locked.set_unusable_password()
        locked.save()
        get_token_model().objects.filter(user=locked).delete()
        signals.player_deleted.send(sender=Player, player=locked)


def lock(player_id: UUID) -> None:
    """Take the player's row until the end of the transaction: one change of theirs at a time."""
    Player.objects.select_for_update(no_key=True).get(pk=player_id)
