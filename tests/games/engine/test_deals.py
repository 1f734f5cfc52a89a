"""docs/rules.md: deal numbers, deal codes, and the two setups."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine import (
    CODE_ERRORS,
    MAX_NUMBER,
    MIN_NUMBER,
    VARIANTS,
    CodeError,
    DealCode,
    deal,
    parse_code,
)

GOOD_CODES = [
    ("EH1-N-AAAAAAF", "easy-harp", 5),
    ("EO1-C8-AAAAAFA", "eight-off", 160),
    ("EO1-C4-AAAAAAB", "eight-off-4", 1),
    ("EO1-C2-AAA6QR7", "eight-off-2", 999_999),
    ("  eh1-n-aaaaaaf\r\n", "easy-harp", 5),
    ("eO1-c8-aAAAAfA\t", "eight-off", 160),
]

BAD_CODES = [
    ("", "code.format"),
    ("EH1", "code.format"),
    ("EH1-N", "code.format"),
    ("EH1-N-AAAAAAF-", "code.format"),
    ("EH1NAAAAAAF", "code.format"),
    ("XX1-N-AAAAAAF", "code.unknown_game"),
    ("-N-AAAAAAF", "code.unknown_game"),
    ("1-N-AAAAAAF", "code.unknown_game"),
    ("\u00a0EH1-N-AAAAAAF", "code.unknown_game"),
    ("EH2-N-AAAAAAF", "code.unknown_version"),
    ("EH-N-AAAAAAF", "code.unknown_version"),
    ("EH01-N-AAAAAAF", "code.unknown_version"),
    ("EH\u0661-N-AAAAAAF", "code.unknown_version"),
    ("EH1-C8-AAAAAAF", "code.unknown_variant"),
    ("EO1-N-AAAAAAF", "code.unknown_variant"),
    ("EO1-C6-AAAAAAF", "code.unknown_variant"),
    ("EO1- C8-AAAAAAF", "code.unknown_variant"),
    ("EH1--AAAAAAF", "code.unknown_variant"),
    ("EH1-N-", "code.length"),
    ("EH1-N-AAAAAF", "code.length"),
    ("EH1-N-AAAAAAAF", "code.length"),
    ("EH1-N-AAAAAA1", "code.letter"),
    ("EH1-N-AAAAAA0", "code.letter"),
    ("EH1-N-AAA AAF", "code.letter"),
    ("EH1-N-AAAAAA\u0131", "code.letter"),
    ("EH1-N-AAAAAA\u017f", "code.letter"),
    ("EH1-N-AAAAAA\ud800", "code.letter"),
    ("EH1-N-AAAAAAA", "code.range"),
    ("EH1-N-AAA6QSA", "code.range"),
    ("EH1-N-7777777", "code.range"),
]


@pytest.mark.parametrize(("text", "slug", "number"), GOOD_CODES)
def test_code_is_read_ignoring_case_and_blanks(text: str, slug: str, number: int) -> None:
    code = parse_code(text)
    assert (code.variant.slug, code.number) == (slug, number)
    assert str(code) == text.strip().upper()


@pytest.mark.parametrize(("text", "error"), BAD_CODES)
def test_anything_else_is_refused_with_its_own_code(text: str, error: str) -> None:
    with pytest.raises(CodeError) as raised:
        parse_code(text)
    assert raised.value.code == error
    assert raised.value.message == CODE_ERRORS[error]


def test_each_code_error_has_a_bad_code() -> None:
    assert {error for _, error in BAD_CODES} == set(CODE_ERRORS)


def test_codes_round_trip_over_every_number() -> None:
    variant = VARIANTS["easy-harp"]
    seen = set()
    for number in range(MIN_NUMBER, MAX_NUMBER + 1, 7):
        text = str(DealCode(variant, number))
        assert parse_code(text).number == number
        seen.add(text)
    assert len(seen) == len(range(MIN_NUMBER, MAX_NUMBER + 1, 7))


@given(st.sampled_from(list(VARIANTS.values())), st.integers(MIN_NUMBER, MAX_NUMBER))
def test_codes_round_trip_in_every_variant(variant, number) -> None:
    code = DealCode(variant, number)
    assert parse_code(str(code)) == code


@given(st.text())
def test_any_text_is_a_code_or_the_documented_error(text: str) -> None:
    error = code = None
    try:
        code = parse_code(text)
    except CodeError as raised:
        error = raised.code
    if code is None:
        assert error in CODE_ERRORS
    else:
        assert str(code) == text.strip(" \t\n\r\f\v").upper()


@pytest.mark.parametrize("number", [-1, 0, 1_000_000])
def test_deal_number_is_1_to_999_999(number: int) -> None:
    with pytest.raises(CodeError) as raised:
        DealCode(VARIANTS["easy-harp"], number)
    assert raised.value.code == "code.range"


def test_variants_are_in_order_with_their_prefixes() -> None:
    assert [(slug, variant.code_prefix) for slug, variant in VARIANTS.items()] == [
        ("easy-harp", "EH1-N"),
        ("eight-off", "EO1-C8"),
        ("eight-off-4", "EO1-C4"),
        ("eight-off-2", "EO1-C2"),
    ]


def test_ranked_score_is_at_most_1515_and_520() -> None:
    assert [v.max_ranked_score for v in VARIANTS.values()] == [1515, 520, 520, 520]


def test_easy_harp_deals_columns_of_one_to_nine_with_the_last_card_up() -> None:
    layout = deal("EH1-N-AAAAAAF")
    assert [len(column) for column in layout.columns] == list(range(1, 10))
    assert layout.face_down == tuple(range(9))
    assert len(layout.stock) == 59
    everything = [*(card for column in layout.columns for card in column), *layout.stock]
    assert sorted(everything) == sorted([*range(52)] * 2)


def test_eight_off_deals_eight_columns_of_six_and_four_cells() -> None:
    layout = deal("EO1-C8-AAAAAFA")
    assert [len(column) for column in layout.columns] == [6] * 8
    assert [cell is None for cell in layout.cells] == [False] * 4 + [True] * 4
    assert not layout.stock


def test_eight_off_with_four_cells_starts_with_all_full() -> None:
    eight, four = deal("EO1-C8-AAAAAFA"), deal("EO1-C4-AAAAAFA")
    assert four.cells == eight.cells[:4]
    assert four.columns == eight.columns


def test_eight_off_with_two_cells_puts_the_other_two_cards_on_columns_3_and_4() -> None:
    eight, two = deal("EO1-C8-AAAAAFA"), deal("EO1-C2-AAAAAFA")
    assert two.cells == eight.cells[:2]
    assert [two.columns[2][-1], two.columns[3][-1]] == list(eight.cells[2:4])
    assert [len(column) for column in two.columns] == [6, 6, 7, 7, 6, 6, 6, 6]
