"""A database as text that no database is named in: written by one release, read by all later.

A dump is a folder of `tests/upgrade/dumps`: `rows.jsonl.xz` holds what was stored and
`answers.jsonl.xz` what the release answered to it. The first line of the rows names the newest
migration of each application; each further line is a row as [table, {column: value}].
"""

import json
import lzma
import uuid
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any

from django.apps.registry import Apps
from django.core.management.color import no_style
from django.db import connection, models, transaction
from django.db.migrations.executor import MigrationExecutor

FOLDER = Path(__file__).parent / "dumps"
# Tables that the service keeps for itself: applied migrations and sessions of the admin.
_LEFT_OUT = frozenset(("django_migrations", "django_session"))

Node = tuple[str, str]


@dataclass(frozen=True)
class Table:
    """The rows of one table, with the columns that the release of the dump knew."""

    name: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]


@dataclass(frozen=True)
class Dump:
    """What a release had stored, and the migrations that it had applied."""

    migrations: Sequence[Node]
    rows: Sequence[tuple[str, dict[str, Any]]]


def folders() -> list[Path]:
    """Return the dumps there are, the oldest first: they are named by their release's date."""
    return sorted(folder for folder in FOLDER.iterdir() if folder.is_dir())


def write_json(path: Path, lines: Iterable[Any]) -> None:
    """Write values as JSON, a line each."""
    text = "".join(
        json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines
    )
    path.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))


def read_json(path: Path) -> list[Any]:
    """Return the values of `write_json`."""
    return [json.loads(line) for line in lzma.decompress(path.read_bytes()).decode().splitlines()]


def write_dump(folder: Path, apps: Apps) -> None:
    """Write every row of the database, which is at the newest migrations of these applications."""
    graph = MigrationExecutor(connection).loader.graph
    write_json(folder / "rows.jsonl.xz", [sorted(graph.leaf_nodes()), *rows_of(apps)])


def rows_of(
    apps: Apps, *, left_out: Collection[tuple[str, str]] = ()
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every row, with the columns that these models know but for some of (table, column)."""
    for model in models_of(apps):
        table = model._meta.db_table
        fields = [
            field for field in model._meta.concrete_fields if (table, field.column) not in left_out
        ]
        values = model._base_manager.order_by("pk").values_list(*(f.attname for f in fields))
        for row in values:
            yield (
                table,
                {field.column: _as_json(value) for field, value in zip(fields, row, strict=True)},
            )


def _as_json(value: Any) -> Any:
    if isinstance(value, datetime | date):
        return value.isoformat()
    return str(value) if isinstance(value, uuid.UUID) else value


def read_dump(folder: Path) -> Dump:
    """Return a dump."""
    migrations, *rows = read_json(folder / "rows.jsonl.xz")
    return Dump(
        migrations=[(app, name) for app, name in migrations],
        rows=[(table, columns) for table, columns in rows],
    )


def state_of(migrations: Sequence[Node]) -> Apps:
    """Return the models as of some migrations."""
    apps: Apps = MigrationExecutor(connection).loader.project_state(list(migrations)).apps
    return apps


def tables(dump: Dump, apps: Apps) -> list[Table]:
    """Return the dump's tables with values as this database takes them.

    `apps` are the models as of the dump's migrations: they know the types of the columns.
    """
    by_table: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for table, row in dump.rows:
        by_table[table].append(row)
    found = []
    for model in models_of(apps):
        rows = by_table.pop(model._meta.db_table, [])
        fields = model._meta.concrete_fields
        if rows:
            found.append(
                Table(
                    name=model._meta.db_table,
                    columns=[field.column for field in fields],
                    rows=[
                        [_for_database(field, row[field.column]) for field in fields]
                        for row in rows
                    ],
                )
            )
    assert not by_table, f"no application has the tables {sorted(by_table)}"
    return found


def _for_database(field: models.Field[Any, Any], value: Any) -> Any:
    # A JSON column holds the value itself; everything else is read from its text.
    read = value if isinstance(field, models.JSONField) else field.to_python(value)
    return field.get_db_prep_save(read, connection)


def models_of(apps: Apps) -> list[type[models.Model]]:
    """Return every model with a table of its own in the dump, those of many-to-many links too."""
    return [
        model
        for model in apps.get_models(include_auto_created=True)
        if model._meta.managed and not model._meta.proxy and model._meta.db_table not in _LEFT_OUT
    ]


def insert(dumped: Iterable[Table]) -> None:
    """Insert rows as they are, naming the columns of their release only.

    Raises:
        IntegrityError: the database refuses one.
    """
    quote = connection.ops.quote_name
    with transaction.atomic(), connection.cursor() as cursor:
        for table in dumped:
            columns = ", ".join(quote(column) for column in table.columns)
            places = ", ".join(["%s"] * len(table.columns))
            cursor.executemany(
                f"INSERT INTO {quote(table.name)} ({columns}) VALUES ({places})", table.rows
            )
        # Those of foreign keys are deferred to the end of the transaction, which may not come.
        connection.check_constraints()


def empty_all_tables() -> None:
    """Delete every row but what the migrations remember of themselves."""
    with transaction.atomic(), connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            if table not in _LEFT_OUT:
                cursor.execute(f"DELETE FROM {connection.ops.quote_name(table)}")
        connection.check_constraints()


def reset_sequences(apps: Apps) -> None:
    """Let keys continue after those that were inserted."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), models_of(apps)):
            cursor.execute(statement)
