"""The documents against the code: what they have to list, and what the code cites of them."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from drf_spectacular.generators import SchemaGenerator

from games import engine
from games.errors import ServiceError

ROOT = Path(__file__).parents[1]
CONTRACT = (ROOT / "docs/contract.md").read_text()
SOURCES = [
    path
    for folder in ("config", "games", "leaderboard", "tests")
    for suffix in ("py", "md", "js")
    for path in sorted((ROOT / folder).rglob(f"*.{suffix}"))
]

# A document, a comma, and "Section"; others may follow after "and". Lines may break anywhere.
_GAP = r"[\s#*]+"
_CITATION = re.compile(rf'docs/(\w+)\.md,{_GAP}("[^"]+"(?:{_GAP}and{_GAP}"[^"]+")*)')


def subclasses(kind: type[ServiceError]) -> Iterator[type[ServiceError]]:
    for subclass in kind.__subclasses__():
        yield subclass
        yield from subclasses(subclass)


CODES = {
    *engine.REFUSALS,
    *engine.CODE_ERRORS,
    *engine.LIMIT_ERRORS,
    *(error.code for error in subclasses(ServiceError)),
}


def calls() -> Iterator[str]:
    schema = SchemaGenerator().get_schema(public=True)
    for path, operations in schema["paths"].items():
        for method in operations:
            yield f"{method.upper()} {path.removeprefix('/api/v1/')}"


def citations() -> Iterator[tuple[str, str, str]]:
    """Yield who cites, which document, and which section of it."""
    for source in SOURCES:
        for document, sections in _CITATION.findall(source.read_text()):
            for section in re.findall('"([^"]+)"', sections):
                name = " ".join(re.split(_GAP, section))
                yield str(source.relative_to(ROOT)), document, name


@pytest.mark.parametrize("code", sorted(CODES))
def test_the_contract_explains_every_code(code: str) -> None:
    assert f"`{code}`" in CONTRACT


def test_the_contract_lists_every_call_of_the_api() -> None:
    assert [call for call in calls() if f"| `{call}` |" not in CONTRACT] == []


def test_every_section_that_the_code_cites_exists() -> None:
    cited = set(citations())
    assert len(cited) > 20
    headings = {
        document: set(re.findall(r"^#+ (.+)$", (ROOT / f"docs/{document}.md").read_text(), re.M))
        for document in {document for _, document, _ in cited}
    }
    missing = [cite for cite in cited if cite[2] not in headings[cite[1]]]
    assert sorted(missing) == []


@pytest.mark.parametrize("name", ["rules.md", "contract.md"])
def test_every_link_within_the_documents_leads_somewhere(name: str) -> None:
    text = (ROOT / "docs" / name).read_text()
    anchors = {
        heading.lower().replace(" ", "-") for heading in re.findall(r"^#+ ([\w -]+)$", text, re.M)
    }
    for target in re.findall(r"\]\(([^)]+)\)", text):
        path, _, anchor = target.partition("#")
        assert not path or (ROOT / "docs" / path).exists(), target
        assert not anchor or anchor in anchors, target
