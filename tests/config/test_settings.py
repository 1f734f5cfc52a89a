"""config/settings.py: what each environment variable sets, what it is without, what it refuses.

.env.example lists the variables and their defaults; what is listed there and read by the settings
is in the tables below, or a test fails.
"""

import logging
import re
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from environs import EnvError

from tests.compose import ROOT
from tests.config.test_compose import NOT_OF_THE_SETTINGS, names_that_settings_read
from tests.installed_settings import ELSEWHERE, installed_settings
from tests.processes import PATIENCE_S, machine_environment

EXAMPLE = (ROOT / ".env.example").read_text()
DOCUMENTED_DEFAULTS = {
    name: value
    for name, value in re.findall(r"^#([A-Z0-9_]+)=(.*)$", EXAMPLE, re.MULTILINE)
    # Of the last two, below: the database without the one that is named here, and a folder.
    if name not in {*NOT_OF_THE_SETTINGS, *ELSEWHERE, "STATE_DIR"}
}
HTTPS = {"HTTPS_ONLY": "true", "SECRET_KEY": "given"}
# Only then are they read.
WITH_HTTPS = {"HSTS_SECONDS", "HSTS_INCLUDE_SUBDOMAINS", "HSTS_PRELOAD"}


def given_to(name: str, value: str) -> dict[str, str]:
    """Return an environment in which a variable is read and has a value."""
    return {"SECRET_KEY": "given", **(HTTPS if name in WITH_HTTPS else {}), name: value}


def changes(given: dict[str, str], beside: dict[str, str]) -> dict[str, Any]:
    """Return the settings that differ from those of an installation without some variables."""
    before, after = installed_settings(**beside), installed_settings(**given)
    return {
        name: after.get(name)
        for name in {*before, *after}
        if before.get(name) != after.get(name) and name != "SECRET_KEY"
    }


@pytest.mark.parametrize(("name", "value"), DOCUMENTED_DEFAULTS.items())
def test_the_documented_default_is_what_holds_without_the_variable(name: str, value: str) -> None:
    given = given_to(name, value)
    assert changes(given, {each: given[each] for each in given if each != name}) == {}


# --- What each sets ---------------------------------------------------------------------------


def _web(**changed: int) -> dict[str, Any]:
    limits = {"statement_ms": 2500, "lock_ms": 1500, "idle_in_transaction_ms": 5000}
    return {"DATABASE_WEB_LIMITS": limits | changed}


def _long(**changed: int) -> dict[str, Any]:
    limits = {"statement_ms": 900_000, "lock_ms": 120_000, "idle_in_transaction_ms": 900_000}
    return {"DATABASE_LONG_LIMITS": limits | changed}


