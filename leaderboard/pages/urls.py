"""The addresses of leaderboard.pages.views, from the root."""

from django.urls import path

from leaderboard.pages import views

urlpatterns = [
    path("leaderboard/", views.leaderboards, name="leaderboards"),
    path("leaderboard/<slug:variant>/<isodate:day>/", views.board, name="board"),
    path("archive/", views.archive, name="archive"),
    path("archive/<str:month>/", views.archive, name="archive"),
    path("players/<uuid:player_id>/", views.player, name="player"),
]
