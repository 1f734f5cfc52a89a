"""The breaker: no call waits for a dependency that is known to hang, and none has to try it."""

import threading

from config.breaker import Breaker
from tests.processes import PATIENCE_S


class Dependency:
    """Something that can be away, and counts who asks for it."""

    def __init__(self) -> None:
        self.is_away = True
        self.asked = threading.Event()

    def probe(self) -> None:
        self.asked.set()
        if self.is_away:
            raise ConnectionError


def test_it_is_closed_at_first_and_asks_no_one() -> None:
    dependency = Dependency()
    breaker = Breaker("test", probe=dependency.probe, interval_s=0.001)
    assert not breaker.is_open
    assert not dependency.asked.is_set()


def test_it_stays_open_while_the_probe_fails() -> None:
    dependency = Dependency()
    breaker = Breaker("test", probe=dependency.probe, interval_s=0.001)
    breaker.trip()
    for _again in range(3):
        dependency.asked.clear()
        assert dependency.asked.wait(PATIENCE_S)
        assert breaker.is_open
    dependency.is_away = False
    assert breaker.wait_closed(PATIENCE_S)


def test_it_closes_when_the_dependency_is_back_and_can_open_again() -> None:
    dependency = Dependency()
    dependency.is_away = False
    breaker = Breaker("test", probe=dependency.probe, interval_s=0.001)
    for _time in range(2):
        breaker.trip()
        assert breaker.wait_closed(PATIENCE_S)
        assert not breaker.is_open


def test_many_trips_at_once_start_one_probe() -> None:
    at_once = threading.Semaphore(0)
    go = threading.Event()

    def probe() -> None:
        at_once.release()
        go.wait(PATIENCE_S)

    breaker = Breaker("test", probe=probe, interval_s=0.001)
    threads = [threading.Thread(target=breaker.trip) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert at_once.acquire(timeout=PATIENCE_S)
    assert not at_once.acquire(timeout=0.1)
    go.set()
    assert breaker.wait_closed(PATIENCE_S)
