"""The admin, where organisers run the competition: the calendar, submissions, players.

Rows that must not change have no form. A change is an action with a reason, done by a service and
kept in Django's own admin log, which the History of each row shows.
"""

from django.contrib import admin
from django.contrib.auth.models import Group
from django.utils.translation import gettext_lazy as _
from knox.models import AuthToken

from games.admin import calendar, log, login, players, pool, submissions

__all__ = ["calendar", "log", "login", "players", "pool", "submissions"]

admin.site.site_header = _("Daily deal")
admin.site.site_title = _("Daily deal")
admin.site.index_template = "admin/games/index.html"
admin.site.index_title = _("Running the competition")
admin.site.login_form = login.LoginForm
admin.site.unregister(Group)
# A token cannot be read back, and no one in the admin needs its hash.
admin.site.unregister(AuthToken)
