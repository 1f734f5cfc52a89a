"""The one error envelope: {"type", "errors": [{"code", "detail", "attr"}]} (docs/contract.md).

drf-standardized-errors makes it for whatever a view raises. This module adds what that library
cannot know: the refusals of our services, and the errors that Django answers before any view.
"""

from typing import Any

from django.core.exceptions import RequestDataTooBig, SuspiciousOperation
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _
from django.views import defaults
from drf_standardized_errors.handler import ExceptionHandler as StandardExceptionHandler
from rest_framework import exceptions

from config.parsers import PayloadTooLarge
from games.errors import ServiceError, TooManyGuesses

API_PREFIX = "/api/"


class ExceptionHandler(StandardExceptionHandler):
    """Give the refusals of the services their status and code."""

    def convert_known_exceptions(self, exc: Exception) -> Exception:
        """Return the API exception that stands for `exc`, or `exc` itself."""
        if isinstance(exc, TooManyGuesses):
            return exceptions.Throttled(wait=exc.wait_s)
        if isinstance(exc, ServiceError) and exc.attr is not None:
            details = [exceptions.ErrorDetail(str(text), code) for text, code in exc.reasons]
            return exceptions.ValidationError({exc.attr: details})
        if isinstance(exc, ServiceError):
            answer = exceptions.APIException(detail=str(exc.message), code=exc.code)
            answer.status_code = exc.status_code
            return answer
        if isinstance(exc, RequestDataTooBig):
            return PayloadTooLarge(_("The request body is too large."))
        if isinstance(exc, SuspiciousOperation):
            return exceptions.ParseError(_("The request is malformed."))
        converted: Exception = super().convert_known_exceptions(exc)
        return converted


def envelope(*, status_code: int, code: str, detail: str) -> JsonResponse:
    """Return an error answer for what never reaches a view of the API."""
    kind = "client_error" if status_code < 500 else "server_error"
    body = {"type": kind, "errors": [{"code": code, "detail": detail, "attr": None}]}
    return JsonResponse(body, status=status_code)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 400 for what Django itself finds malformed, such as a foreign Host header."""
    if request.path.startswith(API_PREFIX):
        return envelope(status_code=400, code="bad_request", detail=_("The request is malformed."))
    return defaults.bad_request(request, exception)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 403."""
    if request.path.startswith(API_PREFIX):
        return envelope(status_code=403, code="permission_denied", detail=_("Not allowed."))
    return defaults.permission_denied(request, exception)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 404 for an address that no view has."""
    if request.path.startswith(API_PREFIX):
        return envelope(
            status_code=404, code="not_found", detail=_("There is nothing at this address.")
        )
    return defaults.page_not_found(request, exception)


def server_error(request: HttpRequest, *_args: Any) -> HttpResponse:
    """Answer 500: a fault of ours, logged with its traceback by Django."""
    if request.path.startswith(API_PREFIX):
        return envelope(
            status_code=500,
            code="error",
            detail=_(
                "Something went wrong on our side. Your request is fine: send it again later."
            ),
        )
    return defaults.server_error(request)
