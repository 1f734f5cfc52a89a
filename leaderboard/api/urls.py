"""The addresses of leaderboard.api.views, under /api/v1/."""

from django.urls import path

from leaderboard.api import views

urlpatterns = [
    path("attempts/<uuid:attempt_id>/", views.AttemptView.as_view(), name="attempt"),
    path("attempts/<uuid:attempt_id>/log/", views.LogView.as_view(), name="log"),
    path("players/<uuid:player_id>/record/", views.RecordView.as_view(), name="record"),
    path(
        "attempts/<uuid:attempt_id>/submission/",
        views.SubmissionView.as_view(),
        name="submission",
    ),
    path(
        "daily/<slug:variant>/<isodate:day>/leaderboard/",
        views.BoardView.as_view(),
        name="leaderboard",
    ),
    path(
        "daily/<slug:variant>/<isodate:day>/leaderboard/around-me/",
        views.AroundMeView.as_view(),
        name="leaderboard-around-me",
    ),
]
