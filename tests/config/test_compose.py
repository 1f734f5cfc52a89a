"""docker-compose.yml, Dockerfile and .env.example, held against the code and run without them."""

import ast
import json
import re
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from tests.compose import ROOT, compose, dockerfile, filled_in_example, service
from tests.processes import (
    PATIENCE_S,
    Running,
    free_port,
    fresh_database,
    machine_environment,
    running,
    wait_for,
)

PROCESSES = ("web", "worker", "search", "beat")
OURS = (*PROCESSES, "migrate")
# Read by compose itself or by gunicorn.
NOT_OF_THE_SETTINGS = {
    "POSTGRES_PASSWORD",
    "PROXY_CONNECTIONS_PER_ADDRESS",
    "PUBLISH",
    "PUBLISH_HTTP",
    "WEB_CONCURRENCY",
    "WEB_SCALE",
    "WORKER_SCALE",
}


# --- What the files say -----------------------------------------------------------------------


def names_that_settings_read() -> set[str]:
    """Return the name of each variable that config/settings.py asks its environment for."""
    names = {f"THROTTLE_{scope.upper()}" for scope in settings.THROTTLE_RATES}
    for node in ast.walk(ast.parse((ROOT / "config/settings.py").read_text())):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="env")),
                args=[ast.Constant(value=str(name)), *_],
            ):
                names.add(name)
    return names


def test_the_example_lists_every_variable_and_no_other() -> None:
    text = (ROOT / ".env.example").read_text()
    listed = re.findall(r"^#?([A-Z0-9_]+)=", text, re.MULTILINE)
    assert len(listed) == len(set(listed))
    assert set(listed) == names_that_settings_read() | NOT_OF_THE_SETTINGS


def test_compose_asks_for_no_variable_that_the_example_leaves_out() -> None:
    text = (ROOT / "docker-compose.yml").read_text()
    asked = set(re.findall(r"\$\{(\w+)", text))
    listed = set(re.findall(r"^#?([A-Z0-9_]+)=", (ROOT / ".env.example").read_text(), re.MULTILINE))
    assert asked <= listed


@pytest.mark.parametrize("name", ["SECRET_KEY", "POSTGRES_PASSWORD", "ALLOWED_HOSTS"])
def test_compose_does_not_start_without(name: str) -> None:
    given = filled_in_example()
    with pytest.raises(ValueError, match=f"{name} is not given"):
        compose(given | {name: ""})


def test_the_example_holds_no_secret() -> None:
    text = (ROOT / ".env.example").read_text()
    assert re.findall(r"^(?:SECRET_KEY|POSTGRES_PASSWORD)=(.*)$", text, re.MULTILINE) == ["", ""]


def test_every_service_that_stays_has_a_health_check_and_is_restarted() -> None:
    services = compose()["services"]
    assert set(services) == {"postgres", "redis", "proxy", "files", *OURS}
    for name in ("postgres", "redis", "proxy", "worker", "search", "beat"):
        assert services[name]["healthcheck"]["test"]
        assert services[name]["restart"] == "unless-stopped"
    assert service("web")["healthcheck"]["test"][0] == "CMD"
    assert services["web"]["restart"] == "unless-stopped"


@pytest.mark.parametrize("name", PROCESSES)
def test_a_process_waits_for_the_migration_and_for_healthy_servers(name: str) -> None:
    assert {
        waited: asked["condition"] for waited, asked in service(name)["depends_on"].items()
    } == {
        "migrate": "service_completed_successfully",
        "postgres": "service_healthy",
        "redis": "service_healthy",
    }


def test_volumes_and_networks_are_declared() -> None:
    described = compose()
    for name, one in described["services"].items():
        assert set(one["networks"]) <= set(described["networks"]), name
        for volume in one.get("volumes", []):
            source = volume.split(":")[0]
            assert source.startswith("./") or source in described["volumes"], name
    assert described["networks"]["inside"]["internal"] is True
    for name in ("postgres", "redis"):
        assert described["services"][name]["networks"] == ["inside"]
        assert "ports" not in described["services"][name]


def test_every_service_rotates_its_log() -> None:
    for name, one in compose()["services"].items():
        assert one["logging"]["driver"] == "json-file", name
        assert one["logging"]["options"] == {"max-size": "10m", "max-file": "5"}, name


def test_the_ports_of_the_host_are_the_proxys() -> None:
    services = compose()["services"]
    assert [name for name, one in services.items() if "ports" in one] == ["proxy"]
    assert services["proxy"]["ports"] == ["443:443", "80:80"]
    moved = compose(filled_in_example() | {"PUBLISH": "127.0.0.1:8443"})["services"]["proxy"]
    assert moved["ports"][0] == "127.0.0.1:8443:443"


