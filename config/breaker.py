"""A breaker for a dependency that may hang: one hang opens it, a probe of its own closes it.

Existing libraries do not fit: `pybreaker` holds one lock for as long as a call lasts, so calls wait
for each other, and `circuitbreaker` lets every waiting call try again at once, so all of them hang
together. Here no request ever tries: a thread of the breaker does.
"""

import logging
import threading
from collections.abc import Callable

logger = logging.getLogger(__name__)


class Breaker:
    """Remembers that a dependency hangs or is away, until a probe finds that it answers again.

    `is_open` only reads a flag. `trip` opens the breaker; from then on a daemon thread calls
    `probe` every `interval_s` seconds and closes it as soon as that returns. A probe must have
    time-outs of its own and raises while the dependency is away. Safe in any thread; a forked
    process keeps the state it had, and starts its own thread at the next `trip`.
    """

    def __init__(self, name: str, *, probe: Callable[[], object], interval_s: float = 1.0) -> None:
        self.name = name
        self._probe = probe
        self._interval_s = interval_s
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._closed.set()

    @property
    def is_open(self) -> bool:
        return not self._closed.is_set()

    def trip(self) -> None:
        """Open a closed breaker and start to probe."""
        with self._lock:
            if self.is_open:
                return
            self._closed.clear()
        logger.warning("%s does not answer: going on without it until it does.", self.name)
        threading.Thread(target=self._watch, name=f"probe of {self.name}", daemon=True).start()

    def wait_closed(self, timeout_s: float) -> bool:
        """Wait at most this long until it is closed, and return whether it is."""
        return self._closed.wait(timeout_s)

    def _watch(self) -> None:
        pause = threading.Event()  # never set: a sleep
        while True:
            pause.wait(self._interval_s)
            try:
                self._probe()
            except Exception as error:  # noqa: BLE001 (whatever it is, the dependency is not back)
                logger.debug("%s is not back: %s", self.name, error)
                continue
            self._closed.set()
            logger.warning("%s answers again.", self.name)
            return
