"""The receipt of an attempt: the outcome of its log, and its player's current standing.

Source of the rules: docs/contract.md, "Submissions".
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from games.models import Attempt, Submission
from leaderboard import boards

STARTED = "started"
STATUSES = [STARTED, *Submission.Status.values]


@dataclass(frozen=True, slots=True)
class ClaimDifference:
    """Where a client's claim about its log and the verdict differ."""

    field: str
    claimed: Any
    verified: Any


@dataclass(frozen=True, slots=True)
class Receipt:
    """The answer to a submission, as of `now`.

    `submission` is None while the attempt has no log; `status` is then `started`.
    """

    attempt: Attempt
    submission: Submission | None
    status: str
    claim_differences: Sequence[ClaimDifference]
    standing: boards.Standing
    now: datetime


def receipt_of(
    *,
    attempt: Attempt,
    submission: Submission | None,
    standing: boards.Standing,
    now: datetime,
) -> Receipt:
    """Return the receipt of an attempt for one of its logs.

    The attempt's deal decides whether a log counts as void: pass it as it is stored now.
    """
    return Receipt(
        attempt=attempt,
        submission=submission,
        status=submission.shown_status if submission else STARTED,
        claim_differences=_differences(submission) if submission else [],
        standing=standing,
        now=now,
    )


def _differences(submission: Submission) -> list[ClaimDifference]:
    claimed: Mapping[str, Any] = submission.claimed or {}
    return [
        ClaimDifference(field=name, claimed=value, verified=getattr(submission, name))
        for name, value in claimed.items()
        if value != getattr(submission, name)
    ]
