"""docs/rules.md, "Eight Off", line by line."""

import pytest

from games.engine import VARIANTS, start

from .tables import assert_refused, eight_off, position

# Columns.


def test_columns_are_built_down_in_suit() -> None:
    table = eight_off("7H", "8H")
    table.apply("12")
    assert table.cards_at("2") == ("8H", "7H")


@pytest.mark.parametrize(
    ("card", "below", "code"),
    [
        ("7H", "8D", "column.wrong_suit"),
        ("7H", "8S", "column.wrong_suit"),
        ("7H", "9H", "column.wrong_rank"),
        ("7H", "6H", "column.wrong_rank"),
        ("KH", "AH", "column.wrong_rank"),
        ("AH", "KH", "column.wrong_rank"),
        # Neighbours as indexes, but king and ace of two suits.
        ("KS", "AH", "column.wrong_suit"),
        ("AH", "KS", "column.wrong_suit"),
    ],
)
def test_other_cards_are_not_put_on_a_column(card: str, below: str, code: str) -> None:
    assert_refused(eight_off(card, below), "12", code)
    assert_refused(eight_off("", below, cells=[card]), "a2", code)


@pytest.mark.parametrize("card", ["QH", "AS", "5C"])
def test_king_only_on_empty_column(card: str) -> None:
    assert_refused(eight_off(card), "12", "column.king_only")
    assert_refused(eight_off(cells=[card]), "a2", "column.king_only")


def test_king_enters_an_empty_column_alone_or_with_its_run() -> None:
    table = eight_off("2C KH", "3C KS QS JS", cells=["KD"])
    table.apply("18")
    table.apply("27")
    table.apply("a6")
    assert [table.cards_at(column) for column in "876"] == [("KH",), ("KS", "QS", "JS"), ("KD",)]
    assert table.moves == 3


def test_king_does_not_leave_its_run_behind() -> None:
    table = eight_off("KS QS JS")
    assert_refused(table, "12v2", "group.wrong_count")
    table.apply("12v3")


def test_run_without_its_king_does_not_enter_an_empty_column() -> None:
    assert_refused(eight_off("KH QS JS"), "12", "column.king_only")
    assert_refused(eight_off("KH QS JS"), "12v2", "column.king_only")


def test_card_moves_to_a_different_column() -> None:
    assert_refused(eight_off("KS"), "11", "column.same_column")


@pytest.mark.parametrize("action", ["12", "1a", "1h", "12v2"])
def test_nothing_moves_from_an_empty_column(action: str) -> None:
    assert_refused(eight_off("", "8S"), action, "column.empty")


# Cells.


def test_any_one_card_goes_to_a_free_cell() -> None:
    table = eight_off("2C 9H")
    table.apply("1k")
    assert table.cards_at("k") == ("9H",)
    assert_refused(table, "1k", "cell.occupied")


def test_cell_to_cell_is_allowed() -> None:
    table = eight_off("2C", cells=["9H", None, "3S"])
    table.apply("ab")
    assert table.as_dict()["cells"][:3] == [None, "9H", "3S"]
    assert_refused(table, "bc", "cell.occupied")
    assert_refused(table, "bb", "cell.same_cell")


@pytest.mark.parametrize("action", ["a1", "ab", "ah"])
def test_nothing_moves_from_an_empty_cell(action: str) -> None:
    assert_refused(eight_off("8S", cells=[None, "2C"]), action, "cell.empty")


@pytest.mark.parametrize(
    ("slug", "last", "beyond"), [("eight-off-4", "d", "e"), ("eight-off-2", "b", "c")]
)
def test_variant_has_only_its_cells(slug: str, last: str, beyond: str) -> None:
    table = position(slug, "8S 9H")
    for action in (f"1{beyond}", f"{beyond}1", f"{beyond}h", f"a{beyond}", f"{beyond}a", "1k"):
        assert_refused(table, action, "cell.no_such")
    table.apply(f"1{last}")


@pytest.mark.parametrize("action", ["D", "D3", "R", "w1", "wh", "1w", "aw", "h1w", "19", "91"])
@pytest.mark.parametrize("slug", ["eight-off", "eight-off-4", "eight-off-2"])
def test_eight_off_has_no_stock_no_waste_and_no_ninth_column(slug: str, action: str) -> None:
    code = "stock" if "D" in action else "column" if "9" in action else "waste"
    assert_refused(position(slug, "8S"), action, f"{code}.no_such")


@pytest.mark.parametrize("action", ["h51", "h8a", "h5h"])
def test_eight_off_has_four_foundations(action: str) -> None:
    assert_refused(eight_off("8S"), action, "foundation.no_such")


# Groups.


def test_run_moves_as_one_action_as_far_as_it_fits() -> None:
    table = eight_off("2C 9H 8H 7H", "TH", "9H")
    table.apply("13")
    assert table.cards_at("3") == ("9H", "8H", "7H")
    assert table.cards_at("1") == ("2C", "9H")
    assert table.moves == 1
    table.apply("U")
    table.apply("12v3")
    assert table.cards_at("2") == ("TH", "9H", "8H", "7H")


