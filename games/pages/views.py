"""The pages of today, the table, the rules and the settings."""

from datetime import date, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.translation import get_language, gettext
from django.views.decorators.http import require_safe

from games import engine, selectors, services
from games.days import day_of
from games.lookups import up_to_date_deal_or_404
from games.pages.answers import page


def _table(now: datetime) -> dict[str, Any]:
    """Return what every page with a table needs: the engine's texts, and the day."""
    coded = {**engine.REFUSALS, **engine.CODE_ERRORS}
    return {
        "now": now,
        "today": day_of(now),
        "refusals": {code: gettext(text) for code, text in coded.items()},
        "variants": {slug: gettext(variant.name) for slug, variant in engine.VARIANTS.items()},
    }


def _panel(
    variant: engine.Variant, counted: selectors.CountedDeal | None, now: datetime
) -> dict[str, Any]:
    """Return what the home page shows of a variant, which may have no deal today."""
    if counted is None:
        return {"variant": variant}
    return {
        "variant": variant,
        "deal": counted.daily_deal,
        "status": counted.daily_deal.status_at(now).value,
        "entrants": counted.entrants,
    }


@page
def home(request: HttpRequest) -> HttpResponse:
    """Show today's deals, and the way to practice."""
    now = timezone.now()
    services.ensure_today(now=now)
    by_variant = {
        counted.daily_deal.variant: counted for counted in selectors.todays_deals(now=now)
    }
    panels = [
        _panel(variant, by_variant.get(slug), now) for slug, variant in engine.VARIANTS.items()
    ]
    context = {
        "section": "home",
        "now": now,
        "today": day_of(now),
        "panels": panels,
        "variants": engine.VARIANTS.values(),
    }
    return render(request, "web/home.html", context)


@page
def play(request: HttpRequest, variant: str, day: date) -> HttpResponse:
    """Show the table for a daily deal; the cards come from the API once it is started."""
    now = timezone.now()
    daily_deal = up_to_date_deal_or_404(variant, day, now)
    context = {
        "variant": daily_deal.variant,
        "variant_name": gettext(engine.VARIANTS[daily_deal.variant].name),
        "day": daily_deal.date,
    }
    return render(request, "web/play.html", context | _table(now))


@page
def practice(request: HttpRequest) -> HttpResponse:
    """Show the table for practice; the deal is in the query, and the script reads it."""
    return render(request, "web/play.html", _table(timezone.now()))


@page
def replay(request: HttpRequest, attempt_id: UUID) -> HttpResponse:
    """Show the table for watching a log of an attempt."""
    context = {"attempt_id": attempt_id}
    return render(request, "web/replay.html", context | _table(timezone.now()))


@page
def replay_line(request: HttpRequest, variant: str, day: date) -> HttpResponse:
    """Show the table for watching a daily deal's winning line, once it is public."""
    now = timezone.now()
    daily_deal = up_to_date_deal_or_404(variant, day, now)
    if not daily_deal.is_public_at(now):
        raise Http404
    context = {
        "variant": daily_deal.variant,
        "variant_name": gettext(engine.VARIANTS[daily_deal.variant].name),
        "day": daily_deal.date,
    }
    return render(request, "web/replay.html", context | _table(now))


@page
def result(request: HttpRequest, attempt_id: UUID) -> HttpResponse:
    """Show the result of an attempt: its receipt comes from the API."""
    # The script learns the deal from the receipt and puts it into the addresses.
    context = {"attempt_id": attempt_id, "placeholder_day": date(2000, 1, 1)}
    return render(request, "web/result.html", context | _table(timezone.now()))


# The rules of a game are prose: a file for each language, not texts of a catalogue.
GAMES = {"easy-harp": "easy_harp", "eight-off": "eight_off"}


@page
def rules(request: HttpRequest, game: str = "") -> HttpResponse:
    """Show the rules of a game, or those of the competition."""
    if game and game not in GAMES:
        raise Http404
    language = get_language() or "en"
    context = {
        "section": "rules",
        "game": game,
        "games": {slug: gettext(engine.VARIANTS[slug].name) for slug in GAMES},
        "prose": f"web/rules/{GAMES.get(game, 'common')}.{language}.html",
    }
    return render(request, "web/rules.html", context)


@page
def settings(request: HttpRequest) -> HttpResponse:
    """Show the settings; all except the language live in the browser."""
    return render(request, "web/settings.html", {"section": "settings"})


_SERVICE_WORKER = Path(__file__).parent.parent / "static" / "web" / "service-worker.js"


@require_safe
def service_worker(_request: HttpRequest) -> HttpResponse:
    """Return the script that keeps pages for when there is no network.

    It is at the root because a worker serves only addresses below its own.
    """
    answer = HttpResponse(_SERVICE_WORKER.read_text(), content_type="text/javascript")
    patch_cache_control(answer, no_cache=True)
    return answer
