"""The commitment: a hash, shown early, by which anyone can check later that a deal was not changed.

docs/commitment.md says how. Pure: standard library only.
"""

import hashlib
import hmac
import secrets
from datetime import date

SALT_BYTES = 32


def new_salt() -> str:
    """Return a new salt of 64 hexadecimal digits. It keeps anyone from trying all the codes."""
    return secrets.token_hex(SALT_BYTES)


def commitment(*, salt: str, variant: str, day: date, code: str) -> str:
    """Return the SHA-256 of `salt:variant:date:code` in hexadecimal, 64 digits."""
    return hashlib.sha256(f"{salt}:{variant}:{day.isoformat()}:{code}".encode()).hexdigest()


def is_kept(*, promised: str, salt: str, variant: str, day: date, code: str) -> bool:
    """Return whether a commitment matches this salt, variant, day and code."""
    made = commitment(salt=salt, variant=variant, day=day, code=code)
    return hmac.compare_digest(made.encode(), promised.strip().lower().encode())
