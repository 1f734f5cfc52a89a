"""Requested searches, taken one after another."""

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import TypeVar

from django.db.models import F, QuerySet

from games.models import Analysis, Certification

# Queried again for each of several searches, which take minutes.
Clock = Callable[[], datetime]

RequestT = TypeVar("RequestT", Certification, Analysis)


def begin_each(pending: QuerySet[RequestT], *, clock: Clock) -> Iterator[RequestT]:
    """Yield each waiting request once, marked as begun.

    Requests that were never begun come first; one whose process died comes last.
    """
    taken: list[int] = []
    by_turn = pending.order_by(F("begun_at").asc(nulls_first=True), "requested_at")
    while (request := by_turn.exclude(pk__in=taken).first()) is not None:
        taken.append(request.pk)
        pending.filter(pk=request.pk).update(begun_at=clock())
        yield request
