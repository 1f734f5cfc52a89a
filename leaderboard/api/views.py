"""Submissions, receipts and boards: parse, call one service, answer."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import date, datetime
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import exceptions, status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games import errors
from games.api.requests import caller, own_attempt, parsed, player_of
from games.api.serializers import SubmissionRequest, refused, verdict_data
from games.api.throttling import CountedView
from games.lookups import attempt_or_404, player_or_404, up_to_date_deal_or_404
from games.models import DailyDeal
from games.selectors import deciding_submission, readable_log
from games.services import calendar
from leaderboard import boards, services
from leaderboard.api import serializers
from leaderboard.models import DailyResult
from leaderboard.paging import board_page
from leaderboard.receipts import Receipt, receipt_of
from leaderboard.records import RankedResult, record_of

NEIGHBOURS = 5
_LIMIT = OpenApiParameter("limit", int, description=f"Rows on a page, 1 to {boards.MAX_LIMIT}.")
_CURSOR = OpenApiParameter("cursor", str, description="From `next` or `previous`, as it is.")


class SubmissionView(CountedView):
    permission_classes = [IsAuthenticated]
    counted = {"POST": "submit"}

    @extend_schema(
        request=SubmissionRequest,
        responses={
            201: OpenApiResponse(serializers.ReceiptSerializer, "Judged and stored."),
            200: OpenApiResponse(serializers.ReceiptSerializer, "Known: the same answer again."),
            **refused(errors.NotYourAttempt, errors.AttemptUsed, errors.LogTooLarge),
        },
    )
    def post(self, request: Request, attempt_id: UUID) -> Response:
        """Send the log of an attempt; the service replays it at once.

        For an illegal log the verdict says why; the attempt stays open.
        """
        attempt = own_attempt(attempt_id, request)
        log = parsed(SubmissionRequest, request)
        # After the whole body was read: holding it back must not stop the clock.
        now = timezone.now()
        submitted = services.submit(
            attempt=attempt, movetext=log["movetext"], claimed=log.get("claimed"), now=now
        )
        receipt = receipt_of(
            attempt=attempt,
            submission=submitted.submission,
            standing=boards.standing_of(submitted.best, daily_deal=attempt.daily_deal),
            now=now,
        )
        return Response(
            _receipt(receipt),
            status=status.HTTP_201_CREATED if submitted.is_new else status.HTTP_200_OK,
        )


class AttemptView(APIView):
    permission_classes = [IsAuthenticated]

    @extend_schema(responses={200: serializers.ReceiptSerializer, **refused(errors.NotYourAttempt)})
    def get(self, request: Request, attempt_id: UUID) -> Response:
        """Return the receipt of an attempt: the answer to its submission."""
        attempt = own_attempt(attempt_id, request)
        submission = deciding_submission(attempt)
        standing = boards.standing(daily_deal=attempt.daily_deal, player_id=attempt.player_id)
        receipt = receipt_of(
            attempt=attempt, submission=submission, standing=standing, now=timezone.now()
        )
        return Response(_receipt(receipt))


class LogView(APIView):
    @extend_schema(responses={200: serializers.LogSerializer, **refused(errors.DealNotFinal)})
    def get(self, request: Request, attempt_id: UUID) -> Response:
        """Return the log of an attempt: your own at any time, others' once the deal is final."""
        now = timezone.now()
        attempt = attempt_or_404(attempt_id, with_player=True)
        attempt.daily_deal = calendar.up_to_date(attempt.daily_deal, now)
        submission = readable_log(attempt=attempt, reader=caller(request), now=now)
        if submission is None:
            raise Http404
        daily_deal = attempt.daily_deal
        answer = {
            "attempt_id": attempt.pk,
            "attempt_number": attempt.number,
            "variant": daily_deal.variant,
            "date": daily_deal.date,
            "code": str(daily_deal.pool_deal.code),
            "player": attempt.player,
            "status": submission.shown_status,
            "received_at": submission.received_at,
            "movetext": submission.movetext,
            "verdict": verdict_data(submission.verdict),
        }
        return Response(serializers.LogSerializer(answer).data)


class RecordView(CountedView):
    counted = {"GET": "board"}

    @extend_schema(responses=serializers.RecordSerializer)
    def get(self, _request: Request, player_id: UUID) -> Response:
        """Return a player's record: every variant, streaks, and the latest 30 results."""
        now = timezone.now()
        calendar.ensure_today(now=now)
        player = player_or_404(player_id)
        record = record_of(player_id=player.pk, now=now)
        answer = {
            "player": player,
            "variants": record.variants,
            "results": [_record_row(row, now) for row in record.latest],
        }
        return Response(serializers.RecordSerializer(answer).data)


