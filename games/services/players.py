"""Players join, change their name, and leave."""

import unicodedata
from datetime import datetime
from uuid import UUID

from django.contrib.auth import SESSION_KEY, hashers, password_validation
from django.contrib.sessions.models import Session
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _
from knox.models import AbstractAuthToken, get_token_model

from config.database.retry import retried
from games import audit, selectors, signals
from games.addresses import Call
from games.errors import (
    LoginRefused,
    NameTaken,
    PasswordRefused,
    PlayerGone,
    Text,
    WrongPassword,
)
from games.models import Player
from games.names import clean_name, name_skeleton, refuse_reserved, skeleton_asked_for
from games.services import guesses


@retried
def join(*, display_name: str, call: Call | None = None) -> tuple[Player, str]:
    """Create a guest and return it with its token, which is stored only as a hash.

    The address of `call` is then known.

    Raises:
        NameRefused, NameTaken
    """
    name = clean_name(display_name)
    refuse_reserved(name)
    player = Player(display_name=name, name_skeleton=name_skeleton(name))
    player.set_unusable_password()
    try:
        with transaction.atomic():
            player.save()
            _record, token = get_token_model().objects.create(user=player)
            if call is not None:
                guesses.let_in(player=player, call=call)
    except IntegrityError as error:  # the unique column decides between two simultaneous requests
        raise NameTaken from error
    return player, token


@retried
def rename(*, player: Player, display_name: str) -> Player:
    """Change a player's name, everywhere at once.

    Raises:
        NameRefused, NameTaken, PlayerGone
    """
    name = clean_name(display_name)
    if (
        name_skeleton(name) != player.name_skeleton
    ):  # a player who already has a reserved name keeps it
        refuse_reserved(name)
    # Update only the name, and only if the player is still there: the caller's copy of the row
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


@retried
def set_password(
    *,
    player: Player,
    password: str,
    current_password: str | None,
    kept_token: AbstractAuthToken,
    call: Call | None = None,
) -> Player:
    """Set or change a player's password, and make every token void except the one kept.

    The address of `call` is then known.

    Raises:
        PasswordRefused, WrongPassword, PlayerGone
    """
    if player.username is not None:
        # It would open the admin, too, with a token as the key.
        raise PasswordRefused(_("Change the password of this account in the admin."))
    password = _normalised(password)
    before = player.password
    if player.has_usable_password() and not hashers.check_password(
        _normalised(current_password or ""), before
    ):
        raise WrongPassword
    try:
        password_validation.validate_password(password, user=player)
    except ValidationError as error:
        raise PasswordRefused(reasons=_reasons(error)) from error
    # Hashing is slow on purpose, so hash before locking anything.
    encoded = hashers.make_password(password)
    with transaction.atomic():
        lock(player.pk)
        there = Player.objects.filter(pk=player.pk, deleted_at__isnull=True, is_active=True)
        if not there.exists():
            raise PlayerGone
        if not there.filter(password=before).update(password=encoded):
            raise WrongPassword  # it was right until another call changed it just now
        get_token_model().objects.filter(user=player).exclude(pk=kept_token.pk).delete()
        if call is not None:
            guesses.let_in(player=player, call=call)
    player.password = encoded
    return player


@retried
def log_in(*, display_name: str, password: str, call: Call) -> tuple[Player, str]:
    """Return the player with this name and password, and a new token.

    It takes as long and answers the same whether there is no such player, one without a password,
    or one with a different password. Staff with a username cannot sign in here. The address of
    `call` is then known.

    Raises:
        LoginRefused
        TooManyGuesses: the password was not checked.
    """
    skeleton = skeleton_asked_for(display_name)
    may_come = selectors.players().filter(is_active=True, username__isnull=True)
    # Queried even for a name that no one can have, so that the time reveals nothing.
    player = may_come.filter(name_skeleton=skeleton or "").first()
    guess = guesses.reserve(name=skeleton or display_name, player=player, call=call)
    # Without a usable hash, Django computes one and throws it away.
    encoded = player.password if player else hashers.make_password(None)
    is_right, is_outdated = hashers.verify_password(_normalised(password), encoded)
    if player is None or not is_right:
        raise LoginRefused
    if is_outdated:
        player.password = hashers.make_password(_normalised(password))
    with transaction.atomic():
        lock(player.pk)
        # Only if nothing changed since the check: a new password shuts out whoever has the old one.
        same = may_come.filter(pk=player.pk, password=encoded)
        if not same.update(password=player.password):
            raise LoginRefused
        _record, token = get_token_model().objects.create(user=player)
        guesses.let_in(player=player, call=call)
    guesses.was_right(guess)
    return player, token


@retried
def log_out(*, token: AbstractAuthToken) -> None:
    """Make a token void."""
    get_token_model().objects.filter(pk=token.pk).delete()


def _normalised(password: str) -> str:
    """Return a password in the form that is hashed: keyboards differ in how they write é."""
    return unicodedata.normalize("NFKC", password)


# Django has this text only in English.
_TOO_SHORT = _("A password needs at least %(min_length)d characters.")


def _reasons(error: ValidationError) -> list[tuple[Text, str]]:
    """Return what Django's validators found, as pairs of text and code."""
    reasons: list[tuple[Text, str]] = []
    for each in error.error_list:
        text = " ".join(each.messages)
        if each.code == "password_too_short":
            text = _TOO_SHORT % each.params
        reasons.append((text, each.code or PasswordRefused.code))
    return reasons


@retried
def delete_player(*, player: Player, now: datetime) -> None:
    """Remove a player's names, login, sessions and tokens, and announce it so that ranks close up.

    The nameless row and its logs stay: they prove the results of the days that others played.
    What admins did to the player stays in their log without any name the player had.
    """
    with transaction.atomic():
        locked = Player.objects.select_for_update().get(pk=player.pk)
        audit.forget(locked)
        _end_sessions(locked)
        locked.last_login = None
        locked.display_name = ""
        locked.name_skeleton = None
        locked.username = None
        locked.is_active = locked.is_staff = locked.is_superuser = False
        locked.deleted_at = now
        locked.set_unusable_password()
        locked.save()
        locked.user_permissions.clear()
        locked.groups.clear()
        get_token_model().objects.filter(user=locked).delete()
        locked.known_addresses.all().delete()
        signals.player_deleted.send(sender=Player, player=locked)


def _end_sessions(player: Player) -> None:
    """Delete a staff member's sessions, found by reading each session.

    Only staff have any, so there are few.
    """
    if player.last_login is None:
        return
    own = str(player.pk)
    for session in Session.objects.iterator():
        if session.get_decoded().get(SESSION_KEY) == own:
            session.delete()


def lock(player_id: UUID) -> bool:
    """Lock the player's row until the end of the transaction: one change at a time.

    Returns whether the player is still here; a row that has been waited for is read again.
    """
    rows = Player.objects.select_for_update(no_key=True).filter(pk=player_id)
    return rows.values_list("deleted_at", flat=True).get() is None
