"""Players come, take another name, and go."""

from datetime import datetime

from django.db import IntegrityError, transaction
from knox.models import get_token_model

from games import signals
from games.errors import NameTaken
from games.models import Player
from games.names import clean_name, name_skeleton


def join(*, display_name: str) -> tuple[Player, str]:
    """Make a guest of that name and return it with its token, which is stored only as a hash.

    Raises:
        NameRefused, NameTaken
    """
    player = Player()
    player.set_unusable_password()
    with transaction.atomic():
        _take_name(player, display_name)
        _record, token = get_token_model().objects.create(user=player)
    return player, token


def rename(*, player: Player, display_name: str) -> Player:
    """Give a player another name, which shows everywhere at once.

    Raises:
        NameRefused, NameTaken
    """
    with transaction.atomic():
        _take_name(player, display_name)
    return player


def _take_name(player: Player, display_name: str) -> None:
    player.display_name = clean_name(display_name)
    player.name_skeleton = name_skeleton(player.display_name)
    # The unique column decides between two who ask at the same time.
    try:
        with transaction.atomic():
            player.save()
    except IntegrityError as error:
        raise NameTaken from error


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


def lock(player: Player) -> None:
    """Take the player's row until the end of the transaction: one change of theirs at a time."""
    Player.objects.select_for_update(no_key=True).get(pk=player.pk)
