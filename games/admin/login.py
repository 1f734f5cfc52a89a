"""Password pages of the admin: wrong passwords are counted before one is checked."""

import math
import unicodedata
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.forms import AdminAuthenticationForm, AdminPasswordChangeForm
from django.contrib.auth.views import PasswordChangeView
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import reverse_lazy
from django.utils.translation import ngettext

from games.addresses import UNKNOWN, address_of
from games.counting import Counter, clear, take


class Guesses:
    """Wrong passwords for a login and an address together, counted before one is checked."""

    def __init__(self, *, login: str, request: HttpRequest | None) -> None:
        address = address_of(request) if request else UNKNOWN
        # Compared as a person would compare two logins.
        name = unicodedata.normalize("NFKC", login).strip().casefold()
        self._counters = [Counter("admin_login_per_name_and_address", f"{address} {name}")]

    def reserve(self) -> None:
        """Count a guess before it is made.

        Raises:
            ValidationError: with code `throttled` and the seconds to wait; do not check the guess.
        """
        wait_s = take(self._counters)
        if wait_s is not None:
            minutes = math.ceil(wait_s / 60)
            text = ngettext(
                "Too many wrong passwords for this login. Try again in %(minutes)d minute.",
                "Too many wrong passwords for this login. Try again in %(minutes)d minutes.",
                minutes,
            )
            raise ValidationError(
                text, code="throttled", params={"minutes": minutes, "wait_s": wait_s}
            )

    def was_right(self) -> None:
        """Reset the counter."""
        clear(self._counters)


class LoginForm(AdminAuthenticationForm):
    """The login form of the admin."""

    def clean(self) -> dict[str, Any]:
        """Check login and password, unless too many were wrong."""
        login, password = self.cleaned_data.get("username"), self.cleaned_data.get("password")
        if not login or not password:
            return super().clean()
        guesses = Guesses(login=login, request=self.request)
        guesses.reserve()
        cleaned = super().clean()
        guesses.was_right()
        return cleaned


class ChangeForm(AdminPasswordChangeForm):
    """The form to change your own password, given the current one."""

    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._request = request

    def clean_old_password(self) -> str:
        """Check the current password, unless too many were wrong."""
        guesses = Guesses(login=self.user.get_username(), request=self._request)
        guesses.reserve()
        password = super().clean_old_password()
        guesses.was_right()
        return password


class ChangeView(PasswordChangeView):
    form_class = ChangeForm
    success_url = reverse_lazy("admin:password_change_done")
    template_name = "registration/password_change_form.html"

    def get_form_kwargs(self) -> dict[str, Any]:
        """Return what the form needs: the request, for its address."""
        return {**super().get_form_kwargs(), "request": self.request}


def login(request: HttpRequest) -> HttpResponseBase:
    """Show the login form, or log in."""
    return _with_status(admin.site.login(request))


def change_password(request: HttpRequest) -> HttpResponseBase:
    """Show the form to change the password, or change it."""
    request.current_app = admin.site.name
    view = ChangeView.as_view(extra_context=admin.site.each_context(request))
    return _with_status(view(request))


def _with_status(response: HttpResponseBase) -> HttpResponseBase:
    """Make it 429 when the form refused to check a password."""
    form: forms.Form | None = (getattr(response, "context_data", None) or {}).get("form")
    if form is not None and form.is_bound:
        for error in (each for errors in form.errors.as_data().values() for each in errors):
            if error.code == "throttled" and error.params:
                response.status_code = 429
                response.headers["Retry-After"] = str(error.params["wait_s"])
    return response
