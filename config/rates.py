"""Rates as the settings write them: `60/hour`, `60/min`, `10/s`."""

import re
from functools import cache

from limits import (
    RateLimitItem,
    RateLimitItemPerDay,
    RateLimitItemPerHour,
    RateLimitItemPerMinute,
    RateLimitItemPerSecond,
)

_PERIODS: dict[str, type[RateLimitItem]] = {
    "s": RateLimitItemPerSecond,
    "m": RateLimitItemPerMinute,
    "h": RateLimitItemPerHour,
    "d": RateLimitItemPerDay,
}
# A month is not a minute: the first letter alone would make it one.
_FORM = re.compile(
    r"\s*([0-9]{1,9})\s*/\s*(s(?:ec(?:ond)?)?s?|m(?:in(?:ute)?)?s?|h(?:(?:ou)?r)?s?|d(?:ay)?s?)\s*",
    re.IGNORECASE,
)


@cache
def rate(text: str) -> RateLimitItem:
    """Return the rate that a text stands for.

    Raises:
        ValueError: it is not a rate.
    """
    found = _FORM.fullmatch(text)
    if found is None:
        raise ValueError(
            f'"{text}" is no rate: write a number, "/", and second, minute, hour or day'
        )
    number, period = found.groups()
    return _PERIODS[period[0].lower()](int(number))
