"""Rules: what a former release stored is answered as before, and it can write during an update."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from django.conf import global_settings
from django.core.management import call_command
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.test import Client
from pytest_django.plugin import DjangoDbBlocker
from rest_framework.test import APIClient

from games import services
from games.models import DailyDeal, Player, Submission, SubmissionLog
from tests.upgrade import answers, dumps, scenario

pytestmark = pytest.mark.database  # each of its own

DUMPS = dumps.folders()
NEWEST = DUMPS[-1]
_NUMBERS = count()
# (table, column): why a migration changes or moves what a former release stored in it.
CHANGED_COLUMNS: dict[tuple[str, str], str] = {}


@contextmanager
def fresh_database(blocker: DjangoDbBlocker) -> Iterator[str]:
    """Make an empty database beside the one of the other tests, and yield its name."""
    # The name of this process: several may use one server, with or without a database of theirs.
    name = f"{connection.settings_dict['NAME']}-upgrade-{os.getpid()}-{next(_NUMBERS)}"
    with blocker.unblock():
        if connection.vendor == "postgresql":
            with connection._nodb_cursor() as cursor:
                cursor.execute(f'CREATE DATABASE "{name}"')
        try:
            yield name
        finally:
            if connection.vendor == "postgresql":
                with connection._nodb_cursor() as cursor:
                    cursor.execute(f'DROP DATABASE "{name}"')
            else:
                for suffix in ("", "-wal", "-shm"):
                    Path(f"{name}{suffix}").unlink(missing_ok=True)


@contextmanager
def using(name: str, blocker: DjangoDbBlocker) -> Iterator[None]:
    """Use the database of that name as if it were the service's."""
    usual = connection.settings_dict["NAME"]
    with blocker.unblock():
        connection.close()
        connection.settings_dict["NAME"] = name
        try:
            yield
        finally:
            connection.close()
            connection.settings_dict["NAME"] = usual


@contextmanager
def undone() -> Iterator[None]:
    """Take back what the block writes."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def restore(dump: dumps.Dump) -> list[dumps.Table]:
    """Fill a fresh database with a dump, at the dump's own migrations, and return its rows."""
    MigrationExecutor(connection).migrate(list(dump.migrations))
    apps = dumps.state_of(dump.migrations)
    tables = dumps.tables(dump, apps)
    dumps.empty_all_tables()
    dumps.insert(tables)
    dumps.reset_sequences(apps)
    return tables


@dataclass(frozen=True)
class Upgraded:
    """A dump's database at the newest migrations, and what its release recorded beside it."""

    database: str
    dump: dumps.Dump
    cast: scenario.Cast
    instants: list[dict[str, Any]]


