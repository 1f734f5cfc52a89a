"""The text of a log moves to a table of its own (docs/adr/0014).

The column of before stays for the release before, which writes and reads it while this one starts:
triggers fill each from the other. A later release removes both, when no one needs them.
"""

import django.db.models.deletion
from django.db import migrations, models, transaction

_BATCH = 5_000  # logs of one transaction: a few KiB each

_TABLE = """
CREATE TABLE games_submissionlog (
    submission_id bigint NOT NULL PRIMARY KEY
        REFERENCES games_submission (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    movetext text NOT NULL
)
"""

_FROM_THE_RELEASE_BEFORE = {
    "postgresql": """
CREATE FUNCTION games_log_of_submission() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO games_submissionlog (submission_id, movetext) VALUES (NEW.id, NEW.movetext);
    RETURN NULL;
END $$;
CREATE TRIGGER games_log_of_submission AFTER INSERT ON games_submission
    FOR EACH ROW WHEN (NEW.movetext IS NOT NULL) EXECUTE FUNCTION games_log_of_submission();
""",
    "sqlite": """
CREATE TRIGGER games_log_of_submission AFTER INSERT ON games_submission
    WHEN NEW.movetext IS NOT NULL
BEGIN
    INSERT INTO games_submissionlog (submission_id, movetext) VALUES (NEW.id, NEW.movetext);
END;
""",
}

_FOR_THE_RELEASE_BEFORE = {
    "postgresql": """
CREATE FUNCTION games_submission_of_log() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE games_submission SET movetext = NEW.movetext
        WHERE id = NEW.submission_id AND movetext IS NULL;
    RETURN NULL;
END $$;
CREATE TRIGGER games_submission_of_log AFTER INSERT ON games_submissionlog
    FOR EACH ROW EXECUTE FUNCTION games_submission_of_log();
""",
    "sqlite": """
CREATE TRIGGER games_submission_of_log AFTER INSERT ON games_submissionlog
BEGIN
    UPDATE games_submission SET movetext = NEW.movetext
        WHERE id = NEW.submission_id AND movetext IS NULL;
END;
""",
}


def create_table(_apps, schema_editor):
    """From now on, what the release before stores is in the new table, too."""
    with transaction.atomic():
        _execute(schema_editor, _TABLE)
        _execute(schema_editor, _FROM_THE_RELEASE_BEFORE[schema_editor.connection.vendor])


def copy_logs(_apps, schema_editor):
    """Copy what was stored before, in batches: others read and write meanwhile."""
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT coalesce(max(id), 0) FROM games_submission")
        (last,) = cursor.fetchone()
        for after in range(0, last, _BATCH):
            cursor.execute(
                "INSERT INTO games_submissionlog (submission_id, movetext)"
                " SELECT id, movetext FROM games_submission"
                " WHERE id > %s AND id <= %s AND movetext IS NOT NULL"
                " ON CONFLICT DO NOTHING",
                [after, after + _BATCH],
            )


def serve_the_release_before(_apps, schema_editor):
    """What this release stores is in the column of before, too."""
    with transaction.atomic():
        _execute(schema_editor, _FOR_THE_RELEASE_BEFORE[schema_editor.connection.vendor])


def _execute(schema_editor, statements):
    # One string: the statements of a trigger end in semicolons themselves.
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(statements)


class Migration(migrations.Migration):
    # Each batch is its own transaction.
    atomic = False
    dependencies = [("games", "0006_pool_deal")]

    operations = [
        migrations.AlterField(
            model_name="submission",
            name="movetext",
            field=models.TextField(blank=True, null=True, verbose_name="log"),
        ),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveField(model_name="submission", name="movetext"),
                migrations.CreateModel(
                    name="SubmissionLog",
                    fields=[
                        (
                            "submission",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="log",
                                serialize=False,
                                to="games.submission",
                                verbose_name="submission",
                            ),
                        ),
                        ("movetext", models.TextField(blank=True, verbose_name="log")),
                    ],
                    options={
                        "verbose_name": "log of a submission",
                        "verbose_name_plural": "logs of submissions",
                    },
                ),
            ],
            database_operations=[migrations.RunPython(create_table)],
        ),
        migrations.RunPython(copy_logs),
        migrations.RunPython(serve_the_release_before),
    ]
