"""Rules of Easy Harp and Eight Off: deals, movetext, verdicts, interactive play.

Pure: the standard library only, no clock, no global random. Everything public is here; the
rules are docs/rules.md, the formats docs/contract.md. To add a variant, see `variants.py`.
"""

from .cards import CARD_NAMES, RANKS, SUITS, card_index, card_name
from .deals import (
    CODE_ERRORS,
    MAX_NUMBER,
    MIN_NUMBER,
    CodeError,
    DealCode,
    Layout,
    deal,
    parse_code,
)
from .gestures import double_tap, drop, tap
from .movetext import (
    LIMIT_ERRORS,
    MAX_ACTIONS,
    MAX_LOG_BYTES,
    Action,
    LimitError,
    Malformed,
    Token,
    format_movetext,
    parse_movetext,
)
from .plays import Refusal
from .points import FOUNDATION_POINTS
from .position import Position, Snapshot, apply, start
from .refusals import REFUSALS, Refused
from .replay import Step, Verdict, canonical, replay, steps
from .table import REMEMBERED_ACTIONS
from .variants import RULES_VERSION, VARIANTS, Variant

__all__ = [
    "CARD_NAMES",
    "CODE_ERRORS",
    "FOUNDATION_POINTS",
    "LIMIT_ERRORS",
    "MAX_ACTIONS",
    "MAX_LOG_BYTES",
    "MAX_NUMBER",
    "MIN_NUMBER",
    "RANKS",
    "REFUSALS",
    "REMEMBERED_ACTIONS",
    "RULES_VERSION",
    "SUITS",
    "VARIANTS",
    "Action",
    "CodeError",
    "DealCode",
    "Layout",
    "LimitError",
    "Malformed",
    "Position",
    "Refusal",
    "Refused",
    "Snapshot",
    "Step",
    "Token",
    "Variant",
    "Verdict",
    "apply",
    "canonical",
    "card_index",
    "card_name",
    "deal",
    "double_tap",
    "drop",
    "format_movetext",
    "parse_code",
    "parse_movetext",
    "replay",
    "start",
    "steps",
    "tap",
]
