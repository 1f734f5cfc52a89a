"""Every address of the service."""

from csp.decorators import csp_update
from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path
from django.views.i18n import set_language

from config.health import health
from config.schema import DocsView, SchemaView
from games.admin import login

# Swagger UI writes styles into its elements, and into the page.
_for_swagger = csp_update({"style-src": ["'unsafe-inline'"]})

api: list[URLPattern | URLResolver] = [
    path("", include("games.api.urls")),
    path("", include("leaderboard.api.urls")),
    path("schema/", SchemaView.as_view(), name="schema"),
    path(
        "docs/",
        _for_swagger(DocsView.as_view(url_name="schema")),
        name="docs",
    ),
]

pages: list[URLPattern | URLResolver] = [
    path("", include("games.pages.urls")),
    path("", include("leaderboard.pages.urls")),
]

urlpatterns = [
    path("", include((pages, "web"))),
    path("i18n/setlang/", set_language, name="set_language"),
    path("api/v1/", include(api)),
    # In place of the admin's own: they count wrong passwords.
    path("admin/login/", login.login),
    path("admin/password_change/", admin.site.admin_view(login.change_password, cacheable=True)),
    path("admin/", admin.site.urls),
    path("healthz/", health, name="health"),
]

handler400 = "config.errors.bad_request"
handler403 = "config.errors.permission_denied"
handler404 = "config.errors.not_found"
handler500 = "config.errors.server_error"
