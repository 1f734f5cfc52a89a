"""The deal of a day is called its pool deal; the column keeps its name, and no statement runs.

The release before can go on reading and writing while this one starts.
"""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0003_unplayed_deals")]

    operations = [
        migrations.AlterField(
            model_name="dailydeal",
            name="deal",
            field=models.OneToOneField(
                db_column="deal_id",
                on_delete=django.db.models.deletion.PROTECT,
                related_name="daily_deal",
                to="games.pooldeal",
                verbose_name="deal",
            ),
        ),
        migrations.RenameField(model_name="dailydeal", old_name="deal", new_name="pool_deal"),
    ]