def test_web_and_worker_can_be_many_and_beat_is_one() -> None:
    services = compose()["services"]
    for name, one in services.items():
        assert not {"container_name", "hostname"} & set(one), name
    many = compose(filled_in_example() | {"WEB_SCALE": "3", "WORKER_SCALE": "4"})["services"]
    assert (many["web"]["scale"], many["worker"]["scale"]) == ("3", "4")
    assert services["beat"]["scale"] == 1


def test_the_proxy_starts_with_healthy_servers_and_files() -> None:
    asked = compose()["services"]["proxy"]["depends_on"]
    assert asked["web"]["condition"] == "service_healthy"
    assert asked["files"]["condition"] == "service_completed_successfully"


def test_the_proxy_finds_what_compose_mounts() -> None:
    services = compose()["services"]
    mounted = dict(reversed(volume.split(":")[:2]) for volume in services["proxy"]["volumes"])
    script = (ROOT / "deploy/nginx/proxy.sh").read_text()
    defaults = dict(re.findall(r'^: "\$\{(PROXY_\w+):=([^}]*)\}"', script, re.MULTILINE))
    for name in ("PROXY_CERTIFICATES", "PROXY_FILES", "PROXY_ACME"):
        assert defaults[name] in mounted, name
    assert (ROOT / mounted["/deploy"] / "proxy.sh").exists()
    assert set(services["proxy"]["environment"]) <= set(defaults)
    published = {port.rsplit(":", 1)[1] for port in services["proxy"]["ports"]}
    assert published == {defaults["PROXY_HTTP"], defaults["PROXY_HTTPS"]}
    assert mounted[defaults["PROXY_FILES"]] == services["files"]["volumes"][0].split(":")[0]
    name, port = defaults["PROXY_SERVERS"].split()[0].split(":")
    assert name in services
    assert service("web")["command"][3].endswith(f":{port}")


def seconds(text: str) -> int:
    return int(text.removesuffix("s"))


def test_a_request_ends_before_anyone_stops_waiting_for_it() -> None:
    """The proxy, then gunicorn, then docker: each gives the one before it the time to end."""
    services = compose()["services"]
    file = (ROOT / "deploy/nginx/nginx.conf.template").read_text()
    (read,) = re.findall(r"proxy_read_timeout (\d+)s;", file)
    web = service("web")["command"]
    graceful = int(web[web.index("--graceful-timeout") + 1])
    assert int(read) < graceful < seconds(services["web"]["stop_grace_period"])
    assert int(read) < seconds(services["proxy"]["stop_grace_period"])


def test_images_are_pinned() -> None:
    services = compose()["services"]
    images = [one["image"] for one in services.values() if "build" not in one]
    for image in [*images, *dockerfile()["FROM"]]:
        assert re.search(r":\d+\.\d+", image), image


def test_the_image_runs_as_an_ordinary_user() -> None:
    (user,) = dockerfile()["USER"]
    assert any(f"useradd {rest}".endswith(f" {user}") for rest in dockerfile()["RUN"][:1])
    # Nothing is copied or run after it would be that user's: the process cannot change its code.
    lines = [line.split()[0] for line in (ROOT / "Dockerfile").read_text().splitlines() if line]
    assert set(lines[lines.index("USER") :]).isdisjoint({"COPY", "RUN", "ADD"})


def test_the_image_gets_what_it_copies_and_nothing_else() -> None:
    wanted = {
        line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line[:1] == "!"
    }
    copied = {
        source.removeprefix("./") for line in dockerfile()["COPY"] for source in line.split()[:-1]
    }
    assert copied == wanted
    assert all((ROOT / path).exists() for path in copied)


def test_the_image_has_no_development_packages() -> None:
    (install,) = [line for line in dockerfile()["RUN"] if line.startswith("pip install")]
    assert install.endswith("-c constraints.txt -e .")


# --- What the commands do ---------------------------------------------------------------------


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("compose")


@pytest.fixture(scope="module")
def outside(folder: Path) -> Iterator[dict[str, str]]:
    """What differs outside of the containers: where the servers and the folders are."""
    if not settings.REDIS_URL:
        pytest.skip("needs a Redis")
    with fresh_database(folder) as database:
        yield {
            **machine_environment(),
            "DATABASE_URL": database,
            "REDIS_URL": settings.REDIS_URL,
            "STATE_DIR": str(folder / "state"),
            "STATIC_ROOT": str(folder / "static"),
            "HOSTNAME": socket.gethostname(),
            # To certify deals takes minutes; tests/config/test_start.py has what happens without.
            "ALLOW_SHIPPED_DEALS": "true",
        }