class BoardView(CountedView):
    counted = {"GET": "board"}

    @extend_schema(parameters=[_LIMIT, _CURSOR], responses=serializers.BoardSerializer)
    def get(self, request: Request, variant: str, day: date) -> Response:
        """Return a page of a daily deal's leaderboard."""
        now = timezone.now()
        daily_deal = up_to_date_deal_or_404(variant, day, now)
        limit = _limit(request)
        page = board_page(
            daily_deal=daily_deal, cursor_text=request.query_params.get("cursor"), limit=limit
        )

        def link(cursor: str | None) -> str | None:
            query = urlencode({"limit": limit, "cursor": cursor})
            return request.build_absolute_uri(f"{request.path}?{query}") if cursor else None

        answer = {
            **_board_head(daily_deal, now, ranked_players=boards.ranked_players(daily_deal)),
            "next": link(page.next),
            "previous": link(page.previous),
            "results": [_row(row) for row in page.rows],
        }
        return Response(serializers.BoardSerializer(answer).data)


class AroundMeView(CountedView):
    permission_classes = [IsAuthenticated]
    counted = {"GET": "board"}

    @extend_schema(responses=serializers.AroundMeSerializer)
    def get(self, request: Request, variant: str, day: date) -> Response:
        """Return your rank on a board, with up to five rows on each side."""
        now = timezone.now()
        daily_deal = up_to_date_deal_or_404(variant, day, now)
        standing = boards.standing(daily_deal=daily_deal, player_id=player_of(request).pk)
        rows: Sequence[boards.Row] = []
        if standing.best is not None:
            rows = boards.around(
                daily_deal=daily_deal, result=standing.best, neighbours=NEIGHBOURS
            ).rows
        answer = {
            **_board_head(daily_deal, now, ranked_players=standing.ranked_players),
            "rank": standing.rank,
            "percentile": standing.percentile,
            "results": [_row(row) for row in rows],
        }
        return Response(serializers.AroundMeSerializer(answer).data)


def _limit(request: Request) -> int:
    text = request.query_params.get("limit")
    if text is None:
        return boards.DEFAULT_LIMIT
    limit = int(text) if text.isascii() and text.isdigit() and len(text) <= 4 else 0
    if not 1 <= limit <= boards.MAX_LIMIT:
        raise exceptions.ValidationError(
            {"limit": [_("Give a number from 1 to %(most)d.") % {"most": boards.MAX_LIMIT}]},
            code="invalid_limit",
        )
    return limit


def _board_head(daily_deal: DailyDeal, now: datetime, *, ranked_players: int) -> dict[str, Any]:
    return {
        "variant": daily_deal.variant,
        "date": daily_deal.date,
        "status": daily_deal.status_at(now),
        "ranked_players": ranked_players,
    }


def _result(result: DailyResult) -> dict[str, Any]:
    submission = result.submission
    return {
        "attempt_id": submission.attempt_id,
        "attempt_number": submission.attempt.number,
        "won": submission.won,
        "score": submission.score,
        "ranked_score": submission.ranked_score,
        "moves": submission.moves,
        "seconds": result.key.seconds,
        "received_at": submission.received_at,
    }


def _row(row: boards.Row) -> dict[str, Any]:
    return {"rank": row.rank, "player": row.result.player, **_result(row.result)}


def _record_row(row: RankedResult, now: datetime) -> dict[str, Any]:
    result = row.result
    submission = result.submission
    return {
        "variant": result.daily_deal.variant,
        "date": result.daily_deal.date,
        "status": result.daily_deal.status_at(now),
        "attempt_id": submission.attempt_id,
        "won": submission.won,
        "score": submission.score,
        "ranked_score": submission.ranked_score,
        "moves": submission.moves,
        "seconds": result.key.seconds,
        "rank": row.rank,
        "ranked_players": row.ranked_players,
    }


def _receipt(receipt: Receipt) -> dict[str, Any]:
    attempt, submission, standing = receipt.attempt, receipt.submission, receipt.standing
    daily_deal = attempt.daily_deal
    answer = {
        "attempt_id": attempt.pk,
        "attempt_number": attempt.number,
        "variant": daily_deal.variant,
        "date": daily_deal.date,
        "started_at": attempt.started_at,
        "submissions_until": daily_deal.submissions_until,
        "server_now": receipt.now,
        "status": receipt.status,
        "received_at": submission.received_at if submission else None,
        "elapsed_ms": submission.elapsed_ms if submission else None,
        "since_first_start_ms": submission.since_first_start_ms if submission else None,
        "rules_version": submission.rules_version if submission else None,
        "verdict": verdict_data(submission.verdict) if submission else None,
        "claimed": submission.claimed if submission else None,
        "claim_differences": [asdict(each) for each in receipt.claim_differences],
        "best": _result(standing.best) if standing.best else None,
        "rank": standing.rank,
        "ranked_players": standing.ranked_players,
        "percentile": standing.percentile,
    }
    data: dict[str, Any] = serializers.ReceiptSerializer(answer).data
    return data