SETS: dict[str, tuple[str, dict[str, Any]]] = {
    "DEBUG": ("true", {"DEBUG": True, "WHITENOISE_AUTOREFRESH": True}),
    "SECRET_KEY_FALLBACKS": ("one,two", {"SECRET_KEY_FALLBACKS": ["one", "two"]}),
    "ALLOWED_HOSTS": ("a.example,b.example", {"ALLOWED_HOSTS": ["a.example", "b.example"]}),
    "CSRF_TRUSTED_ORIGINS": (
        "https://a.example,https://b.example",
        {"CSRF_TRUSTED_ORIGINS": ["https://a.example", "https://b.example"]},
    ),
    "TRUSTED_PROXY_COUNT": ("2", {"TRUSTED_PROXY_COUNT": 2}),
    "THROTTLE_IPV6_PREFIX": ("56", {"THROTTLE_IPV6_PREFIX": 56}),
    "REDIS_URL": (
        "redis://there:1/2",
        {"REDIS_URL": "redis://there:1/2", "CELERY_BROKER_URL": "redis://there:1/2"},
    ),
    "ADMIN_EMAILS": (
        "a@example.org,b@example.org",
        {"ADMINS": [("Admins", "a@example.org"), ("Admins", "b@example.org")]},
    ),
    "FROM_EMAIL": (
        "deals@example.org",
        {"SERVER_EMAIL": "deals@example.org", "DEFAULT_FROM_EMAIL": "deals@example.org"},
    ),
    "EMAIL_URL": (
        "submission://user:pass%40word@mail.example:587",
        {
            "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
            "EMAIL_HOST": "mail.example",
            "EMAIL_PORT": 587,
            "EMAIL_HOST_USER": "user",
            "EMAIL_HOST_PASSWORD": "pass@word",
            "EMAIL_USE_TLS": True,
        },
    ),
    "DATABASE_WEB_STATEMENT_MS": ("7", _web(statement_ms=7)),
    "DATABASE_WEB_LOCK_MS": ("7", _web(lock_ms=7)),
    "DATABASE_WEB_IDLE_IN_TRANSACTION_MS": ("7", _web(idle_in_transaction_ms=7)),
    "DATABASE_LONG_STATEMENT_MS": ("7", _long(statement_ms=7)),
    "DATABASE_LONG_LOCK_MS": ("7", _long(lock_ms=7)),
    "DATABASE_LONG_IDLE_IN_TRANSACTION_MS": ("7", _long(idle_in_transaction_ms=7)),
    "HTTPS_ONLY": (
        "true",
        {
            "HTTPS_ONLY": True,
            "OWN_DEALS_ONLY": True,
            "SECURE_SSL_REDIRECT": True,
            "SECURE_PROXY_SSL_HEADER": ("HTTP_X_FORWARDED_PROTO", "https"),
            "SECURE_HSTS_SECONDS": 31_536_000,
            "SECURE_HSTS_INCLUDE_SUBDOMAINS": True,
            "SECURE_HSTS_PRELOAD": True,
            "SESSION_COOKIE_SECURE": True,
            "CSRF_COOKIE_SECURE": True,
        },
    ),
    "HSTS_SECONDS": ("60", {"SECURE_HSTS_SECONDS": 60}),
    "HSTS_INCLUDE_SUBDOMAINS": ("false", {"SECURE_HSTS_INCLUDE_SUBDOMAINS": False}),
    "HSTS_PRELOAD": ("false", {"SECURE_HSTS_PRELOAD": False}),
    "RESERVED_NAMES": ("the crew,judge", {"RESERVED_NAMES": ("the crew", "judge")}),
    "REFUSED_LOGS_KEPT_PER_ATTEMPT": ("1", {"REFUSED_LOGS_KEPT_PER_ATTEMPT": 1}),
    "REFUSED_LOGS_KEPT_DAYS": ("0", {"REFUSED_LOGS_KEPT_DAYS": 0}),
    "REAL_DEALS": ("true", {"REAL_DEALS": True, "OWN_DEALS_ONLY": True}),
    "ALLOW_SHIPPED_DEALS": ("true", {"ALLOW_SHIPPED_DEALS": True}),
    "CERTIFY_BUDGET": ("1", {"CERTIFY_BUDGET": 1}),
}
# Each has a test of its own below.
OTHERS = {"SECRET_KEY", "DATABASE_URL", "STATE_DIR", "STATIC_ROOT", "LOG_LEVEL"}
THROTTLES = {name for name in DOCUMENTED_DEFAULTS if name.startswith("THROTTLE_")} - set(SETS)


def test_every_variable_is_in_the_table_of_what_it_sets() -> None:
    assert {*SETS, *OTHERS, *THROTTLES} == names_that_settings_read()


@pytest.mark.parametrize("name", SETS)
def test_a_variable_sets_what_it_says_and_nothing_else(name: str) -> None:
    value, expected = SETS[name]
    given = given_to(name, value)
    assert changes(given, {each: given[each] for each in given if each != name}) == expected


@pytest.mark.parametrize("name", sorted(THROTTLES))
def test_a_rate_is_set_for_its_own_scope(name: str) -> None:
    changed = changes({name: "7/day"}, {})
    assert set(changed) == {"THROTTLE_RATES"}
    without = installed_settings()["THROTTLE_RATES"]
    scope = name.removeprefix("THROTTLE_").lower()
    assert changed["THROTTLE_RATES"] == without | {scope: "7/day"}


def test_a_secret_key_is_the_one_given_or_one_that_no_other_process_has() -> None:
    given = installed_settings(SECRET_KEY="given")
    assert (given["SECRET_KEY"], given["SECRET_KEY_FROM_ENVIRONMENT"]) == ("given", True)
    one, other = installed_settings(), installed_settings(SECRET_KEY="")
    assert one["SECRET_KEY"] != other["SECRET_KEY"]
    assert len(one["SECRET_KEY"]) >= 50
    assert not one["SECRET_KEY_FROM_ENVIRONMENT"]
    assert not other["SECRET_KEY_FROM_ENVIRONMENT"]


def test_the_database_is_the_one_named_or_a_file_in_the_folder_of_the_service(
    tmp_path: Path,
) -> None:
    state = tmp_path / "state"
    named = installed_settings(DATABASE_URL="postgres://me:secret@there:5433/deals")
    database = named["DATABASES"]["default"]
    assert database["ENGINE"] == "config.database.postgresql"
    assert [database[key] for key in ("USER", "PASSWORD", "HOST", "PORT", "NAME")] == [
        "me", "secret", "there", 5433, "deals",
    ]  # fmt: skip
    assert database["CONN_HEALTH_CHECKS"] is True
    assert database["OPTIONS"]["connect_timeout"] == 2
    database = installed_settings(DATABASE_URL=None, STATE_DIR=str(state))["DATABASES"]["default"]
    assert database["ENGINE"] == "django.db.backends.sqlite3"
    assert database["NAME"] == str(state / "db.sqlite3")
    assert state.stat().st_mode & 0o777 == 0o700
    for nothing in ({}, {"STATE_DIR": ""}):
        assert installed_settings(**nothing)["STATE_DIR"] == ROOT / ".local"
    assert "\n#STATE_DIR=.local\n" in EXAMPLE


