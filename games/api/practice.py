"""The games, deals to practise, and verdicts that are not stored."""

import secrets
from typing import Any

from django.utils.translation import gettext, gettext_lazy
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games import engine, errors, services
from games.api import serializers
from games.api.requests import parsed
from games.api.serializers import refused
from games.api.throttling import CountedView


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

        Every deal is as likely as any other, daily deals included: a deal that was left out would
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
        body = parsed(serializers.VerifyRequest, request)
        code = services.parse_code(body["code"])
        verdict = services.judge(code=code, movetext=body["movetext"])
        return Response(serializers.verdict_data(verdict))