def environment(name: str, outside: dict[str, str]) -> dict[str, str]:
    """Return a service's environment; the caller's own settings are not in it."""
    return service(name)["environment"] | outside


def run(command: list[str], given: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=ROOT,
        env=given,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )


@pytest.fixture(scope="module")
def prepared(outside: dict[str, str]) -> dict[str, str]:
    """The image's files are collected and the database is migrated, by the files' own words."""
    (collect,) = [line for line in dockerfile()["RUN"] if "collectstatic" in line]
    collected = run(["sh", "-c", collect.split(" && ")[0]], environment("migrate", outside))
    assert collected.returncode == 0, collected.stderr
    migrated = run(service("migrate")["command"], environment("migrate", outside))
    assert migrated.returncode == 0, migrated.stderr
    return outside


@pytest.fixture(scope="module")
def stack(prepared: dict[str, str], folder: Path) -> Iterator[dict[str, Running]]:
    """Every process, as compose would start it."""
    port = free_port()
    with ExitStack() as started:
        yield {
            name: started.enter_context(
                running(
                    moved(service(name)["command"], port, folder),
                    environment(name, prepared),
                    folder / f"{name}-{port}.log",
                )
            )
            for name in PROCESSES
        }


def moved(command: list[str], port: int, folder: Path) -> list[str]:
    """Return the command with a free port, and with files in a folder of the test."""
    return [
        part.replace("0.0.0.0:8000", f"127.0.0.1:{port}").replace("/tmp/", f"{folder}/")  # noqa: S108
        for part in command
    ]


def health(name: str, started: Running, outside: dict[str, str]) -> int:
    """Run a service's health check and return its exit code."""
    kind, *test = service(name)["healthcheck"]["test"]
    port = re.findall(r"-(\d+)\.log", str(started.log))[0]
    command = ["sh", "-c", *test] if kind == "CMD-SHELL" else test
    command = [
        part.replace("127.0.0.1:8000", f"127.0.0.1:{port}").replace("--timeout 5", "--timeout 2")
        for part in command
    ]
    return run(command, environment(name, outside)).returncode


@pytest.mark.process
@pytest.mark.parametrize("name", PROCESSES)
def test_a_process_becomes_healthy(
    name: str, stack: dict[str, Running], prepared: dict[str, str]
) -> None:
    def is_healthy() -> bool:
        assert stack[name].process.poll() is None, stack[name].output
        return health(name, stack[name], prepared) == 0

    assert wait_for(is_healthy, what=f"a healthy {name}:\n{stack[name].output}")


@pytest.mark.process
@pytest.mark.parametrize("name", PROCESSES)
def test_a_process_that_was_ended_is_not_healthy(
    name: str, stack: dict[str, Running], prepared: dict[str, str]
) -> None:
    stack[name].process.terminate()
    assert stack[name].ended() == 0, stack[name].output
    assert health(name, stack[name], prepared) != 0


@pytest.mark.process
def test_the_web_server_reports_its_health_without_https(outside: dict[str, str]) -> None:
    given = environment("web", outside)
    assert given["HTTPS_ONLY"] == "true"
    code = (
        "from django.test import Client; import json;"
        "c = Client(headers={'host': '127.0.0.1:8000'});"
        "print(json.dumps([c.get('/healthz/').status_code, c.get('/admin/').status_code]))"
    )
    answered = run(["python", "manage.py", "shell", "--verbosity", "0", "-c", code], given)
    assert json.loads(answered.stdout.splitlines()[-1]) == [200, 301], answered.stderr


def deploy_check(given: dict[str, Any]) -> subprocess.CompletedProcess[str]:
    command = ["python", "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    return run(command, given)


@pytest.mark.process
def test_the_deploy_check_is_clean() -> None:
    checked = deploy_check(service("web")["environment"] | machine_environment())
    assert checked.returncode == 0, checked.stderr
    assert "no issues (0 silenced)" in checked.stdout


@pytest.mark.process
def test_the_deploy_check_reports_each_unsafe_setting() -> None:
    changed = {"DEBUG": "true", "HTTPS_ONLY": "false", "SECRET_KEY": "", "REDIS_URL": ""}
    checked = deploy_check(service("web")["environment"] | machine_environment() | changed)
    assert checked.returncode == 1
    # In the order of the variables; one run for all four, as each takes seconds.
    for message in ("security.W018", "security.W008", "config.E001", "config.W001"):
        assert message in checked.stderr
