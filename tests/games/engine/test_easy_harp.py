"""docs/rules.md, "Easy Harp", line by line."""

import pytest

from games.engine import start

from .tables import assert_refused, easy_harp

DEAL = "EH1-N-AAAAAAF"

# Foundations.


def test_each_foundation_place_is_reserved_to_its_suit() -> None:
    position = easy_harp("AS", "AH", "AD", "AC")
    for column in "1234":
        position.apply(f"{column}h")
    assert position.as_dict()["foundations"] == ["AS", None, "AH", None, "AD", None, "AC", None]


def test_card_goes_to_the_first_place_of_its_suit_that_accepts_it() -> None:
    position = easy_harp("AH", "AH 2H", "2H")
    for action in ("1h", "2h", "2h", "3h"):
        position.apply(action)
    assert position.as_dict()["foundations"][2:4] == ["2H", "2H"]


def test_second_place_takes_what_the_first_does_not() -> None:
    position = easy_harp("3H", "AH", foundations={3: "5H", 4: "2H"})
    position.apply("1h")
    assert position.as_dict()["foundations"][2:4] == ["5H", "3H"]
    assert_refused(position, "2h", "foundation.not_next")


@pytest.mark.parametrize("card", ["2S", "4S", "KS", "AH 3H"])
def test_foundations_are_built_from_ace_to_king_in_suit(card: str) -> None:
    position = easy_harp(card, foundations={1: "2S", 2: "2S", 3: "KH", 4: "AH"})
    assert_refused(position, "1h", "foundation.not_next")


def test_foundations_take_one_card_at_a_time() -> None:
    assert_refused(easy_harp("2S AS"), "1hv2", "group.single_only")


# Columns.


@pytest.mark.parametrize("below", ["8S", "8C"])
@pytest.mark.parametrize("card", ["7H", "7D"])
def test_columns_are_built_down_by_alternating_colour(card: str, below: str) -> None:
    position = easy_harp(card, below)
    position.apply("12")
    assert position.cards_at("2") == (below, card)


@pytest.mark.parametrize(
    ("card", "below", "code"),
    [
        ("7H", "8D", "column.same_colour"),
        ("7H", "8H", "column.same_colour"),
        ("7S", "8C", "column.same_colour"),
        ("7H", "9S", "column.wrong_rank"),
        ("7H", "7S", "column.wrong_rank"),
        ("7H", "6S", "column.wrong_rank"),
        ("KH", "AS", "column.wrong_rank"),
        ("AH", "KS", "column.wrong_rank"),
    ],
)
def test_other_cards_are_not_put_on_a_column(card: str, below: str, code: str) -> None:
    assert_refused(easy_harp(card, below), "12", code)
    assert_refused(easy_harp("", below, waste=card), "w2", code)


def test_one_card_at_a_time_between_columns() -> None:
    position = easy_harp("8S 7H 6S", "9H", "7D")
    for count in "23":
        assert_refused(position, f"12v{count}", "group.one_at_a_time")
    position.apply("13")
    assert position.cards_at("1") == ("8S", "7H")


def test_king_run_never_goes_onto_a_card() -> None:
    assert_refused(easy_harp("KS QH", "KD"), "12v2", "group.one_at_a_time")


@pytest.mark.parametrize("card", ["QH", "AS", "5C"])
def test_king_only_on_empty_column(card: str) -> None:
    assert_refused(easy_harp(card), "12", "column.king_only")
    assert_refused(easy_harp("", "2S", waste=card), "w1", "column.king_only")


def test_no_other_card_enters_an_empty_column_even_to_uncover_a_hidden_one() -> None:
    assert_refused(easy_harp("2S 9H", hidden={1: 1}), "12", "column.king_only")


def test_king_of_the_waste_enters_an_empty_column() -> None:
    position = easy_harp(waste="3S KD")
    position.apply("w4")
    assert position.cards_at("4") == ("KD",)
    assert position.score == 5


@pytest.mark.parametrize(
    "run", ["KS", "KS QH", "KD QC JD", "KS QD JS TD 9S 8D 7S 6D 5S 4D 3S 2D AS"]
)
def test_king_run_moves_whole_to_an_empty_column(run: str) -> None:
    position = easy_harp(f"2C {run}", hidden={1: 1})
    position.apply("12")
    assert position.cards_at("2") == tuple(run.split())
    assert position.cards_at("1") == ("2C",)
    assert (position.score, position.moves) == (5, 1)


def test_king_run_on_the_table_itself_moves_too() -> None:
    position = easy_harp("KS QH")
    position.apply("15v2")
    assert position.cards_at("5") == ("KS", "QH")
    assert position.score == 0


def test_stated_number_of_cards_must_agree_with_the_king_run() -> None:
    position = easy_harp("2C KS QH JS", hidden={1: 1})
    for count in "24d":
        assert_refused(position, f"12v{count}", "group.wrong_count")
    position.apply("12v3")
    assert_refused(easy_harp("KS"), "12v2", "group.wrong_count")


def test_run_that_does_not_begin_with_a_king_never_moves_as_a_block() -> None:
    position = easy_harp("KH QS JH", "", hidden={1: 1})
    assert_refused(position, "12", "column.king_only")
    assert_refused(position, "12v2", "column.king_only")
    assert_refused(position, "12v3", "column.king_only")


def test_face_down_king_is_no_part_of_a_run() -> None:
    assert_refused(easy_harp("KH QS", hidden={1: 1}), "12", "column.king_only")


def test_last_face_down_card_is_turned_up_at_once() -> None:
    position = easy_harp("2C 7H", "8S", hidden={1: 1})
    position.apply("12")
    assert position.face_down_at("1") == 0
    assert position.score == 5


