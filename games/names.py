"""Display names: which names are allowed, and when two names look the same.

The rules are those of docs/contract.md, "Names": NFKC, one writing system, no invisible or
bidirectional characters, unique by the confusable skeleton of Unicode's report 39. The Unicode
tables come from `disarm`.
"""

import re
import string
import unicodedata
from functools import cache

import disarm
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from games import reserved
from games.errors import NameRefused

MIN_LENGTH = 2
MAX_LENGTH = 24  # in characters as a reader sees them
MAX_STORED_LENGTH = 120  # in code points: a visible character may be several
MAX_ASKED_LENGTH = 400  # of a name as sent: longer names are not read

# Cc Cf Cs Co Cn: control, format (zero width and bidirectional ones among them), surrogate,
# private, unassigned. Zl Zp: line and paragraph ends. Zs except the space: spaces that look alike.
_REFUSED_CATEGORIES = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"))

# Characters outside those categories that show nothing or a space: the rest of Unicode's
# Default_Ignorable_Code_Point, and a few more without a visible form.
_UNSEEN_RANGES = (
    (0x034F, 0x034F),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x2800, 0x2800),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFFA0, 0xFFA0),
    (0xFFFC, 0xFFFC),
    (0x16FE4, 0x16FE4),
    (0x1D159, 0x1D159),
    (0xE0000, 0xE0FFF),
)


def _is_unseen(char: str) -> bool:
    if unicodedata.category(char) in _REFUSED_CATEGORIES:
        return True
    return any(first <= ord(char) <= last for first, last in _UNSEEN_RANGES)


def clean_name(text: str) -> str:
    """Return the name as it is stored: NFKC, single spaces, none at the ends.

    Raises:
        NameRefused: too short or long, invisible or mixed characters, or no letter or digit.
    """
    name = " ".join(filter(None, unicodedata.normalize("NFKC", text).split(" ")))
    if any(_is_unseen(char) for char in name.replace(" ", "")):
        raise NameRefused(_("A name can't contain invisible or control characters."))
    length = disarm.grapheme_len(name)
    if not MIN_LENGTH <= length <= MAX_LENGTH or len(name) > MAX_STORED_LENGTH:
        raise NameRefused(_("A name has 2 to 24 characters."))
    if disarm.is_zalgo(name):
        raise NameRefused(_("A name can't stack marks on one letter."))
    if not any(char.isalnum() for char in name):
        raise NameRefused(_("A name needs at least one letter or digit."))
    if disarm.is_mixed_script(name):
        raise NameRefused(_("A name must use only one writing system."))
    return name


# Letters that look alike without case: report 39 joins I, l and 1; without case, i joins them.
_ONE_STROKE = str.maketrans("i1|", "lll")


def name_skeleton(name: str) -> str:
    """Return the key that two names share when a reader could take one for the other.

    Spaces and case do not distinguish names. Case is folded before looks are compared, since
    capitals look like other letters than small ones do. Nor do i, l and 1, or O and 0, or m and
    rn, distinguish names: report 39 joins each of these, and the library by default does not.
    """
    skeleton = disarm.skeleton_key(name.casefold(), digit_policy="tr39")
    return skeleton.replace(" ", "").translate(_ONE_STROKE).replace("rn", "m")


def skeleton_asked_for(text: str) -> str | None:
    """Return the skeleton for finding a player by name, or None when no player can have that name.

    Takes the name as typed, whatever its length and characters.
    """
    if len(text) > MAX_ASKED_LENGTH:
        return None
    try:
        return name_skeleton(clean_name(text))
    except NameRefused:
        return None


def refuse_reserved(name: str) -> None:
    """Refuse a clean name that is reserved.

    Raises:
        NameRefused
    """
    if is_reserved(name):
        raise NameRefused(_("This name is reserved. Choose another."))


def is_reserved(name: str) -> bool:
    """Return whether a reader could take a name for the service or for its staff.

    Names compare by skeleton, without accents and signs. A reserved name matches a whole name,
    however it is spaced. Those of AS_WORDS and the setting RESERVED_NAMES also match whole words in
    a name, with or without digits at their ends, but never parts of words.
    """
    as_words = _reserved_keys((*reserved.AS_WORDS, *settings.RESERVED_NAMES))
    words = [word for word in re.split(r"[\W_]+", _without_marks(name)) if word]
    if _key("".join(words)) in as_words | _reserved_keys(reserved.AS_WHOLE):
        return True
    return any(
        _key(joined) in as_words or _key(joined.strip(string.digits)) in as_words
        for start in range(len(words))
        for end in range(start + 1, len(words) + 1)
        for joined in ["".join(words[start:end])]
    )


@cache
def _reserved_keys(names: tuple[str, ...]) -> frozenset[str]:
    keys = {_key("".join(re.split(r"[\W_]+", _without_marks(name)))) for name in names}
    return frozenset(keys - {""})


def _key(letters: str) -> str:
    return name_skeleton(letters) if letters else ""


def _without_marks(name: str) -> str:
    parts = unicodedata.normalize("NFKD", name)
    return "".join(part for part in parts if not unicodedata.combining(part))
