"""How often one may call: counted for each player and for each address.

The counting is DRF's; settings.DEFAULT_THROTTLE_RATES has a rate for each name made here.
"""

import hashlib
from collections.abc import Mapping

from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle, SimpleRateThrottle
from rest_framework.views import APIView

from games.names import skeleton_asked_for


class _PlayerThrottle(SimpleRateThrottle):
    def get_cache_key(self, request: Request, _view: APIView) -> str | None:
        if request.user is None:
            return None  # the address is counted instead
        return self.cache_format % {"scope": self.scope, "ident": request.user.pk}


class _AddressThrottle(SimpleRateThrottle):
    def get_cache_key(self, request: Request, _view: APIView) -> str | None:
        return self.cache_format % {"scope": self.scope, "ident": self.get_ident(request)}


class LoginNameThrottle(SimpleRateThrottle):
    """Counts who asks to be let in by one name, from wherever: nobody guesses on and on."""

    scope = "login_per_name"

    def get_cache_key(self, request: Request, _view: APIView) -> str | None:
        """Return the key of the name asked for; none for a name that nobody can have."""
        skeleton = skeleton_asked_for(_text_of(request, "display_name"))
        if skeleton is None:
            return None
        # Hashed: a key holds no blanks, and no names.
        ident = hashlib.sha256(skeleton.encode()).hexdigest()
        return self.cache_format % {"scope": self.scope, "ident": ident}


def _text_of(request: Request, field: str) -> str:
    value = request.data.get(field) if isinstance(request.data, Mapping) else None
    # As the serializer's field reads it; what that refuses is nobody's name.
    return str(value) if isinstance(value, str | int | float) else ""


def _per_player(action: str) -> type[BaseThrottle]:
    return type(f"{action}PlayerThrottle", (_PlayerThrottle,), {"scope": f"{action}_per_player"})


def _per_address(action: str) -> type[BaseThrottle]:
    return type(f"{action}AddressThrottle", (_AddressThrottle,), {"scope": f"{action}_per_address"})


JOIN = [_per_address("join")]
LOGIN = [_per_address("login"), LoginNameThrottle]
PASSWORD = [_per_player("password"), _per_address("password")]
RENAME = [_per_player("rename"), _per_address("rename")]
START = [_per_player("start"), _per_address("start")]
SUBMIT = [_per_player("submit"), _per_address("submit")]
ANALYSE = [_per_player("analyse"), _per_address("analyse")]
VERIFY = [_per_player("verify"), _per_address("verify")]
