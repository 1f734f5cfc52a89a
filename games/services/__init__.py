"""Every change of the facts. Each service takes the time as an argument; none reads a clock.

Arguments are keyword-only. A service refuses with an exception of games.errors; then
nothing has changed.
"""

from games.services.analysis import request_analysis
from games.services.attempts import forget_refused_logs, start_attempt, store_submission
from games.services.calendar import (
    RollOver,
    ensure_today,
    extend_deal,
    plan_days,
    roll_over,
    schedule_deal,
    up_to_date,
    void_deal,
)
from games.services.guesses import forget_addresses
from games.services.judging import judge, parse_code
from games.services.moderation import disqualify, reinstate, set_blocked, take_name_away
from games.services.players import (
    delete_player,
    join,
    lock,
    log_in,
    log_out,
    rename,
    set_password,
)
from games.services.pool import request_certification

__all__ = [
    "RollOver",
    "delete_player",
    "disqualify",
    "ensure_today",
    "extend_deal",
    "forget_addresses",
    "forget_refused_logs",
    "join",
    "judge",
    "lock",
    "log_in",
    "log_out",
    "parse_code",
    "plan_days",
    "reinstate",
    "rename",
    "request_analysis",
    "request_certification",
    "roll_over",
    "schedule_deal",
    "set_blocked",
    "set_password",
    "start_attempt",
    "store_submission",
    "take_name_away",
    "up_to_date",
    "void_deal",
]
