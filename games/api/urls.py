"""The addresses of the API of games, under /api/v1/."""

from django.urls import path

from games.api import analysis, attempts, calendar, players, practice

urlpatterns = [
    path("players/", players.PlayersView.as_view(), name="players"),
    path("players/me/", players.OwnPlayerView.as_view(), name="own-player"),
    path("players/me/password/", players.PasswordView.as_view(), name="password"),
    path("players/<uuid:player_id>/", players.PlayerView.as_view(), name="player"),
    path("tokens/", players.TokensView.as_view(), name="tokens"),
    path("tokens/current/", players.CurrentTokenView.as_view(), name="current-token"),
    path("variants/", practice.VariantsView.as_view(), name="variants"),
    path("deals/random/", practice.RandomDealView.as_view(), name="random-deal"),
    path("deals/<str:code>/", practice.DealView.as_view(), name="deal"),
    path("attempts/<uuid:attempt_id>/analysis/", analysis.AnalysisView.as_view(), name="analysis"),
    path("verify/", practice.VerifyView.as_view(), name="verify"),
    path("daily/", calendar.DailyDealsView.as_view(), name="daily-deals"),
    path(
        "daily/<slug:variant>/<isodate:day>/", calendar.DailyDealView.as_view(), name="daily-deal"
    ),
    path(
        "daily/<slug:variant>/<isodate:day>/attempts/",
        attempts.AttemptsView.as_view(),
        name="attempts",
    ),
]
