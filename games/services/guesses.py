"""Guesses at a player's password: how many may be made, counted before one is checked.

Whoever guesses from elsewhere must not be able to keep the player out, so an address from which the
player was let in lately has a counter of its own.
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
    """Count a guess before it is made, and return what counts it.

    `name` is as names are compared, whether or not a player has it: the same queries are made, and
    the same is said, either way.

    Raises:
        TooManyGuesses: then nothing has counted.
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
    """Take back what `reserve` counted: the pair begins anew, and the ceiling counts wrong ones."""
    clear(counters[:1])
    give_back(counters[1:])


def is_known(*, player: Player | None, call: Call) -> bool:
    """Return whether the player was let in from there within KNOWN_FOR. Cost: one query."""
    return KnownAddress.objects.filter(
        player_id=player.pk if player else _NOBODY,
        address_hash__in=address_hashes(call.address),
        last_let_in_at__gt=call.at - KNOWN_FOR,
    ).exists()


def let_in(*, player: Player, call: Call) -> None:
    """Remember where a player was let in; the caller holds the player's row, or has just made it.

    What an older key hashed is replaced.
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
    """Delete the addresses that are known no more, and return how many they were."""
    deleted, _by_model = KnownAddress.objects.filter(last_let_in_at__lte=now - KNOWN_FOR).delete()
    return deleted
