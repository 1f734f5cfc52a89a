"""`make quick`: a pytest plugin that keeps the pure tests and those of what changed.

What changed is what differs from the commit that this branch left main at, or from the commit that
the variable SINCE names, and what git does not know yet. A changed file has these tests, beside
itself: those that AREAS names for it, the file of its name (games/services/pool.py: test_pool.py)
or of its folder's (games/admin/log.py: test_admin.py), and those that import it or use a name that
it defines, while they are few: what everything uses is what `make test` is for. Where that finds
nothing, the folder that mirrors its own, or one above it (games/api: tests/games/api).

Slow tests, those in the browser and those that start processes never run here; the report's head
names the files, for `make test ARGS=...`.
"""

import ast
import os
import re
import subprocess
from functools import cache
from pathlib import Path, PurePath

import pytest

ROOT = Path(__file__).resolve().parent.parent
FEW = 3
SHORTEST_NAME = 6  # shorter ones stand for other things, too
# Parts of paths, and the tests that are about them although no name says so.
AREAS = {
    "games/engine/": ["tests/games/engine"],
    "games/solver/": ["tests/games/solver"],
    "games/static/": ["tests/web"],
    "games/data/": ["tests/games/test_pool.py"],
    "games/management/": ["tests/games/test_commands.py"],
    "games/models": ["tests/games/test_pool.py", "tests/games/test_rollover.py"],
    "games/services/calendar": ["tests/games/test_rollover.py"],
    "games/services/play": ["tests/leaderboard/test_submissions.py"],
    "templates/": ["tests/games/pages", "tests/leaderboard/pages"],
    "templatetags/": ["tests/games/pages", "tests/leaderboard/pages"],
    "leaderboard/api/": [
        "tests/leaderboard/test_submissions.py",
        "tests/leaderboard/test_boards.py",
    ],
    "leaderboard/receipts": ["tests/leaderboard/test_submissions.py"],
    "leaderboard/paging": ["tests/leaderboard/test_boards.py"],
    "leaderboard/management/": ["tests/games/test_commands.py"],
    "leaderboard/models": ["tests/leaderboard/test_submissions.py"],
    "migrations/": ["tests/games/test_rollover.py", "tests/leaderboard/test_submissions.py"],
    "locale/": ["tests/config/test_translations.py"],
    "docs/": ["tests/test_docs.py"],
    "README.md": ["tests/test_docs.py"],
    "deploy/nginx": ["tests/config/test_proxy.py"],
    "docker-compose.yml": ["tests/config/test_compose.py"],
    "Dockerfile": ["tests/config/test_compose.py"],
    ".env.example": ["tests/config/test_compose.py"],
    "config/settings.py": ["tests/config"],
    "tests/vectors/": ["tests/games/engine", "tests/web"],
}


def changed() -> set[str]:
    """Return the paths that differ from where this branch left main, or from SINCE."""
    since = os.environ.get("SINCE") or _git("merge-base", "main", "HEAD") or "HEAD"
    differing = _git("diff", "--name-only", "--no-renames", since.strip())
    unknown = _git("ls-files", "--others", "--exclude-standard")
    return set(f"{differing}\n{unknown}".split())


def _git(*arguments: str) -> str:
    """Return what git prints; nothing where it fails: a checkout may have no branch main."""
    done = subprocess.run(
        ["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return done.stdout if done.returncode == 0 else ""


@cache
def texts_of_tests() -> dict[str, str]:
    """Return path and text of every file of tests."""
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    return {str(file.relative_to(ROOT)): file.read_text() for file in files}


def related(path: str) -> set[str]:
    """Return the files of tests that are about a file of the checkout."""
    if path in texts_of_tests():
        return {path}
    about = [test for part, tests in AREAS.items() if part in path for test in tests]
    found = {test for test in texts_of_tests() if any(_is_within(test, one) for one in about)}
    found |= _of_that_name(path)
    if path.endswith(".py"):
        found |= _few(_importing(path)) | _naming(path)
    folders = iter(PurePath("tests", path).parents)
    while not found and (folder := next(folders)) != PurePath("tests"):
        found = {test for test in texts_of_tests() if PurePath(test).parent == folder}
    return found


def _is_within(test: str, path: str) -> bool:
    return test == path or test.startswith(f"{path}/")


def _of_that_name(path: str) -> set[str]:
    """Return the tests named like the file or its folder, of the same part of the project."""
    names = {f"test_{PurePath(path).stem}", f"test_{PurePath(path).parent.name}"}
    part = f"tests/{PurePath(path).parts[0]}/"
    return {
        test for test in texts_of_tests() if PurePath(test).stem in names and test.startswith(part)
    }


def _few(tests: set[str]) -> set[str]:
    return tests if len(tests) <= FEW else set()


def _importing(path: str) -> set[str]:
    parent, _, name = path.removesuffix(".py").removesuffix("/__init__").rpartition("/")
    package = re.escape(parent.replace("/", "."))
    line = rf"^from {package} import .*\b{name}\b|^(?:from|import) {package}\.{name}\b"
    return _matching(line)


def _naming(path: str) -> set[str]:
    try:
        module = ast.parse((ROOT / path).read_text())
    except OSError:  # it is gone
        return set()
    kinds = (ast.FunctionDef, ast.ClassDef)
    names = [node.name for node in module.body if isinstance(node, kinds) and node.name[0] != "_"]
    # Each name by itself: one that everything uses says nothing about the others.
    found: set[str] = set()
    for name in names:
        if len(name) > SHORTEST_NAME:
            found |= _few({test for test, words in _words().items() if name in words})
    return found


@cache
def _words() -> dict[str, set[str]]:
    return {test: set(re.findall(r"\w+", text)) for test, text in texts_of_tests().items()}


def _matching(pattern: str) -> set[str]:
    sought = re.compile(pattern, re.MULTILINE)
    return {test for test, text in texts_of_tests().items() if sought.search(text)}


@cache
def chosen() -> dict[str, set[str]]:
    """Return the tests of each path that changed."""
    return {path: related(path) for path in sorted(changed())}


def pytest_report_header() -> list[str]:
    """Say what changed, and which tests that brings in."""
    lines = [f"  {path}: {', '.join(sorted(tests)) or '-'}" for path, tests in chosen().items()]
    return [f"changed files: {len(lines)}", *lines]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is neither pure and quick, nor about what changed."""
    tests = set().union(*chosen().values())
    kept, left = [], []
    for item in items:
        (kept if _is_wanted(item, tests) else left).append(item)
    items[:] = kept
    config.hook.pytest_deselected(items=left)


def _is_wanted(item: pytest.Item, tests: set[str]) -> bool:
    if any(item.get_closest_marker(mark) for mark in ("slow", "process", "e2e")):
        return False
    return bool(item.get_closest_marker("pure")) or str(item.path.relative_to(ROOT)) in tests
