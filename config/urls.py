"""Every address of the service."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path
from django.views.generic import RedirectView
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerView

from config.health import health

api: list[URLPattern | URLResolver] = [
    path("", include("games.api.urls")),
    path("", include("leaderboard.api.urls")),
    path("schema/", SpectacularAPIView.as_view(), name="schema"),
    path("docs/", SpectacularSwaggerView.as_view(url_name="schema"), name="docs"),
]

urlpatterns = [
    path("", RedirectView.as_view(pattern_name="docs"), name="home"),
    path("api/v1/", include(api)),
    path("admin/", admin.site.urls),
    path("healthz/", health, name="health"),
]

handler400 = "config.errors.bad_request"
handler403 = "config.errors.permission_denied"
handler404 = "config.errors.not_found"
handler500 = "config.errors.server_error"
