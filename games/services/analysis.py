"""Where a lost game went wrong: the last action after which the deal could still be won."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings

from config.database.retry import retried
from games import engine, solver
from games.errors import DealNotFinal, NothingToAnalyse
from games.models import Analysis, Attempt, DailyDeal, Submission
from games.services import calendar
from games.services.turns import Clock, begin_each

logger = logging.getLogger(__name__)

# What the solver says of a position, and how many positions it examined.
Ask = Callable[[engine.Position, int], tuple[solver.Outcome, int]]


@retried
def request_analysis(*, attempt: Attempt, now: datetime) -> Analysis:
    """Ask where an attempt's lost game went wrong; return the request or its answer.

    Asking again returns the same one.

    Raises:
        DealNotFinal: the deal may still be played.
        NothingToAnalyse: the attempt has no legal log, or one that won.
    """
    if calendar.up_to_date(attempt.daily_deal, now).status != DailyDeal.Status.FINAL:
        raise DealNotFinal
    submission = attempt.submissions.filter(legal=True, won=False).first()
    if submission is None:
        raise NothingToAnalyse
    analysis, _created = Analysis.objects.get_or_create(
        submission=submission, defaults={"requested_at": now}
    )
    return analysis


def analyse_pending(*, clock: Clock) -> int:
    """Answer every waiting question, and return how many there were."""
    pending = Analysis.objects.filter(finished_at__isnull=True).select_related(
        "submission__log", "submission__attempt__daily_deal__pool_deal"
    )
    count = 0
    for analysis in begin_each(pending, clock=clock):
        count += 1
        try:
            found = _search(analysis.submission)
        except Exception:  # whatever it is, others are waiting; it is logged and mailed
            logger.exception("The analysis of %s failed.", analysis.submission)
            found = TurningPoint(winnable_after=0, lost_after=None, positions=0)
        # Conditional: a redelivered task finds it answered and changes nothing.
        pending.filter(pk=analysis.pk).update(
            winnable_after=found.winnable_after,
            lost_after=found.lost_after,
            positions=found.positions,
            finished_at=clock(),
        )
    return count


def _search(submission: Submission) -> "TurningPoint":
    return turning_point(
        submission.attempt.daily_deal.pool_deal.code,
        submission.movetext,
        budget=settings.ANALYSIS_BUDGET,
        ask=solver.ask,
    )


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """After how many actions a deal was last known to be winnable, and first known to be lost."""

    winnable_after: int
    lost_after: int | None
    positions: int


def turning_point(code: engine.DealCode, movetext: str, *, budget: int, ask: Ask) -> TurningPoint:
    """Return where a legal log went from winnable to lost, as far as the budget allows.

    The deal itself is certified. Undone actions are left out: in what remains, each position
    follows from the one before, so once lost it stays lost, and halving finds the point. *Unknown*
    answers leave a gap between the two counts.
    """
    line = _line(code, movetext)
    spent = 0
    # The most questions that halving asks for each of the two counts.
    share = max(1, budget // (2 * max(1, len(line.actions).bit_length())))

    def is_known(outcome: str, at: int) -> bool:
        nonlocal spent
        if at not in answers:
            position = engine.start(code)
            for action in line.actions[:at]:
                position.apply(action)
            answers[at], positions = ask(position, share)
            spent += positions
        return answers[at] == outcome

    answers: dict[int, solver.Outcome] = {0: "winnable"}
    last_winnable = _last(len(line.actions), lambda at: is_known("winnable", at))
    # An unknown answer counts as lost above and as winnable here: both counts are certain.
    last_not_lost = _last(len(line.actions), lambda at: not is_known("unwinnable", at))
    return TurningPoint(
        winnable_after=line.counts[last_winnable],
        lost_after=line.counts[last_not_lost] + 1 if last_not_lost < len(line.actions) else None,
        positions=spent,
    )


def _last(most: int, holds: Callable[[int], bool]) -> int:
    """Return the greatest number up to `most` for which a condition holds that holds for 0."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if holds(middle):
            low = middle
        else:
            high = middle - 1
    return low


@dataclass(frozen=True, slots=True)
class _Line:
    """The actions of a log that were not undone.

    `counts[n]` is how many actions of the log were made when the first n of them were in effect for
    the last time; `counts[n] + 1` is the action that ended that.
    """

    actions: list[str]
    counts: list[int]


def _line(code: engine.DealCode, movetext: str) -> _Line:
    stack: list[str] = []
    last_at = {0: 0}
    for count, step in enumerate(engine.steps(code, movetext), start=1):
        if step.action == "U":
            stack.pop()
        else:
            stack.append(step.action)
        last_at[len(stack)] = count
    return _Line(stack, [last_at[depth] for depth in range(len(stack) + 1)])
