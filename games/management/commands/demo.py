"""`manage.py demo`: a short competition, played over HTTP on a running service."""

import json
import secrets
import urllib.error
import urllib.request
from argparse import ArgumentParser
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games import engine
from games.pool_files import read_pool, shipped_pool

_TIMEOUT_S = 30
_NAMES = ("Ada", "Bruno", "Carla", "Dario")


@dataclass(frozen=True)
class _Answer:
    status: int
    body: Any


class _Service:
    """Calls the API as any client does: JSON, and a token once it has one."""

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/") + "/api/v1/"

    def call(self, method: str, path: str, body: Any = None, token: str = "") -> _Answer:
        """Return the status and the parsed body of an answer, even of a refusal.

        Raises:
            CommandError: no service answers at this address, or it answers without JSON.
        """
        try:
            request = urllib.request.Request(  # noqa: S310 (the address is the operator's own)
                self.url + path,
                method=method,
                data=None if body is None else json.dumps(body).encode(),
                headers={"Content-Type": "application/json", "Accept": "application/json"},
            )
            if token:
                request.add_header("Authorization", f"Token {token}")
            with urllib.request.urlopen(request, timeout=_TIMEOUT_S) as answer:  # noqa: S310
                return _Answer(answer.status, json.load(answer))
        except urllib.error.HTTPError as refusal:
            with refusal:
                return _Answer(refusal.code, _parsed(refusal.read(), self.url + path))
        except (OSError, ValueError, HTTPException) as error:
            raise CommandError(
                f"No service answers at {self.url} ({error}). Start one with `make run`."
            ) from error

    def done(self, method: str, path: str, body: Any = None, token: str = "") -> Any:
        """Return the body of an answer that must be a success.

        Raises:
            CommandError: it is not; the text has the service's answer.
        """
        answer = self.call(method, path, body, token)
        if answer.status >= 400:
            raise CommandError(f"{method} {path} returned {answer.status}: {answer.body}")
        return answer.body


def _parsed(data: bytes, address: str) -> Any:
    try:
        return json.loads(data)
    except ValueError as error:
        raise CommandError(f"{address} did not answer with JSON.") from error


class Command(BaseCommand):
    help = (
        "Play a short competition on a running service over HTTP: guests join, start today's "
        "deals and send winning, unfinished and illegal logs; then print the boards."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the address of the service."""
        parser.add_argument("--url", default="http://127.0.0.1:8000")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Play every variant's deal of today with four guests and print the boards."""
        service = _Service(options["url"])
        lines = {
            str(deal.code): deal.winning_movetext
            for variant in engine.VARIANTS
            for deal in read_pool(shipped_pool(variant), variant=variant)
        }
        tokens = {}
        for name in _NAMES:
            # With a suffix, the demo can run again on the same service.
            display_name = f"{name} {secrets.token_hex(3)}"
            joined = service.done("POST", "players/", {"display_name": display_name})
            tokens[name] = joined["token"]
            self.stdout.write(f"{display_name} joined as {joined['player']['id']}")
        for daily in service.done("GET", "daily/"):
            self._play(service, daily, lines, tokens)

    def _play(
        self,
        service: _Service,
        daily: dict[str, Any],
        lines: dict[str, str],
        tokens: dict[str, str],
    ) -> None:
        day = f"daily/{daily['variant']}/{daily['date']}/"
        self.stdout.write(f"\n{daily['variant']}, {daily['date']} ({daily['status']})")
        for name, token in tokens.items():
            attempt = service.done("POST", f"{day}attempts/", token=token)
            winning = lines.get(attempt["code"])
            if winning is None:
                self.stdout.write(f"  {attempt['code']} is not in the shipped pool: no line for it")
                return
            for what, movetext in _logs_of(name, winning):
                receipt = service.done(
                    "POST", f"attempts/{attempt['id']}/submission/", {"movetext": movetext}, token
                )
                self.stdout.write(f"  {name:<6} {what:<26} {_result(receipt)}")
        board = service.done("GET", f"{day}leaderboard/?limit=10")
        self.stdout.write(f"  Board, {board['ranked_players']} ranked:")
        for row in board["results"]:
            self.stdout.write(
                f"  {row['rank']:>4}. {row['player']['display_name']:<20} "
                f"{'won' if row['won'] else '   '} {row['ranked_score']:>5} points "
                f"{row['moves']:>5} moves {row['seconds']:>5} s"
            )


def _logs_of(name: str, winning: str) -> list[tuple[str, str]]:
    """Return the logs that a guest of the demo sends for one attempt, in order."""
    tokens = winning.split()
    unfinished = " ".join(tokens[: len(tokens) // 2])
    first = "D" if tokens[0].startswith("D") else tokens[0]
    with_detour = f"{first} U {winning}"
    match name:
        case "Ada":
            return [("the whole game", winning)]
        case "Bruno":  # undoes the first action and plays it again: one more move
            return [("the same with an undo", with_detour)]
        case "Carla":
            return [("half a game", unfinished)]
        case _:
            illegal = f"{unfinished} h11 xyz"
            return [("an illegal action", illegal), ("the same log, corrected", unfinished)]


def _result(receipt: dict[str, Any]) -> str:
    verdict = receipt["verdict"]
    refused = verdict["refused"]
    if refused:
        return f"{receipt['status']}: {refused['code']} at action {refused['index']}"
    outcome = "won" if verdict["won"] else "not won"
    return f"{receipt['status']}: {outcome}, {verdict['score']} points, rank {receipt['rank']}"
