"""The texts of the modules in the browser, as one script for each language.

The language is in the address, not in a cookie, so that browsers can cache the script for long; its
version changes with the translations.
"""

from functools import cache
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.translation import override
from django.views.i18n import JavaScriptCatalog

LANGUAGES = [code for code, _name in settings.LANGUAGES]
_YEAR_S = 365 * 24 * 3600


class TextsView(JavaScriptCatalog):
    domain = "djangojs"
    packages = ["games"]

    def get(
        self, request: HttpRequest, *args: Any, language: str = "", **kwargs: Any
    ) -> HttpResponse:
        """Return the catalogue of a language, whatever the reader's language."""
        if language not in LANGUAGES:
            raise Http404
        with override(language):
            answer = super().get(request, *args, **kwargs)
        if request.GET.get("v") == version(language):
            patch_cache_control(answer, public=True, max_age=_YEAR_S, immutable=True)
        else:
            patch_cache_control(answer, no_cache=True)
        return answer


@cache
def version(language: str) -> str:
    """Return a version that changes with the texts of a language; computed once per process."""
    file = settings.BASE_DIR / "games/locale" / language / "LC_MESSAGES" / "djangojs.mo"
    return sha256(file.read_bytes() if file.exists() else b"").hexdigest()[:12]


def address(language: str) -> str:
    """Return the address of the texts of a language, with their version."""
    return f"{reverse('web:texts', args=[language])}?v={version(language)}"
