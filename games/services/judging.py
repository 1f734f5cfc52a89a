"""The engine's verdicts and deal codes, refused as the service refuses."""

from django.utils.translation import gettext_lazy as _

from games import engine
from games.errors import (
    BadDealCode,
    LogTooLarge,
)


def judge(*, code: engine.DealCode, movetext: str) -> engine.Verdict:
    """Return the verdict on a log, legal or not.

    Raises:
        LogTooLarge: over the limits of docs/contract.md, "Movetext".
    """
    try:
        return engine.replay(code, movetext)
    except engine.LimitError as error:
        raise LogTooLarge(_(error.message), code=error.code) from error


def parse_code(text: str) -> engine.DealCode:
    """Return the deal of a code.

    Raises:
        BadDealCode: with the engine's code for what is wrong.
    """
    try:
        return engine.parse_code(text)
    except engine.CodeError as error:
        raise BadDealCode(_(error.message), code=error.code) from error
