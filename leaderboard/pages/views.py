"""Pages with results: boards, the archive, players."""

from datetime import UTC, date
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from games.pages.answers import page


@page
def leaderboards(request: HttpRequest) -> HttpResponse:
    """Lead to the first board of today."""
    today = timezone.now().astimezone(UTC).date()
    return redirect("web:leaderboard", variant="easy-harp", day=today)


@page
def leaderboard(request: HttpRequest, variant: str, day: date) -> HttpResponse:
    return render(request, "web/leaderboard.html", {"section": "leaderboard"})


@page
def archive(request: HttpRequest, month: str = "") -> HttpResponse:
    return render(request, "web/archive.html", {"section": "archive"})


@page
def player(request: HttpRequest, player_id: UUID) -> HttpResponse:
    raise Http404
