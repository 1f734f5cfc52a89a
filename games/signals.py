"""What `games` announces. `leaderboard` listens; `games` does not know who does.

Each signal is sent inside the transaction of the change, so that the change and its consequence are
kept or lost together.
"""

from django.dispatch import Signal

# Arguments: submission. Sent when an admin disqualified or reinstated it.
submission_status_changed = Signal()

# Arguments: player. Sent when a player's name, tokens and rank are to go.
player_deleted = Signal()
