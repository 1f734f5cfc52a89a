"""The published schema: every call of docs/contract.md, with its errors."""

import pytest
import yaml
from django.test import Client

CALLS = {
    "/api/v1/players/": {"post"},
    "/api/v1/players/me/": {"get", "patch", "delete"},
    "/api/v1/players/me/password/": {"put"},
    "/api/v1/players/{player_id}/": {"get"},
    "/api/v1/players/{player_id}/record/": {"get"},
    "/api/v1/tokens/": {"post"},
    "/api/v1/tokens/current/": {"delete"},
    "/api/v1/variants/": {"get"},
    "/api/v1/deals/{code}/": {"get"},
    "/api/v1/deals/random/": {"get"},
    "/api/v1/daily/": {"get"},
    "/api/v1/daily/{variant}/{day}/": {"get"},
    "/api/v1/daily/{variant}/{day}/attempts/": {"get", "post"},
    "/api/v1/attempts/{attempt_id}/submission/": {"post"},
    "/api/v1/attempts/{attempt_id}/": {"get"},
    "/api/v1/attempts/{attempt_id}/log/": {"get"},
    "/api/v1/attempts/{attempt_id}/analysis/": {"get", "post"},
    "/api/v1/daily/{variant}/{day}/leaderboard/": {"get"},
    "/api/v1/daily/{variant}/{day}/leaderboard/around-me/": {"get"},
    "/api/v1/verify/": {"post"},
}


@pytest.fixture(scope="module")
def schema() -> dict:
    # Once for all of them: it takes about a second, and no database.
    answer = Client().get("/api/v1/schema/")
    assert answer.status_code == 200
    return yaml.safe_load(answer.content)


def test_every_call_of_the_contract_is_in_the_schema(schema: dict) -> None:
    described = {path: set(calls) for path, calls in schema["paths"].items()}
    assert described == CALLS


def test_every_call_describes_itself_and_its_answers(schema: dict) -> None:
    for path, calls in schema["paths"].items():
        for method, call in calls.items():
            assert call["description"], (method, path)
            assert any(status.startswith("2") for status in call["responses"]), (method, path)


@pytest.mark.parametrize(
    ("path", "method", "statuses"),
    [
        ("/api/v1/attempts/{attempt_id}/submission/", "post", {"200", "201", "403", "409", "413"}),
        ("/api/v1/daily/{variant}/{day}/attempts/", "post", {"201", "401", "404", "409", "429"}),
        ("/api/v1/players/", "post", {"201", "400", "409", "429"}),
        ("/api/v1/players/me/password/", "put", {"200", "400", "401", "403", "429"}),
        ("/api/v1/tokens/", "post", {"201", "400", "429"}),
        ("/api/v1/attempts/{attempt_id}/log/", "get", {"200", "404", "409"}),
        ("/api/v1/verify/", "post", {"200", "400", "413", "429"}),
    ],
)
def test_the_errors_of_a_call_are_in_the_schema(
    schema: dict, path: str, method: str, statuses: set[str]
) -> None:
    assert statuses <= set(schema["paths"][path][method]["responses"])


def test_the_page_to_browse_it_loads_nothing_from_elsewhere() -> None:
    page = Client().get("/api/v1/docs/").content.decode()
    assert "swagger" in page
    assert "//cdn" not in page
    assert "https://" not in page


@pytest.mark.parametrize("query", ["", "?format=json", "?lang=it", "?version=7&lang=..%2Fxx"])
def test_the_schema_is_made_once(query: str, monkeypatch) -> None:
    first = Client().get(f"/api/v1/schema/{query}")
    assert first.status_code == 200

    def made_again(*_args: object, **_kwargs: object) -> None:
        raise AssertionError

    monkeypatch.setattr("drf_spectacular.generators.SchemaGenerator.get_schema", made_again)
    again = Client().get(f"/api/v1/schema/{query}")
    assert again.content == first.content
    assert again["ETag"] == first["ETag"]
    known = Client().get(f"/api/v1/schema/{query}", headers={"if-none-match": first["ETag"]})
    assert (known.status_code, known.content) == (304, b"")


def test_the_schema_has_the_requested_format_and_language() -> None:
    as_yaml, as_json = (Client().get(f"/api/v1/schema/?format={form}") for form in ("yaml", "json"))
    assert yaml.safe_load(as_yaml.content) == as_json.json()
    assert as_json["Content-Type"].startswith("application/vnd.oai.openapi+json")
    assert Client().head("/api/v1/schema/").content == b""


@pytest.mark.parametrize("address", ["schema", "docs"])
def test_schema_and_docs_are_only_read(address: str) -> None:
    for method in ("post", "put", "patch", "delete", "options"):
        assert getattr(Client(), method)(f"/api/v1/{address}/").status_code == 405


def test_an_error_of_the_schema_has_the_common_envelope(settings) -> None:
    settings.THROTTLE_RATES = settings.THROTTLE_RATES | {
        "schema_per_address": "1/hour",
        "docs_per_address": "1/hour",
    }
    statuses = [Client().get("/api/v1/schema/").status_code for _ in range(2)]
    assert statuses == [200, 429]
    answer = Client().get("/api/v1/schema/")
    assert answer["Content-Type"] == "application/json"
    assert answer.json()["errors"][0]["code"] == "throttled"
    assert int(answer["Retry-After"]) > 0
    pages = [Client().get("/api/v1/docs/") for _ in range(2)]
    assert [page.status_code for page in pages] == [200, 429]
    assert pages[1]["Content-Type"].startswith("text/html")
    assert int(pages[1]["Retry-After"]) > 0
