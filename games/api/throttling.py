"""How often one may call: counted for each player and for each address.

The counting is DRF's; settings.DEFAULT_THROTTLE_RATES has a rate for each name made here.
"""

from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle, SimpleRateThrottle
from rest_framework.views import APIView


class _PlayerThrottle(SimpleRateThrottle):
    def get_cache_key(self, request: Request, _view: APIView) -> str | None:
        if request.user is None:
            return None  # the address is counted instead
        return self.cache_format % {"scope": self.scope, "ident": request.user.pk}


class _AddressThrottle(SimpleRateThrottle):
    def get_cache_key(self, request: Request, _view: APIView) -> str | None:
        return self.cache_format % {"scope": self.scope, "ident": self.get_ident(request)}


def _per_player(action: str) -> type[BaseThrottle]:
    return type(f"{action}PlayerThrottle", (_PlayerThrottle,), {"scope": f"{action}_per_player"})


def _per_address(action: str) -> type[BaseThrottle]:
    return type(f"{action}AddressThrottle", (_AddressThrottle,), {"scope": f"{action}_per_address"})


JOIN = [_per_address("join")]
RENAME = [_per_player("rename"), _per_address("rename")]
START = [_per_player("start"), _per_address("start")]
SUBMIT = [_per_player("submit"), _per_address("submit")]
ANALYSE = [_per_player("analyse"), _per_address("analyse")]
VERIFY = [_per_player("verify"), _per_address("verify")]
