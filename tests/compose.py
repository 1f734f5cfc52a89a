"""What docker-compose.yml, Dockerfile and .env.example say, read without a container engine.

`python -m tests.compose SERVICE -- COMMAND` runs a command, outside a container, in the
environment that the service would have in one.
"""

import argparse
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml
from dotenv import dotenv_values

ROOT = Path(__file__).resolve().parent.parent
# What a fresh .env is missing: its owner has to fill it in.
FILLED_IN = {
    "SECRET_KEY": "0123456789-only-for-checks-abcdefghijklmnopqrstuvwxyz-ABCDEFGHIJK",
    "POSTGRES_PASSWORD": "onlyforchecks",
}
# What a command needs of the machine; all else comes from the files.
OF_THE_MACHINE = ("PATH", "HOME", "LANG", "TMPDIR")


def main(arguments: list[str] | None = None) -> int:
    """Run the command in the service's environment and return its exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.compose", description=__doc__)
    parser.add_argument("service")
    parser.add_argument("command", nargs="+")
    options = parser.parse_args(arguments)
    machine = {name: os.environ[name] for name in OF_THE_MACHINE if name in os.environ}
    environment = machine | {"ENV_FILE": os.devnull} | service(options.service)["environment"]
    return subprocess.run(options.command, env=environment, check=False).returncode


def filled_in_example() -> dict[str, str]:
    """Return the variables of a .env made from .env.example as it asks for."""
    example = dotenv_values(ROOT / ".env.example", interpolate=False)
    return {name: value or FILLED_IN[name] for name, value in example.items()}


def compose(variables: dict[str, str] | None = None) -> dict[str, Any]:
    """Return docker-compose.yml with the variables put in, as compose does it.

    Raises ValueError for a variable that must be given and is not.
    """
    values = filled_in_example() if variables is None else variables
    return _interpolated(yaml.safe_load((ROOT / "docker-compose.yml").read_text()), values)


def service(name: str) -> dict[str, Any]:
    """Return one of our own services: its command, environment and health check, all in one.

    What compose leaves out comes from the Dockerfile, as it does in a container.
    """
    described = compose()["services"][name]
    image = dockerfile()
    inherited = {
        "command": json.loads(image["CMD"][-1]),
        "healthcheck": {"test": ["CMD", *json.loads(image["HEALTHCHECK"][-1].split("CMD", 1)[1])]},
    }
    environment = {
        **dict(pair.split("=", 1) for line in image["ENV"] for pair in line.split()),
        **(filled_in_example() if described.get("env_file") == ".env" else {}),
        **described.get("environment", {}),
    }
    return inherited | described | {"environment": environment}


def dockerfile() -> dict[str, list[str]]:
    """Return the arguments of each kind of instruction in the Dockerfile, in their order."""
    text = re.sub(r"\\\n\s*", "", (ROOT / "Dockerfile").read_text())
    instructions: dict[str, list[str]] = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            name, arguments = line.split(maxsplit=1)
            instructions.setdefault(name, []).append(arguments)
    return instructions


def _interpolated(node: Any, values: dict[str, str]) -> Any:
    match node:
        case dict():
            return {key: _interpolated(value, values) for key, value in node.items()}
        case list():
            return [_interpolated(value, values) for value in node]
        case str():
            return re.sub(
                r"\$(?:(?P<dollar>\$)|\{(?P<name>\w+)(?::(?P<kind>[-?])(?P<rest>[^}]*))?\})",
                lambda found: _value(found, values),
                node,
            )
        case _:
            return node


def _value(found: re.Match[str], values: dict[str, str]) -> str:
    if found["dollar"]:
        return "$"
    if value := values.get(found["name"]):
        return value
    if found["kind"] == "-":
        return found["rest"]
    raise ValueError(f"{found['name']} is not given: {found['rest']}")


if __name__ == "__main__":
    sys.exit(main())
