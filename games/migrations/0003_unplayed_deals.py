"""A right of its own to see deals that are not final."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("games", "0005_certification_names_a_deal")]

    operations = [
        migrations.AlterModelOptions(
            name="dailydeal",
            options={
                "permissions": (
                    ("see_unplayed_deals", "Can see deals that are not final yet"),
                ),
                "verbose_name": "daily deal",
                "verbose_name_plural": "daily deals",
            },
        ),
    ]
