"""The proxy of deploy/nginx, run without a container, and clients that speak to it."""

import getpass
import os
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPSConnection
from pathlib import Path

import pytest

from tests.processes import ROOT, Running, free_port, machine_environment, running, wait_for

SCRIPT = ROOT / "deploy/nginx/proxy.sh"
MISSING = "needs nginx and envsubst: apt install nginx-light gettext-base openssl"
TRUSTING = ssl.create_default_context()
TRUSTING.check_hostname = False
TRUSTING.verify_mode = ssl.CERT_NONE  # the proxy has signed its certificate itself


def has_nginx() -> bool:
    """Return whether this machine has what the proxy's container has."""
    return all(shutil.which(name, path=_path()) for name in ("nginx", "envsubst", "openssl"))


def require_nginx() -> None:
    """Skip the test on a machine without nginx; with REQUIRE_NGINX=1 that is a failure."""
    if has_nginx():
        return
    if os.environ.get("REQUIRE_NGINX"):
        pytest.fail(MISSING)
    pytest.skip(MISSING)


@dataclass(frozen=True)
class Proxy:
    """A proxy that runs: its ports, its folder and what it was started with."""

    http: int
    https: int
    folder: Path
    environment: dict[str, str]
    process: Running

    def connection(self, *, timeout_s: float = 30) -> HTTPConnection:
        """Return a connection by HTTPS, opened at the first request."""
        return HTTPSConnection("127.0.0.1", self.https, timeout=timeout_s, context=TRUSTING)

    def socket(self) -> ssl.SSLSocket:
        """Return a socket on which nothing but TLS has been spoken."""
        return TRUSTING.wrap_socket(socket.create_connection(("127.0.0.1", self.https), timeout=30))

    def get(
        self, path: str, headers: dict[str, str] | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        """Return status, headers by their small names, and body of a new connection's answer."""
        return self.ask("GET", path, headers=headers)

    def ask(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: dict[str, str] | None = None,
    ) -> tuple[int, dict[str, str], bytes]:
        """Send one request by HTTPS and return its answer."""
        connection = self.connection()
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            named = {name.lower(): value for name, value in answer.getheaders()}
            return answer.status, named, answer.read()
        finally:
            connection.close()

    def run(self, *arguments: str, servers: list[str] | None = None) -> None:
        """Run proxy.sh beside it, as `docker compose exec` does; `servers` are those there now."""
        given = self.environment | ({"PROXY_SERVERS": ",".join(servers)} if servers else {})
        subprocess.run(["sh", str(SCRIPT), *arguments], env=given, check=True, timeout=120)


def _path() -> str:
    # nginx is where only root looks.
    return f"{os.environ['PATH']}{os.pathsep}/usr/sbin"


@contextmanager
def proxy(folder: Path, servers: list[str], **settings: str) -> Iterator[Proxy]:
    """Run the proxy before these web servers for as long as the block lasts."""
    (folder / "certificates").mkdir(parents=True)
    for name in ("acme", "files"):
        (folder / name).mkdir(exist_ok=True)
    http, https = free_port(), free_port()
    environment = {
        **machine_environment(),
        "PATH": _path(),
        "PROXY_STATE": str(folder / "state"),
        "PROXY_CERTIFICATES": str(folder / "certificates"),
        "PROXY_ACME": str(folder / "acme"),
        "PROXY_FILES": str(folder / "files"),
        "PROXY_HTTP": f"127.0.0.1:{http}",
        "PROXY_HTTPS": f"127.0.0.1:{https}",
        "PROXY_SERVERS": ",".join(servers),
        "PROXY_USER": getpass.getuser(),
        "PROXY_WORKERS": "2",
        "PROXY_ACCESS_LOG": str(folder / "access.log"),
        **settings,
    }
    with running(["sh", str(SCRIPT), "start"], environment, folder / "proxy.log") as process:
        started = Proxy(http, https, folder, environment, process)

        def answers() -> bool:
            assert process.process.poll() is None, process.output
            with closing(HTTPConnection("127.0.0.1", http, timeout=5)) as connection:
                try:
                    connection.request("GET", "/proxy-health")
                    return connection.getresponse().status == 200
                except OSError:
                    return False

        wait_for(answers, seconds=60, what="the proxy")
        yield started
