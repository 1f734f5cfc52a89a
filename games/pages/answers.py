"""What the pages of both applications share: caching and counting."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, cast

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.views.decorators.http import require_safe

from games.addresses import address_of
from games.counting import Counter, take

P = ParamSpec("P")
Page = Callable[Concatenate[HttpRequest, P], HttpResponse]


def page(view: Page[P]) -> Page[P]:
    """Make a view a page: read only, counted, the same for every reader of its language.

    Scripts fill in the player's own data from the API.
    """

    @require_safe
    @wraps(view)
    def answer(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        wait_s = take([Counter("page_per_address", address_of(request))])
        response = too_many(request, wait_s) if wait_s else view(request, *args, **kwargs)
        patch_cache_control(response, private=True, no_cache=True)
        # The language comes from the cookie, or else from the browser.
        patch_vary_headers(response, ["Cookie", "Accept-Language"])
        return response

    return cast("Page[P]", answer)


def too_many(request: HttpRequest, wait_s: int) -> HttpResponse:
    """Return the page that says how many seconds to wait."""
    response = render(request, "429.html", {"wait_s": wait_s}, status=429)
    response.headers["Retry-After"] = str(wait_s)
    return response
