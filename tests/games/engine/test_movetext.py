"""docs/contract.md, "Movetext": tokens, canonical form and limits, without a board."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine import (
    LIMIT_ERRORS,
    MAX_ACTIONS,
    MAX_LOG_BYTES,
    REFUSALS,
    Action,
    LimitError,
    Malformed,
    Refused,
    canonical,
    format_movetext,
    parse_movetext,
    replay,
)
from games.engine.movetext import parse_token, well_formed_tokens
from games.engine.places import ANY_FOUNDATION, CELL, COLUMN, FOUNDATION, MEMORY, STOCK, WASTE

MEANINGS = [
    ("D", Action(STOCK, WASTE, 1)),
    ("D18", Action(STOCK, WASTE, 18)),
    ("D20000", Action(STOCK, WASTE, 20_000)),
    ("R", Action(WASTE, STOCK)),
    ("w3", Action(WASTE, COLUMN + 2)),
    ("wh", Action(WASTE, ANY_FOUNDATION)),
    ("35", Action(COLUMN + 2, COLUMN + 4)),
    ("35v4", Action(COLUMN + 2, COLUMN + 4, 4)),
    ("91vd", Action(COLUMN + 8, COLUMN, 13)),
    ("3h", Action(COLUMN + 2, ANY_FOUNDATION)),
    ("3a", Action(COLUMN + 2, CELL)),
    ("a3", Action(CELL, COLUMN + 2)),
    ("kh", Action(CELL + 7, ANY_FOUNDATION)),
    ("gb", Action(CELL + 6, CELL + 1)),
    ("h47", Action(FOUNDATION + 3, COLUMN + 6)),
    ("h2c", Action(FOUNDATION + 1, CELL + 2)),
    ("h8k", Action(FOUNDATION + 7, CELL + 7)),
    ("U", Action(MEMORY, MEMORY, 1)),
    ("U3", Action(MEMORY, MEMORY, 3)),
]

BAD_TOKENS = [
    ("D0", "notation.count"),
    ("D01", "notation.count"),
    ("U0", "notation.count"),
    ("U007", "notation.count"),
    ("35v", "notation.group"),
    ("35v0", "notation.group"),
    ("35v1", "notation.group"),
    ("35ve", "notation.group"),
    ("35vD", "notation.group"),
    ("35v12", "notation.group"),
    ("w3v2", "notation.group"),
    ("h47v2", "notation.group"),
    ("a3v2", "notation.group"),
    ("3", "notation.token"),
    ("h", "notation.token"),
    ("hh", "notation.token"),
    ("h3", "notation.token"),
    ("h93", "notation.token"),
    ("h03", "notation.token"),
    ("3H", "notation.token"),
    ("W3", "notation.token"),
    ("d", "notation.token"),
    ("r", "notation.token"),
    ("u", "notation.token"),
    ("R2", "notation.token"),
    ("D-1", "notation.token"),
    ("D1.5", "notation.token"),
    ("D+1", "notation.token"),
    ("D1_0", "notation.token"),
    ("D\u0661", "notation.token"),
    ("\uff135", "notation.token"),
    ("30", "notation.token"),
    ("3i", "notation.token"),
    ("3j", "notation.token"),
    ("355", "notation.token"),
    ("35V2", "notation.token"),
    ("35,", "notation.token"),
    ("35\u00a036", "notation.token"),
    ("\x00", "notation.token"),
    ("35\x1c36", "notation.token"),
    ("\ud800", "notation.token"),
]


@pytest.mark.parametrize(("text", "action"), MEANINGS)
def test_token_means_this_action(text: str, action: Action) -> None:
    assert parse_movetext(text) == (action,)
    assert str(action) == text


def test_a_single_draw_or_undo_may_be_written_with_its_number() -> None:
    assert parse_movetext("D1 U1") == parse_movetext("D U")


@pytest.mark.parametrize(("text", "code"), BAD_TOKENS)
def test_other_tokens_are_malformed_and_refused_as_such(text: str, code: str) -> None:
    assert parse_movetext(text) == (Malformed(text, code),)
    refused = replay("EH1-N-AAAAAAF", f"D {text}").refused
    assert refused is not None
    assert (refused.index, refused.token, refused.code) == (1, 1, code)


def test_every_notation_refusal_has_a_bad_token() -> None:
    assert {code for _, code in BAD_TOKENS} == {c for c in REFUSALS if c.startswith("notation.")}


@pytest.mark.parametrize("space", [" ", "   ", "\n", "\r\n", "\t", "\v", "\f", " \n\t "])
def test_any_run_of_white_space_separates(space: str) -> None:
    assert parse_movetext(f"{space}D{space}3h{space}") == parse_movetext("D 3h")


@pytest.mark.parametrize(
    "other",
    [
        "\u00a0",
        "\u2003",
        "\u3000",
        "\x1c",
        "\x1d",
        "\x1e",
        "\x1f",
        "\x85",
        "\u2028",
        "\ufeff",
        "\x00",
    ],
)
def test_other_blanks_belong_to_the_token(other: str) -> None:
    assert parse_movetext(f"D{other}3h R") == (
        Malformed(f"D{other}3h", "notation.token"),
        Action(WASTE, STOCK),
    )


def test_tokens_round_trip_over_their_whole_domain() -> None:
    texts = list(well_formed_tokens(most_repeats=MAX_ACTIONS))
    assert len(texts) == len(set(texts)) == 2 * 20_000 + 1 + 9 * 19 * 13 + 17 * 19
    for text in texts:
        token = parse_token(text)
        assert isinstance(token, Action)
        assert str(token) == text


def test_two_letter_texts_are_tokens_exactly_when_listed() -> None:
    letters = [chr(code) for code in range(33, 127)]
    listed = set(well_formed_tokens(most_repeats=99)) | {"D1", "U1"}
    for text in (*letters, *(a + b for a in letters for b in letters)):
        assert isinstance(parse_token(text), Action) == (text in listed), text


def test_format_joins_runs_of_draws_and_of_undos() -> None:
    parsed = parse_movetext("D  D2\nD R D U U2 w3 35v4 U")
    assert format_movetext(parsed) == "D4 R D U3 w3 35v4 U"


TOKENS = st.sampled_from([*well_formed_tokens(most_repeats=30), "foo", "D0", "35v1"])


@given(st.lists(TOKENS, max_size=40))
def test_parse_and_format_are_inverse_on_the_canonical_form(texts: list[str]) -> None:
    once = format_movetext(parse_movetext(" ".join(texts)))
    assert format_movetext(parse_movetext(once)) == once
    assert parse_movetext(format_movetext(parse_movetext(once))) == parse_movetext(once)


def test_canonical_refuses_an_illegal_log() -> None:
    with pytest.raises(Refused) as raised:
        canonical("EH1-N-AAAAAAF", "D R")
    assert raised.value.code == "stock.not_empty"


LIMIT_CASES = [
    ("D20001", "log.too_many_actions"),
    ("U20001", "log.too_many_actions"),
    ("D" + "9" * 10_000, "log.too_many_actions"),
    ("D20000 U", "log.too_many_actions"),
    ("D20000 foo", "log.too_many_actions"),
    ("3h " * 20_001, "log.too_many_actions"),
    ("x " * 20_001, "log.too_many_actions"),
    (" " * (MAX_LOG_BYTES + 1), "log.too_large"),
    ("\u00e9" * (MAX_LOG_BYTES // 2 + 1), "log.too_large"),
    ("\ud800" * (MAX_LOG_BYTES // 3 + 1), "log.too_large"),
    ("D20001" + " " * MAX_LOG_BYTES, "log.too_large"),
]


@pytest.mark.parametrize(("movetext", "code"), LIMIT_CASES, ids=lambda text: text[:8])
def test_logs_over_the_limits_are_refused_before_any_replay(movetext: str, code: str) -> None:
    for read in (parse_movetext, lambda text: replay("EH1-N-AAAAAAF", text)):
        with pytest.raises(LimitError) as raised:
            read(movetext)
        assert raised.value.code == code
        assert raised.value.message == LIMIT_ERRORS[code]


def test_every_limit_has_a_case() -> None:
    assert {code for _, code in LIMIT_CASES} == set(LIMIT_ERRORS)


@pytest.mark.parametrize(
    "movetext",
    [
        "D20000",
        "U20000",
        "x " * 20_000,
        "D" + " " * (MAX_LOG_BYTES - 1),
        "\u00e9" * (MAX_LOG_BYTES // 2),
        "\ud800" * (MAX_LOG_BYTES // 3),
    ],
    ids=lambda text: text[:8],
)
def test_logs_at_the_limits_get_a_verdict(movetext: str) -> None:
    assert replay("EH1-N-AAAAAAF", movetext).code == "EH1-N-AAAAAAF"