def test_card_still_covered_stays_face_down() -> None:
    position = easy_harp("2C 3D KH", hidden={1: 2})
    position.apply("12")
    assert position.face_down_at("1") == 1
    position.apply("U")
    assert position.face_down_at("1") == 2


def test_face_up_card_is_not_turned_up_again() -> None:
    position = easy_harp("2C 8D 7S", "8H", hidden={1: 1})
    position.apply("12")
    assert (position.face_down_at("1"), position.score) == (1, 0)


def test_card_moves_to_a_different_column() -> None:
    assert_refused(easy_harp("KS"), "11", "column.same_column")
    assert_refused(easy_harp(""), "11", "column.same_column")


@pytest.mark.parametrize("action", ["12", "1h", "12v2", "1hv2"])
def test_nothing_moves_from_an_empty_column(action: str) -> None:
    assert_refused(easy_harp("", "8S"), action, "column.empty")


# Stock.


def test_one_tap_turns_one_card_to_the_waste_the_first_of_the_stock_first() -> None:
    position = start(DEAL)
    stock = position.cards_at("stock")[::-1]
    position.apply("D")
    assert position.cards_at("w") == stock[:1]
    position.apply("D3")
    assert position.cards_at("w") == stock[:4]
    assert position.as_dict()["stock"] == list(stock[4:])


def test_only_the_top_card_of_the_waste_is_playable() -> None:
    position = easy_harp("8S", waste="7H 2C")
    assert_refused(position, "w1", "column.same_colour")
    assert_refused(position, "wh", "foundation.not_next")


def test_nothing_is_played_from_an_empty_waste() -> None:
    assert_refused(start(DEAL), "w1", "waste.empty")
    assert_refused(start(DEAL), "wh", "waste.empty")


def test_waste_goes_back_in_the_same_order() -> None:
    position = start(DEAL)
    first_pass = position.as_dict()["stock"]
    position.apply("D59")
    position.apply("R")
    assert position.as_dict()["stock"] == first_pass
    assert position.cards_at("w") == ()
    position.apply("D59")
    assert position.cards_at("w") == tuple(first_pass)


def test_waste_goes_back_only_when_the_stock_is_empty() -> None:
    position = start(DEAL)
    assert_refused(position, "R", "stock.not_empty")
    position.apply("D58")
    assert_refused(position, "R", "stock.not_empty")
    position.apply("D")
    position.apply("R")


def test_draw_from_an_empty_stock_is_refused() -> None:
    position = start(DEAL)
    assert_refused(position, "D60", "stock.empty")
    position.apply("D59")
    assert_refused(position, "D", "stock.empty")


@pytest.mark.parametrize("action", ["D", "R", "D3"])
def test_tap_with_stock_and_waste_empty_is_refused(action: str) -> None:
    assert_refused(easy_harp("KS"), action, "stock.nothing_left")


def test_passes_are_unlimited_and_free() -> None:
    position = start(DEAL)
    for _ in range(20):
        position.apply("D59")
        position.apply("R")
    assert (position.score, position.moves) == (0, 20 * 60)


def test_single_card_of_the_waste_goes_back() -> None:
    position = easy_harp(waste="7H")
    position.apply("R")
    assert position.cards_at("stock") == ("7H",)


@pytest.mark.parametrize("source", ["1", "w", "h1"])
def test_only_cards_from_the_stock_go_to_the_waste(source: str) -> None:
    position = easy_harp("KS", waste="7H", foundations={1: "AS"})
    assert_refused(position, f"{source}w", "waste.no_entry")


# Take-back.


def test_top_card_of_a_foundation_goes_back_to_a_column_that_accepts_it() -> None:
    position = easy_harp("3H", foundations={1: "2S"})
    position.apply("h11")
    assert position.cards_at("1") == ("3H", "2S")
    assert position.as_dict()["foundations"][0] == "AS"
    assert (position.score, position.take_backs) == (0, 1)


def test_take_back_needs_a_column_that_accepts_the_card() -> None:
    position = easy_harp("3S", "", "4H", foundations={1: "2S"})
    assert_refused(position, "h11", "column.same_colour")
    assert_refused(position, "h12", "column.king_only")
    assert_refused(position, "h13", "column.wrong_rank")
    assert_refused(position, "h23", "foundation.empty")


def test_king_is_taken_back_to_an_empty_column() -> None:
    position = easy_harp(foundations={8: "KC"})
    position.apply("h85")
    assert position.cards_at("5") == ("KC",)


def test_take_back_never_goes_to_another_foundation_or_to_the_waste() -> None:
    position = easy_harp(foundations={1: "AS"})
    assert_refused(position, "h1h", "foundation.no_exchange")
    assert_refused(position, "h1w", "waste.no_entry")


# Points.


@pytest.mark.parametrize(
    ("action", "points"),
    [
        ("1h", 10),
        ("2h", 15),
        ("wh", 10),
        ("w3", 5),
        ("45", 0),
        ("67", 5),
        ("89", 0),
        ("D", 0),
        ("h84", 0),
    ],
)
def test_points(action: str, points: int) -> None:
    position = easy_harp(
        "AS", "3C AH", "3H", "3D", "4S", "9S KC QH", "", "KD QS", "",
        hidden={2: 1, 6: 1},
        stock="5C",
        waste="2C",
        foundations={7: "AC", 8: "2C"},
    )  # fmt: skip
    position.apply(action)
    assert position.score == points


def test_putting_the_waste_back_earns_nothing() -> None:
    position = easy_harp(waste="2C")
    position.apply("R")
    assert (position.score, position.moves) == (0, 1)


@pytest.mark.parametrize("action", ["1a", "a1", "ah", "ab", "h1a", "wa"])
def test_easy_harp_has_no_cells(action: str) -> None:
    assert_refused(start(DEAL), action, "cell.no_such")
