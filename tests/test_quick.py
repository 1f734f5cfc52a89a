"""Which tests `make quick` finds for a changed file."""

import pytest

from tests.quick import AREAS, ROOT, related, texts_of_tests

MODULES = sorted(
    str(path.relative_to(ROOT))
    for folder in ("config", "games", "leaderboard")
    for path in (ROOT / folder).rglob("*.py")
    if path.name != "__init__.py"
)


@pytest.mark.parametrize(
    ("path", "tests"),
    [
        ("tests/games/test_names.py", {"tests/games/test_names.py"}),
        ("games/services/pool.py", {"tests/games/test_pool.py"}),
        ("games/admin/log.py", {"tests/games/test_admin.py"}),
        ("games/api/requests.py", {"tests/games/api/test_bad_input.py"}),
        ("games/engine/undo.py", {"tests/games/engine/test_vectors.py"}),
        ("games/static/web/nothing.js", {"tests/web/test_rules_js.py"}),
        ("leaderboard/rules/ranking.py", {"tests/leaderboard/test_ranking.py"}),
        ("docs/rules.md", {"tests/test_docs.py"}),
    ],
)
def test_a_changed_file_has_the_tests_of_its_name_or_place(path: str, tests: set[str]) -> None:
    assert tests <= related(path)


@pytest.mark.parametrize("path", MODULES)
def test_every_module_has_tests_and_none_has_half_of_them_all(path: str) -> None:
    assert 0 < len(related(path)) < len(texts_of_tests()) / 2


@pytest.mark.parametrize("tests", AREAS.values(), ids=AREAS)
def test_the_tests_of_an_area_exist(tests: list[str]) -> None:
    assert all((ROOT / test).exists() for test in tests)
