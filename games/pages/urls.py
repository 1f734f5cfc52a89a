"""The addresses of games.pages.views, from the root."""

from django.urls import path

from games.pages import texts, views

urlpatterns = [
    path("", views.home, name="home"),
    path("play/<slug:variant>/<isodate:day>/", views.play, name="play"),
    path("practice/", views.practice, name="practice"),
    path("result/<uuid:attempt_id>/", views.result, name="result"),
    path("replay/<uuid:attempt_id>/", views.replay, name="replay"),
    path("replay/<slug:variant>/<isodate:day>/", views.replay_line, name="replay-line"),
    path("rules/", views.rules, name="rules"),
    path("rules/<slug:game>/", views.rules, name="rules"),
    path("settings/", views.settings, name="settings"),
    path("service-worker.js", views.service_worker, name="service-worker"),
    path("texts/<slug:language>.js", texts.TextsView.as_view(), name="texts"),
]
