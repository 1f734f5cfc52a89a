"""The published schema, built once for each format and language, and the page to browse it."""

from functools import cache
from hashlib import sha256
from threading import Lock
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import get_language, override
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiYamlRenderer
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.throttling import CountedMixin
from games.pages.answers import too_many

_one_at_a_time = Lock()


class SchemaView(CountedMixin, SpectacularAPIView):
    counted = {"GET": "schema"}
    http_method_names = ["get", "head"]

    def handle_exception(self, exc: Exception) -> Response:
        """Return an error in the common envelope, not in the format of a schema."""
        self.request.accepted_renderer = JSONRenderer()
        self.request.accepted_media_type = JSONRenderer.media_type
        return super().handle_exception(exc)

    @extend_schema(exclude=True)
    def get(self, request: Request, *_args: Any, **_kwargs: Any) -> HttpResponse:
        """Return the schema, built for the first request for this format and language.

        Building takes 0.1 s, and only new code changes it: a new process.
        """
        asked = request.query_params.get("lang")
        language = asked if asked in dict(settings.LANGUAGES) else get_language() or "en"
        renderer = request.accepted_renderer
        with _one_at_a_time:
            body, etag = _made(renderer.format, language)
        answer = HttpResponse(body, content_type=renderer.media_type)
        answer.headers["ETag"] = etag
        name = f"{settings.SPECTACULAR_SETTINGS['TITLE']}.{renderer.format}"
        answer.headers["Content-Disposition"] = f'inline; filename="{name}"'
        patch_vary_headers(answer, ["Accept", "Accept-Language"])
        return get_conditional_response(request, etag=etag, response=answer) or answer


@cache
def _made(form: str, language: str) -> tuple[bytes, str]:
    """Return the schema in a format and language, and its ETag."""
    renderer = OpenApiJsonRenderer() if "json" in form else OpenApiYamlRenderer()
    with override(language):
        schema = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
        body = bytes(renderer.render(schema, renderer_context={}))
    return body, f'"{sha256(body).hexdigest()[:32]}"'


class DocsView(CountedMixin, SpectacularSwaggerSplitView):
    counted = {"GET": "docs"}
    http_method_names = ["get", "head"]

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Return the page or, over its rate, the page that says to wait."""
        response = super().dispatch(request, *args, **kwargs)
        if response.status_code == 429:
            return too_many(request, int(response.headers["Retry-After"]))
        return response
