"""docs/rules.md, "Common to both": cards, deck and shuffle."""

import pytest

from games.engine import CARD_NAMES, card_index, card_name
from games.engine.cards import IS_RED, RANK, SUIT
from games.engine.shuffle import bounded, pcg32, shuffle, shuffled_deck


def test_card_index_is_13_times_suit_plus_rank() -> None:
    assert [card_index(name) for name in ("AS", "KS", "AH", "7H", "AD", "TC", "KC")] == [
        0, 12, 13, 19, 26, 48, 51,
    ]  # fmt: skip
    assert all(13 * SUIT[card] + RANK[card] == card for card in range(52))


def test_spades_and_clubs_are_black_hearts_and_diamonds_red() -> None:
    assert {CARD_NAMES[card][1] for card in range(52) if IS_RED[card]} == {"H", "D"}


def test_card_names_round_trip_over_all_cards() -> None:
    assert [card_index(card_name(card)) for card in range(52)] == list(range(52))
    assert len(set(CARD_NAMES)) == 52


@pytest.mark.parametrize("name", ["", "7", "H7", "7h", "10H", "1S", "7H ", "XX", "\uff17H"])
def test_other_texts_are_no_cards(name: str) -> None:
    with pytest.raises(ValueError, match="not a card"):
        card_index(name)


@pytest.mark.parametrize("index", [-1, 52])
def test_other_numbers_are_no_cards(index: int) -> None:
    with pytest.raises(ValueError, match="no card"):
        card_name(index)


def test_shuffle_is_that_of_the_pcg_demo() -> None:
    numbers = pcg32(initstate=42, initseq=54)
    assert [next(numbers) for _ in range(6)] == [
        0xA15C02B7, 0x7B47F409, 0xBA1D3330, 0x83D2F293, 0xBFA4784B, 0xCBED606E,
    ]  # fmt: skip
    coins = "".join("TH"[bounded(numbers, 2)] for _ in range(65))
    assert coins == "HHTTTHTHHHTHTTTHHHHHTTTHHHTHTHTHTTHTTTHHHHHHTTTTHHTTTTTHTTTTTTTHT"
    dice = [bounded(numbers, 6) + 1 for _ in range(33)]
    assert dice[:8] == [3, 4, 1, 1, 2, 2, 3, 2]
    deck = list(range(52))
    shuffle(deck, numbers)
    printed = " ".join("A23456789TJQK"[card // 4] + "hcds"[card % 4] for card in deck)
    assert printed.startswith("Qd Ks 6d 3s 3d 4c 3h Td Kc 5c")
    assert printed.endswith("Qc 7c Tc")


@pytest.mark.parametrize("size", [52, 104])
def test_every_card_is_in_the_shuffled_deck_once_or_twice(size: int) -> None:
    assert sorted(shuffled_deck(7, size)) == sorted(position % 52 for position in range(size))


def test_numbers_below_the_threshold_are_drawn_again() -> None:
    # 2 ** 32 mod 3 is 1: only 0 would make one remainder likelier than the others.
    assert bounded(iter([0, 0, 5]), 3) == 2
