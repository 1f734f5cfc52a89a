"""What holds for every game that can be played."""

import gc
import sys
from itertools import pairwise
from types import FrameType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine import (
    CODE_ERRORS,
    LIMIT_ERRORS,
    MAX_NUMBER,
    MIN_NUMBER,
    REFUSALS,
    VARIANTS,
    CodeError,
    DealCode,
    LimitError,
    Position,
    Refused,
    canonical,
    replay,
    start,
    steps,
)
from games.engine.movetext import well_formed_tokens

from .tables import all_cards, state
from .vectors import WINS

CODES = st.builds(
    DealCode, st.sampled_from(list(VARIANTS.values())), st.integers(MIN_NUMBER, MAX_NUMBER)
)

# Numbers that choose among what is legal; now and then an undo instead.
CHOICES = st.lists(st.integers(0, 1_000_000), max_size=60)


def choose(position: Position, choice: int) -> str | None:
    """Return a legal action, undo included, or None without one."""
    legal = position.legal_actions()
    # A draw is as likely as everything else together, or games would hardly begin.
    if "D" in legal and choice % 3 == 0:
        return "D"
    if position.undoable_actions and (choice % 5 == 0 or not legal):
        return "U"
    return legal[choice // 15 % len(legal)] if legal else None


def play(code: DealCode, choices: list[int]) -> tuple[Position, list[str]]:
    position, played = start(code), []
    for choice in choices:
        action = choose(position, choice)
        if action is None:
            break
        position.apply(action)
        played.append(action)
    return position, played


@given(CODES, CHOICES)
def test_cards_are_conserved_after_every_action(code: DealCode, choices: list[int]) -> None:
    position = start(code)
    everything = all_cards(position)
    assert len(everything) == code.variant.deck_size
    for choice in choices:
        action = choose(position, choice)
        if action is None:
            break
        position.apply(action)
        assert all_cards(position) == everything
        assert position.score >= position.ranked_score >= 0
        assert position.ranked_score <= code.variant.max_ranked_score
        cells = "abcdefgk"[: code.variant.cells]
        assert all(len(position.cards_at(cell)) <= 1 for cell in cells)


@given(CODES, CHOICES)
def test_undo_restores_every_position_exactly(code: DealCode, choices: list[int]) -> None:
    position = start(code)
    passed = [state(position)]
    for choice in choices:
        legal = position.legal_actions()
        if not legal:
            break
        position.apply(legal[choice % len(legal)])
        passed.append(state(position))
    moves = position.moves
    while len(passed) > 1:
        assert state(position) == passed.pop()
        position.apply("U")
    assert state(position) == passed[0]
    assert (position.moves, position.undos) == (moves, moves)


@given(CODES, CHOICES)
def test_position_steps_and_replay_agree(code: DealCode, choices: list[int]) -> None:
    position, played = play(code, choices)
    verdict = replay(code, " ".join(played))
    assert verdict.legal
    assert verdict.actions == len(played)
    names = ("score", "ranked_score", "moves", "undos", "take_backs", "foundation_cards", "won")
    for name in names:
        assert getattr(verdict, name) == getattr(position, name)
    for step in steps(code, " ".join(played)):
        assert step.refusal is None
    if played:
        assert step.position == position.snapshot()
        assert [getattr(step, name) for name in names] == [getattr(position, n) for n in names]


@given(CODES, CHOICES)
def test_canonical_text_replays_to_the_same_verdict(code: DealCode, choices: list[int]) -> None:
    _, played = play(code, choices)
    text = canonical(code, " ".join(played))
    assert canonical(code, text) == text
    assert replay(code, text) == replay(code, " ".join(played))


@given(CODES, CHOICES)
def test_face_up_cards_of_an_easy_harp_column_are_one_run(
    code: DealCode, choices: list[int]
) -> None:
    position, _ = play(DealCode(VARIANTS["easy-harp"], code.number), choices)
    for column in "123456789":
        up = position.cards_at(column)[position.face_down_at(column) :]
        assert up or not position.cards_at(column)
        for below, card in pairwise(up):
            assert "A23456789TJQK".index(below[0]) == "A23456789TJQK".index(card[0]) + 1
            assert (below[1] in "HD") != (card[1] in "HD")


@given(CODES, CHOICES, st.sampled_from(list(well_formed_tokens(most_repeats=60))))
def test_refused_action_leaves_the_position_as_it_was(
    code: DealCode, choices: list[int], token: str
) -> None:
    position, _ = play(code, choices)
    before = (state(position), position.moves, position.undos, position.undoable_actions)
    expected, refused = position.refusal(token), None
    try:
        position.apply(token)
    except Refused as raised:
        refused = raised.code
    assert refused == expected
    after = (state(position), position.moves, position.undos, position.undoable_actions)
    assert (after == before) == (refused is not None)


@pytest.mark.slow
@given(CODES, CHOICES)
def test_legal_actions_are_all_that_is_accepted(code: DealCode, choices: list[int]) -> None:
    position, _ = play(code, choices)
    legal = position.legal_actions()
    accepted = set()
    for token in well_formed_tokens(most_repeats=1):
        if token != "U" and "v" not in token and position.refusal(token) is None:
            accepted.add(token)
    assert {action.partition("v")[0] for action in legal} == accepted
    assert len(legal) == len(accepted)
    assert all(position.refusal(action) is None for action in legal)


LOGS = st.lists(
    st.sampled_from(
        [*well_formed_tokens(most_repeats=4), *["D", "U", "U2", "D7"] * 300, "D60", "U99", "x"]
    ),
    max_size=50,
)


@given(CODES, LOGS)
def test_good_prefix_of_a_log_replays_to_the_same_verdict(
    code: DealCode, tokens: list[str]
) -> None:
    text = " ".join(tokens)
    verdict = replay(code, text)
    single = [step.action for step in steps(code, text) if step.refusal is None]
    prefix = replay(code, " ".join(single))
    assert prefix.legal
    assert len(single) == verdict.actions == prefix.actions
    without_refusal = {**verdict.as_dict(), "refused": None, "legal": True}
    assert prefix.as_dict() == without_refusal
    if verdict.refused:
        assert verdict.refused.index == verdict.actions
        again = replay(code, " ".join([*single, verdict.refused.action])).refused
        assert again is not None
        assert again.code == verdict.refused.code


@given(st.text(), st.text())
def test_any_text_at_all_gives_a_verdict_or_the_documented_error(code: str, movetext: str) -> None:
    for deal_code in (code, "EO1-C4-AAAAAFA"):
        answer = None
        try:
            answer = replay(deal_code, movetext).refused
        except (CodeError, LimitError) as error:
            assert error.message == {**CODE_ERRORS, **LIMIT_ERRORS}[error.code]  # noqa: PT017
        assert answer is None or answer.code in REFUSALS


TOKEN_LIKE = st.text(alphabet="123456789abcdefgkhwvDRU 0x\n\u00a0", max_size=80)


@given(CODES, TOKEN_LIKE)
def test_any_text_like_movetext_gives_a_verdict(code: DealCode, movetext: str) -> None:
    try:
        verdict = replay(code, movetext)
    except LimitError:
        # A number like D99999 is over the limit in any context.
        assert any(len(token) > 5 for token in movetext.split())
    else:
        assert verdict.legal == (verdict.refused is None)


def count_calls(code: str, movetext: str) -> int:
    """Return how many functions, written in C or Python, a replay calls."""
    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}

    # A collection may call hooks of other libraries.
    gc.disable()
    sys.setprofile(count)
    try:
        replay(code, movetext)
    finally:
        sys.setprofile(None)
        gc.enable()
    return calls


