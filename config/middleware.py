"""What every request must be before anything reads it."""

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
        # WSGI tells the length of a body by Content-Length alone: a chunked one would be read as
        # an empty one, and a log would seem to be missing that was sent.
        if "Transfer-Encoding" in request.headers:
            return envelope(
                status_code=411,
                code="length_required",
                detail=_("Send the body with a Content-Length, not in chunks."),
            )
        # Django decodes the query with whatever codec the Content-Type names, and Python has
        # codecs (rot13, base64) that are none for text.
        request.encoding = "utf-8"
        response = self.get_response(request)
        if request.path.startswith(API_PREFIX):
            # Answers tell tokens, and differ by who asks: nothing on the way keeps them.
            patch_cache_control(response, private=True, no_store=True)
        return response
