"""Who is calling: `Authorization: Token …`, the tokens kept as hashes by knox."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from knox.auth import TokenAuthentication as KnoxTokenAuthentication
from rest_framework import exceptions


class TokenAuthentication(KnoxTokenAuthentication):  # type: ignore[misc]
    """Knox's authentication, refusing a header of arbitrary bytes instead of failing on it."""

    def authenticate_credentials(self, token: bytes) -> tuple[Any, Any]:
        """Return the player and the token's record.

        Raises:
            AuthenticationFailed: no such token.
        """
        if not token.isascii() or b"\0" in token:
            raise exceptions.AuthenticationFailed(_("Invalid token."))
        credentials: tuple[Any, Any] = super().authenticate_credentials(token)
        return credentials


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How the schema describes it."""

    target_class = "games.api.authentication.TokenAuthentication"
    name = "playerToken"

    def get_security_definition(self, _auto_schema: Any) -> dict[str, str]:
        """Return the OpenAPI security scheme."""
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "`Token …`, with the token that joining answered.",
        }
