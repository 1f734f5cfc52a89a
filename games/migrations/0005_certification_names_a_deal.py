"""Refuse a certification of what is no deal.

Nothing of the service ever wrote one. A row that someone else wrote says nothing about any deal
and breaks the admin's list: it goes. The table has a row for each deal that was searched, so that
looking through it under a lock takes milliseconds.
"""

from django.db import migrations, models

VARIANTS = ["easy-harp", "eight-off", "eight-off-4", "eight-off-2"]


def delete_those_of_no_deal(apps, schema_editor):
    certifications = apps.get_model("games", "Certification").objects
    certifications.exclude(variant__in=VARIANTS, number__gte=1, number__lte=999_999).delete()


class Migration(migrations.Migration):
    dependencies = [("games", "0002_known_address")]

    operations = [
        migrations.RunPython(delete_those_of_no_deal, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="certification",
            constraint=models.CheckConstraint(
                condition=models.Q(("variant__in", VARIANTS)),
                name="certification_has_known_variant",
            ),
        ),
        migrations.AddConstraint(
            model_name="certification",
            constraint=models.CheckConstraint(
                condition=models.Q(("number__gte", 1), ("number__lte", 999999)),
                name="certification_number_in_range",
            ),
        ),
    ]
