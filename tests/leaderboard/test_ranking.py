"""The rank key: docs/contract.md, "Rank key"."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import engine
from leaderboard.rules import ranking
from leaderboard.rules.ranking import RankKey

keys = st.builds(
    RankKey,
    won=st.booleans(),
    ranked_score=st.integers(0, ranking.MAX_RANKED_SCORE),
    moves=st.integers(0, ranking.MAX_MOVES),
    seconds=st.integers(0, ranking.MAX_SECONDS),
)

BEST_FIRST = [
    RankKey(won=True, ranked_score=1515, moves=700, seconds=900),
    RankKey(won=True, ranked_score=1240, moves=700, seconds=60),
    RankKey(won=True, ranked_score=1240, moves=700, seconds=61),
    RankKey(won=True, ranked_score=1240, moves=701, seconds=1),
    RankKey(won=True, ranked_score=520, moves=1, seconds=1),
    RankKey(won=False, ranked_score=1500, moves=1, seconds=1),
    RankKey(won=False, ranked_score=1, moves=20_000, seconds=ranking.MAX_SECONDS),
    RankKey(won=False, ranked_score=0, moves=0, seconds=0),
    RankKey(won=False, ranked_score=0, moves=20_000, seconds=ranking.MAX_SECONDS),
]


@pytest.mark.parametrize(("better", "worse"), list(pairwise(BEST_FIRST)))
def test_won_then_score_then_moves_then_time(better: RankKey, worse: RankKey) -> None:
    assert better.better_than(worse)
    assert not worse.better_than(better)
    assert ranking.pack(better) > ranking.pack(worse)


@given(keys, keys)
def test_the_order_of_packed_keys_is_the_order_of_keys(one: RankKey, other: RankKey) -> None:
    assert (ranking.pack(one) > ranking.pack(other)) == one.better_than(other)
    assert (ranking.pack(one) == ranking.pack(other)) == (one == other)


@given(keys)
def test_unpacking_is_the_inverse_of_packing(key: RankKey) -> None:
    assert ranking.unpack(ranking.pack(key)) == key


@given(st.integers(0, ranking.MAX_PACKED))
def test_packing_is_the_inverse_of_unpacking(packed: int) -> None:
    assert ranking.pack(ranking.unpack(packed)) == packed


@given(keys)
def test_a_packed_key_is_exact_as_a_double(key: RankKey) -> None:
    assert int(float(ranking.pack(key))) == ranking.pack(key)


def test_the_range_holds_every_result_there_can_be() -> None:
    most = max(variant.max_ranked_score for variant in engine.VARIANTS.values())
    assert most <= ranking.MAX_RANKED_SCORE
    assert engine.MAX_ACTIONS <= ranking.MAX_MOVES


@pytest.mark.parametrize(
    "key",
    [
        RankKey(True, -1, 0, 0),
        RankKey(True, ranking.MAX_RANKED_SCORE + 1, 0, 0),
        RankKey(True, 0, -1, 0),
        RankKey(True, 0, ranking.MAX_MOVES + 1, 0),
        RankKey(True, 0, 0, -1),
        RankKey(True, 0, 0, ranking.MAX_SECONDS + 1),
    ],
)
def test_a_value_out_of_range_is_refused_not_wrapped(key: RankKey) -> None:
    with pytest.raises(ValueError, match="RankKey"):
        ranking.pack(key)


@pytest.mark.parametrize("packed", [-1, ranking.MAX_PACKED + 1])
def test_an_integer_that_no_key_packs_to_is_refused(packed: int) -> None:
    with pytest.raises(ValueError, match=str(packed)):
        ranking.unpack(packed)


@pytest.mark.parametrize(
    ("since_first_start_ms", "seconds"),
    [(0, 0), (999, 0), (1000, 1), (59_999, 59), (10**12, ranking.MAX_SECONDS)],
)
def test_time_counts_in_whole_seconds(since_first_start_ms: int, seconds: int) -> None:
    key = ranking.rank_key(
        won=True, ranked_score=0, moves=0, since_first_start_ms=since_first_start_ms
    )
    assert key.seconds == seconds
