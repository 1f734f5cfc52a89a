"""Checks on every request before anything reads it."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.middleware.common import CommonMiddleware
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _

from config.errors import API_PREFIX, envelope


class SameMethodRedirect(HttpResponsePermanentRedirect):
    """308: the same request again, elsewhere."""

    status_code = 308


class SlashMiddleware(CommonMiddleware):
    """Redirect to the address with its slash so that a POST stays one and keeps its body."""

    response_redirect_class = SameMethodRedirect


class RequestFormMiddleware:
    """Refuse a body of unknown length, and read every request as UTF-8."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        # WSGI knows the length of a body only from Content-Length: a chunked body would be read as
        # empty, and the log in it would seem to be missing.
        if "Transfer-Encoding" in request.headers:
            return envelope(
                status_code=411,
                code="length_required",
                detail=_("Send the body with a Content-Length, not in chunks."),
            )
        # Django decodes the query with whatever codec the Content-Type names, and some of Python's
        # codecs (rot13, base64) are not for text.
        request.encoding = "utf-8"
        response = self.get_response(request)
        if request.path.startswith(API_PREFIX):
            # Answers contain tokens and differ by caller, so no cache may keep them.
            patch_cache_control(response, private=True, no_store=True)
        return response
