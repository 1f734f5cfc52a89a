"""Players: join, rename, log in, leave."""

from uuid import UUID

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games import errors, services
from games.api import serializers
from games.api.requests import call_of, parsed, player_of
from games.api.serializers import refused
from games.api.throttling import CountedView
from games.lookups import player_or_404


class PlayersView(CountedView):
    counted = {"POST": "join"}

    @extend_schema(
        request=serializers.DisplayNameRequest,
        responses={201: serializers.JoinedSerializer, **refused(errors.NameTaken)},
    )
    def post(self, request: Request) -> Response:
        """Join as a guest. The token is shown only once: keep it."""
        body = parsed(serializers.DisplayNameRequest, request)
        player, token = services.join(display_name=body["display_name"], call=call_of(request))
        answer = serializers.JoinedSerializer({"player": player, "token": token})
        return Response(answer.data, status=status.HTTP_201_CREATED)


class OwnPlayerView(CountedView):
    permission_classes = [IsAuthenticated]
    counted = {"PATCH": "rename"}  # it shows which names are taken

    @extend_schema(responses=serializers.OwnPlayerSerializer)
    def get(self, request: Request) -> Response:
        """Return your own profile."""
        return Response(serializers.OwnPlayerSerializer(player_of(request)).data)

    @extend_schema(
        request=serializers.DisplayNameRequest,
        responses={
            200: serializers.OwnPlayerSerializer,
            **refused(errors.NameTaken, errors.PlayerGone),
        },
    )
    def patch(self, request: Request) -> Response:
        """Change your name."""
        body = parsed(serializers.DisplayNameRequest, request)
        player = services.rename(player=player_of(request), display_name=body["display_name"])
        return Response(serializers.OwnPlayerSerializer(player).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request) -> Response:
        """Leave: your name, your tokens and your places on the boards go at once and for good."""
        services.delete_player(player=player_of(request), now=timezone.now())
        return Response(status=status.HTTP_204_NO_CONTENT)


class PasswordView(CountedView):
    permission_classes = [IsAuthenticated]
    counted = {"PUT": "password"}

    @extend_schema(
        request=serializers.PasswordRequest,
        responses={200: serializers.OwnPlayerSerializer, **refused(errors.PlayerGone)},
    )
    def put(self, request: Request) -> Response:
        """Set or change your password. Every other token of yours stops working."""
        body = parsed(serializers.PasswordRequest, request)
        player = services.set_password(
            player=player_of(request),
            password=body["password"],
            current_password=body.get("current_password"),
            kept_token=request.auth,
            call=call_of(request),
        )
        return Response(serializers.OwnPlayerSerializer(player).data)


class TokensView(CountedView):
    counted = {"POST": "login"}

    @extend_schema(
        request=serializers.LoginRequest,
        responses={201: serializers.JoinedSerializer, **refused(errors.LoginRefused)},
    )
    def post(self, request: Request) -> Response:
        """Come back with name and password. The token is shown only once: keep it."""
        body = parsed(serializers.LoginRequest, request)
        player, token = services.log_in(
            display_name=body["display_name"],
            password=body["password"],
            call=call_of(request),
        )
        answer = serializers.JoinedSerializer({"player": player, "token": token})
        return Response(answer.data, status=status.HTTP_201_CREATED)


class CurrentTokenView(APIView):
    permission_classes = [IsAuthenticated]

    @extend_schema(responses={204: None})
    def delete(self, request: Request) -> Response:
        """Make this token void. Without a password, there is no way back to the player."""
        services.log_out(token=request.auth)
        return Response(status=status.HTTP_204_NO_CONTENT)


class PlayerView(APIView):
    @extend_schema(responses=serializers.PlayerSerializer)
    def get(self, _request: Request, player_id: UUID) -> Response:
        """Return a player's public profile."""
        return Response(serializers.PlayerSerializer(player_or_404(player_id)).data)
