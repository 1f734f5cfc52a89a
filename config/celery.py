"""The Celery application: `celery -A config worker` and `celery -A config beat`."""

import os

from celery import Celery
from celery.signals import beat_init, celeryd_after_setup, celeryd_init

from config.start import refuse_without_own_deals

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("dailydeal")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@celeryd_after_setup.connect  # type: ignore[untyped-decorator]
def search_with_what_time_is_left(sender: str, **_kwargs: object) -> None:
    """Lower the priority of the search queue's worker: its searches may take minutes."""
    if sender.startswith("search@"):
        os.nice(10)


@celeryd_init.connect  # type: ignore[untyped-decorator]
@beat_init.connect  # type: ignore[untyped-decorator]
def start_with_own_deals(**_kwargs: object) -> None:
    """End a worker or beat before it does anything, if public deals are all it would have."""
    refuse_without_own_deals()
