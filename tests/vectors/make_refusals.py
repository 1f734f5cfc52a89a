"""Write refusals.json: for each variant and refusal code the shortest wrong log that was found.

`python -m tests.vectors.make_refusals` from the root of the checkout. Positions come from
the logs of wins.tsv and from random play with a fixed seed, so that the same file comes out.
"""

import csv
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path

from games.engine import VARIANTS, DealCode, Position, parse_code, replay, start
from games.engine.movetext import well_formed_tokens

HERE = Path(__file__).parent
ODD_TOKENS = ["hello", "3H", "hh", "D0", "U01", "35v1", "w3v2", "DU"]
OTHER_TOKENS = [*ODD_TOKENS, *well_formed_tokens(most_repeats=1), "D60", "U101"]


def main() -> None:
    """Search, and write what was found."""
    found: dict[tuple[str, str], tuple[str, str]] = {}
    for code, tokens in [*winning_logs(), *made_logs(), *random_logs()]:
        slug = code.variant.slug
        position = start(code)
        for length, played in enumerate([*tokens, None]):
            try_all(position, slug, code, tokens[:length], found)
            if played is not None:
                position.apply(played)
    vectors = []
    for (slug, refused), (deal, movetext) in sorted(
        found.items(), key=lambda item: (list(VARIANTS).index(item[0][0]), item[0][1])
    ):
        verdict = replay(deal, movetext).as_dict()
        if verdict["refused"]["code"] != refused:
            raise SystemExit(f"{slug}: {refused} is not what a replay says of {movetext}")
        del verdict["refused"]["message"]
        vectors.append(
            {"variant": slug, "refusal": refused, "movetext": movetext, "verdict": verdict}
        )
    lines = ",\n".join(json.dumps(vector) for vector in vectors)
    (HERE / "refusals.json").write_text(f"[\n{lines}\n]\n")
    sys.stdout.write(f"{len(vectors)} wrong logs\n")


def try_all(
    position: Position,
    slug: str,
    code: DealCode,
    tokens: list[str],
    found: dict[tuple[str, str], tuple[str, str]],
) -> None:
    """Keep each token that the position refuses with a code not seen in a shorter log."""
    for token in OTHER_TOKENS:
        movetext = " ".join([*tokens, token])
        refused = position.refusal(token)
        if refused and len(movetext) < len(found.get((slug, refused), ("", " " * 99_999))[1]):
            found[slug, refused] = str(code), movetext


def read_wins() -> dict[str, list[tuple[DealCode, list[str]]]]:
    """Return the winning logs of each variant, shortest first."""
    by_variant: dict[str, list[tuple[DealCode, list[str]]]] = {slug: [] for slug in VARIANTS}
    with (HERE / "wins.tsv").open() as rows:
        for row in csv.DictReader(rows, delimiter="\t"):
            code = parse_code(row["code"])
            by_variant[code.variant.slug].append((code, row["movetext"].split()))
    for logs in by_variant.values():
        logs.sort(key=lambda log: len(" ".join(log[1])))
    return by_variant


def winning_logs() -> list[tuple[DealCode, list[str]]]:
    """Return the shortest winning logs of each variant, one with a group in it."""
    chosen = []
    for logs in read_wins().values():
        chosen += [logs[0], *[log for log in logs if "v" in " ".join(log[1])][:1]]
    return chosen


def without_stock(log: tuple[DealCode, list[str]]) -> tuple[DealCode, list[str]] | None:
    """Return a winning log up to where stock and waste are empty, if that is before its end."""
    code, tokens = log
    position = start(code)
    for length, played in enumerate(tokens, 1):
        position.apply(played)
        if not position.won and not position.cards_at("stock") and not position.cards_at("w"):
            return code, tokens[:length]
    return None


def made_logs() -> Iterator[tuple[DealCode, list[str]]]:
    """Yield games for two rules: undo is limited, stock and waste can both be empty."""
    yield DealCode(VARIANTS["easy-harp"], 5), ["D59", "R", "D59"]
    yield next(filter(None, map(without_stock, read_wins()["easy-harp"])))
    for code, tokens in winning_logs():
        position = start(code)
        for length, played in enumerate(tokens):
            cells = [a for a in position.legal_actions() if set(a) <= set("abcdefgk")]
            if cells:
                there, back = cells[0], cells[0][::-1]
                yield code, [*tokens[:length], *[there, back] * 51]
                break
            position.apply(played)


def random_logs() -> Iterator[tuple[DealCode, list[str]]]:
    """Yield short random games of the variants of Eight Off, cells filled first."""
    chance = random.Random(8)
    for slug in ("eight-off", "eight-off-4", "eight-off-2"):
        for number in range(1, 25):
            position = start(DealCode(VARIANTS[slug], number))
            tokens: list[str] = []
            while len(tokens) < 40:
                legal = [action for action in position.legal_actions() if "h" not in action]
                if not legal:
                    break
                tokens.append(chance.choice(legal))
                position.apply(tokens[-1])
            yield position.code, tokens


if __name__ == "__main__":
    main()
