"""The refusals of the services, each with a stable code and the HTTP status of its kind."""

from collections.abc import Mapping, Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

# A lazy text appears in the reader's language.
Text = str | Promise


class ServiceError(Exception):
    """A refusal by a service; subclasses give its code, status and text."""

    code = "refused"
    status_code = 400
    # Of a 400: the field of the request that is wrong.
    attr: str | None = None
    text: Text = _("Refused.")

    def __init__(self, message: Text | None = None, *, code: str | None = None) -> None:
        self.message: Text = message or self.text
        self.code = code or self.code
        super().__init__(self.code)

    def __str__(self) -> str:
        return str(self.message)

    @property
    def reasons(self) -> Sequence[tuple[Text, str]]:
        """Return everything that is wrong, as pairs of text and code."""
        return [(self.message, self.code)]


class NameRefused(ServiceError):
    """The display name breaks a rule of docs/contract.md, "Names"."""

    code = "name_refused"
    attr = "display_name"
    text = _("This name can't be used. Choose another.")


class NameTaken(ServiceError):
    """Another player has this name, or one that looks like it."""

    code = "name_taken"
    status_code = 409
    text = _("Another player has this name or one that looks like it. Choose another.")


class PasswordRefused(ServiceError):
    """The password is too easy to guess, or the account signs in another way."""

    code = "password_refused"
    attr = "password"
    text = _("This password can't be used. Choose another.")

    def __init__(
        self, message: Text | None = None, *, reasons: Sequence[tuple[Text, str]] = ()
    ) -> None:
        self._reasons = reasons
        super().__init__(message)

    @property
    def reasons(self) -> Sequence[tuple[Text, str]]:
        """Return every rule that the password breaks, as pairs of text and code."""
        return self._reasons or super().reasons


class WrongPassword(ServiceError):
    """The current password is missing or wrong."""

    code = "wrong_password"
    attr = "current_password"
    text = _("This isn't your current password.")


class LoginRefused(ServiceError):
    """Name and password do not match a player; the refusal does not say which is wrong."""

    code = "login_refused"
    text = _("No player has this name and password. Check both and try again.")


class TooManyGuesses(ServiceError):
    """Too many wrong passwords: the service checks none for `wait_s` seconds."""

    code = "throttled"
    status_code = 429
    text = _("Too many wrong passwords. Try again later.")

    def __init__(self, *, wait_s: int) -> None:
        self.wait_s = wait_s
        super().__init__()


class PlayerGone(ServiceError):
    """The player left or was blocked while the request was under way."""

    code = "player_gone"
    status_code = 403
    text = _("This player has left or is blocked.")


class DealNotOpen(ServiceError):
    """The deal's day has not begun."""

    code = "deal_not_open"
    status_code = 409
    text = _("This deal is not open yet. Start it when its day begins.")


class DealClosed(ServiceError):
    """The deal's day is over."""

    code = "deal_closed"
    status_code = 409
    text = _("This deal is closed. Start today's deal instead.")


class DealVoid(ServiceError):
    """The deal was withdrawn from the competition."""

    code = "deal_void"
    status_code = 409
    text = _("This deal was withdrawn from the competition: it counts for no one.")


class NotYourAttempt(ServiceError):
    """The attempt belongs to another player."""

    code = "not_your_attempt"
    status_code = 403
    text = _("This attempt belongs to another player.")


class AttemptUsed(ServiceError):
    """The attempt already has a legal log, and this is a different one."""

    code = "attempt_used"
    status_code = 409
    text = _("This attempt already has a result. Start another attempt to send another log.")


class LogTooLarge(ServiceError):
    """The log is over the limits of docs/contract.md, "Movetext"."""

    code = "log.too_large"
    status_code = 413
    text = _("A log has at most 20,000 actions and 64 KiB.")


class BadDealCode(ServiceError):
    """The text is not a deal code; `code` is the engine's own, such as code.letter."""

    code = "code.*"
    attr = "code"
    text = _("This isn't a deal code; the error code says what is wrong.")


class DealRefused(ServiceError):
    """An admin's change of the calendar is refused; the text says why."""

    code = "deal_refused"
    status_code = 409


class SubmissionRefused(ServiceError):
    """An admin's action on a submission is refused; the text says why."""

    code = "submission_refused"
    status_code = 409


class DealNotFinal(ServiceError):
    """The service shows this only when no one can play the deal any longer."""

    code = "deal_not_final"
    status_code = 409
    text = _("This deal isn't final yet. Try again when its standings are final.")


class NothingToAnalyse(ServiceError):
    """The attempt has no lost game: it has no legal log, or one that won."""

    code = "nothing_to_analyse"
    status_code = 409
    text = _("There is nothing to analyse: this attempt was won, or it has no legal log.")


class PlayerRefused(ServiceError):
    """An admin's action on a player is refused; the text says why."""

    code = "player_refused"
    status_code = 409


class ReasonMissing(ServiceError):
    """An admin's action on results or deals needs a reason for the record."""

    code = "reason_missing"
    text = _("Give a reason: it is kept with the action.")


class PoolFileError(ServiceError):
    """The shipped pool file is damaged; the text names the line."""

    code = "pool_file"
    status_code = 500


DESCRIPTIONS: Mapping[str, Text] = {
    error.code: error.text
    for error in (
        NameRefused,
        NameTaken,
        PasswordRefused,
        WrongPassword,
        LoginRefused,
        PlayerGone,
        DealNotOpen,
        DealClosed,
        DealVoid,
        NotYourAttempt,
        AttemptUsed,
        DealNotFinal,
        NothingToAnalyse,
    )
}
"""The refusals that a client may meet, with their texts."""
