"""What the tests of the service are made with: days, players and calls."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.http import HttpResponse
from rest_framework.test import APIClient

from games import commitment, engine, services
from games.models import Attempt, DailyDeal, Player, PoolDeal, Submission
from leaderboard import services as leaderboard
from tests.logs import Win, wins_of

NOON = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
TODAY = NOON.date()


def assign(variant: str, day: date = TODAY, *, win: Win | None = None) -> DailyDeal:
    """Make the deal of a real winning log the deal of a day."""
    win = win or wins_of(variant)[0]
    pool_deal, _created = PoolDeal.objects.get_or_create(
        variant=variant,
        number=win.number,
        defaults={"winning_movetext": win.movetext, "par_moves": win.moves, "grade": 3},
    )
    opens_at = datetime(day.year, day.month, day.day, tzinfo=UTC)
    salt = commitment.new_salt()
    return DailyDeal.objects.create(
        salt=salt,
        commitment=commitment.commitment(salt=salt, variant=variant, day=day, code=win.code),
        committed_at=opens_at - timedelta(days=14),
        variant=variant,
        date=day,
        pool_deal=pool_deal,
        opens_at=opens_at,
        closes_at=opens_at + timedelta(days=1),
    )


def open_day(day: date = TODAY) -> dict[str, DailyDeal]:
    """Give every variant an open deal on a day, that of its first winning log."""
    deals = {}
    for slug in engine.VARIANTS:
        deals[slug] = assign(slug, day)
        deals[slug].status = DailyDeal.Status.OPEN
        deals[slug].save()
    return deals


def new_player(name: str = "Ada") -> Player:
    """Return a player who has just joined."""
    return services.join(display_name=name)[0]


def start(player: Player, deal: DailyDeal, now: datetime = NOON) -> Attempt:
    """Start an attempt."""
    return services.start_attempt(player=player, daily_deal=deal, now=now).attempt


def submit(
    attempt: Attempt, movetext: str, now: datetime = NOON, **claimed: Any
) -> tuple[Submission, bool]:
    """Send the log of an attempt as its own player."""
    submitted = leaderboard.submit(
        attempt=attempt, movetext=movetext, claimed=claimed or None, now=now
    )
    return submitted.submission, submitted.is_new


class Caller:
    """A client of the API, with or without a token."""

    def __init__(self, name: str = "") -> None:
        self.client = APIClient()
        self.player = None
        if name:
            self.player, self.token = services.join(display_name=name)
            self.client.credentials(HTTP_AUTHORIZATION=f"Token {self.token}")

    def get(self, path: str, **extra: Any) -> HttpResponse:
        """GET below /api/v1/."""
        return self.client.get(_address(path), **extra)

    def post(self, path: str, body: Any = None, **extra: Any) -> HttpResponse:
        """POST JSON below /api/v1/."""
        return self.client.post(_address(path), body, **extra)

    def patch(self, path: str, body: Any = None) -> HttpResponse:
        """PATCH JSON below /api/v1/."""
        return self.client.patch(_address(path), body)

    def put(self, path: str, body: Any = None, **extra: Any) -> HttpResponse:
        """PUT JSON below /api/v1/."""
        return self.client.put(_address(path), body, **extra)

    def delete(self, path: str) -> HttpResponse:
        """DELETE below /api/v1/."""
        return self.client.delete(_address(path))

    def start(self, deal: DailyDeal) -> dict[str, Any]:
        """Start an attempt and return the answer."""
        answer = self.post(f"daily/{deal.variant}/{deal.date}/attempts/")
        assert answer.status_code == 201, answer.content
        return answer.json()

    def submit(self, attempt_id: str, movetext: str, **claimed: Any) -> HttpResponse:
        """Send a log."""
        body = {"movetext": movetext, **({"claimed": claimed} if claimed else {})}
        return self.post(f"attempts/{attempt_id}/submission/", body)


def _address(path: str) -> str:
    return path if path.startswith(("/", "http")) else f"/api/v1/{path}"


def error_of(answer: HttpResponse) -> dict[str, Any]:
    """Return the one error of an answer in the error envelope, and check that it is one."""
    body = answer.json()
    assert set(body) == {"type", "errors"}, body
    assert body["type"] in {"validation_error", "client_error"}, body
    (error,) = body["errors"]
    assert set(error) == {"code", "detail", "attr"}, body
    assert error["detail"]
    return error
