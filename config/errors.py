"""The one error envelope: {"type", "errors": [{"code", "detail", "attr"}]} (docs/contract.md).

drf-standardized-errors makes it for everything a view raises. This module adds what that library
cannot know: the refusals of our services, and the errors that Django answers before any view.
"""

import logging
import sys
from typing import Any

from django.core.exceptions import RequestDataTooBig, SuspiciousOperation
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template import loader
from django.utils import translation
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views import defaults
from drf_standardized_errors.handler import ExceptionHandler as StandardExceptionHandler
from rest_framework import exceptions
from rest_framework.response import Response

from config import logs
from config.database.errors import is_unavailable
from config.parsers import PayloadTooLarge
from games.errors import ServiceError, TooManyGuesses

logger = logging.getLogger(__name__)

API_PREFIX = "/api/"
# The breaker asks a hanging database every second whether it is back.
RETRY_AFTER_S = 5
_UNAVAILABLE = gettext_lazy("The service can't answer at the moment. Try again in a few seconds.")


class Unavailable(exceptions.APIException):
    """The database is away, hangs, is locked or too busy: the same call may succeed later."""

    status_code = 503
    default_code = "unavailable"
    default_detail = _UNAVAILABLE
    wait = RETRY_AFTER_S  # the library makes Retry-After of it


def _api_exception(error: ServiceError) -> exceptions.APIException:
    """Return the API exception for a refusal of a service."""
    if isinstance(error, TooManyGuesses):
        return exceptions.Throttled(wait=error.wait_s)
    if error.attr is not None:
        details = [exceptions.ErrorDetail(str(text), code) for text, code in error.reasons]
        return exceptions.ValidationError({error.attr: details})
    answer = exceptions.APIException(detail=str(error.message), code=error.code)
    answer.status_code = error.status_code
    return answer


class ExceptionHandler(StandardExceptionHandler):
    """Give the refusals of the services their status and code."""

    def convert_known_exceptions(self, exc: Exception) -> Exception:
        """Return the API exception for `exc`, or `exc` itself."""
        if isinstance(exc, ServiceError):
            return _api_exception(exc)
        if isinstance(exc, RequestDataTooBig):
            return PayloadTooLarge(_("The request body is too large."))
        if isinstance(exc, SuspiciousOperation):
            return exceptions.ParseError(_("The request is malformed."))
        if is_unavailable(exc):
            return Unavailable()
        converted: Exception = super().convert_known_exceptions(exc)
        return converted

    def report_exception(self, exc: exceptions.APIException, response: Response) -> None:
        """Log our own faults with a traceback, and others briefly."""
        if isinstance(exc, Unavailable):
            request = self.context["request"]
            assert request is not None  # noqa: S101 (for the type checker)
            _log_unavailable(request.method or "", request.path, self.exc, response)
        else:
            super().report_exception(exc, response)


def envelope(*, status_code: int, code: str, detail: str) -> JsonResponse:
    """Return an error answer for a request that never reaches a view of the API."""
    kind = "client_error" if status_code < 500 else "server_error"
    body = {"type": kind, "errors": [{"code": code, "detail": detail, "attr": None}]}
    return JsonResponse(body, status=status_code)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 400 for a request that Django finds malformed, such as a foreign Host header."""
    if request.path.startswith(API_PREFIX):
        return envelope(status_code=400, code="bad_request", detail=_("The request is malformed."))
    return defaults.bad_request(request, exception)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 403."""
    if request.path.startswith(API_PREFIX):
        return envelope(status_code=403, code="permission_denied", detail=_("Not allowed."))
    return defaults.permission_denied(request, exception)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 404 for an address without a view."""
    if request.path.startswith(API_PREFIX):
        return envelope(
            status_code=404, code="not_found", detail=_("There is nothing at this address.")
        )
    return defaults.page_not_found(request, exception)


def server_error(request: HttpRequest, *_args: Any) -> HttpResponse:
    """Answer 500: a fault of ours, logged with its traceback by Django.

    An error raised anywhere because the database is away is 503 instead.
    """
    error = sys.exc_info()[1]
    if error is not None and is_unavailable(error):
        return unavailable(request, error)
    if request.path.startswith(API_PREFIX):
        return envelope(
            status_code=500,
            code="error",
            detail=_(
                "Something went wrong on our side. Your request is fine: send it again later."
            ),
        )
    return defaults.server_error(request)


def unavailable(request: HttpRequest, error: BaseException) -> HttpResponse:
    """Answer 503, in words that need neither database nor session."""
    # The error may have come before the language was chosen.
    with translation.override(translation.get_language_from_request(request)):
        response: HttpResponse
        if request.path.startswith(API_PREFIX):
            response = envelope(status_code=503, code="unavailable", detail=str(_UNAVAILABLE))
        else:
            response = HttpResponse(loader.render_to_string("503.html"), status=503)
    response.headers["Retry-After"] = str(RETRY_AFTER_S)
    add_never_cache_headers(response)
    _log_unavailable(request.method or "", request.path, error, response)
    return response


def _log_unavailable(
    method: str, path: str, error: BaseException, response: HttpResponse | Response
) -> None:
    logs.briefly(logger, f"503 {method} {path}", error)
    response._has_been_logged = True  # type: ignore[union-attr]
