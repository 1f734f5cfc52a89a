"""The WSGI entry point."""

import os

from django.core.wsgi import get_wsgi_application

from config.database import limits
from config.start import refuse_without_own_deals

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_wsgi_application()
limits.use_web()
refuse_without_own_deals()
