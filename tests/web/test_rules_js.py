"""The rules of the web client against those of the service: the same answers to everything.

The vectors come first; after them the engine itself is what the module is compared with, along
games that are chosen at random but are the same each time.
"""

import json
import random
import re
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from games import engine
from games.engine import VARIANTS, CodeError, LimitError, Position, Refused, eight_off
from games.engine.movetext import well_formed_tokens
from games.engine.places import LETTERS
from games.engine.shuffle import pcg32, shuffle
from tests.games.engine.test_deals import BAD_CODES, GOOD_CODES
from tests.games.engine.test_movetext import BAD_TOKENS, LIMIT_CASES
from tests.games.engine.vectors import FC_SOLVE, LAYOUTS, WINS, WRONG_LOGS
from tests.web.node import node

Ask = Callable[[list[list[Any]]], list[Any]]

SLUGS = list(VARIANTS)
MALFORMED = ["D0", "U01", "35v", "35v1", "a3v2", "w3v2", "hh", "h93", "r", "35vD", "355", "é", ""]
TOKENS = [*well_formed_tokens(most_repeats=6), "D60", "U101", "D1", "U1"]


@pytest.fixture(scope="module")
def ask() -> Iterator[Ask]:
    """Return what answers a list of questions, each a name of rules_check.mjs and arguments."""
    script = Path(__file__).with_name("rules_check.mjs")
    with subprocess.Popen(
        [node(), str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None

        def ask(questions: list[list[Any]]) -> list[Any]:
            process.stdin.write(json.dumps(questions) + "\n")
            process.stdin.flush()
            answer = process.stdout.readline()
            assert answer, "the module threw what is no error of its own"
            return json.loads(answer)

        yield ask
        process.stdin.close()


# --- What the engine says -----------------------------------------------------------------------


def attempt(call: Callable[..., Any], *given: Any) -> Any:
    """Return what a call returns, or what it raises in the form of rules_check.mjs."""
    try:
        return call(*given)
    except (CodeError, LimitError, Refused) as error:
        return {"thrown": error.code}
    except ValueError:
        return {"thrown": "RangeError"}


def verdict(code: str, movetext: str) -> dict[str, Any]:
    found = engine.replay(code, movetext).as_dict()
    if found["refused"]:
        del found["refused"]["message"]
    return found


def state(position: Position, recycles: int) -> dict[str, Any]:
    return {
        "score": position.score,
        "ranked_score": position.ranked_score,
        "moves": position.moves,
        "undos": position.undos,
        "take_backs": position.take_backs,
        "foundation_cards": position.foundation_cards,
        "won": position.won,
        "undoable": position.undoable_actions,
        "recycles": recycles,
        "snapshot": position.as_dict(),
        "legal": position.legal_actions(),
    }


def played(code: str, tokens: list[str]) -> Position:
    position = engine.start(code)
    for token in tokens:
        position.apply(token)
    return position


def random_code(slug: str, chance: random.Random) -> str:
    return str(engine.DealCode(VARIANTS[slug], chance.randint(1, 999_999)))


def choose(position: Position, chance: random.Random) -> str:
    """Return a token, legal more often than not."""
    kind = chance.random()
    legal = position.legal_actions()
    if kind < 0.1:
        return chance.choice(["U", "U", "U2", "U5", "U20"])
    if kind < 0.25 and VARIANTS["easy-harp"] is position.variant:
        return chance.choice(["D", "D3", "D10", "D30", "R"])
    if kind < 0.4:
        return chance.choice(TOKENS)
    if kind < 0.43:
        return chance.choice(MALFORMED)
    # Take-backs would keep games from going on, if they were as likely as other actions.
    forward = [action for action in legal if not action.startswith("h")]
    return chance.choice(forward if forward and chance.random() < 0.9 else legal or ["U"])


def legal_walk(code: str, chance: random.Random, attempts: int) -> list[str]:
    """Return the legal ones of this many tokens; a deal may have no legal action at all."""
    position, tokens = engine.start(code), []
    for _ in range(attempts):
        token = choose(position, chance)
        if attempt(position.apply, token) is None:
            tokens.append(token)
    return tokens


def cut_wins(slug: str, chance: random.Random, count: int) -> Iterator[tuple[str, list[str]]]:
    """Yield codes and beginnings of real games, some nearly won."""
    wins = [win for win in WINS if engine.parse_code(win["code"]).variant.slug == slug]
    for win in chance.sample(wins, count):
        tokens = win["movetext"].split()
        yield win["code"], tokens[: chance.randrange(len(tokens))]


# --- Constants, codes, layouts ------------------------------------------------------------------


def test_constants_are_those_of_the_engine(ask: Ask) -> None:
    (constants,) = ask([["constants"]])
    assert constants["refusals"] == list(engine.REFUSALS)
    assert constants["code_errors"] == list(engine.CODE_ERRORS)
    assert constants["limit_errors"] == list(engine.LIMIT_ERRORS)
    assert constants["limits"] == [
        engine.MAX_ACTIONS,
        engine.MAX_LOG_BYTES,
        engine.MAX_NUMBER,
        engine.REMEMBERED_ACTIONS,
    ]


def test_variants_are_those_of_the_engine_in_their_order(ask: Ask) -> None:
    (constants,) = ask([["constants"]])
    names = [
        field.name
        for field in fields(engine.Variant)
        if field.name not in {"name", "lay_out", "judges"}
    ]
    expected = {
        slug: {camel_case(name): getattr(variant, name) for name in names}
        for slug, variant in VARIANTS.items()
    }
    assert json.dumps(constants["variants"]) == json.dumps(expected)


def camel_case(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)


def odd_codes() -> list[str]:
    chance = random.Random(1)
    written = [text for text, *_ in (*GOOD_CODES, *BAD_CODES)]
    written += ["", " ", "-", "--", "E-N-AAAAAAF", "EH1-N-AAAAAA\U0001f600", "EO1-C8-7777777"]
    written += ["eh1-n-aaaaaaf", "\u00a0EH1-N-AAAAAAF", "\x1cEH1-N-AAAAAAF", "EH1-N-AAAAAAF\x85"]
    written += ["EO1-C8-aaaaa\u0131f", "EO1-C8-AAAAA\u017ff", "EH1-N-\ud800AAAAAF", "\u00dfH1-N-A"]
    written += [
        "EH1-N-AAAAAAF\n",
        "\v\f\r\n\t EH1-N-AAAAAAF \t",
        "EH1 -N-AAAAAAF",
        "EH11-N-AAAAAAF",
    ]
    written += [
        "EH2-C8-AAAAAAF",
        "EO1-N-AAAAAAF",
        "EH1-C8-AAAAAAF",
        "EO-C8-AAAAAAF",
        "EO1--AAAAAAF",
    ]
    for _ in range(400):
        text = list(random_code(chance.choice(SLUGS), chance))
        for _ in range(chance.randint(0, 3)):
            place = chance.randrange(len(text))
            text[place] = chance.choice([*"AaZz0123478- \t-ehoEHOnNcC\u0131\u212a", "", "AA"])
        written.append("".join(text))
    return written


def test_codes_are_read_as_the_engine_reads_them(ask: Ask) -> None:
    def parsed(text: str) -> list[Any]:
        code = engine.parse_code(text)
        return [code.variant.slug, code.number, str(code)]

    texts = odd_codes()
    expected = [attempt(parsed, text) for text in texts]
    thrown = {answer["thrown"] for answer in expected if isinstance(answer, dict)}
    assert thrown == set(engine.CODE_ERRORS)
    for text, found, wanted in zip(
        texts, ask([["parse", text] for text in texts]), expected, strict=True
    ):
        assert found == wanted, repr(text)


def test_codes_are_written_as_the_engine_writes_them(ask: Ask) -> None:
    chance = random.Random(2)
    numbers = [1, 31, 32, 1023, 1024, 999_999, *(chance.randint(1, 999_999) for _ in range(50))]
    wrong = [0, -1, 1_000_000, 2**32 + 1, 1.5]
    for slug, variant in VARIANTS.items():
        found = ask([["code", slug, number] for number in (*numbers, *wrong)])
        written = [str(engine.DealCode(variant, number)) for number in numbers]
        assert found == [*written, *([{"thrown": "code.range"}] * len(wrong))]


def test_layouts_are_dealt_as_written_in_the_vectors(ask: Ask) -> None:
    found = ask([["layout", code] for code in LAYOUTS])
    assert json.dumps(found) == json.dumps(list(LAYOUTS.values()))


def test_layouts_of_other_deals_are_those_of_the_engine(ask: Ask) -> None:
    chance = random.Random(3)
    codes = [random_code(slug, chance) for slug in SLUGS for _ in range(60)]
    codes += [str(engine.DealCode(VARIANTS[slug], n)) for slug in SLUGS for n in (1, 999_999)]
    found = ask([["layout", code] for code in codes])
    assert json.dumps(found) == json.dumps([engine.deal(code).as_dict() for code in codes])
    assert ask([["layout", "EH1-N-AAAAAAA"]]) == [{"thrown": "code.range"}]


# --- Logs ---------------------------------------------------------------------------------------


def test_vectors_get_their_verdicts(ask: Ask) -> None:
    logs = [(log["code"], log["movetext"]) for log in (*WINS, *FC_SOLVE)]
    found = ask([["replay", *log] for log in logs])
    assert found == [verdict(*log) for log in logs]
    for win, answer in zip(WINS, found, strict=False):
        assert (answer["legal"], answer["won"]) == (True, True)
        assert [str(answer[name]) for name in ("score", "ranked_score", "moves")] == [
            win["score"],
            win["ranked_score"],
            win["moves"],
        ]
    wrong = [["replay", log["verdict"]["code"], log["movetext"]] for log in WRONG_LOGS]
    assert json.dumps(ask(wrong)) == json.dumps([log["verdict"] for log in WRONG_LOGS])


def odd_logs() -> list[str]:
    """Return texts that are hard to read rather than to play."""
    surroundings = ["D {} 3h", "{}", "D2 35 U {}"]
    logs = [text.format(bad) for bad, _ in BAD_TOKENS for text in surroundings]
    logs += [text for text, _ in LIMIT_CASES]
    logs += [
        f"D{space}D2{space}U" for space in [*" \n\r\t\v\f\x1c\x1d\x1e\x1f\x85\xa0\u2003\ufeff"]
    ]
    logs += [" ", "\n\t", "D\U0001f600" * 40, "\U0001f600\ud800é\x7f~! D"[::-1], "x" * 33]
    logs += ["D1 D3 D01", "D59 D", "D60", "D58 D5", "D59 R R", "U", "D3 U4", "D3 U4 D", "w1", "1w"]
    logs += ["D20000", "D19999 U", "U20000", "D 3h " * 10_000, "x " * 20_000, "D" * 65_536]
    logs += ["\ud800" * 21_845 + "D", "\ud800" * 21_845 + "DD", "é" * 32_768, "\U0001f600" * 16_385]
    logs += ["\U0001f600" * 16_384, "D20000 " + " " * 65_529, "D20000 " + " " * 65_530]
    # A hundred actions and more, taken back and played again.
    logs += ["D50 U30 D39 R D40 U101", "D59 R D59 R D30 U100 U", "D59 R D59 U60 D45 U100 U5 D"]
    return logs


@pytest.mark.slow
@pytest.mark.parametrize("code", ["EH1-N-AAAAAAF", "EO1-C8-AAAAAAF", "EO1-C2-AAAAAAF"])
def test_odd_logs_get_the_verdict_or_error_of_the_engine(ask: Ask, code: str) -> None:
    logs = odd_logs()
    found = ask([["replay", code, log] for log in logs])
    for log, answer in zip(logs, found, strict=True):
        assert answer == attempt(verdict, code, log), ascii(log[:60])
    texts = ask([["canonical", code, log] for log in logs])
    for log, text in zip(logs, texts, strict=True):
        assert text == attempt(engine.canonical, code, log), ascii(log[:60])


def test_a_bad_code_is_an_error_before_the_log_is_read(ask: Ask) -> None:
    for name in ("replay", "canonical", "steps"):
        assert ask([[name, "EX1-N-AAAAAAF", "D20001"]]) == [{"thrown": "code.unknown_game"}]
    assert ask([["steps", "EH1-N-AAAAAAF", "D20001"]]) == [{"thrown": "log.too_many_actions"}]


@pytest.mark.slow
def test_canonical_text_of_legal_logs_is_that_of_the_engine(ask: Ask) -> None:
    chance = random.Random(4)
    logs = [(win["code"], win["movetext"]) for win in WINS[::4]]
    logs += [(code, " ".join(tokens)) for s in SLUGS for code, tokens in cut_wins(s, chance, 6)]
    for slug in SLUGS:
        for _ in range(6):
            code = random_code(slug, chance)
            logs.append((code, "\n ".join(legal_walk(code, chance, 60))))
    # Without the counts in groups, which only the board can give back.
    logs += [(code, re.sub("v.", "", text)) for code, text in logs]
    for (code, text), found in zip(logs, ask([["canonical", *log] for log in logs]), strict=True):
        assert found == engine.canonical(code, text)
        assert found == attempt(engine.canonical, code, found)


def test_movetext_is_formatted_as_the_engine_formats_it(ask: Ask) -> None:
    chance = random.Random(5)
    lists = [chance.choices([*TOKENS[:20], *TOKENS, "D0", "é"], k=30) for _ in range(60)]
    lists += [["D1", "D2", "U", "U3", "D0", "D", "D"], []]
    expected = [engine.format_movetext(engine.parse_movetext(" ".join(some))) for some in lists]
    assert ask([["format", tokens] for tokens in lists]) == expected
    # Appending one by one is the same, down to the numbers of two digits and more.
    singles = [chance.choices(["D", "D3", "U", "U9", "R", "35v4", "ah"], k=80) for _ in range(40)]
    expected = [engine.format_movetext(engine.parse_movetext(" ".join(some))) for some in singles]
    assert ask([["append", tokens] for tokens in singles]) == expected


# --- Play ---------------------------------------------------------------------------------------


class Follower:
    """Tracks what the engine does not record: the places of each change, recycles."""

    def __init__(self) -> None:
        self.in_effect: list[tuple[str, str]] = []

    @property
    def recycles(self) -> int:
        return sum(places == ("w", "stock") for places in self.in_effect)

    def follow(self, step: engine.Step, before: engine.Snapshot) -> list[str | None]:
        """Return source and destination of a step; none for several undos."""
        letter = step.action[0]
        if letter == "U":
            undone = [self.in_effect.pop() for _ in range(step.actions)]
            return list(undone[0][::-1]) if step.actions == 1 else [None, None]
        if letter == "D":
            self.in_effect += [("stock", "w")] * step.actions
        elif letter == "R":
            self.in_effect.append(("w", "stock"))
        else:
            move = step.action.partition("v")[0]
            source, destination = move[:-1], move[-1]
            if destination == "h":
                tops = zip(before.foundations, step.position.foundations, strict=True)
                place = next(place for place, (old, new) in enumerate(tops, 1) if old != new)
                destination = f"h{place}"
            self.in_effect.append((source, destination))
        return list(self.in_effect[-1])


def expected_change(step: engine.Step, places: list[str | None]) -> dict[str, Any]:
    cards = list(step.cards)
    if places == ["w", "stock"] and step.action == "R":
        cards = list(step.position.stock[::-1])
    elif places == ["stock", "w"] and step.action == "U":
        cards = list(step.position.waste)
    return {
        "action": step.action,
        "source": places[0],
        "destination": places[1],
        "cards": cards,
        "points": step.points,
        "turnedUp": step.turned_up,
        "undo": step.action.startswith("U"),
        "actions": step.actions,
    }


def check_walk(code: str, tokens: list[str], answers: list[Any]) -> None:
    """Compare the answers to `walk` with the engine: every change, every state."""
    follower = Follower()
    position = engine.start(code)
    legal = [t for t in tokens if attempt(position.apply, t) is None]
    steps = engine.steps(code, " ".join(legal), joined=True)
    position = engine.start(code)
    assert answers[0] == state(position, 0)
    for token, answer in zip(tokens, answers[1:], strict=True):
        before = position.snapshot()
        refused = attempt(position.apply, token)
        if refused is None:
            step = next(steps)
            expected = expected_change(step, follower.follow(step, before))
        else:
            expected = refused
        assert answer["change"] == expected, token
        assert answer["consistent"], token
        assert answer["state"] == state(position, follower.recycles), token


@pytest.mark.slow
@pytest.mark.parametrize("slug", SLUGS)
def test_random_games_go_as_in_the_engine(ask: Ask, slug: str) -> None:
    chance = random.Random(f"games of {slug}")
    for _ in range(6):
        code = random_code(slug, chance)
        position, tokens = engine.start(code), []
        for _ in range(110):
            tokens.append(choose(position, chance))
            attempt(position.apply, tokens[-1])
        check_walk(code, tokens, ask([["walk", code, tokens]])[0])


@pytest.mark.slow
@pytest.mark.parametrize("slug", SLUGS)
def test_real_games_go_as_in_the_engine_to_the_win_and_after_it(ask: Ask, slug: str) -> None:
    chance = random.Random(f"wins of {slug}")
    wins = [win for win in WINS if engine.parse_code(win["code"]).variant.slug == slug]
    after = ["U", "D", "R", "1h", "h11", "zz", "D0", "9a", "35v1"]
    for win in chance.sample(wins, 3):
        tokens = [*win["movetext"].split(), *after]
        check_walk(win["code"], tokens, ask([["walk", win["code"], tokens]])[0])


@pytest.mark.parametrize("slug", SLUGS)
def test_undo_reaches_as_far_as_in_the_engine(ask: Ask, slug: str) -> None:
    chance = random.Random(f"undo in {slug}")
    wins = [win for win in WINS if engine.parse_code(win["code"]).variant.slug == slug]
    win = max(wins, key=lambda win: int(win["moves"]))
    tokens = win["movetext"].split()[:-2]
    tokens += ["U200", "U101", "U40", "U61", "U60", "U", *(["U", "D3", "U2"] * 5), "U300"]
    for _ in range(30):
        tokens += [chance.choice(["U", "U3", "U30", "D", "D7", "R", "1h", "2h", "h14"])]
    check_walk(win["code"], tokens, ask([["walk", win["code"], tokens]])[0])


@pytest.mark.parametrize("slug", SLUGS)
def test_every_token_is_judged_as_in_the_engine(ask: Ask, slug: str) -> None:
    chance = random.Random(f"tokens of {slug}")
    tokens = [*well_formed_tokens(most_repeats=2), *(bad for bad, _ in BAD_TOKENS), *MALFORMED]
    tokens += [" D", "D ", "D\n", "35v2\n", "D3 w3", "D" + "9" * 400, "U" + "9" * 400]
    for code, beginning in cut_wins(slug, chance, 4):
        position = played(code, beginning)
        found = ask([["refusals", code, beginning, tokens]])[0]
        assert found == [position.refusal(token) for token in tokens]


@pytest.mark.parametrize("slug", SLUGS)
def test_copies_are_independent(ask: Ask, slug: str) -> None:
    chance = random.Random(f"copies in {slug}")
    for code, tokens in cut_wins(slug, chance, 5):
        legal = played(code, tokens).legal_actions()
        for token in (chance.choice(legal), "U") if tokens else legal[:1]:
            assert ask([["copies", code, tokens, token]]) == [True]


@pytest.mark.parametrize("slug", SLUGS)
def test_ids_tell_every_card_apart_and_name_it(ask: Ask, slug: str) -> None:
    chance = random.Random(f"ids in {slug}")
    variant = VARIANTS[slug]
    places = [letters for number, letters in enumerate(LETTERS[:-1]) if variant.has_place(number)]
    for code, tokens in cut_wins(slug, chance, 8):
        position = played(code, tokens)
        (answer,) = ask([["ids", code, tokens]])
        assert answer["complete"] == variant.deck_size
        assert answer["piles"] == {place: list(position.cards_at(place)) for place in places}
        assert list(answer["piles"]) == places
        assert answer["cards"] == [[n % 13, n % 52 // 13] for n in range(variant.deck_size)]
        assert answer["face_down"] == [position.face_down_at(place) for place in places]
        assert answer["runs"] == [longest_run(position, place) for place in places]


def longest_run(position: Position, place: str) -> int:
    cards = [engine.card_index(name) for name in position.cards_at(place)]
    if not cards or place not in "123456789":
        return min(len(cards), 1)
    if not position.variant.has_stock:
        return eight_off.run_length(cards)
    face_up = cards[position.face_down_at(place) :]
    return len(face_up) if face_up[0] % 13 == 12 else 1


@pytest.mark.parametrize("slug", SLUGS)
def test_ids_are_positions_in_the_deck_before_the_shuffle(ask: Ask, slug: str) -> None:
    variant = VARIANTS[slug]
    deck = list(range(variant.deck_size))
    shuffle(deck, pcg32(5, variant.deck_size))
    setup = variant.lay_out(deck)
    expected = [*setup.columns, *([card] for card in setup.cells if card is not None)]
    (found,) = ask([["deal_ids", str(engine.DealCode(variant, 5))]])
    assert [pile for pile in found if pile] == [
        pile for pile in (*expected, setup.stock[::-1]) if pile
    ]


# --- Gestures -----------------------------------------------------------------------------------


def expected_gestures(position: Position, places: list[str], most: int) -> list[Any]:
    # The engine asks for the legal actions at each gesture, and here they stay the same.
    legal = position.legal_actions()
    position.legal_actions = lambda: legal  # type: ignore[method-assign]
    answers = []
    for place in places:
        answers.append(attempt(engine.tap, position, place))
        for cards in range(most + 1):
            answers.append(attempt(engine.double_tap, position, place, cards))
            answers += [attempt(engine.drop, position, place, to, cards) for to in places]
    return answers


@pytest.mark.slow
@pytest.mark.parametrize("slug", SLUGS)
def test_gestures_mean_what_they_mean_in_the_engine(ask: Ask, slug: str) -> None:
    chance = random.Random(f"gestures in {slug}")
    variant = VARIANTS[slug]
    places = [letters for number, letters in enumerate(LETTERS) if variant.has_place(number)]
    games = [*cut_wins(slug, chance, 14)]
    for _ in range(8):
        code = random_code(slug, chance)
        games.append((code, legal_walk(code, chance, chance.randint(0, 70))))
    tokens = set()
    for code, beginning in games:
        position = played(code, beginning)
        longest = max(longest_run(position, place) for place in places if place != "h")
        most = max(longest + 1, 3)
        found = ask([["gestures", code, beginning, places, most]])[0]
        assert found == expected_gestures(position, places, most), (code, beginning)
        tokens |= {token for token in found if isinstance(token, str)}
    assert any("v" in token for token in tokens)


@pytest.mark.parametrize("slug", SLUGS)
def test_gestures_know_no_other_places(ask: Ask, slug: str) -> None:
    places = [*LETTERS, "", "x", "zz", "h9", "10", "0", "U", "D", "hh", "waste", "stock "]
    code = str(engine.DealCode(VARIANTS[slug], 5))
    found = ask([["gestures", code, [], places, 2]])[0]
    assert found == expected_gestures(engine.start(code), places, 2)
    assert {"thrown": "RangeError"} in found


# --- The replay viewer --------------------------------------------------------------------------


def logs_to_step(chance: random.Random) -> list[tuple[str, str]]:
    logs = []
    for slug in SLUGS:
        for code, tokens in cut_wins(slug, chance, 3):
            logs += [(code, " ".join(tokens)), (code, " ".join([*tokens, "D70", "U"]))]
            logs.append((code, " ".join([*tokens, "U300"])))
        code = random_code(slug, chance)
        logs.append((code, " ".join([*legal_walk(code, chance, 70), "h11 U"])))
    return [*logs, ("EH1-N-AAAAAAF", ""), ("EH1-N-AAAAAAF", "é"), ("EH1-N-AAAAAAF", "D59 R D59 R")]


@pytest.mark.slow
def test_replay_takes_a_log_apart_as_the_engine_does(ask: Ask) -> None:
    for code, movetext in logs_to_step(random.Random(6)):
        steps = list(engine.steps(code, movetext))
        refused = None
        if steps and steps[-1].refusal:
            refused = steps.pop().refusal.as_dict()
            del refused["message"]
        (found,) = ask([["steps", code, movetext]])
        assert found["refused"] == refused
        assert found["actions"] == [[step.token, step.action] for step in steps]
        assert found["outside"] == [{"thrown": "RangeError"}] * 2
        follower, before = Follower(), engine.start(code).snapshot()
        for step, change in zip(steps, found["changes"], strict=True):
            assert change == expected_change(step, follower.follow(step, before))
            before = step.position


@pytest.mark.slow
def test_replay_jumps_to_any_position(ask: Ask) -> None:
    chance = random.Random(7)
    for code, movetext in logs_to_step(chance):
        actions = [step.action for step in engine.steps(code, movetext) if not step.refusal]
        numbers = {0, len(actions), *range(62, min(len(actions), 67))}
        numbers |= {chance.randint(0, len(actions)) for _ in range(5)}
        jumps = chance.sample(sorted(numbers), len(numbers))
        found = ask([["positions", code, movetext, jumps]])[0]
        for number, answer in zip(jumps, found, strict=True):
            follower, before = Follower(), engine.start(code).snapshot()
            for step in engine.steps(code, " ".join(actions[:number])):
                follower.follow(step, before)
                before = step.position
            assert answer == state(played(code, actions[:number]), follower.recycles)
