"""Dates in addresses."""

from datetime import date


class DateConverter:
    """A day such as 2026-11-29; a date that does not exist, such as 2026-02-30, does not match."""

    regex = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"

    def to_python(self, value: str) -> date:
        """Return the day.

        Raises:
            ValueError: not a day; Django then looks for another address, and answers 404.
        """
        return date.fromisoformat(value)

    def to_url(self, value: date) -> str:
        """Return the day as an address has it."""
        return value.isoformat()
