"""Each dependency hung by SIGSTOP, or killed, and one locked row: who waits, and how long?

On gunicorn with 2 processes of 4 threads, 8 callers at once.
"""

import statistics
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import count

import psycopg

from tests.drills import Row
from tests.installation import Answer, Installation, installed, mail_server_that_hangs

NAME = "hangs"
CALLERS = 8
ROUNDS = 3


def run() -> list[Row]:
    """Return the median and worst time of a board, a start, a submission and health."""
    with ExitStack() as stack:
        port = stack.enter_context(mail_server_that_hangs())
        service = stack.enter_context(
            installed(EMAIL_URL=f"smtp://127.0.0.1:{port}", ADMIN_EMAILS="admin@example.org")
        )
        return _Drill(service).rows()


class _Drill:
    def __init__(self, service: Installation) -> None:
        self.service = service
        self.token = service.join("Ada")
        self.attempts = [service.start(self.token).body["id"] for _ in range(CALLERS)]
        self.numbers = count(1)
        self.calls: dict[str, tuple[Callable[[int], Answer], float]] = {
            # What is called, and the aim in seconds.
            "board": (lambda _caller: service.board(), 1),
            "start": (lambda _caller: service.start(self.token), 2),
            "submission": (self._submit, 2),
            "health": (lambda _caller: service.health(), 1),
        }

    def rows(self) -> list[Row]:
        service = self.service
        for call, _aim_s in self.calls.values():
            self._at_once(call)  # every thread connects, every process loads what it needs
        rows = self._measured("nothing", good=True)
        with service.hung("redis"):
            rows += self._measured("Redis and broker hung", good=True)
        # From here on the errors of the database are mailed, to a server that never answers.
        with service.hung("postgres"):
            rows += self._refused_at_first("PostgreSQL hung")
            rows += self._measured("PostgreSQL hung, breaker open", good=False)
        service.recovered()
        rows += self._measured("mail hung", good=True)
        with psycopg.connect(service.database_url) as connection:
            connection.execute("SELECT 1 FROM games_player FOR UPDATE")
            rows += self._locked()
        service.redis.kill()
        rows += self._measured("Redis and broker killed", good=True)
        service.kill_postgres()
        rows += self._measured("PostgreSQL killed", good=False)
        service.restart_postgres()
        service.recovered()
        rows += self._measured("PostgreSQL back, Redis still killed", good=True)
        return rows

    def _submit(self, caller: int) -> Answer:
        # Each of them another log, refused at its first action: it is stored all the same.
        return self.service.submit(self.token, self.attempts[caller], f"x{next(self.numbers)}")

    def _at_once(self, call: Callable[[int], Answer]) -> list[Answer]:
        with ThreadPoolExecutor(CALLERS) as pool:
            return list(pool.map(call, range(CALLERS)))

    def _measured(self, what: str, *, good: bool) -> list[Row]:
        rows = []
        for name, (call, aim_s) in self.calls.items():
            answers = [answer for _ in range(ROUNDS) for answer in self._at_once(call)]
            # Health is 200 without Redis and 503 without a database, as all the others.
            right = all(
                (answer.status < 300) if good else (answer.status == 503) for answer in answers
            )
            rows.append(_row(f"{what}: {name}", answers, aim_s, right=right))
        return rows

    def _refused_at_first(self, what: str) -> list[Row]:
        answers = self._at_once(lambda _caller: self.service.board())
        right = all(answer.status == 503 for answer in answers)
        return [_row(f"{what}: first board", answers, 4, right=right)]

    def _locked(self) -> list[Row]:
        with ThreadPoolExecutor(3) as pool:
            waiting = [pool.submit(self.service.start, self.token) for _ in range(3)]
            boards = [
                answer for _ in range(ROUNDS) for answer in self._at_once(self.calls["board"][0])
            ]
            starts = [future.result() for future in waiting]
        return [
            _row("one row locked: its start", starts, 4, right={a.status for a in starts} == {503}),
            _row("one row locked: board", boards, 1, right={a.status for a in boards} == {200}),
        ]


def _row(what: str, answers: list[Answer], aim_s: float, *, right: bool) -> Row:
    times = [answer.elapsed_s for answer in answers]
    statuses = "/".join(sorted({str(answer.status) for answer in answers}))
    return Row(
        what,
        f"{statuses}, median {statistics.median(times):.2f} s, worst {max(times):.2f} s",
        f"under {aim_s:g} s",
        ok=right and max(times) < aim_s,
    )