@pytest.mark.parametrize(
    ("code", "before", "cycle"),
    [
        ("EH1-N-AAAAAAF", "", "D D U D U U"),
        ("EH1-N-AAAAAAF", "D59", "R D59 U30 D30"),
        ("EO1-C8-AAAAAFA", "", "ae ea U ea ae U3"),
        ("EO1-C8-AAAAAFA", "ae ea " * 60, "ae ea U ea ae U3 ae ea"),
    ],
)
def test_cost_of_an_action_does_not_grow_with_the_log(code: str, before: str, cycle: str) -> None:
    assert replay(code, " ".join([before, *[cycle] * 3])).legal
    none, some, many = (
        count_calls(code, " ".join([before, *[cycle] * repeats])) for repeats in (20, 60, 100)
    )
    # Equal additions to the log cost equal additions of work.
    assert many - some == some - none > 0


def test_memory_of_a_game_is_bounded() -> None:
    position = start("EO1-C8-AAAAAFA")
    for _ in range(500):
        position.apply("ae")
        position.apply("ea")
    assert len(position._table.history) == 100


def test_real_logs_are_legal_action_by_action() -> None:
    for log in WINS[::30]:
        position = start(log["code"])
        for token in log["movetext"].split():
            if token[0] not in "DU":
                assert token in position.legal_actions()
            position.apply(token)
        assert position.won
