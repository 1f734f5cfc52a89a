"""The application that knows the facts: rules, deals, players, attempts, submissions."""

from django.apps import AppConfig
from django.urls import register_converter

from games.converters import DateConverter


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = "Games"

    def ready(self) -> None:
        # Before any URL file is read: those of the API and the pages use it.
        register_converter(DateConverter, "isodate")
