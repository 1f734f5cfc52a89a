"""Guesses at a player's password: how many are allowed, counted before one is checked.

Guesses from elsewhere must not keep the player out, so an address from which the player signed in
lately has a counter of its own.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from games.addresses import UNKNOWN, Call, address_hashes
from games.counting import Counter, clear, give_back, take
from games.errors import TooManyGuesses
from games.models import KnownAddress, Player

KNOWN_FOR = timedelta(days=30)
_NOBODY = UUID(int=0)


def reserve(*, name: str, player: Player | None, call: Call) -> list[Counter]:
    """Count a guess before it is made, and return its counters.

    `name` is in the form in which names are compared. The queries and the answer are the same
    whether or not a player has it.

    Raises:
        TooManyGuesses: nothing was counted.
    """
    if is_known(player=player, call=call):
        counters = [Counter("login_per_name", f"player {player and player.pk} {call.address}")]
    else:
        counters = [
            Counter("login_per_name", f"name {name} {call.address}"),
            Counter("login_per_name_ceiling", name),
        ]
    for at, counter in enumerate(counters):
        wait_s = take([counter])
        if wait_s is not None:
            give_back(counters[:at])
            raise TooManyGuesses(wait_s=wait_s)
    return counters


def was_right(counters: Sequence[Counter]) -> None:
    """Take back what `reserve` counted: reset the pair; the ceiling counts only wrong guesses."""
    clear(counters[:1])
    give_back(counters[1:])


def is_known(*, player: Player | None, call: Call) -> bool:
    """Return whether the player signed in from there within KNOWN_FOR. Cost: one query."""
    return KnownAddress.objects.filter(
        player_id=player.pk if player else _NOBODY,
        address_hash__in=address_hashes(call.address),
        last_let_in_at__gt=call.at - KNOWN_FOR,
    ).exists()


def let_in(*, player: Player, call: Call) -> None:
    """Remember where a player signed in; the caller holds the player's row, or has just made it.

    Replaces a hash made with an older key.
    """
    if call.address == UNKNOWN:
        return
    present, *older = address_hashes(call.address)
    known = KnownAddress.objects.filter(player=player)
    if older:
        known.filter(address_hash__in=older).delete()
    KnownAddress.objects.update_or_create(
        player=player, address_hash=present, defaults={"last_let_in_at": call.at}
    )


def forget_addresses(*, now: datetime) -> int:
    """Delete the addresses that are no longer known, and return how many."""
    deleted, _by_model = KnownAddress.objects.filter(last_let_in_at__lte=now - KNOWN_FOR).delete()
    return deleted
