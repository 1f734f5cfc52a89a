"""The application that holds what belongs to neither the games nor the leaderboard."""

from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core import checks

from config.start import NoOwnDealsError, require_own_deals


class ConfigConfig(AppConfig):
    name = "config"
    verbose_name = "Service"

    def ready(self) -> None:
        checks.register(check_secret_key_is_given, checks.Tags.security, deploy=True)
        checks.register(check_redis_is_given, checks.Tags.compatibility, deploy=True)
        checks.register(check_own_deals, checks.Tags.security, deploy=True)


def check_secret_key_is_given(**_kwargs: Any) -> list[checks.CheckMessage]:
    """Refuse to deploy with a secret key that each process invents for itself."""
    if settings.SECRET_KEY_FROM_ENVIRONMENT:
        return []
    return [
        checks.Error(
            "SECRET_KEY is not set: each process signs with a key of its own.",
            hint="Put a long random text into the environment variable SECRET_KEY.",
            id="config.E001",
        )
    ]


def check_redis_is_given(**_kwargs: Any) -> list[checks.CheckMessage]:
    """Warn of a deployment whose throttles and tasks stay inside one process."""
    if settings.REDIS_URL:
        return []
    return [
        checks.Warning(
            "REDIS_URL is not set: throttles count per process and no task reaches a worker.",
            hint="Set REDIS_URL, for example redis://redis:6379/0.",
            id="config.W001",
        )
    ]


def check_own_deals(**_kwargs: Any) -> list[checks.CheckMessage]:
    """Refuse to deploy a competition that would be played with public deals.

    A database that does not answer cannot be asked: then the start itself asks it.
    """
    try:
        require_own_deals()
    except NoOwnDealsError as refusal:
        return [checks.Error(f"Does not start: {refusal}", id="config.E002")]
    return []
