"""The record of admins' actions: Django's own admin log, with reason, before and after.

Every action on results or deals has an actor, a reason, and the states before and after.
"""

import json
import re
import unicodedata
from datetime import date
from typing import Any

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Q

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
    """Return the stored values of a deal or a result that an action may change."""
    if target is None or target.pk is None:
        return None
    if isinstance(target, DailyDeal):
        stored = DailyDeal.objects.select_related("pool_deal").get(pk=target.pk)
        return {
            "code": str(stored.pool_deal.code),
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
    message: dict[str, Any] = {"action": action, "reason": reason, "before": before}
    message["after"] = state_of(target)
    if isinstance(target, Submission):
        # The name of then: a reason may have it, and it goes when the player leaves (`forget`).
        message["player"] = target.attempt.player.display_name
    LogEntry.objects.create(
        user_id=actor.pk,
        content_type=ContentType.objects.get_for_model(target),
        object_id=str(target.pk),
        object_repr=str(target)[:200],
        action_flag=CHANGE,
        change_message=json.dumps(message, cls=DjangoJSONEncoder),
    )


def record_refusal(*, actor: Player, variant: str, day: date, asked_for: str, reason: str) -> None:
    """Write a refused change of a day by `actor` into the admin log."""
    daily_deal = DailyDeal.objects.filter(variant=variant, date=day).first()
    message = {"action": "schedule refused", "reason": reason, "asked_for": asked_for}
    LogEntry.objects.create(
        user_id=actor.pk,
        content_type=ContentType.objects.get_for_model(DailyDeal),
        object_id=str(daily_deal.pk) if daily_deal else None,
        object_repr=str(daily_deal or f"{variant} {day.isoformat()}"),
        action_flag=CHANGE,
        change_message=json.dumps(message),
    )


_REMOVED = "[name removed]"


def forget(player: Player) -> None:
    """Remove a player's names, current and former, from the admin log. Cost: a scan of the log.

    The caller is in a transaction and holds the player's row, as whoever acts on a player does;
    and the row still has the names. Who did what and why stays, but for the names. In entries about
    the player a reason loses them in any spelling of their letters' case; in others only as they
    were written exactly, since a name may be a word.
    """
    log = LogEntry.objects.filter(action_time__gte=player.joined_at)
    own_logs = Submission.objects.filter(attempt__player=player).values_list("pk", flat=True)
    about = [
        *log.filter(content_type=_type_of(Player), object_id=str(player.pk)),
        *log.filter(content_type=_type_of(Submission), object_id__in=map(str, own_logs)),
    ]
    names = {player.display_name, player.username or ""}
    for entry in about:
        names |= _names_in(entry)
    names -= {"", _REMOVED}
    written = Q()
    for name in names:
        # In JSON: with escapes for non-ASCII characters.
        written |= Q(change_message__contains=json.dumps(name)[1:-1])
    others = log.filter(written).exclude(pk__in=[entry.pk for entry in about]) if names else []
    for entry in about:
        if entry.content_type_id == _type_of(Player).pk:
            entry.object_repr = str(player.pk)
        entry.change_message = _without(entry.change_message, names, re.IGNORECASE)
    for entry in others:
        entry.change_message = _without(entry.change_message, names, 0)
    LogEntry.objects.bulk_update([*about, *others], ["object_repr", "change_message"])


def _type_of(model: type[models.Model]) -> ContentType:
    return ContentType.objects.get_for_model(model)


def _names_in(entry: LogEntry) -> set[str]:
    """Return the names that an entry about a player or their log was made with."""
    try:
        details = json.loads(entry.change_message)
    except ValueError:
        return set()
    if not isinstance(details, dict):
        return set()
    states = [details.get(state) or {} for state in ("before", "after")]
    return {str(state.get("name") or "") for state in states} | {str(details.get("player") or "")}


def _without(message: str, names: set[str], flags: int) -> str:
    """Return a change message with a remark in place of each name that is a word of its own."""
    words = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    pattern = re.compile(rf"(?<!\w)(?:{words})(?!\w)", flags)

    def cleaned(value: Any) -> Any:
        if isinstance(value, str):
            return pattern.sub(_REMOVED, unicodedata.normalize("NFKC", value))
        if isinstance(value, list):
            return [cleaned(one) for one in value]
        return value

    try:
        details = json.loads(message)
    except ValueError:
        return str(cleaned(message))
    if not isinstance(details, dict):
        return json.dumps(cleaned(details))
    places = [details, *filter(None, (details.get("before"), details.get("after")))]
    for place in places:
        # A name that is all of a value is no one's now; another player's may begin alike.
        place.update({key: None for key in ("name", "player") if place.get(key) in names})
    if "reason" in details:
        details["reason"] = cleaned(details["reason"])
    return json.dumps(details)
