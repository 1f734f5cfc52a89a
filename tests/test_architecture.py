"""docs/architecture.md: every file and every name that it sends a reader to is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs/architecture.md").read_text()
_WHERE = re.compile(r"`((?:games|leaderboard|config)/[\w/.]+)`(?:, `([\w.]+)`)?")
PLACES = sorted(set(_WHERE.findall(TEXT)))


def test_it_names_places() -> None:
    assert len(PLACES) > 20


@pytest.mark.parametrize(("path", "name"), PLACES)
def test_what_it_names_is_there(path: str, name: str) -> None:
    place = ROOT / path
    assert place.exists()
    if name and "/" not in name and "." not in name:
        assert re.search(rf"\b(?:class|def) {name}\b", place.read_text()), name
    elif name and not name.endswith((".py", ".js")):
        assert all(part in place.read_text() for part in name.split(".")), name
