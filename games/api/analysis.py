"""Where a lost game went wrong."""

from typing import Any
from uuid import UUID

from django.http import Http404
from django.utils import timezone
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from games import errors, selectors, services, tasks
from games.api import serializers
from games.api.requests import own_attempt
from games.api.serializers import refused
from games.api.throttling import CountedView
from games.models import Analysis


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
        """Return the analysis, finished or not yet."""
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
