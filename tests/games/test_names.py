"""Display names: docs/contract.md, "Names"."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.errors import NameRefused
from games.names import clean_name, is_reserved, name_skeleton

GOOD = [
    ("Ada", "Ada"),
    ("  Ada   Lovelace ", "Ada Lovelace"),
    ("José", "José"),
    ("Ｆｕｌｌｗｉｄｔｈ", "Fullwidth"),
    ("Анна", "Анна"),
    ("日本語テスト", "日本語テスト"),
    ("Ana María 7", "Ana María 7"),
    ("x_X-99!", "x_X-99!"),
    ("اسم", "اسم"),
]

BAD = {
    "one character": "a",
    "nothing": "",
    "only spaces": "     ",
    "too long": "a" * 25,
    "too long by hidden length": "e" + "\u0301" * 200,
    "zero width": "Ad\u200ba",
    "joiner": "Ad\u200da",
    "right to left override": "\u202eadA",
    "isolate": "\u2066Ada\u2069",
    "soft hyphen": "Ad\u00ada",
    "control": "Ada\x07",
    "null": "A\0da",
    "tab": "Ada\tB",
    "line end": "Ada\nB",
    "line separator": "Ada\u2028B",
    "lone surrogate": "Ada\ud800",
    "private use": "Ada\ue000",
    "Latin and Cyrillic": "pаypal",
    "Latin and Greek": "Αda",
    "signs alone": "!!!",
    "grapheme joiner": "To\u034fm",
    "braille blank": "a\u2800b",
    "variation selector": "Tom\ufe0f",
    "supplementary selector": "Tom\U000e0100",
    "object replacement": "Tom\ufffc",
    "musical null notehead": "Tom\U0001d159",
    "khitan filler": "Tom\U00016fe4",
    "hangul filler": "\u3164한글",
    "khmer inherent vowel": "ខ្មែរ\u17b4",
    "piled marks": "Z" + "\u0300\u0301\u0302\u0303\u0304" * 4 + "algo",
}

SAME = [
    ("paypal", "PayPal"),
    ("paypal", "pay pal"),
    ("paypaI", "paypal"),
    ("l1I", "lll"),
    ("b0b", "bOb"),
    ("modern", "modem"),
    ("Igor", "igor"),
    ("Admin One", "ADMIN ONE"),
    ("Nikita", "nIkita"),
    ("ΝΙΚΟΣ", "Νικος"),
    ("БЛЫЮ", "блыю"),
    ("bill", "biII"),
    ("Ada", "Аԁа"),
]

DIFFERENT = [("José", "Jose"), ("Ada", "Ida"), ("Anna 1", "Anna 2")]


@pytest.mark.parametrize(("text", "stored"), GOOD)
def test_name_is_stored_normalised(text: str, stored: str) -> None:
    assert clean_name(text) == stored


@pytest.mark.parametrize("text", BAD.values(), ids=BAD.keys())
def test_bad_name_is_refused_with_a_text(text: str) -> None:
    with pytest.raises(NameRefused) as refused:
        clean_name(text)
    assert str(refused.value)


@pytest.mark.parametrize(("one", "other"), SAME)
def test_names_that_look_the_same_share_a_skeleton(one: str, other: str) -> None:
    assert name_skeleton(one) == name_skeleton(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_names_that_look_different_do_not(one: str, other: str) -> None:
    assert name_skeleton(one) != name_skeleton(other)


@given(st.text(min_size=2, max_size=12))
def test_case_never_tells_two_names_apart(text: str) -> None:
    assert name_skeleton(text.lower()) == name_skeleton(text.lower().casefold())
    assert name_skeleton(text) == name_skeleton(text.casefold())


@given(st.text(max_size=60))
def test_any_text_is_a_name_or_refused_and_a_stored_name_stays_as_it_is(text: str) -> None:
    try:
        name = clean_name(text)
    except NameRefused:
        return
    assert clean_name(name) == name
    assert name_skeleton(name)


RESERVED = [
    "admin", "Admin", "ADM1N", "ADMlN", "a d m i n", "Ad-min", "ad_min", "ádmín", "Admin 1",
    "Admin7",
    "99 admins", "The Admin", "Mr. Admin!", "Moderator", "Mòderator",
    "m0derator", "rnoderator", "The Moderator", "moderators", "Staff", "STAFF 2", "Support",
    "Customer Support", "Referee", "Organiser", "organizer", "Administrator", "Official",
    "Daily deal",
    "daily-deal", "DailyDeal", "The Daily Deal", "Dai1y dea1", "Easy Harp", "easyharp", "Eight Off",
    "E1ght 0ff", "Eight Off, 4 cells", "system", "root", "owner", "bot", "mod", "Guest", "Player",
    "Deleted player", "deleted-player", "giocatore eliminato", "Giocatore cancellato",
    "jugador eliminado", "Jugador borrado", "amministratore", "Moderatrice", "Ospite", "arbitro",
    "organizzatore", "supporto", "Smazzata del giorno", "administradora", "Moderador", "árbitro",
    "arbitro", "Soporte", "Reparto del día", "reparto del dia", "Invitado", "sistema", "ufficiale",
    "ａｄｍｉｎ", "ad.min.team",
]  # fmt: skip

FREE = [
    "Cassandra", "Dickinson", "Scunthorpe", "Badminton", "Supporter", "Modesto", "Administra",
    "Adminton", "Badmin", "Moderately", "Modern", "Robot", "Botticelli", "Rooted", "Root Beer",
    "Stafford", "Flagstaff", "Owner of a cat", "Systematic", "Guest 123456", "Ospite 123456",
    "Invitado 123456", "Player 0a1b2c3d4e5f", "Player 99", "Easy", "Easy Harper", "Harp", "Eight",
    "Eight Offs", "Daily", "Dealer", "Daily dealer", "Nobody Knows", "Ada", "日本語テスト", "Анна",
    "Jugadora 7", "Sistemista", "Arbitrary", "Ayudante", "Officially", "Modem", "Ad Astra",
]  # fmt: skip


@pytest.mark.parametrize("name", RESERVED)
def test_a_name_of_the_service_is_reserved(name: str) -> None:
    assert is_reserved(clean_name(name))


@pytest.mark.parametrize("name", FREE)
def test_a_name_that_only_resembles_one_is_free(name: str) -> None:
    assert not is_reserved(clean_name(name))


def test_an_installation_reserves_more(settings) -> None:
    settings.RESERVED_NAMES = ("Acme Games", " ", "Zoë")
    assert [is_reserved(name) for name in ("acme games", "ACME-Games team", "Zoe 1", "zo3")] == [
        True,
        True,
        True,
        False,
    ]
    assert not is_reserved("Acmegamester")
    assert is_reserved("admin")


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=6))
def test_letters_next_to_a_reserved_word_make_it_free(letters: str) -> None:
    # With an x between: some endings make the Italian or the Spanish word.
    for name in (f"moderatorx{letters}", f"{letters}xmoderator"):
        assert not is_reserved(name), name