def test_static_files_come_from_their_folder_or_from_the_source(tmp_path: Path) -> None:
    collected = installed_settings(STATIC_ROOT=str(tmp_path))
    assert collected["STATIC_ROOT"] == tmp_path
    assert collected["STORAGES"]["staticfiles"]["BACKEND"].startswith("config.storage.")
    assert "WHITENOISE_USE_FINDERS" not in collected
    assert installed_settings()["WHITENOISE_USE_FINDERS"] is True


def test_the_log_has_what_its_level_lets_through() -> None:
    assert installed_settings(LOG_LEVEL="DEBUG")["LOGGING"]["root"]["level"] == logging.DEBUG
    assert installed_settings()["LOGGING"]["root"]["level"] == logging.INFO


# --- What each refuses ------------------------------------------------------------------------

NO_BOOLEAN = ["maybe", "2"]
NO_NUMBER = ["many", "1.5", "-1"]
REFUSES = {
    "DEBUG": NO_BOOLEAN,
    "HTTPS_ONLY": NO_BOOLEAN,
    "HSTS_INCLUDE_SUBDOMAINS": NO_BOOLEAN,
    "HSTS_PRELOAD": NO_BOOLEAN,
    "REAL_DEALS": NO_BOOLEAN,
    "ALLOW_SHIPPED_DEALS": NO_BOOLEAN,
    "HSTS_SECONDS": NO_NUMBER,
    "TRUSTED_PROXY_COUNT": NO_NUMBER,
    "THROTTLE_IPV6_PREFIX": [*NO_NUMBER, "0", "129"],
    "DATABASE_WEB_STATEMENT_MS": NO_NUMBER,
    "DATABASE_WEB_LOCK_MS": NO_NUMBER,
    "DATABASE_WEB_IDLE_IN_TRANSACTION_MS": NO_NUMBER,
    "DATABASE_LONG_STATEMENT_MS": NO_NUMBER,
    "DATABASE_LONG_LOCK_MS": NO_NUMBER,
    "DATABASE_LONG_IDLE_IN_TRANSACTION_MS": NO_NUMBER,
    "REFUSED_LOGS_KEPT_PER_ATTEMPT": [*NO_NUMBER, "0"],
    "REFUSED_LOGS_KEPT_DAYS": [*NO_NUMBER, "36501"],
    "CERTIFY_BUDGET": [*NO_NUMBER, "0", "20000001"],
    "LOG_LEVEL": ["LOUD"],
    "DATABASE_URL": ["nonsense", "mailto://there", "mysql://there/deals", ""],
    "EMAIL_URL": ["nonsense", "smtp+tls://there", "submission://", "file:///mails", ""],
    "REDIS_URL": ["nonsense", "http://there", "redis://"],
    **{name: ["many/hour", "100/month", ""] for name in sorted(THROTTLES)},
}
# Any text is one, or a list of some.
ANY_TEXT = {
    "ADMIN_EMAILS",
    "ALLOWED_HOSTS",
    "CSRF_TRUSTED_ORIGINS",
    "FROM_EMAIL",
    "RESERVED_NAMES",
    "SECRET_KEY",
    "SECRET_KEY_FALLBACKS",
    "STATE_DIR",
    "STATIC_ROOT",
}


def test_every_variable_refuses_something_or_takes_any_text() -> None:
    assert {*REFUSES, *ANY_TEXT} == names_that_settings_read()


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in REFUSES.items() for value in values]
)
def test_nonsense_is_refused_by_its_name(name: str, value: str) -> None:
    with pytest.raises(EnvError, match=rf'"{name}" invalid'):
        installed_settings(**given_to(name, value))


@pytest.mark.process
def test_nothing_starts_with_nonsense_and_the_last_line_says_which() -> None:
    started = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=ROOT,
        env=machine_environment() | {"THROTTLE_JOIN_PER_ADDRESS": "many/hour"},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )
    assert started.returncode != 0
    assert "THROTTLE_JOIN_PER_ADDRESS" in started.stderr.splitlines()[-1]


# --- What holds in every installation ---------------------------------------------------------


def test_the_times_of_the_competition_fit_together() -> None:
    found = installed_settings()
    assert timedelta(0) < found["SETTLE"] < found["GRACE"] < timedelta(hours=1)
    assert found["POOL_ALARM"] < found["POOL_LOW_WATER"]
    assert found["DAYS_AHEAD"] < found["POOL_ALARM"]
    assert found["DAYS_AHEAD"] < found["MOST_DAYS_AHEAD"]
    assert 0 < found["EMAIL_TIMEOUT"] <= 5
