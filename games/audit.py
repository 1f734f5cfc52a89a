"""The record of what admins did: Django's own admin log, with reason, before and after.

ranking-notes behind this: every action on results or deals carries actor, reason and both states.
"""

import json
from typing import Any

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models

from games.errors import ReasonMissing
from games.models import Certification, DailyDeal, Player, Submission


def require_reason(reason: str) -> None:
    """Refuse an action without a reason.

    Raises:
        ReasonMissing
    """
    if not reason.strip():
        raise ReasonMissing


def state_of(target: models.Model | None) -> dict[str, Any] | None:
    """Return what an action may change of a deal or a result, as it is stored now."""
    if target is None or target.pk is None:
        return None
    if isinstance(target, DailyDeal):
        stored = DailyDeal.objects.select_related("deal").get(pk=target.pk)
        return {
            "code": str(stored.deal.code),
            "status": stored.status,
            "closes_at": stored.closes_at,
            # Public, and needed to recognise a replaced promise.
            "commitment": stored.commitment,
            "committed_at": stored.committed_at,
        }
    if isinstance(target, Player):
        stored_player = Player.objects.get(pk=target.pk)
        return {"name": stored_player.display_name, "is_active": stored_player.is_active}
    if isinstance(target, Certification):
        stored_request = Certification.objects.get(pk=target.pk)
        return {"outcome": stored_request.outcome, "budget": stored_request.budget}
    if isinstance(target, Submission):
        return {"status": Submission.objects.values_list("status", flat=True).get(pk=target.pk)}
    raise TypeError(target)


def record(
    *,
    actor: Player,
    target: models.Model,
    action: str,
    reason: str,
    before: dict[str, Any] | None,
) -> None:
    """Write what `actor` did to `target` into the admin log, in the caller's transaction."""
    message = {"action": action, "reason": reason, "before": before, "after": state_of(target)}
    LogEntry.objects.create(
        user_id=actor.pk,
        content_type=ContentType.objects.get_for_model(target),
        object_id=str(target.pk),
        object_repr=str(target)[:200],
        action_flag=CHANGE,
        change_message=json.dumps(message, cls=DjangoJSONEncoder),
    )
