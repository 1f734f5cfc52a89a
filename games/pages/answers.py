"""What the pages of both applications have in common."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, cast

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.views.decorators.http import require_safe

P = ParamSpec("P")
Page = Callable[Concatenate[HttpRequest, P], HttpResponse]


def page(view: Page[P]) -> Page[P]:
    """Make a view a page: read only, the same for everybody who reads its language.

    What is the player's own is filled in by scripts, from the API.
    """

    @require_safe
    @wraps(view)
    def answer(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        response = view(request, *args, **kwargs)
        patch_cache_control(response, private=True, no_cache=True)
        # The language is that of the cookie, or else what the browser asks for.
        patch_vary_headers(response, ["Cookie", "Accept-Language"])
        return response

    return cast("Page[P]", answer)
