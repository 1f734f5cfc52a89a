"""The Celery application: `celery -A config worker` and `celery -A config beat`."""

import os

from celery import Celery
from celery.signals import (
    beat_init,
    celeryd_after_setup,
    celeryd_init,
    worker_process_shutdown,
)

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
    """End a worker or beat before it does anything, if it would have only public deals."""
    refuse_without_own_deals()


@worker_process_shutdown.connect  # type: ignore[untyped-decorator]
def mail_what_waits(**_kwargs: object) -> None:
    """Mail the errors of a child process, which ends without Python's own clean-up."""
    from config import logs  # noqa: PLC0415 (Django must be set up first)

    logs.flush()
