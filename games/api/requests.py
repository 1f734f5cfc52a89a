"""What the views of both applications read from a request."""

from collections.abc import Mapping
from typing import Any, cast
from uuid import UUID

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.serializers import Serializer

from games import errors
from games.addresses import Call, address_of
from games.lookups import attempt_or_404
from games.models import Attempt, Player


def parsed(serializer: type[Serializer[Any]], request: Request) -> Mapping[str, Any]:
    """Return the body of a request, read by a serializer.

    Raises:
        ValidationError: a field is wrong; names each one.
    """
    body = serializer(data=request.data)
    body.is_valid(raise_exception=True)
    return cast("Mapping[str, Any]", body.validated_data)


def caller(request: Request) -> Player | None:
    """Return the caller, or None without a token."""
    return cast("Player | None", request.user)


def call_of(request: Request) -> Call:
    """Return where the request comes from, and the time."""
    return Call(address=address_of(request), at=timezone.now())


def player_of(request: Request) -> Player:
    """Return the caller, in a view for players only."""
    return cast("Player", request.user)


def own_attempt(attempt_id: UUID, request: Request) -> Attempt:
    """Return an attempt of the caller's.

    Raises:
        Http404: no such attempt.
        NotYourAttempt: another player's.
    """
    attempt = attempt_or_404(attempt_id)
    if attempt.player_id != player_of(request).pk:
        raise errors.NotYourAttempt
    return attempt
