"""docs/rules.md, "What a client's gestures mean"."""

import pytest

from games.engine import Position, double_tap, drop, start, tap

from .tables import easy_harp, eight_off


@pytest.mark.parametrize(
    ("position", "place", "action"),
    [
        (easy_harp("AS"), "1", "1h"),
        (easy_harp("2S"), "1", None),
        (easy_harp(""), "1", None),
        (easy_harp("3H", "4S"), "1", None),
        (easy_harp(waste="AH"), "w", "wh"),
        (easy_harp(), "w", None),
        (eight_off(cells=["AD"]), "a", "ah"),
        (eight_off("9S", foundations={1: "AS"}), "h1", None),
        (easy_harp(stock="AH"), "stock", "D"),
        (easy_harp(waste="AH"), "stock", "R"),
        (easy_harp(), "stock", None),
    ],
)
def test_tap_sends_a_card_to_a_foundation_that_accepts_it(
    position: Position, place: str, action: str | None
) -> None:
    assert tap(position, place) == action


@pytest.mark.parametrize(
    ("position", "place", "action"),
    [
        # A foundation first.
        (easy_harp("2S", "3H", foundations={1: "AS"}), "1", "1h"),
        # Else the longest column that accepts the card, of equal ones the leftmost.
        (easy_harp("2S", "3H", "9S 3D", "8S 3H"), "1", "13"),
        (easy_harp("", "3H", "9S 3D", waste="2S"), "w", "w3"),
        # Else, for a king with its run, an empty column; for no other card.
        (easy_harp("2S KS", hidden={1: 1}), "1", "12"),
        (easy_harp("", "", waste="KS"), "w", "w1"),
        (easy_harp("2S QS", hidden={1: 1}), "1", None),
        (easy_harp("2S KS QH", hidden={1: 1}), "1", None),
        (easy_harp(), "1", None),
        (easy_harp(stock="2S"), "stock", "D"),
        (easy_harp(foundations={1: "AS"}), "h1", None),
    ],
)
def test_double_tap_in_easy_harp(position: Position, place: str, action: str | None) -> None:
    assert double_tap(position, place) == action


def test_double_tap_on_a_king_takes_its_run() -> None:
    position = easy_harp("2S KS QH JS", "2H", hidden={1: 1})
    assert double_tap(position, "1", cards=3) == "13v3"
    assert double_tap(position, "1", cards=2) is None
    assert double_tap(position, "1", cards=9) is None
    assert double_tap(position, "1", cards=0) is None


@pytest.mark.parametrize(
    ("position", "place", "action"),
    [
        (eight_off("2S", "3S", foundations={1: "AS"}), "1", "1h"),
        (eight_off("2S", "3S", cells=["4H"]), "1", "12"),
        (eight_off("2S KS", cells=["4H"]), "1", "12"),
        (eight_off("2S 9H", cells=["4H", "5H"]), "1", "1c"),
        (eight_off("2S 9H", cells=["4H"] * 8), "1", None),
        (eight_off("TH", cells=["9H"]), "a", "a1"),
        (eight_off("TS", cells=["KH"]), "a", "a2"),
        # A card in a cell has no reason to go to another.
        (eight_off("TS", cells=["9H"]), "a", None),
    ],
)
def test_double_tap_in_eight_off(position: Position, place: str, action: str | None) -> None:
    assert double_tap(position, place) == action


def test_double_tap_on_a_group_moves_the_group() -> None:
    position = eight_off("2C 9H 8H", "TH", "3C TH")
    assert double_tap(position, "1", cards=2) == "13v2"
    assert double_tap(position, "1") == "1a"


@pytest.mark.parametrize(
    ("position", "source", "destination", "cards", "action"),
    [
        (easy_harp("AS"), "1", "h", 1, "1h"),
        (easy_harp("AS"), "1", "h7", 1, "1h"),
        (easy_harp("2S"), "1", "h", 1, "1h"),
        (easy_harp("3H", waste="2S"), "w", "1", 1, "w1"),
        (easy_harp("3H", foundations={2: "2S"}), "h2", "1", 1, "h21"),
        (easy_harp("AS", foundations={2: "2S"}), "h2", "h1", 1, "h2h"),
        (easy_harp("AS"), "1", "w", 1, "1w"),
        (easy_harp("8S 7H", "9H"), "1", "2", 2, "12v2"),
        (easy_harp("2C KS QH"), "1", "2", 2, "12v2"),
        # With one card of a run, the token would move the whole run: another gesture.
        (easy_harp("2C KS QH", hidden={1: 1}), "1", "2", 1, None),
        (eight_off("9H 8H", "TH"), "1", "2", 1, None),
        (eight_off("9H 8H", "TH"), "1", "2", 2, "12v2"),
        (eight_off("9H 8H"), "1", "a", 2, "1av2"),
        (eight_off("9H 8H"), "1", "h", 2, "1hv2"),
        (eight_off("9H"), "1", "1", 1, None),
        (eight_off("9H"), "2", "1", 1, None),
        (easy_harp(stock="AS"), "stock", "1", 1, None),
        (easy_harp("AS"), "1", "stock", 1, None),
    ],
)
def test_drop_means_the_action_between_the_two_places(
    position: Position, source: str, destination: str, cards: int, action: str | None
) -> None:
    assert drop(position, source, destination, cards) == action


def test_dropped_card_that_is_refused_says_which_rule_it_broke() -> None:
    position = easy_harp("8S 7H", "9H")
    action = drop(position, "1", "2", cards=2)
    assert action is not None
    assert position.refusal(action) == "group.one_at_a_time"


@pytest.mark.parametrize("gesture", [tap, double_tap])
def test_places_that_the_variant_has_not_are_errors(gesture) -> None:
    with pytest.raises(ValueError, match="no place"):
        gesture(start("EH1-N-AAAAAAF"), "a")
    with pytest.raises(ValueError, match="no place"):
        gesture(start("EO1-C8-AAAAAFA"), "stock")
