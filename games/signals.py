"""What `games` announces. `leaderboard` listens; `games` does not know who does.

Each signal is sent inside the transaction of the change it tells of, so that the consequence is
kept or lost together with the change.
"""

from django.dispatch import Signal

# Arguments: submission. Sent when an admin disqualified or reinstated it.
submission_status_changed = Signal()

# Arguments: player. Sent when a player's name, tokens and rank are to go.
player_deleted = Signal()
