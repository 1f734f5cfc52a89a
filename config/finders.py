"""Where static files come from."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import AppDirectoriesFinder
from django.core.files.storage import FileSystemStorage, Storage

# Whole lines of `//`, and blocks that have their lines to themselves.
_COMMENT = re.compile(r"^[ \t]*(?://[^\n]*|/\*(?:[^*]|\*(?!/))*\*/[ \t]*)$", re.MULTILINE)


def without_comments(source: str) -> str:
    """Return a module without its comments, each line where it was."""
    return _COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), source)


class ModulesFinder(AppDirectoriesFinder):
    """Find the static files of applications; modules of the web client without their comments.

    Types of the client are comments, and a third of its size on the way to a browser. Lines keep
    their numbers. What is served lies below STATE_DIR, as old as its source.
    """

    def list(self, ignore_patterns: Any) -> Iterator[tuple[str, Storage]]:
        plain = FileSystemStorage(settings.STATE_DIR / "modules")
        for path, storage in super().list(ignore_patterns):
            if _is_module(path):
                _served(path, storage.path(path))
                yield path, plain
            else:
                yield path, storage

    def find_in_app(self, app: str, path: str) -> str | None:
        found = super().find_in_app(app, path)
        return _served(path, found) if found and _is_module(path) else found


def _is_module(path: str) -> bool:
    return path.startswith("web/") and path.endswith(".js")


def _served(path: str, source: str) -> str:
    """Return the file that is served for a module, written anew if its source has changed."""
    target: Path = settings.STATE_DIR / "modules" / path
    changed_ns = os.stat(source).st_mtime_ns
    if not target.exists() or target.stat().st_mtime_ns != changed_ns:
        target.parent.mkdir(parents=True, exist_ok=True)
        # Several processes may do so at once: each writes a file of its own, whole.
        written = target.with_suffix(f".{os.getpid()}")
        written.write_text(without_comments(Path(source).read_text()))
        os.utime(written, ns=(changed_ns, changed_ns))
        written.replace(target)
    return str(target)
