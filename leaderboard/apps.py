"""The application that knows the consequences: results, ranks, standings."""

from django.apps import AppConfig


class LeaderboardConfig(AppConfig):
    name = "leaderboard"
    verbose_name = "Leaderboard"

    def ready(self) -> None:
        from leaderboard import receivers  # noqa: F401, PLC0415 (needs the models to be loaded)
