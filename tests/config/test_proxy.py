"""The proxy of deploy/nginx in front of web servers, with real connections."""

import gzip
import json
import socket
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest
from django.conf import settings

from config.errors import envelope
from tests.compose import service
from tests.processes import (
    PATIENCE_S,
    free_port,
    fresh_database,
    machine_environment,
    running,
    wait_for,
)
from tests.proxy import Proxy, proxy, require_nginx

pytestmark = pytest.mark.process


@pytest.fixture(scope="module", autouse=True)
def _nginx() -> None:
    require_nginx()


# --- Web servers behind it --------------------------------------------------------------------


@dataclass
class Recorder:
    """A web server that records its requests; each one calls `answer`."""

    asked: list[tuple[str, str, dict[str, str], bytes]] = field(default_factory=list)
    port: int = 0

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"


def answers(handler: BaseHTTPRequestHandler) -> None:
    body = b'{"from": "the web server"}'
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


def hangs_up(handler: BaseHTTPRequestHandler) -> None:
    handler.close_connection = True


@contextmanager
def recorder(answer: Callable[[BaseHTTPRequestHandler], None] = answers) -> Iterator[Recorder]:
    """Run a recorder for as long as the block lasts."""
    noted = Recorder()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def note(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            headers = {name.lower(): value for name, value in self.headers.items()}
            noted.asked.append((self.command, self.path, headers, body))
            answer(self)

        # The names are the library's.
        do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = note  # noqa: N815

        def log_message(self, *_arguments: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    noted.port = server.server_port
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield noted
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture(scope="module")
def web() -> Iterator[Recorder]:
    with recorder() as started:
        yield started


@pytest.fixture(scope="module")
def front(web: Recorder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    """The proxy before one recorder."""
    with proxy(tmp_path_factory.mktemp("front"), [web.address]) as started:
        yield started


@pytest.fixture(scope="module")
def away(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    """The proxy before a web server that does not answer."""
    folder = tmp_path_factory.mktemp("away")
    with proxy(folder, [f"127.0.0.1:{free_port()}"]) as started:
        yield started


# --- The file ---------------------------------------------------------------------------------


def test_nginx_finds_nothing_wrong_in_the_file(front: Proxy) -> None:
    checked = subprocess.run(
        ["nginx", "-q", "-t", "-e", "stderr", "-c", str(front.folder / "state/nginx.conf")],
        env=front.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (checked.returncode, checked.stdout + checked.stderr) == (0, "")


def test_every_variable_of_the_file_is_filled_in(front: Proxy) -> None:
    assert "PROXY_" not in (front.folder / "state/nginx.conf").read_text()


def test_a_list_that_nginx_refuses_leaves_the_one_before(front: Proxy) -> None:
    before = (front.folder / "state/servers.conf").read_text()
    with pytest.raises(subprocess.CalledProcessError):
        front.run("only", "no such server")
    assert (front.folder / "state/servers.conf").read_text() == before
    assert front.get("/")[0] == 200


# --- The way in -------------------------------------------------------------------------------


def test_the_web_server_learns_the_address_and_scheme_from_the_proxy_not_the_client(
    web: Recorder, front: Proxy
) -> None:
    said = {
        "X-Forwarded-For": "203.0.113.9",
        "X-Forwarded-Proto": "http",
        "X-Forwarded-Host": "evil.example",
        "X-Forwarded-Port": "99",
        "X-Real-IP": "203.0.113.9",
        "Forwarded": "for=203.0.113.9",
    }
    status, _headers, body = front.get("/api/v1/daily/", said)
    assert (status, json.loads(body)) == (200, {"from": "the web server"})
    _method, path, headers, _body = web.asked[-1]
    assert path == "/api/v1/daily/"
    assert headers["x-forwarded-for"] == "127.0.0.1"
    assert headers["x-forwarded-proto"] == "https"
    assert headers["host"] == f"127.0.0.1:{front.https}"
    assert not {"x-forwarded-host", "x-forwarded-port", "x-real-ip", "forwarded"} & set(headers)


def test_http_2_is_spoken_and_no_old_tls(front: Proxy) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.set_alpn_protocols(["h2", "http/1.1"])
    with context.wrap_socket(socket.create_connection(("127.0.0.1", front.https))) as spoken:
        assert spoken.selected_alpn_protocol() == "h2"
        assert spoken.version() in {"TLSv1.2", "TLSv1.3"}
    assert "ssl_protocols TLSv1.2 TLSv1.3;" in (front.folder / "state/nginx.conf").read_text()


def test_the_version_of_the_proxy_is_no_ones_business(front: Proxy, away: Proxy) -> None:
    assert front.get("/")[1]["server"] == "nginx"
    _status, headers, body = away.get("/")
    assert headers["server"] == "nginx"
    assert b"nginx" not in body


def plain(port: int, path: str) -> tuple[int, str | None, bytes]:
    with closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)) as connection:
        connection.request("GET", path, headers={"Host": "deals.example.org"})
        answer = connection.getresponse()
        return answer.status, answer.getheader("Location"), answer.read()


def test_http_leads_to_https_but_for_health_and_certificates(front: Proxy) -> None:
    status, location, _body = plain(front.http, "/play/?a=b")
    assert (status, location) == (308, "https://deals.example.org/play/?a=b")
    assert plain(front.http, "/healthz/")[0] == 200
    shown = front.folder / "acme/.well-known/acme-challenge"
    shown.mkdir(parents=True)
    (shown / "asked").write_text("answered")
    assert plain(front.http, "/.well-known/acme-challenge/asked")[::2] == (200, b"answered")
    assert plain(front.http, "/.well-known/acme-challenge/other")[0] == 404
    # And plain HTTP on the port for HTTPS.
    assert plain(front.https, "/play/")[:2] == (308, "https://deals.example.org/play/")


def certificate(front: Proxy) -> bytes | None:
    with front.socket() as spoken:
        return spoken.getpeercert(binary_form=True)


def test_it_makes_a_certificate_once_and_takes_a_new_one_at_a_reload(
    front: Proxy, tmp_path: Path
) -> None:
    own = certificate(front)
    key = front.folder / "certificates/privkey.pem"
    assert key.stat().st_mode & 0o077 == 0
    front.run("all")
    assert certificate(front) == own
    with proxy(tmp_path, ["127.0.0.1:1"]) as other:
        for file in (other.folder / "certificates").iterdir():
            copyfile(file, front.folder / "certificates" / file.name)
    front.run("all")
    assert certificate(front) not in {own, None}


# --- Answers of its own -----------------------------------------------------------------------


def envelope_of(body: bytes) -> dict[str, Any]:
    """Return the one error, and check that its form is that of the service."""
    sent = json.loads(body)
    ours = json.loads(envelope(status_code=400, code="x", detail="x").content)
    assert set(sent) == set(ours)
    (error,) = sent["errors"]
    assert set(error) == set(ours["errors"][0])
    assert error["attr"] is None
    assert error["detail"]
    return {"type": sent["type"], "code": error["code"], "detail": error["detail"]}


def test_a_service_that_is_away_is_502_with_retry_after_in_the_form_of_the_api(
    away: Proxy,
) -> None:
    status, headers, body = away.get("/api/v1/daily/")
    assert status == 502
    assert headers["content-type"].startswith("application/json")
    assert int(headers["retry-after"]) > 0
    assert "no-store" in headers["cache-control"]
    error = envelope_of(body)
    assert (error["type"], error["code"]) == ("server_error", "unavailable")


@pytest.mark.parametrize(
    ("headers", "language", "words"),
    [
        ({}, "en", "The service isn't answering"),
        ({"Accept-Language": "it-IT,it;q=0.9,en;q=0.8"}, "it", "Il servizio non risponde"),
        ({"Accept-Language": "fr,de;q=0.9, es;q=0.8"}, "es", "El servicio no responde"),
        ({"Accept-Language": "fr"}, "en", "The service isn't answering"),
        ({"Accept-Language": "it", "Cookie": "django_language=es"}, "es", "no responde"),
    ],
)
def test_it_says_so_in_the_readers_language(
    away: Proxy, headers: dict[str, str], language: str, words: str
) -> None:
    status, named, page = away.get("/play/", headers)
    assert status == 502
    assert named["content-type"] == "text/html; charset=utf-8"
    assert int(named["retry-after"]) > 0
    assert f'<html lang="{language}">' in page.decode()
    assert words in page.decode()
    assert words in envelope_of(away.get("/api/v1/daily/", headers)[2])["detail"]


def test_a_body_that_is_too_large_is_413_before_the_web_server_hears_of_it(
    web: Recorder, front: Proxy
) -> None:
    heard = len(web.asked)
    status, _headers, body = front.ask("POST", "/api/v1/verify/", b"x" * 600_000)
    assert (status, envelope_of(body)["code"]) == (413, "body_too_large")
    assert front.ask("POST", "/i18n/setlang/", b"x" * 600_000)[0] == 413
    assert len(web.asked) == heard
    # What the service itself refuses, or takes, goes through to it.
    assert front.ask("POST", "/api/v1/verify/", b"x" * (settings.MAX_BODY_BYTES + 1))[0] == 200
    assert len(web.asked[-1][3]) == settings.MAX_BODY_BYTES + 1


def test_a_body_in_chunks_is_411_as_without_a_proxy(web: Recorder, front: Proxy) -> None:
    heard = len(web.asked)
    with front.socket() as spoken:
        spoken.sendall(
            b"POST /api/v1/verify/ HTTP/1.1\r\nHost: x\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        )
        head, _, body = received(spoken).partition(b"\r\n\r\n")
    assert b" 411 " in head.splitlines()[0]
    assert envelope_of(body)["code"] == "length_required"
    assert len(web.asked) == heard


def test_a_malformed_request_is_400(front: Proxy) -> None:
    with front.socket() as spoken:
        spoken.sendall(b"GET /api/v1/daily/ HTTP/1.1\r\nHost: a b\r\n\r\n")
        head, _, body = received(spoken).partition(b"\r\n\r\n")
    assert b" 400 " in head.splitlines()[0]
    assert envelope_of(body)["code"] == "bad_request"


def test_a_method_that_nobody_takes_is_405(front: Proxy) -> None:
    status, _headers, body = front.ask("TRACE", "/api/v1/daily/")
    assert (status, envelope_of(body)["code"]) == (405, "method_not_allowed")


def received(spoken: ssl.SSLSocket) -> bytes:
    """Return one answer with a Content-Length, whole."""
    text = b""
    while True:
        head, end, body = text.partition(b"\r\n\r\n")
        if end:
            lengths = [
                int(line.split(b":")[1])
                for line in head.lower().splitlines()
                if line.startswith(b"content-length:")
            ]
            if lengths and len(body) >= lengths[0]:
                return text
        part = spoken.recv(65536)
        if not part:
            return text
        text += part


# --- Several web servers ----------------------------------------------------------------------


def test_a_web_server_that_refuses_connections_costs_no_request(
    web: Recorder, tmp_path: Path
) -> None:
    with proxy(tmp_path, [f"127.0.0.1:{free_port()}", web.address]) as front:
        assert {front.get("/")[0] for _ in range(10)} == {200}
        assert {front.ask("POST", "/api/v1/players/", b"{}")[0] for _ in range(10)} == {200}


@pytest.mark.parametrize("method", ["POST", "PATCH", "PUT", "DELETE"])
def test_a_request_that_changes_something_is_never_sent_twice(method: str, tmp_path: Path) -> None:
    with recorder(hangs_up) as one, recorder(hangs_up) as two:
        with proxy(tmp_path, [one.address, two.address]) as front:
            status, headers, body = front.ask(method, "/api/v1/players/me/", b"{}")
        assert (status, envelope_of(body)["code"]) == (502, "unavailable")
        assert int(headers["retry-after"]) > 0
        assert [asked[0] for asked in one.asked + two.asked] == [method]


def test_a_request_that_only_reads_goes_to_the_next_server(web: Recorder, tmp_path: Path) -> None:
    with (
        recorder(hangs_up) as broken,
        proxy(tmp_path, [broken.address, web.address]) as front,
    ):
        assert {front.get("/")[0] for _ in range(6)} == {200}
        assert broken.asked


# --- Static files -----------------------------------------------------------------------------


def test_static_files_come_from_the_folder_compressed_and_with_their_age(
    web: Recorder, front: Proxy
) -> None:
    files = front.folder / "files/web"
    files.mkdir()
    text = b"export const answer = 42;\n" * 50
    for name in ("game.0123456789ab.js", "game.js"):
        (files / name).write_bytes(text)
        (files / f"{name}.gz").write_bytes(gzip.compress(text))
    heard = len(web.asked)
    packed = {"Accept-Encoding": "gzip"}
    status, headers, body = front.get("/static/web/game.0123456789ab.js", packed)
    assert (status, gzip.decompress(body)) == (200, text)
    assert headers["content-encoding"] == "gzip"
    assert "immutable" in headers["cache-control"]
    assert "javascript" in headers["content-type"]
    assert headers["x-content-type-options"] == "nosniff"
    status, headers, body = front.get("/static/web/game.js")
    assert (status, body) == (200, text)
    assert headers["cache-control"] == "max-age=60, public"
    assert front.get("/static/web/game.js", {"If-None-Match": headers["etag"]})[0] == 304
    (files / "manifest.webmanifest").write_text("{}")
    shown = front.get("/static/web/manifest.webmanifest")[1]
    assert shown["content-type"] == "application/manifest+json"
    assert len(web.asked) == heard
    # Of a release whose files are not there yet.
    assert front.get("/static/web/new.0123456789ab.js")[0] == 200
    assert web.asked[-1][1] == "/static/web/new.0123456789ab.js"
    assert front.get("/static/../state/nginx.conf")[0] in {200, 400}
    assert web.asked[-1][1] != "/static/web/new.0123456789ab.js"


# --- Clients that hold on ---------------------------------------------------------------------

HALF_A_BODY = (
    b"POST /api/v1/verify/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    b'Content-Length: 400\r\n\r\n{"code": '
)
JSON = {"Content-Type": "application/json"}
HALF_A_HEAD = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    """The proxy before the web server of the image, with its few threads."""
    if not settings.REDIS_URL:
        pytest.skip("needs a Redis")
    folder = tmp_path_factory.mktemp("real")
    port = free_port()
    with ExitStack() as stack:
        # Its tables are not made: none of the calls below needs one.
        environment = service("web")["environment"] | {
            **machine_environment(),
            "DATABASE_URL": stack.enter_context(fresh_database(folder)),
            "REDIS_URL": settings.REDIS_URL,
            "STATE_DIR": str(folder / "state"),
            "ALLOW_SHIPPED_DEALS": "true",
        }
        del environment["STATIC_ROOT"]
        command = [
            part.replace("0.0.0.0:8000", f"127.0.0.1:{port}") for part in service("web")["command"]
        ]
        stack.enter_context(running(command, environment, folder / "web.log"))
        front = stack.enter_context(
            proxy(folder / "proxy", [f"127.0.0.1:{port}"], PROXY_CONNECTIONS_PER_ADDRESS="60")
        )
        wait_for(lambda: front.get("/healthz/")[0] == 200, what="the web server")
        yield front


@pytest.mark.parametrize(
    ("number", "sent"),
    [(60, b""), (500, b""), (10, HALF_A_BODY), (50, HALF_A_BODY), (100, HALF_A_HEAD)],
    ids=["60 idle", "500 idle", "10 half bodies", "50 half bodies", "100 half heads"],
)
def test_idle_connections_hold_up_no_one(real: Proxy, number: int, sent: bytes) -> None:
    with ExitStack() as held:
        sockets = [held.enter_context(real.socket()) for _ in range(number)]
        for spoken in sockets:
            spoken.sendall(sent)
        # They time out after some seconds, so check at once what others got.
        for path in ("/healthz/", "/rules/", "/api/v1/variants/"):
            assert real.get(path)[0] == 200
        assert real.ask("POST", "/api/v1/verify/", b"{}", JSON)[0] == 400


def test_half_requests_of_one_address_have_a_limit(web: Recorder, tmp_path: Path) -> None:
    with (
        # The half requests stay for as long as the test may take to come to its question.
        proxy(
            tmp_path,
            [web.address],
            PROXY_CONNECTIONS_PER_ADDRESS="5",
            PROXY_PATIENCE_S=str(PATIENCE_S),
        ) as front,
        ExitStack() as held,
    ):
        for _ in range(5):
            held.enter_context(front.socket()).sendall(HALF_A_BODY)

        def refused() -> tuple[int, dict[str, str], bytes] | None:
            answer = front.get("/api/v1/daily/")
            return answer if answer[0] == 429 else None

        _status, headers, body = wait_for(refused, what="the limit")
        assert envelope_of(body)["code"] == "throttled"
        assert int(headers["retry-after"]) > 0


def test_a_client_that_stops_sending_is_disconnected(web: Recorder, tmp_path: Path) -> None:
    with proxy(tmp_path, [web.address], PROXY_PATIENCE_S="1") as front, ExitStack() as held:
        sockets = [held.enter_context(front.socket()) for _ in range(2)]
        sockets[0].sendall(HALF_A_HEAD)
        sockets[1].sendall(HALF_A_BODY)
        for spoken in sockets:
            assert ended(spoken)


def ended(spoken: ssl.SSLSocket) -> bool:
    try:
        return spoken.recv(1) == b""
    except (ConnectionResetError, ssl.SSLEOFError):
        return True
