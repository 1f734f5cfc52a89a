"""A stand-in for `docker`, only for the commands of deploy/update.

A container is a gunicorn with the command and the environment of docker-compose.yml, on a loopback
address of its own, which is also its id. A file in the folder STANDIN lists them.
"""

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import psutil

from tests.compose import ROOT, service

FOLDER = Path(os.environ["STANDIN"])
GIVEN: dict[str, Any] = json.loads((FOLDER / "given.json").read_text())
CONTAINERS = FOLDER / "containers.json"


def main(command: list[str]) -> int:  # noqa: PLR0911, PLR0912 - one for each command
    """Do what the command says; return its exit code."""
    with (FOLDER / "asked.log").open("a") as asked:
        asked.write(" ".join(command) + "\n")
    if command[0] == os.environ.get("STANDIN_FAILS"):
        return 1
    match command:
        case ["compose", "build", "--quiet", "web"]:
            return 0
        case ["compose", "rm", "--force", "web"]:
            return forget([name for name in known() if name not in there()])
        case ["compose", "ps", "--quiet", "web"]:
            print("\n".join(there()))
            return 0
        case ["compose", "run", "--rm", "--no-deps", "-T", ("migrate" | "files") as name]:
            return once(name)
        case ["compose", "exec", "-T", "proxy", "sh", "/deploy/proxy.sh", *arguments]:
            return in_the_proxy(arguments)
        case ["compose", "up", "--detach", "--no-deps", "--no-build", *rest]:
            return up(rest)
        case ["inspect", "--format", "{{.State.Health.Status}}", name]:
            print(health(name))
            return 0
        case ["logs", "--tail", _, name]:
            print((FOLDER / f"{name}.log").read_text())
            return 0
        case ["stop", *names]:
            return stop(names)
        case ["rm", "--force", *names]:
            return stop(names) or forget(names)
        case ["rm", *names]:
            return forget(names)
        case _:
            print(f"no such command here: {command}", file=sys.stderr)
            return 2


def known() -> dict[str, int]:
    """Return the process of each container that was made and not removed."""
    return json.loads(CONTAINERS.read_text()) if CONTAINERS.exists() else {}


def runs(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def there() -> list[str]:
    """Return the containers that run."""
    return [name for name, pid in known().items() if runs(pid)]


def address(name: str) -> str:
    return f"{name}:{GIVEN['port']}"


def environment(name: str) -> dict[str, str]:
    return service(name)["environment"] | GIVEN["environment"]


def up(rest: list[str]) -> int:
    match rest:
        case ["--no-recreate", "--scale", scale, "web"]:
            containers = known()
            wanted = int(scale.removeprefix("web="))
            # As compose does it: those that have ended are started again first.
            for name in set(containers) - set(there()):
                containers[name] = started(name)
            for _ in range(wanted - len(containers)):
                number = 1 + max((int(name.split(".")[3]) for name in containers), default=0)
                name = f"{GIVEN['network']}.{number}"
                containers[name] = started(name)
            CONTAINERS.write_text(json.dumps(containers))
            return 0
        case ["--wait", "worker", "search", "beat"]:
            return 0
        case _:
            return 2


def started(name: str) -> int:
    command = [
        part.replace("0.0.0.0:8000", address(name)).replace("/dev/shm", str(FOLDER))  # noqa: S108
        for part in service("web")["command"]
    ]
    broken = {"DATABASE_URL": "postgres://nobody@127.0.0.1:1/none"}
    with (FOLDER / f"{name}.log").open("wb") as log:
        return subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment("web") | (broken if os.environ.get("STANDIN_BROKEN") else {}),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        ).pid


def once(name: str) -> int:
    places = {"/srv/static": f"{FOLDER}/static", "/srv/files": GIVEN["proxy"]["PROXY_FILES"]}
    command = service(name)["command"]
    for inside, here in places.items():
        command = [part.replace(inside, here) for part in command]
    return subprocess.run(command, cwd=ROOT, env=environment(name), check=False).returncode


def in_the_proxy(arguments: list[str]) -> int:
    # What docker's resolver would say to the name `web`.
    found = {"PROXY_SERVERS": ",".join(address(name) for name in there())}
    script = ["sh", str(ROOT / "deploy/nginx/proxy.sh"), *arguments]
    return subprocess.run(script, env=GIVEN["proxy"] | found, check=False).returncode


def health(name: str) -> str:
    request = urllib.request.Request(
        f"http://{address(name)}/healthz/", headers={"Host": "127.0.0.1"}
    )
    try:
        with urllib.request.urlopen(request, timeout=5):
            return "healthy"
    except (OSError, urllib.error.URLError):
        return "starting"


def stop(names: list[str]) -> int:
    grace_s = int(service("web")["stop_grace_period"].removesuffix("s"))
    for name in names:
        pid = known()[name]
        if runs(pid):
            os.kill(pid, signal.SIGTERM)
        deadline = time.monotonic() + grace_s
        while runs(pid):
            if time.monotonic() > deadline:
                os.killpg(pid, signal.SIGKILL)
            time.sleep(0.05)
    return 0


def forget(names: list[str]) -> int:
    CONTAINERS.write_text(json.dumps({k: v for k, v in known().items() if k not in names}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
