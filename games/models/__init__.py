"""The facts, as tables.

Named constraints say here what one row may hold and which rows exclude each other. What must agree
across tables, such as the variant of a daily deal and of its pool deal, the services keep and
`manage.py verify_database` checks (docs/adr/0017).
"""

from games.models.analysis import Analysis
from games.models.calendar import DailyDeal
from games.models.choices import VARIANT_CHOICES
from games.models.play import Attempt, Submission, SubmissionLog
from games.models.players import KnownAddress, Player
from games.models.pool import Certification, PoolDeal

__all__ = [
    "VARIANT_CHOICES",
    "Analysis",
    "Attempt",
    "Certification",
    "DailyDeal",
    "KnownAddress",
    "Player",
    "PoolDeal",
    "Submission",
    "SubmissionLog",
]
