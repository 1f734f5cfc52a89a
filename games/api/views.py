"""Players, deals, attempts: parse, call one service, answer."""

import secrets
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import exceptions, status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games import engine, errors, selectors, services, tasks
from games.api import serializers
from games.api.requests import call_of, caller, own_attempt, parsed, player_of
from games.api.serializers import refused
from games.api.throttling import CountedView
from games.lookups import player_or_404, up_to_date_deal_or_404
from games.models import Analysis, Attempt

# --- Players ----------------------------------------------------------------------------------


class PlayersView(CountedView):
    counted = {"POST": "join"}

    @extend_schema(
        request=serializers.DisplayNameRequest,
        responses={201: serializers.JoinedSerializer, **refused(errors.NameTaken)},
    )
    def post(self, request: Request) -> Response:
        """Join as a guest. The token is told this once: keep it."""
        wish = parsed(serializers.DisplayNameRequest, request)
        player, token = services.join(display_name=wish["display_name"], call=call_of(request))
        answer = serializers.JoinedSerializer({"player": player, "token": token})
        return Response(answer.data, status=status.HTTP_201_CREATED)


class OwnPlayerView(CountedView):
    permission_classes = [IsAuthenticated]
    counted = {"PATCH": "rename"}  # it shows what names are taken

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
        """Take another name."""
        wish = parsed(serializers.DisplayNameRequest, request)
        player = services.rename(player=player_of(request), display_name=wish["display_name"])
        return Response(serializers.OwnPlayerSerializer(player).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request) -> Response:
        """Leave: your name, your token and your places on the boards go at once and for good."""
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
        """Set or change your password. Every other token of yours is void from then on."""
        wish = parsed(serializers.PasswordRequest, request)
        player = services.set_password(
            player=player_of(request),
            password=wish["password"],
            current_password=wish.get("current_password"),
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
        """Come back by name and password. The token is told this once: keep it."""
        wish = parsed(serializers.LoginRequest, request)
        player, token = services.log_in(
            display_name=wish["display_name"],
            password=wish["password"],
            call=call_of(request),
        )
        answer = serializers.JoinedSerializer({"player": player, "token": token})
        return Response(answer.data, status=status.HTTP_201_CREATED)


class CurrentTokenView(APIView):
    permission_classes = [IsAuthenticated]

    @extend_schema(responses={204: None})
    def delete(self, request: Request) -> Response:
        """Make this token void. Without a password there is no way back to the player."""
        services.log_out(token=request.auth)
        return Response(status=status.HTTP_204_NO_CONTENT)


class PlayerView(APIView):
    @extend_schema(responses=serializers.PlayerSerializer)
    def get(self, _request: Request, player_id: UUID) -> Response:
        """Return a player's public profile."""
        return Response(serializers.PlayerSerializer(player_or_404(player_id)).data)


# --- Games and deals --------------------------------------------------------------------------


class VariantsView(APIView):
    @extend_schema(responses=serializers.CatalogueSerializer)
    def get(self, _request: Request) -> Response:
        """Return the games, their variants, and every refusal with its text (Accept-Language)."""
        coded = {**engine.CODE_ERRORS, **engine.LIMIT_ERRORS}
        catalogue = {
            "rules_version": engine.RULES_VERSION,
            "variants": [
                {
                    "slug": variant.slug,
                    "game": variant.game,
                    "name": gettext(variant.name),
                    "code_prefix": variant.code_prefix,
                    "deck_size": variant.deck_size,
                    "columns": variant.columns,
                    "cells": variant.cells,
                    "foundations": variant.foundations,
                    "max_ranked_score": variant.max_ranked_score,
                }
                for variant in engine.VARIANTS.values()
            ],
            "limits": {"actions": engine.MAX_ACTIONS, "bytes": engine.MAX_LOG_BYTES},
            "refusals": [
                {"code": code, "text": gettext(text)} for code, text in engine.REFUSALS.items()
            ],
            "errors": [
                *({"code": code, "text": gettext(text)} for code, text in coded.items()),
                *({"code": c, "text": str(text)} for c, text in errors.DESCRIPTIONS.items()),
            ],
        }
        return Response(serializers.CatalogueSerializer(catalogue).data)


def _deal_data(code: engine.DealCode) -> dict[str, Any]:
    return {
        "code": str(code),
        "variant": code.variant.slug,
        "layout": engine.deal(code).as_dict(),
    }


class DealView(APIView):
    @extend_schema(responses={200: serializers.DealSerializer, **refused(errors.BadDealCode)})
    def get(self, _request: Request, code: str) -> Response:
        """Return the layout of any deal, for practice."""
        return Response(_deal_data(services.parse_code(code)))


class RandomDealView(CountedView):
    counted = {"GET": "random"}

    @extend_schema(
        parameters=[OpenApiParameter("variant", str, required=True, enum=list(engine.VARIANTS))],
        responses=serializers.DealSerializer,
    )
    def get(self, request: Request) -> Response:
        """Return a deal drawn at random, for practice.

        Every deal is as likely as any other, the daily deals among them: one that never came would
        be known by its absence.
        """
        variant = engine.VARIANTS.get(request.query_params.get("variant", ""))
        if variant is None:
            raise exceptions.ValidationError(
                {"variant": gettext_lazy("Say which: ") + ", ".join(engine.VARIANTS)},
                code="unknown_variant",
            )
        number = engine.MIN_NUMBER + secrets.randbelow(engine.MAX_NUMBER - engine.MIN_NUMBER + 1)
        return Response(_deal_data(engine.DealCode(variant=variant, number=number)))


class VerifyView(CountedView):
    counted = {"POST": "verify"}

    @extend_schema(
        request=serializers.VerifyRequest,
        responses={200: serializers.VerdictSerializer, **refused(errors.LogTooLarge)},
    )
    def post(self, request: Request) -> Response:
        """Return the verdict on a log of any deal. Nothing is stored."""
        wish = parsed(serializers.VerifyRequest, request)
        code = services.parse_code(wish["code"])
        verdict = services.judge(code=code, movetext=wish["movetext"])
        return Response(serializers.verdict_data(verdict))


# --- Daily deals and attempts -----------------------------------------------------------------


def _daily_deal_data(
    counted: selectors.CountedDeal, *, started: bool, now: datetime
) -> dict[str, Any]:
    deal = counted.daily_deal
    return {
        "variant": deal.variant,
        "date": deal.date,
        "status": deal.status_at(now),
        "opens_at": deal.opens_at,
        "closes_at": deal.closes_at,
        "submissions_until": deal.submissions_until,
        "server_now": now,
        "entrants": counted.entrants,
        "commitment": deal.commitment,
        "committed_at": deal.committed_at,
        "code": str(deal.deal.code) if started or deal.is_public_at(now) else None,
    }


def _daily_deal_detail(
    counted: selectors.CountedDeal, *, started: bool, now: datetime
) -> dict[str, Any]:
    deal = counted.daily_deal
    head = _daily_deal_data(counted, started=started, now=now)
    is_public = deal.is_public_at(now)
    return {
        **head,
        "layout": engine.deal(deal.deal.code).as_dict() if head["code"] else None,
        "salt": deal.salt if is_public else None,
        "winning_movetext": deal.deal.winning_movetext if is_public else None,
        "par_moves": deal.deal.par_moves if is_public else None,
        "grade": deal.deal.grade if is_public else None,
    }


class DailyDealsView(CountedView):
    counted = {"GET": "daily"}

    @extend_schema(responses=serializers.DailyDealSerializer(many=True))
    def get(self, request: Request) -> Response:
        """Return today's deal of every variant."""
        now = timezone.now()
        services.ensure_today(now=now)
        deals = selectors.todays_deals(now=now)
        started = selectors.started_deal_ids(
            player=caller(request), deals=[counted.daily_deal for counted in deals]
        )
        answer = [
            _daily_deal_data(counted, started=counted.daily_deal.pk in started, now=now)
            for counted in deals
        ]
        return Response(serializers.DailyDealSerializer(answer, many=True).data)


class DailyDealView(CountedView):
    counted = {"GET": "daily"}

    @extend_schema(responses=serializers.DailyDealDetailSerializer)
    def get(self, request: Request, variant: str, day: date) -> Response:
        """Return one daily deal; code, layout and winning line once it is final."""
        now = timezone.now()
        deal = up_to_date_deal_or_404(variant, day, now)
        started = selectors.started_deal_ids(player=caller(request), deals=[deal])
        answer = _daily_deal_detail(selectors.counted(deal), started=deal.pk in started, now=now)
        return Response(serializers.DailyDealDetailSerializer(answer).data)


def _attempts_data(
    attempts: Sequence[tuple[Attempt, bool]], *, now: datetime
) -> list[dict[str, Any]]:
    """Return a player's attempts at one deal, each with whether it is open.

    The cards are laid out once for all of them, of which there is at least one.
    """
    any_attempt, _is_open = attempts[0]
    player_id, daily_deal = any_attempt.player_id, any_attempt.daily_deal
    code = daily_deal.deal.code
    of_the_deal = {
        "variant": daily_deal.variant,
        "date": daily_deal.date,
        "first_started_at": selectors.first_start(player_id=player_id, daily_deal_id=daily_deal.pk),
        "submissions_until": daily_deal.submissions_until,
        "server_now": now,
        "code": str(code),
        "layout": engine.deal(code).as_dict(),
    }
    return [
        {
            **of_the_deal,
            "id": attempt.pk,
            "number": attempt.number,
            "started_at": attempt.started_at,
            "is_open": is_open,
        }
        for attempt, is_open in attempts
    ]


class AttemptsView(CountedView):
    permission_classes = [IsAuthenticated]
    counted = {"POST": "start"}

    @extend_schema(responses=serializers.AttemptSerializer(many=True))
    def get(self, request: Request, variant: str, day: date) -> Response:
        """Return your own attempts at this deal, the latest first."""
        now = timezone.now()
        daily_deal = up_to_date_deal_or_404(variant, day, now)
        attempts = selectors.attempts_of(player=player_of(request), daily_deal=daily_deal)
        answer = _attempts_data(attempts, now=now) if attempts else []
        return Response(serializers.AttemptSerializer(answer, many=True).data)

    @extend_schema(
        request=None,
        responses={
            201: serializers.AttemptSerializer,
            **refused(errors.DealNotOpen, errors.DealClosed, errors.DealVoid),
        },
    )
    def post(self, request: Request, variant: str, day: date) -> Response:
        """Start the clock: the answer has the code and the cards."""
        now = timezone.now()
        daily_deal = up_to_date_deal_or_404(variant, day, now)
        attempt = services.start_attempt(player=player_of(request), daily_deal=daily_deal, now=now)
        (data,) = _attempts_data([(attempt, True)], now=now)
        answer = serializers.AttemptSerializer(data)
        return Response(answer.data, status=status.HTTP_201_CREATED)


def _analysis_data(analysis: Analysis) -> dict[str, Any]:
    return {
        "attempt_id": analysis.submission.attempt_id,
        "status": "done" if analysis.finished_at else "pending",
        "requested_at": analysis.requested_at,
        "finished_at": analysis.finished_at,
        "actions": analysis.submission.actions,
        "winnable_after": analysis.winnable_after,
        "lost_after": analysis.lost_after,
    }


class AnalysisView(CountedView):
    permission_classes = [IsAuthenticated]
    counted = {"POST": "analyse"}

    @extend_schema(
        responses={200: serializers.AnalysisSerializer, **refused(errors.NotYourAttempt)}
    )
    def get(self, request: Request, attempt_id: UUID) -> Response:
        """Return what was asked for, answered or not yet."""
        attempt = own_attempt(attempt_id, request)
        analysis = selectors.analysis_of(attempt)
        if analysis is None:
            raise Http404
        return Response(serializers.AnalysisSerializer(_analysis_data(analysis)).data)

    @extend_schema(
        request=None,
        responses={
            200: OpenApiResponse(serializers.AnalysisSerializer, "Answered."),
            202: OpenApiResponse(serializers.AnalysisSerializer, "Being searched: ask again."),
            **refused(errors.NotYourAttempt, errors.DealNotFinal, errors.NothingToAnalyse),
        },
    )
    def post(self, request: Request, attempt_id: UUID) -> Response:
        """Ask where a lost game went wrong, once its deal is final."""
        attempt = own_attempt(attempt_id, request)
        analysis = services.request_analysis(attempt=attempt, now=timezone.now())
        if analysis.finished_at is None:
            tasks.send_after_commit(tasks.analyse_pending)
        answer = serializers.AnalysisSerializer(_analysis_data(analysis))
        return Response(
            answer.data,
            status=status.HTTP_200_OK if analysis.finished_at else status.HTTP_202_ACCEPTED,
        )
