"""Who may see the code, cards, line, par and grade of a deal now (docs/adr/0012).

A daily deal is public when it is final. Until then only those see it who have the right to,
and nothing that others are shown differs by which deal of the pool was drawn.
"""

import re
from collections.abc import Iterable
from datetime import datetime
from typing import Final

from django.conf import settings
from django.db.models import (
    BooleanField,
    Exists,
    ExpressionWrapper,
    OuterRef,
    Q,
    QuerySet,
    Value,
)
from django.db.models.expressions import Combinable
from django.utils.translation import gettext

from games import engine
from games.models import DailyDeal, Player, PoolDeal

SEE_UNPLAYED: Final = "games.see_unplayed_deals"
# A code as people write it: in a reason, in any case of its letters.
_CODE: Final = re.compile(r"(?<![A-Z0-9])E[HO]\d+-[A-Z0-9]+-[A-Z2-7]{7}(?![A-Z0-9])", re.IGNORECASE)


def sees_all(viewer: Player) -> bool:
    """Return whether someone may see deals that are not final yet."""
    return viewer.has_perm(SEE_UNPLAYED)


def may_see(*, viewer: Player, daily_deal: DailyDeal, now: datetime) -> bool:
    """Return whether someone may see code, cards, line, par and grade of a daily deal now."""
    return daily_deal.is_public_at(now) or sees_all(viewer)


def public_at(now: datetime, path: str = "") -> Q:
    """Return the condition of DailyDeal.is_public_at, for a query.

    `path` leads from the queried model to the daily deal: `daily_deal__`.
    """
    settled = now - settings.GRACE - settings.SETTLE
    return Q(**{f"{path}status": DailyDeal.Status.FINAL}) | Q(
        **{f"{path}status": DailyDeal.Status.VOID, f"{path}closes_at__lte": settled}
    )


def shown_to(viewer: Player, now: datetime, path: str = "") -> Combinable:
    """Return `may_see` as an expression of a query; `path` as for `public_at`."""
    if sees_all(viewer):
        return Value(value=True, output_field=BooleanField())
    return ExpressionWrapper(public_at(now, path), output_field=BooleanField())


def hidden_pool_deals(now: datetime) -> QuerySet[PoolDeal]:
    """Return the pool deals that are not everyone's: never used, drawn, or being played."""
    public = DailyDeal.objects.filter(public_at(now), pool_deal=OuterRef("pk"))
    return PoolDeal.objects.filter(~Exists(public))


def hidden_text() -> str:
    """Return the placeholder for a hidden value."""
    return gettext("hidden until the deal is final")


def without_hidden_codes(texts: Iterable[str], *, now: datetime) -> list[str]:
    """Return the texts with a remark in place of each code of a hidden pool deal.

    Cost: one query for all of them, none when there is no code in any.
    """
    texts = list(texts)
    found = {code for text in texts for word in _CODE.findall(text) if (code := _parsed(word))}
    wanted = Q()
    for code in found:
        wanted |= Q(variant=code.variant.slug, number=code.number)
    hidden = (
        {str(deal.code) for deal in hidden_pool_deals(now).filter(wanted)} if found else set[str]()
    )

    def remark(match: re.Match[str]) -> str:
        return f"[{hidden_text()}]" if str(_parsed(match[0])) in hidden else match[0]

    return [_CODE.sub(remark, text) for text in texts]


def _parsed(word: str) -> engine.DealCode | None:
    try:
        return engine.parse_code(word)
    except engine.CodeError:
        return None
