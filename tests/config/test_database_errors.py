"""Which errors of the database are 503, and that they are so wherever they are raised."""

import logging

import psycopg
import pytest
from django.db import OperationalError, connection
from django.http import HttpRequest, HttpResponse
from django.test import Client, override_settings
from django.urls import path
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config import logs
from config.database import errors
from config.urls import handler400, handler403, handler404, handler500  # noqa: F401
from games.errors import NameTaken


def away() -> Exception:
    """Return what Django raises when the connection breaks."""
    error = OperationalError("the connection is lost")
    error.__cause__ = psycopg.OperationalError("the connection is lost")
    return error


class AwayView(APIView):
    def get(self, _request: Request) -> Response:
        raise away()


def page(_request: HttpRequest) -> HttpResponse:
    raise away()


def broken(_request: HttpRequest) -> HttpResponse:
    raise OperationalError("no such table: games_player")


urlpatterns = [
    path("api/v1/away/", AwayView.as_view()),
    path("api/v1/plain/", page),
    path("page/", page),
    path("broken/", broken),
]


@pytest.fixture
def answering() -> Client:
    """Return a client that gets an answer where the test's own would get the exception."""
    return Client(raise_request_exception=False)


@pytest.mark.parametrize("address", ["/api/v1/away/", "/api/v1/plain/"])
@override_settings(ROOT_URLCONF=__name__)
def test_the_api_answers_503_in_its_envelope(answering: Client, address: str) -> None:
    answer = answering.get(address)
    assert answer.status_code == 503
    assert int(answer.headers["Retry-After"]) >= 1
    body = answer.json()
    assert body["type"] == "server_error"
    assert [(each["code"], each["attr"]) for each in body["errors"]] == [("unavailable", None)]
    assert "no-store" in answer.headers["Cache-Control"]


@pytest.mark.parametrize("language", ["en", "it", "es"])
@override_settings(ROOT_URLCONF=__name__)
def test_a_page_answers_503_in_the_reader_s_language(answering: Client, language: str) -> None:
    answer = answering.get("/page/", headers={"accept-language": language})
    assert answer.status_code == 503
    assert int(answer.headers["Retry-After"]) >= 1
    assert f'<html lang="{language}">' in answer.content.decode()


@override_settings(ROOT_URLCONF=__name__)
def test_a_fault_of_ours_stays_500(answering: Client) -> None:
    assert answering.get("/broken/").status_code == 500


@override_settings(ROOT_URLCONF=__name__)
def test_each_503_is_a_short_line_but_one_a_minute(
    answering: Client, caplog: pytest.LogCaptureFixture
) -> None:
    logs._last_full.clear()
    with caplog.at_level(logging.INFO):
        for _time in range(3):
            answering.get("/api/v1/away/")
            answering.get("/page/")
    ours = [record for record in caplog.records if record.name == "config.errors"]
    assert len(ours) == len(caplog.records) == 6
    assert [record.levelname for record in ours] == ["ERROR"] + ["WARNING"] * 5
    formatter = logs.LineFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s")
    assert "Traceback" in formatter.format(ours[0])
    assert all(len(formatter.format(record).encode()) < 300 for record in ours[1:])


@pytest.mark.django_db
def test_a_missing_table_is_a_fault_of_ours() -> None:
    with pytest.raises(Exception, match="nowhere") as raised, connection.cursor() as cursor:
        cursor.execute("SELECT * FROM nowhere")
    assert not errors.is_unavailable(raised.value)


@pytest.mark.parametrize(
    ("raised", "retryable"),
    [
        (psycopg.errors.DeadlockDetected, True),
        (psycopg.errors.SerializationFailure, True),
        (psycopg.errors.QueryCanceled, False),
        (psycopg.errors.LockNotAvailable, False),
        (psycopg.errors.TooManyConnections, False),
        (psycopg.errors.AdminShutdown, False),
        (psycopg.errors.CannotConnectNow, False),
        (psycopg.errors.IdleInTransactionSessionTimeout, False),
        (psycopg.errors.ReadOnlySqlTransaction, False),
        (psycopg.OperationalError, False),
    ],
)
def test_an_error_that_may_pass_is_unavailable(
    raised: type[psycopg.Error], retryable: bool
) -> None:
    error = OperationalError("whatever")
    error.__cause__ = raised("whatever")
    assert errors.is_unavailable(error)
    assert errors.is_retryable(error) is retryable


@pytest.mark.parametrize(
    "raised",
    [
        psycopg.errors.UndefinedTable,
        psycopg.errors.UniqueViolation,
        psycopg.errors.SyntaxError,
        psycopg.errors.NumericValueOutOfRange,
    ],
)
def test_an_error_that_will_not_pass_is_not_unavailable(raised: type[psycopg.Error]) -> None:
    error = OperationalError("whatever")
    error.__cause__ = raised("whatever")
    assert not errors.is_unavailable(error)
    assert not errors.is_retryable(error)


def test_a_refusal_that_was_made_of_an_error_stays_a_refusal() -> None:
    refusal = NameTaken()
    refusal.__cause__ = away()
    assert not errors.is_unavailable(refusal)
