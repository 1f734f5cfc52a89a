"""The service's processes, side by side on one terminal."""

import shlex
import signal
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import suppress

import honcho.manager
from honcho.printer import Message, Printer

READY_SECONDS = 120
# What honcho's loop reports when a signal, not one of the processes, ended it.
STOPPED_BY_SIGNAL = {128 + signal.SIGINT, 128 + signal.SIGTERM}


class Terminal(Printer):  # type: ignore[misc]  # honcho has no types
    """Print what the processes say, and call `on_start` when the first of them has started."""

    def __init__(self, on_start: Callable[[], None]) -> None:
        super().__init__(sys.stdout)
        self._on_start: Callable[[], None] | None = on_start

    def write(self, message: Message) -> None:
        """Print one message of a process."""
        if self._on_start is not None:
            on_start, self._on_start = self._on_start, None
            on_start()
        # The terminal may be gone. The processes must stop all the same, and whoever
        # closed it sends the signal for that.
        with suppress(OSError):
            super().write(message)


class Services(honcho.manager.Manager):  # type: ignore[misc]  # honcho has no types
    """Run the processes until one ends or a signal comes; then stop them all."""

    def __init__(self, printer: Terminal) -> None:
        super().__init__(printer)
        self._stop_asked = False

    def add(self, name: str, command: list[str], environment: dict[str, str]) -> None:
        """Add a process for `loop` to start."""
        # Without exec, the shell would stay between honcho's signals and the process.
        self.add_process(name, f"exec {shlex.join(command)}", env=environment)

    def terminate(self) -> None:
        """Ask the processes to end, as soon as all of them have started.

        honcho's own method fails on a process whose start it has not heard of yet, and would
        leave the others running: Ctrl-C may come at any time.
        """
        if self._all_started():
            super().terminate()
        else:
            self._stop_asked = True

    def _all_started(self) -> bool:
        started: bool = super()._all_started()
        if started and self._stop_asked:
            self._stop_asked = False
            super().terminate()
        return started


def when_it_answers(url: str, report: Callable[[bool], None]) -> Callable[[], None]:
    """Return a function that starts a thread asking the URL until it answers; it calls `report`.

    It passes False without a good answer for READY_SECONDS.
    """

    def ask() -> None:
        deadline = time.monotonic() + READY_SECONDS
        while time.monotonic() < deadline:
            try:
                with urllib.request.urlopen(url, timeout=5):  # noqa: S310 - our own http address
                    report(True)
                    return
            except (OSError, urllib.error.URLError):
                time.sleep(0.2)
        report(False)

    return threading.Thread(target=ask, daemon=True).start
