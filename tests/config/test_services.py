"""The process manager of `make run`."""

import os
import signal
import sys
import threading

import pytest

from config.local.services import STOPPED_BY_SIGNAL, Services, Terminal, when_it_answers
from tests.processes import PATIENCE_S, free_port

pytestmark = pytest.mark.process
SLEEP = [sys.executable, "-c", "import time; time.sleep(600)"]
END_BADLY = [sys.executable, "-c", "raise SystemExit(3)"]


@pytest.fixture(autouse=True)
def _signals_as_they_were() -> object:
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.getsignal(number) for number in numbers}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def test_when_one_ends_the_others_are_stopped(capfd: pytest.CaptureFixture[str]) -> None:
    services = Services(Terminal(lambda: None))
    services.add("steady", SLEEP, dict(os.environ))
    services.add("broken", END_BADLY, dict(os.environ))
    services.loop()
    assert services.returncode == 3
    assert "steady stopped" in capfd.readouterr().out


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_them_all(number: signal.Signals) -> None:
    services = Services(Terminal(lambda: signal.raise_signal(number)))
    services.add("one", SLEEP, dict(os.environ))
    services.add("two", SLEEP, dict(os.environ))
    services.loop()
    assert services.returncode in STOPPED_BY_SIGNAL
    assert services.returncode == 128 + number


def test_a_stop_asked_before_the_first_start_is_not_forgotten() -> None:
    services = Services(Terminal(lambda: None))
    services.add("one", SLEEP, dict(os.environ))
    services.add("two", SLEEP, dict(os.environ))
    services.terminate()
    services.loop()
    assert services.returncode == -signal.SIGTERM


def test_a_terminal_that_is_gone_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    gone = os.fdopen(writing, "w")
    monkeypatch.setattr(sys, "stdout", gone)
    services = Services(Terminal(lambda: None))
    services.add("one", [sys.executable, "-c", "print('text')"], dict(os.environ))
    services.loop()
    assert services.returncode == 0
    with pytest.raises(BrokenPipeError):
        gone.close()


def test_an_address_that_does_not_answer_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("config.local.services.READY_SECONDS", 0.1)
    reported: list[bool] = []
    heard = threading.Event()

    def report(answers: bool) -> None:
        reported.append(answers)
        heard.set()

    when_it_answers(f"http://127.0.0.1:{free_port()}/", report)()
    assert heard.wait(PATIENCE_S)
    assert reported == [False]
