"""How often a client may call, counted per player and per address.

A view says which scope each of its methods counts in; settings.THROTTLE_RATES has the rates of the
scope under its name with `_per_player` and `_per_address`. A method that no view names is free.
"""

from collections.abc import Mapping
from typing import ClassVar, cast

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from games.addresses import address_of
from games.counting import Counter, take


class CountedMixin:
    """A view some of whose methods count: `counted = {"POST": "join"}`. HEAD counts as GET."""

    counted: ClassVar[Mapping[str, str]]

    def get_throttles(self) -> list[BaseThrottle]:
        """Return what counts this call."""
        method = cast("APIView", self).request.method or ""
        action = self.counted.get("GET" if method == "HEAD" else method)
        return [Throttle(action)] if action else []


class CountedView(CountedMixin, APIView):
    """A view of the API some of whose methods count."""


class Throttle(BaseThrottle):
    """Counts a call in all rates of its scope, at once."""

    def __init__(self, action: str) -> None:
        self._per_player = f"{action}_per_player"
        self._per_address = f"{action}_per_address"
        self._wait_s: int | None = None

    def allow_request(self, request: Request, _view: APIView) -> bool:
        """Count the call, and return whether it is within all its rates."""
        counters = [Counter(self._per_address, address_of(request))]
        if self._per_player in settings.THROTTLE_RATES and request.user is not None:
            counters.append(Counter(self._per_player, str(request.user.pk)))
        self._wait_s = take(counters)
        return self._wait_s is None

    def wait(self) -> int | None:
        """Return how many seconds until there is room again."""
        return self._wait_s
