"""Interactive play through checked actions only."""

import pytest

from games.engine import Action, CodeError, Refused, apply, start
from games.engine.movetext import draw
from games.engine.places import COLUMN, STOCK, WASTE

from .tables import assert_refused, easy_harp, state

DEAL = "EH1-N-AAAAAAF"


def test_start_is_the_layout_of_the_deal() -> None:
    shown = start(DEAL).as_dict()
    assert shown["columns"][0] == ["6D"]
    assert shown["face_down"] == list(range(9))
    assert (len(shown["stock"]), shown["waste"]) == (59, [])
    assert shown["cells"] == []
    assert shown["foundations"] == [None] * 8


def test_start_of_no_deal_is_an_error() -> None:
    with pytest.raises(CodeError):
        start("EH1")


def test_apply_takes_text_or_a_parsed_action() -> None:
    by_text, by_action, by_function = start(DEAL), start(DEAL), start(DEAL)
    by_text.apply("D2")
    by_action.apply(draw(2))
    apply(by_function, "D2")
    assert state(by_text) == state(by_action) == state(by_function)


@pytest.mark.parametrize(
    "action",
    [Action(STOCK, WASTE, -1), Action(STOCK, WASTE, 0), Action(COLUMN, COLUMN + 1, -3)],
)
def test_actions_made_by_hand_are_checked_like_text(action: Action) -> None:
    position = start(DEAL)
    before = state(position)
    with pytest.raises(Refused):
        position.apply(action)
    assert state(position) == before


@pytest.mark.parametrize("token", ["", " ", "D D", "foo", "D0", "35v1"])
def test_apply_refuses_what_is_not_one_token(token: str) -> None:
    with pytest.raises(Refused) as raised:
        start(DEAL).apply(token)
    assert raised.value.code.startswith("notation.")


def test_counts_are_played_whole_or_not_at_all() -> None:
    position = start(DEAL)
    position.apply("D57")
    assert_refused(position, "D3", "stock.empty")
    assert_refused(position, "U58", "undo.nothing")


def test_copy_is_independent() -> None:
    position = start(DEAL)
    position.apply("D3")
    copy = position.copy()
    copy.apply("U3")
    copy.apply("D")
    assert position.cards_at("w") != copy.cards_at("w")
    assert position.undoable_actions == 3
    position.apply("U3")
    assert state(position) == state(start(DEAL))


def test_group_is_listed_once_with_its_number_of_cards() -> None:
    legal = easy_harp("2C KS QH JS", "TD", hidden={1: 1}).legal_actions()
    assert "13v3" in legal
    assert [action for action in legal if action.startswith("13")] == ["13v3"]
    assert "21" in legal


@pytest.mark.parametrize("place", ["a", "h", "h9", "0", "", "x", "memory"])
def test_other_places_have_no_cards_to_show(place: str) -> None:
    with pytest.raises(ValueError, match="no place"):
        start(DEAL).cards_at(place)


def test_the_stock_is_face_down_and_the_waste_is_not() -> None:
    position = start(DEAL)
    position.apply("D4")
    assert (position.face_down_at("stock"), position.face_down_at("w")) == (55, 0)
    assert position.face_down_at("9") == 8
