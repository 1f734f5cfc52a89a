"""`python -m config.local.run`: the whole service on this machine, until Ctrl-C.

It needs no installed server: it uses SQLite and a Redis of its own, unless DATABASE_URL and
REDIS_URL name others. It keeps everything in STATE_DIR, the folder .local of the checkout.
"""

import argparse
import fcntl
import io
import os
import secrets
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import FrameType

import django
from django.core.management import call_command
from django.db import DatabaseError, connections
from environs import Env

from config.local.embedded import NoServerError, redis_server, require_redis
from config.local.services import STOPPED_BY_SIGNAL, Services, Terminal, when_it_answers
from config.start import EXIT_REFUSED

BASE_DIR = Path(__file__).resolve().parent.parent.parent
ADMIN_NAME = "local-admin"
EVERY_ADDRESS = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - only if HOST says so


class CannotRunError(Exception):
    """The service cannot be started here; the text says why and what to do."""


def main(arguments: list[str] | None = None) -> int:
    """Run the service; return 0 if it was stopped, 1 if it could not start or broke."""
    parser = argparse.ArgumentParser(prog="python -m config.local.run", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", default=8000, type=_port)
    options = parser.parse_args(arguments)
    # Until the processes run, a signal ends us like Ctrl-C; afterwards honcho looks after it.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    signal.signal(signal.SIGHUP, _terminal_closed)
    try:
        return serve(options.host, options.port)
    except (CannotRunError, NoServerError) as error:
        print(f"Not started: {error}", file=sys.stderr)  # noqa: T201 - this is a command
        return 1
    except KeyboardInterrupt:
        return 0


def serve(host: str, port: int) -> int:
    """Prepare everything, run the processes until they end, and clean up."""
    env = Env()
    env.read_env(os.environ.get("ENV_FILE") or BASE_DIR / ".env", recurse=False)
    state = Path(env.str("STATE_DIR", "") or BASE_DIR / ".local").absolute()
    state.mkdir(mode=0o700, parents=True, exist_ok=True)
    with ExitStack() as stack:
        stack.enter_context(_only_one(state / "run.lock"))
        _require_free_port(host, port)
        _require_own_deals(state)
        redis_url = env.str("REDIS_URL", "")
        if redis_url:
            require_redis(redis_url)
        else:
            redis_url = stack.enter_context(redis_server(state / "redis"))
        os.environ |= {
            "STATE_DIR": str(state),
            "REDIS_URL": redis_url,
            "SECRET_KEY": env.str("SECRET_KEY", "") or _secret_key(state / "secret-key"),
            "ALLOWED_HOSTS": _allowed_hosts(host, env.str("ALLOWED_HOSTS", "")),
        }
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
        django.setup()
        try:
            _say("Migrating the database and opening today's deals ...")
            call_command("migrate", interactive=False, verbosity=0)
            call_command("roll_over", verbosity=0, stdout=io.StringIO())
            password = stack.enter_context(_admin_login())
        except DatabaseError as error:
            raise CannotRunError(f"the database does not do: {error}") from error
        # The new processes must not inherit our connections.
        connections.close_all()
        return _run_processes(host, port, state, password)


def _run_processes(host: str, port: int, state: Path, password: str) -> int:
    address = f"http://{_in_url(host)}:{port}"

    def report(answers: bool) -> None:
        if answers:
            _say(_welcome(address, password))
        else:
            _say(f"The web server does not answer at {address}; the lines above may say why.")

    asked = f"http://{_in_url(EVERY_ADDRESS.get(host, host))}:{port}/healthz/"
    services = Services(Terminal(when_it_answers(asked, report)))
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    for name, command in commands(host, port, state).items():
        services.add(name, command, environment)
    try:
        services.loop()
    finally:
        services.kill()  # nothing, unless the loop itself broke
    if services.returncode in STOPPED_BY_SIGNAL:
        _say("Stopped.")
        return 0
    _say("One of the processes ended by itself, so the others were stopped.")
    return 1


def commands(host: str, port: int, state: Path) -> dict[str, list[str]]:
    """Return the command of each process, by the name it has on the terminal."""
    module = (sys.executable, "-m")
    celery = (*module, "celery", "--quiet", "--app", "config")
    # Threads: honcho's signals go to the whole process group and would end the processes of a
    # pool in the middle of a task.
    pool = ("--pool", "threads", "--without-gossip", "--without-mingle")
    return {
        "web": [
            *(*module, "gunicorn", "config.local.wsgi", "--bind", f"{_in_url(host)}:{port}"),
            # No proxy collects requests here: a client that opens connections and sends nothing, as
            # browsers do, holds a thread for each. Threads start when they are needed.
            *("--worker-class", "gthread", "--workers", "2", "--threads", "128"),
            # honcho kills a process that has not ended five seconds after it was asked to.
            *("--graceful-timeout", "3", "--no-control-socket"),
        ],
        "worker": [*celery, "worker", *pool, "--concurrency", "2", "--loglevel", "INFO"],
        "search": [
            # Searches of deals: one at a time, at low priority.
            *("nice", "-n", "10", *celery, "worker", *pool, "--concurrency", "1"),
            *("--queues", "search", "--hostname", "search@%h", "--loglevel", "WARNING"),
        ],
        "beat": [
            *(*celery, "beat", "--schedule", str(state / "celerybeat-schedule")),
            *("--loglevel", "WARNING"),
        ],
    }


def _port(text: str) -> int:
    port = int(text)
    if not 1 <= port <= 65535:
        raise argparse.ArgumentTypeError("a port is between 1 and 65535")
    return port


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _terminal_closed(_signal: int, _frame: FrameType | None) -> None:
    signal.raise_signal(signal.SIGTERM)


@contextmanager
def _only_one(path: Path) -> Iterator[None]:
    """Hold the lock of this state folder; the system releases it however we end."""
    with path.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise CannotRunError(
                f"the service of this checkout is running already ({path} is locked)."
            ) from error
        yield


def _require_free_port(host: str, port: int) -> None:
    try:
        family, _type, _proto, _name, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.create_server(address[:2], family=family):
            pass
    except OSError as error:
        raise CannotRunError(
            f"port {port} of {host} cannot be used ({error.strerror}). "
            f"Another one: make run PORT={port + 1 if port < 65535 else 8000}"
        ) from error


def _require_own_deals(state: Path) -> None:
    """Refuse before anything is started: the settings are read in a process of their own, since
    here they can be read only once, when the address of Redis is known.
    """
    command = [sys.executable, "-m", "config.start"]
    environment = {**os.environ, "STATE_DIR": str(state)}
    asked = subprocess.run(  # noqa: S603 (a command of our own)
        command, cwd=BASE_DIR, env=environment, capture_output=True, text=True, check=False
    )
    if asked.returncode == EXIT_REFUSED:
        raise CannotRunError(asked.stderr.splitlines()[-1].removeprefix("Not started: "))
    # The start itself reports any other error.


def _secret_key(path: Path) -> str:
    """Return the key in the file, made at the first run, so that sessions survive a restart."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        key = path.read_text().strip()
        if key:
            return key
        descriptor = os.open(path, os.O_WRONLY)
    key = secrets.token_urlsafe(50)
    with os.fdopen(descriptor, "w") as file:
        file.write(key)
    return key


def _allowed_hosts(host: str, given: str) -> str:
    """Return the allowed host names: the given ones, and those of this machine."""
    names = {*filter(None, given.split(",")), "127.0.0.1", "localhost", "[::1]"}
    # A service open to every address cannot know the name that clients use.
    names.add("*" if host in EVERY_ADDRESS and not given else _in_url(host))
    return ",".join(sorted(names))


@contextmanager
def _admin_login() -> Iterator[str]:
    """Give the local admin a new password for this run; yield it, and disable the login after."""
    from games.models import Player  # noqa: PLC0415 - Django must be set up first

    password = secrets.token_urlsafe(12)
    admin = Player.objects.filter(username=ADMIN_NAME).first()
    if admin is None:
        admin = Player.objects.create_superuser(ADMIN_NAME, password)
    admin.set_password(password)
    admin.save(update_fields=["password"])
    try:
        yield password
    finally:
        admin.set_unusable_password()
        try:
            admin.save(update_fields=["password"])
        except DatabaseError as error:
            _say(f"The login {ADMIN_NAME} could not be closed: {error}")


def _welcome(address: str, password: str) -> str:
    return f"""
  Daily deal is running.

    Play       {address}/
    API        {address}/api/v1/docs/
    Admin      {address}/admin/
    Login      {ADMIN_NAME}
    Password   {password}   (for this run only)

  Ctrl-C stops it.
"""


def _say(text: str) -> None:
    with suppress(OSError):  # the terminal may be gone; see Terminal
        print(text, flush=True)  # noqa: T201 - this is a command


if __name__ == "__main__":
    sys.exit(main())