def test_stated_number_of_cards_must_agree_with_the_board() -> None:
    table = eight_off("2C 9H 8H 7H", "9H")
    assert_refused(table, "12v3", "group.wrong_count")
    table.apply("12v2")


def test_group_must_be_a_run() -> None:
    table = eight_off("9H 8H 8S 7S", "9S", "TH")
    for count in "34d":
        assert_refused(table, f"12v{count}", "group.not_a_run")
        assert_refused(table, f"14v{count}", "group.not_a_run")
    assert_refused(table, "13v2", "column.wrong_suit")
    table.apply("12v2")


@pytest.mark.parametrize(
    ("free_cells", "empty_columns", "longest"),
    [(0, 0, 1), (1, 0, 2), (2, 0, 3), (0, 1, 2), (1, 1, 4), (2, 1, 6), (1, 2, 8), (0, 3, 8)],
)
def test_longest_group_onto_a_card(free_cells: int, empty_columns: int, longest: int) -> None:
    names = [rank + "H" for rank in "QJT98765432"]
    for length in range(1, len(names)):
        columns = ["2S " + " ".join(names[:length]), "KH", *["AC"] * (6 - empty_columns)]
        cells = ["3S"] * (8 - free_cells)
        table = eight_off(*columns, cells=cells)
        if length <= longest:
            table.apply("12")
            assert len(table.cards_at("2")) == length + 1
        else:
            assert_refused(table, "12", "group.too_long")
            assert_refused(table, f"12v{length:x}", "group.too_long")


@pytest.mark.parametrize(
    ("free_cells", "empty_columns", "longest"), [(2, 1, 3), (0, 1, 1), (0, 2, 2), (2, 2, 6)]
)
def test_empty_destination_is_not_counted_among_the_empty_columns(
    free_cells: int, empty_columns: int, longest: int
) -> None:
    names = [rank + "H" for rank in "KQJT98765432"]
    for length in range(1, len(names)):
        columns = ["2S " + " ".join(names[:length]), *["AC"] * (7 - empty_columns)]
        table = eight_off(*columns, cells=["3S"] * (8 - free_cells))
        if length <= longest:
            table.apply("18")
            assert len(table.cards_at("8")) == length
        else:
            assert_refused(table, "18", "group.too_long")


def test_the_cells_of_the_variant_are_the_ones_counted() -> None:
    table = position("eight-off-2", "2S QH JH", "KH", *["AC"] * 6, cells=["3S", "4S"])
    assert_refused(table, "12", "group.too_long")


def test_only_single_cards_go_to_cells_and_foundations() -> None:
    table = eight_off("2S AS")
    assert_refused(table, "1hv2", "group.single_only")
    assert_refused(table, "1av2", "group.single_only")


# Foundations and take-back.


def test_foundation_places_are_in_the_order_of_the_suits() -> None:
    table = eight_off("AC", "AD", "AH", cells=["AS"])
    for source in "123a":
        table.apply(f"{source}h")
    assert table.as_dict()["foundations"] == ["AS", "AH", "AD", "AC"]


@pytest.mark.parametrize("card", ["2S", "4S", "2H"])
def test_foundations_are_built_from_ace_to_king_in_suit(card: str) -> None:
    assert_refused(eight_off(card, foundations={1: "2S"}), "1h", "foundation.not_next")
    assert_refused(eight_off(cells=[card], foundations={1: "2S"}), "ah", "foundation.not_next")


def test_top_card_of_a_foundation_goes_back_to_a_free_cell_or_an_accepting_column() -> None:
    table = eight_off("3S", "3H", foundations={1: "2S", 2: "KH"}, cells=["4S"])
    assert_refused(table, "h12", "column.wrong_suit")
    assert_refused(table, "h13", "column.king_only")
    assert_refused(table, "h1a", "cell.occupied")
    assert_refused(table, "h3b", "foundation.empty")
    assert_refused(table, "h41", "foundation.empty")
    assert_refused(table, "h1h", "foundation.no_exchange")
    table.apply("h11")
    table.apply("h1b")
    table.apply("h23")
    assert (table.cards_at("1"), table.cards_at("b")) == (("3S", "2S"), ("AS",))
    assert (table.score, table.take_backs, table.ranked_score) == (0, 3, -30)


# Points.


@pytest.mark.parametrize(
    ("action", "points"),
    [("1h", 10), ("ah", 10), ("12", 0), ("23", 0), ("2c", 0), ("b2", 0), ("ac", 0), ("h3c", 0)],
)
def test_points(action: str, points: int) -> None:
    table = eight_off("3H AS", "2S", "3S", cells=["AH", "AS"], foundations={3: "AD"})
    table.apply(action)
    assert table.score == points


def test_all_cards_are_face_up() -> None:
    for slug in ("eight-off", "eight-off-4", "eight-off-2"):
        table = start(f"{VARIANTS[slug].code_prefix}-AAAAAFA")
        assert table.as_dict()["face_down"] == [0] * 8
