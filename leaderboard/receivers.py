"""What `leaderboard` does when `games` announces a change, in the same transaction."""

from typing import Any

from django.dispatch import receiver

from games.models import Player, Submission
from games.signals import player_deleted, submission_status_changed
from leaderboard import services


@receiver(submission_status_changed)
def on_submission_status_changed(submission: Submission, **_kwargs: Any) -> None:
    """Count the player's result of that deal again."""
    attempt = submission.attempt
    services.refresh_result(daily_deal_id=attempt.daily_deal_id, player_id=attempt.player_id)


@receiver(player_deleted)
def on_player_deleted(player: Player, **_kwargs: Any) -> None:
    """Take the player off the boards."""
    services.forget_player(player_id=player.pk)
