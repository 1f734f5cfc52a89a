"""Whatever a client sends, the answer says what is wrong and is never a 500."""

import gzip
import json
import zlib

import pytest
from django.conf import settings
from django.http import HttpResponse
from django.test import Client
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from tests.logs import WINS
from tests.play import TODAY, Caller, error_of

pytestmark = pytest.mark.django_db

VERIFY = "/api/v1/verify/"
GOOD = json.dumps({"code": WINS[0].code, "movetext": WINS[0].movetext}).encode()


def send(body: bytes, content_type: str = "application/json", **headers: str) -> HttpResponse:
    return Client(raise_request_exception=True).generic(
        "POST", VERIFY, body, content_type=content_type, headers=headers
    )


BAD_BODIES = {
    "empty object": (b"{}", 400),
    "no JSON": (b"{", 400),
    "text": (b'"text"', 400),
    "list": (b"[]", 400),
    "null": (b"null", 400),
    "number": (b"1", 400),
    "not UTF-8": (b'{"code": "\xff"}', 400),
    "UTF-16": ('{"code": "x"}'.encode("utf-16"), 400),
    "NaN": (b'{"code": NaN}', 400),
    "infinity": (b'{"code": 1e999, "movetext": ""}', 400),
    "deep": (b"[" * 100_000, 400),
    "deep objects": (b'{"a":' * 50_000, 400),
    "a number of many digits": (b'{"code": ' + b"9" * 6_000 + b"}", 400),
    "a number for a code": (b'{"code": 7, "movetext": ""}', 400),
    "a list for a log": (b'{"code": "EH1-N-AAAAAAF", "movetext": ["D"]}', 400),
    "an object for a log": (b'{"code": "EH1-N-AAAAAAF", "movetext": {}}', 400),
    "no log": (b'{"code": "EH1-N-AAAAAAF"}', 400),
    "null for a log": (b'{"code": "EH1-N-AAAAAAF", "movetext": null}', 400),
    "null character": (b'{"code": "EH1-N-AAAAAAF", "movetext": "D\\u0000"}', 400),
    "lone surrogate": (b'{"code": "EH1-N-AAAAAAF", "movetext": "D \\ud800"}', 400),
    "too large": (b" " * (settings.MAX_BODY_BYTES + 1), 413),
}


@pytest.mark.parametrize(("body", "status"), BAD_BODIES.values(), ids=BAD_BODIES.keys())
def test_a_bad_body_is_refused_in_the_envelope(body: bytes, status: int) -> None:
    answer = send(body)
    assert answer.status_code == status
    assert answer.json()["errors"]
    assert all(error["code"] and error["detail"] for error in answer.json()["errors"])


def test_a_gzipped_body_is_read() -> None:
    answer = send(gzip.compress(GOOD), content_encoding="gzip")
    assert answer.status_code == 200
    assert answer.json()["won"]


@pytest.mark.parametrize(
    ("body", "encoding", "status"),
    [
        (gzip.compress(b" " * 200_000_000), "gzip", 413),
        (gzip.compress(gzip.compress(GOOD)), "gzip", 400),
        (gzip.compress(GOOD)[:-9], "gzip", 400),
        (gzip.compress(GOOD) + b"more", "gzip", 400),
        (GOOD, "gzip", 400),
        (b"", "gzip", 400),
        (zlib.compress(GOOD), "deflate", 415),
        (GOOD, "br", 415),
        (gzip.compress(GOOD), "gzip, gzip", 415),
    ],
    ids=["bomb", "twice", "cut", "longer", "plain", "empty", "deflate", "brotli", "list"],
)
def test_a_bad_compressed_body_is_refused(body: bytes, encoding: str, status: int) -> None:
    answer = send(body, content_encoding=encoding)
    assert answer.status_code == status
    assert answer.json()["errors"]


def test_a_bomb_is_not_inflated_beyond_the_limit(monkeypatch) -> None:
    inflated = []
    real = zlib.decompressobj

    class Counting:
        def __init__(self, **options: int) -> None:
            self._inner = real(**options)

        def decompress(self, data: bytes, most: int) -> bytes:
            plain = self._inner.decompress(data, most)
            inflated.append(len(plain))
            return plain

        def __getattr__(self, name: str) -> object:
            return getattr(self._inner, name)

    monkeypatch.setattr("config.parsers.zlib.decompressobj", Counting)
    assert send(gzip.compress(b" " * 50_000_000), content_encoding="gzip").status_code == 413
    assert sum(inflated) <= settings.MAX_BODY_BYTES + 1


@pytest.mark.parametrize(
    "content_type", ["text/plain", "multipart/form-data; boundary=x", "a/b", ""]
)
def test_another_content_type_is_415(content_type: str) -> None:
    answer = send(GOOD, content_type)
    assert answer.status_code == 415
    assert error_of(answer)["code"] == "unsupported_media_type"


@pytest.mark.parametrize("charset", ["rot13", "base64", "utf-16", "nonsense", "undefined", "idna"])
def test_a_strange_charset_changes_nothing(charset: str) -> None:
    assert send(GOOD, f"application/json; charset={charset}").status_code == 200
    answer = Client().generic(
        "GET",
        "/api/v1/deals/random/?variant=%ff%fe",
        content_type=f"application/json; charset={charset}",
    )
    assert answer.status_code == 400


