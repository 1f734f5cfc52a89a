"""Who is calling: `Authorization: Token …`, the tokens kept as hashes by knox."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from knox.auth import TokenAuthentication as KnoxTokenAuthentication
from rest_framework import exceptions


class TokenAuthentication(KnoxTokenAuthentication):  # type: ignore[misc]
    """Knox's authentication in one query, refusing a header of arbitrary bytes.

    Knox compares the hash, checks the expiry and refuses a blocked or deleted player.
    """

    def authenticate_credentials(self, token: bytes) -> tuple[Any, Any]:
        """Return the player and the token's record.

        Raises:
            AuthenticationFailed: no such token.
        """
        if not token.isascii() or b"\0" in token:
            raise exceptions.AuthenticationFailed(_("Invalid token."))
        credentials: tuple[Any, Any] = super().authenticate_credentials(token)
        return credentials

    def _cleanup_token(self, auth_token: Any) -> bool:
        """Return whether the token has expired; delete it then.

        Knox would read all of the player's tokens at each call, to delete those that have expired.
        They are refused, and deleted, as soon as anyone uses them.
        """
        if auth_token.expiry is None:
            return False
        expired: bool = super()._cleanup_token(auth_token)
        return expired


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
