"""Static files as an image has them: hashed names, and modules that import each other by these."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

pytestmark = pytest.mark.process
_IMPORT = re.compile(r"""(?:\bimport\b|\bfrom\b)\s*\(?\s*["'](\.[^"']+)["']""")
_COMMENT_LINE = re.compile(r"\s*(?://.*|\*.*|/\*.*\*/)")
_HASHED = re.compile(r"\.[0-9a-f]{12}\.js$")


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("static")
    environment = os.environ | {
        "STATIC_ROOT": str(root),
        "STATE_DIR": str(tmp_path_factory.mktemp("state")),
    }
    command = [sys.executable, "manage.py", "collectstatic", "--noinput", "--verbosity", "0"]
    subprocess.run(command, cwd=settings.BASE_DIR, env=environment, check=True)
    return root


def test_every_module_imports_by_a_name_that_changes_with_its_content(collected: Path) -> None:
    manifest = json.loads((collected / "staticfiles.json").read_text())["paths"]
    modules = [name for name in manifest if name.startswith("web/") and name.endswith(".js")]
    assert len(modules) > 15
    imported = 0
    for name in modules:
        file = collected / manifest[name]
        for specifier in _IMPORT.findall(file.read_text()):
            imported += 1
            assert _HASHED.search(specifier), f"{name} imports {specifier}"
            assert (file.parent / specifier).is_file()
    assert imported > 20


def test_styles_and_scripts_are_there_compressed(collected: Path) -> None:
    manifest = json.loads((collected / "staticfiles.json").read_text())["paths"]
    for name in ("web/styles/base.css", "web/pages/shell.js", "web/favicon.svg"):
        assert (collected / f"{manifest[name]}.gz").is_file()
    # By its plain name, too: the page of a fault depends on no manifest.
    assert (collected / "web/styles/base.css").is_file()


def test_modules_are_served_without_their_comments_and_with_their_lines(collected: Path) -> None:
    sources = settings.BASE_DIR / "games/static"
    for source in sorted((sources / "web").rglob("*.js")):
        written = source.read_text().split("\n")
        served = (collected / source.relative_to(sources)).read_text().split("\n")
        assert len(served) == len(written), source.name
        for line, original in zip(served, written, strict=True):
            assert line in ("", original)
            assert not _COMMENT_LINE.fullmatch(line), source.name
        left_out = {line.strip() for line, now in zip(written, served, strict=True) if line != now}
        assert all(line.startswith(("//", "/*", "*")) for line in left_out), source.name