def test_a_chunked_body_is_411_not_taken_for_an_empty_one() -> None:
    answer = send(GOOD, transfer_encoding="chunked")
    assert answer.status_code == 411
    assert error_of(answer)["code"] == "length_required"


def test_an_address_without_its_slash_leads_to_the_right_one_by_the_same_method() -> None:
    answer = Client().generic("POST", "/api/v1/verify", GOOD, content_type="application/json")
    assert (answer.status_code, answer["Location"]) == (308, "/api/v1/verify/")


def test_no_cache_keeps_what_the_api_answers(today) -> None:
    for answer in (Client().get("/api/v1/daily/"), send(GOOD), Client().get("/api/v1/nothing/")):
        assert "no-store" in answer["Cache-Control"]


METHODS = {
    "players/": {"POST"},
    "players/me/": {"GET", "PATCH", "DELETE"},
    "players/00000000-0000-0000-0000-000000000000/": {"GET"},
    "players/me/password/": {"PUT"},
    "players/00000000-0000-0000-0000-000000000000/record/": {"GET"},
    "tokens/": {"POST"},
    "tokens/current/": {"DELETE"},
    "variants/": {"GET"},
    "deals/random/": {"GET"},
    "deals/EH1-N-AAAAAAF/": {"GET"},
    "verify/": {"POST"},
    "daily/": {"GET"},
    "daily/easy-harp/2026-05-04/": {"GET"},
    "daily/easy-harp/2026-05-04/attempts/": {"GET", "POST"},
    "daily/easy-harp/2026-05-04/leaderboard/": {"GET"},
    "daily/easy-harp/2026-05-04/leaderboard/around-me/": {"GET"},
    "attempts/00000000-0000-0000-0000-000000000000/": {"GET"},
    "attempts/00000000-0000-0000-0000-000000000000/log/": {"GET"},
    "attempts/00000000-0000-0000-0000-000000000000/submission/": {"POST"},
}


@pytest.mark.parametrize("path", METHODS)
def test_a_wrong_method_is_405_and_lists_the_right_ones(today, path: str) -> None:
    ada = Caller("Ada")
    for method in {"GET", "POST", "PUT", "PATCH", "DELETE"} - METHODS[path]:
        answer = ada.client.generic(method, f"/api/v1/{path}")
        assert answer.status_code == 405, (method, path)
        assert error_of(answer)["code"] == "method_not_allowed"
        assert METHODS[path] <= set(answer["Allow"].split(", "))


def test_a_foreign_host_is_400_in_the_envelope() -> None:
    answer = Client().get("/api/v1/variants/", headers={"host": "evil.example"})
    assert answer.status_code == 400
    assert error_of(answer)["code"] == "bad_request"


@pytest.mark.parametrize("accept", ["text/html", "*/*", "application/xml", "nonsense", "a/b;q=x"])
def test_any_accept_header_gets_an_answer(accept: str) -> None:
    answer = Client().get("/api/v1/variants/", headers={"accept": accept})
    assert answer.status_code in (200, 406)
    answer.json()


@pytest.mark.parametrize("language", ["xx", "it-IT,it;q=0.9", "*", ";;;", "e" * 5000, "\u00e9"])
def test_any_language_header_gets_an_answer(language: str) -> None:
    answer = Client().get("/api/v1/variants/", headers={"accept-language": language})
    assert answer.status_code == 200


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=10,
)


@pytest.mark.slow
@hypothesis_settings(
    max_examples=25,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(movetext=json_values, claimed=json_values, code=json_values, name=json_values)
def test_any_json_gets_an_answer_below_500(
    today, unthrottled, *, movetext: object, claimed: object, code: object, name: object
) -> None:
    ada = Caller()
    calls = [
        ("players/", {"display_name": name}),
        ("tokens/", {"display_name": name, "password": code}),
        ("tokens/", name),
        ("verify/", {"code": code, "movetext": movetext}),
        ("verify/", {"code": WINS[0].code, "movetext": movetext}),
    ]
    for path, body in calls:
        text = json.dumps(body)
        answer = ada.client.generic(
            "POST", f"/api/v1/{path}", text.encode(), content_type="application/json"
        )
        assert answer.status_code < 500, (path, body)
        if answer.status_code >= 400:
            assert answer.json()["errors"]


@hypothesis_settings(
    max_examples=25,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(body=st.binary(max_size=200), encoding=st.sampled_from(["identity", "gzip"]))
def test_any_bytes_get_an_answer_below_500(unthrottled, body: bytes, encoding: str) -> None:
    assert send(body, content_encoding=encoding).status_code < 500


BAD_QUERIES = [
    "limit=0",
    "limit=-1",
    "limit=101",
    "limit=abc",
    "limit=1e2",
    "limit=²",
    "limit=" + "9" * 400,
    "cursor=abc",
    "cursor=%00",
    "cursor=a:b:c",
    "cursor=%ff",
]


@pytest.mark.parametrize("query", BAD_QUERIES)
def test_a_bad_page_is_named(today, query: str) -> None:
    answer = Caller().get(f"daily/easy-harp/{TODAY}/leaderboard/?{query}")
    assert answer.status_code == 400
    assert error_of(answer)["attr"] == query.partition("=")[0]
