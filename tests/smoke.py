"""`python -m tests.smoke`: start the service, see it answer, stop it.

It needs nothing that only the tests install, and so shows that what the service needs is enough.
"""

import signal
import sys
import tempfile
from pathlib import Path

from tests.processes import free_port, machine_environment, running


def main() -> int:
    """Return 0 if the service started, answered and stopped as it should."""
    command = [sys.executable, "-m", "config.local.run", "--port", str(free_port())]
    with tempfile.TemporaryDirectory(prefix="dailydeal-") as folder:
        environment = machine_environment() | {"STATE_DIR": f"{folder}/state"}
        with running(command, environment, Path(folder) / "log") as service:
            service.printed("Ctrl-C stops it.")
            service.printed(" ready.")  # the worker
            service.remember_family()
            service.signal_group(signal.SIGINT)
            code = service.ended()
            if code != 0 or service.left_over():
                print(service.output, file=sys.stderr)
                return 1
    print("The service started, answered and stopped.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
