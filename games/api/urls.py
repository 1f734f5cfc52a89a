"""The addresses of games.api.views, under /api/v1/."""

from django.urls import path

from games.api import views

urlpatterns = [
    path("players/", views.PlayersView.as_view(), name="players"),
    path("players/me/", views.OwnPlayerView.as_view(), name="own-player"),
    path("players/me/password/", views.PasswordView.as_view(), name="password"),
    path("players/<uuid:player_id>/", views.PlayerView.as_view(), name="player"),
    path("tokens/", views.TokensView.as_view(), name="tokens"),
    path("tokens/current/", views.CurrentTokenView.as_view(), name="current-token"),
    path("variants/", views.VariantsView.as_view(), name="variants"),
    path("deals/random/", views.RandomDealView.as_view(), name="random-deal"),
    path("deals/<str:code>/", views.DealView.as_view(), name="deal"),
    path("attempts/<uuid:attempt_id>/analysis/", views.AnalysisView.as_view(), name="analysis"),
    path("verify/", views.VerifyView.as_view(), name="verify"),
    path("daily/", views.DailyDealsView.as_view(), name="daily-deals"),
    path("daily/<slug:variant>/<isodate:day>/", views.DailyDealView.as_view(), name="daily-deal"),
    path(
        "daily/<slug:variant>/<isodate:day>/attempts/",
        views.AttemptsView.as_view(),
        name="attempts",
    ),
]
