"""The application that knows the facts: rules, deals, players, attempts, submissions."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = "Games"