@pytest.fixture(scope="module", params=DUMPS, ids=lambda folder: folder.name)
def migrated(
    request: pytest.FixtureRequest, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[Upgraded]:
    """Make a dump's database one of today, once for all tests."""
    dump = dumps.read_dump(request.param)
    cast, *instants = dumps.read_json(request.param / "answers.jsonl.xz")
    with fresh_database(django_db_blocker) as name:
        with using(name, django_db_blocker):
            restore(dump)
            call_command("migrate", verbosity=0)
        yield Upgraded(name, dump, scenario.Cast(**cast), instants)


@pytest.fixture
def upgraded(migrated: Upgraded, django_db_blocker: DjangoDbBlocker) -> Iterator[Upgraded]:
    """Use a dump's database for one test, and take back what that writes."""
    with using(migrated.database, django_db_blocker), undone():
        yield migrated


@pytest.fixture(autouse=True)
def _as_in_use(settings: Any, unthrottled: None) -> None:
    """Check passwords as the service does, and let everyone call without limits."""
    settings.PASSWORD_HASHERS = global_settings.PASSWORD_HASHERS


@pytest.mark.slow
def test_every_answer_of_a_former_release_stays_the_same(upgraded: Upgraded) -> None:
    unlike = [line for instant in upgraded.instants for line in answers.differences(instant)]
    assert unlike == []


def test_no_migration_changes_what_was_stored(upgraded: Upgraded) -> None:
    """What no answer shows, too: claims, searches, and the log of what the staff did."""
    apps = dumps.state_of(upgraded.dump.migrations)
    now = {_key(row) for row in dumps.rows_of(apps, left_out=CHANGED_COLUMNS)}
    for table, row in upgraded.dump.rows:
        kept = {name: row[name] for name in row if (table, name) not in CHANGED_COLUMNS}
        assert _key((table, kept)) in now


def _key(row: tuple[str, dict[str, Any]]) -> str:
    return json.dumps(row, sort_keys=True)


def test_a_former_release_has_broken_no_fact(upgraded: Upgraded) -> None:
    with scenario.clock(answers.INSTANTS[0]):
        call_command("verify_database", "--replay")


def test_staff_of_a_former_release_log_in_by_their_passwords(upgraded: Upgraded) -> None:
    for username, password in upgraded.cast.staff.items():
        assert Client().login(username=username, password=password)


def test_what_a_former_release_stored_can_be_added_to(upgraded: Upgraded) -> None:
    with scenario.clock(answers.INSTANTS[1]):
        token = upgraded.cast.tokens["Bruno"][0]
        deal = DailyDeal.objects.select_related("pool_deal").get(
            variant="easy-harp", date=scenario.on(scenario.TODAY)
        )
        path = f"/api/v1/daily/{deal.variant}/{deal.date}"
        client = APIClient()
        client.credentials(HTTP_AUTHORIZATION=f"Token {token}")

        attempt = client.post(f"{path}/attempts/")
        assert attempt.status_code == 201, attempt.content
        submission = f"/api/v1/attempts/{attempt.json()['id']}/submission/"
        refused = client.post(submission, {"movetext": "zz"})
        assert (refused.status_code, refused.json()["status"]) == (201, "refused")
        accepted = client.post(submission, {"movetext": deal.pool_deal.winning_movetext})
        assert (accepted.status_code, accepted.json()["rank"]) == (201, 1)

        log = Submission.objects.order_by("pk").last()
        assert log is not None
        root = Player.objects.get(username="root")
        services.disqualify(submission=log, actor=root, reason="Copied")
        assert client.get(f"{path}/leaderboard/").json()["results"] == []
        services.reinstate(submission=log, actor=root, reason="Not copied")
        assert client.get(f"{path}/leaderboard/").json()["ranked_players"] == 1

        joined = APIClient().post("/api/v1/players/", {"display_name": "Newcomer"})
        assert joined.status_code == 201, joined.content
        taken = APIClient().post("/api/v1/players/", {"display_name": "bruno"})
        assert taken.status_code == 409, taken.content


@pytest.mark.slow
def test_the_former_release_can_write_after_each_later_migration(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> None:
    """A new column needs a default in the database: the former release does not name it."""
    with fresh_database(django_db_blocker) as name, using(name, django_db_blocker):
        rows = restore(dumps.read_dump(NEWEST))
        loader = MigrationExecutor(connection).loader
        steps = MigrationExecutor(connection).migration_plan(loader.graph.leaf_nodes())
        for migration, _backwards in steps:
            MigrationExecutor(connection).migrate([(migration.app_label, migration.name)])
            with undone():
                dumps.empty_all_tables()
                dumps.insert(rows)  # raises, and so shows the migration that is at fault


def test_during_an_update_each_release_reads_the_logs_that_the_other_stores(
    upgraded: Upgraded,
) -> None:
    """The former release has them in a column, which this one no longer knows."""
    former = {
        row["id"]: row["movetext"]
        for table, row in upgraded.dump.rows
        if table == "games_submission" and "movetext" in row
    }
    assert former
    stored = SubmissionLog.objects.in_bulk(former)
    assert {pk: log.movetext for pk, log in stored.items()} == former

    with scenario.clock(answers.INSTANTS[1]):
        client = APIClient()
        client.credentials(HTTP_AUTHORIZATION=f"Token {upgraded.cast.tokens['Bruno'][0]}")
        path = f"/api/v1/daily/easy-harp/{scenario.on(scenario.TODAY)}/attempts/"
        attempt = client.post(path).json()["id"]
        client.post(f"/api/v1/attempts/{attempt}/submission/", {"movetext": "zz"})
    new = Submission.objects.latest("pk")
    with connection.cursor() as cursor:
        cursor.execute("SELECT movetext FROM games_submission WHERE id = %s", [new.pk])
        assert cursor.fetchone() == ("zz",)
        # As the former release writes: into the column.
        columns = [
            field.column for field in Submission._meta.concrete_fields if field.column != "id"
        ]
        same = ", ".join({"digest": "'other'"}.get(column, column) for column in columns)
        cursor.execute(
            f"INSERT INTO games_submission ({', '.join(columns)}, movetext)"
            f" SELECT {same}, '' FROM games_submission WHERE id = %s",
            [new.pk],
        )
    assert Submission.objects.get(digest="other").movetext == ""


@pytest.mark.slow
def test_the_services_break_no_fact(db: None) -> None:
    """The scenario plays on, for the dump of the next release, and leaves nothing to find."""
    scenario.play()
    for now in answers.INSTANTS:
        with scenario.clock(now):
            services.roll_over(now=now)
            call_command("verify_database", "--replay")


@pytest.mark.django_db
def test_the_newest_dump_has_a_row_in_every_table_and_every_status() -> None:
    dump = dumps.read_dump(NEWEST)
    apps = dumps.state_of(dump.migrations)
    dumped = {table.name: table for table in dumps.tables(dump, apps)}
    missing = []
    for model in dumps.models_of(apps):
        table = dumped.get(model._meta.db_table)
        if table is None:
            missing.append(model._meta.db_table)
            continue
        for field in model._meta.concrete_fields:
            if field.name in ("status", "outcome", "variant"):
                place = list(table.columns).index(field.column)
                found = {row[place] for row in table.rows}
                missing += [(table.name, value) for value, _ in field.choices if value not in found]
    assert missing == []
