"""Counting calls: exact at the same instant, hashed keys, and a way on without Redis."""

import hashlib
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import psutil
import pytest
import redis

from config.rates import rate
from config.redis import TIMEOUT_S, redis_breaker, short_client
from games import counting
from games.counting import Counter, LocalCounts, RedisCounts, clear, give_back, take

HOUR_S = 3600


@pytest.fixture(params=["redis", "local"])
def counts(request, settings) -> Iterator[LocalCounts | RedisCounts]:
    """Return each place to count, with time enough for a machine under load."""
    if request.param == "local":
        yield LocalCounts()
    elif not settings.REDIS_URL:
        pytest.skip("needs a Redis")
    else:
        with redis.Redis.from_url(settings.REDIS_URL, max_connections=64) as client:
            yield RedisCounts(client)


def test_of_200_at_once_exactly_as_many_pass_as_may(counts) -> None:
    """128 of 120 did when the count was read, raised and written in steps."""
    threads, each = 50, 4
    together = Barrier(threads)

    def call(_thread: int) -> list[bool]:
        together.wait()
        return [counts.acquire_entry("k", 120, HOUR_S) for _ in range(each)]

    with ThreadPoolExecutor(threads) as pool:
        passed = [one for some in pool.map(call, range(threads)) for one in some]
    assert (len(passed), sum(passed)) == (200, 120)


def test_a_window_slides(counts, clock) -> None:
    for _ in range(2):
        assert counts.acquire_entry("k", 2, 60)
        clock.shift(timedelta(seconds=20))
    assert not counts.acquire_entry("k", 2, 60)
    _began, count = counts.get_moving_window("k", 2, 60)
    assert count == 2
    clock.shift(timedelta(seconds=19))
    assert not counts.acquire_entry("k", 2, 60)
    clock.shift(timedelta(seconds=1))  # 60 s after the first, to the instant
    assert counts.acquire_entry("k", 2, 60)
    assert not counts.acquire_entry("k", 2, 60)


def test_a_call_can_be_given_back_and_all_be_cleared(counts) -> None:
    assert [counts.acquire_entry("k", 2, 60) for _ in range(3)] == [True, True, False]
    counts.give_back("k")
    assert [counts.acquire_entry("k", 2, 60) for _ in range(2)] == [True, False]
    counts.clear("k")
    assert [counts.acquire_entry("k", 2, 60) for _ in range(3)] == [True, True, False]
    counts.give_back("never counted")
    counts.clear("never counted")


def test_the_call_given_back_is_the_latest(counts, clock) -> None:
    assert counts.acquire_entry("k", 2, 60)
    clock.shift(timedelta(seconds=20))
    assert counts.acquire_entry("k", 2, 60)
    counts.give_back("k")
    assert counts.acquire_entry("k", 2, 60)
    clock.shift(timedelta(seconds=40))
    assert [counts.acquire_entry("k", 2, 60) for _ in range(2)] == [True, False]


def test_a_rate_of_zero_lets_no_call_pass(counts, settings) -> None:
    assert not counts.acquire_entry("k", 0, 60)
    settings.THROTTLE_RATES = {"none": "0/minute"}
    assert take([Counter("none", "somebody")]) == 60


def test_a_call_over_one_rate_still_counts_for_the_others(settings, clock) -> None:
    settings.THROTTLE_RATES = {"few": "1/minute", "many": "3/hour"}
    counters = [Counter("few", "x"), Counter("many", "x")]
    assert [take(counters) for _ in range(3)] == [None, 60, 60]
    assert take(counters) == HOUR_S  # over both: the longest wait is the one that is said
    assert take([Counter("many", "x")]) == HOUR_S
    give_back([Counter("many", "x")])
    assert take([Counter("many", "x")]) is None
    clear(counters)
    assert take(counters) is None


def test_a_key_shows_neither_address_nor_name(settings) -> None:
    key = Counter("join_per_address", "192.0.2.7").key
    assert key.startswith("join_per_address:")
    assert "192.0.2.7" not in key
    assert hashlib.sha256(b"192.0.2.7").hexdigest()[:40] not in key
    settings.SECRET_KEY = "another"
    assert Counter("join_per_address", "192.0.2.7").key != key


def test_the_counts_of_this_process_have_a_bound() -> None:
    counts = LocalCounts(most_keys=100)
    for at in range(1000):
        counts.acquire_entry(f"k{at}", 1, 60)
        assert len(counts) <= 100
    assert not counts.acquire_entry("k999", 1, 60)


def test_expired_counts_make_room_first(clock) -> None:
    counts = LocalCounts(most_keys=100)
    for at in range(50):
        counts.acquire_entry(f"long{at}", 1, HOUR_S)
    for at in range(50):
        counts.acquire_entry(f"short{at}", 1, 1)
    clock.shift(timedelta(seconds=2))
    counts.acquire_entry("one more", 1, 1)
    assert len(counts) == 51
    assert not counts.acquire_entry("long0", 1, HOUR_S)


def test_a_redis_that_cannot_count_is_left_out_with_one_line(settings, caplog, clock) -> None:
    """It answers, so the breaker stays shut: its memory is full, or it may not be written to."""
    client = short_client()
    if client is None:
        pytest.skip("needs a Redis")
    settings.THROTTLE_RATES = {"some": "2/hour"}
    key = f"{counting.KEY_PREFIX}:{Counter('some', 'x').key}"
    client.set(key, "not a list")
    try:
        assert [take([Counter("some", "x")]) for _ in range(3)] == [None, None, HOUR_S]
    finally:
        client.delete(key)
    assert not redis_breaker.is_open
    lines = [record for record in caplog.records if record.name == counting.__name__]
    assert len(lines) <= 1


def test_once_asking_took_long_the_rest_is_counted_here(settings, monkeypatch) -> None:
    monkeypatch.setattr(counting, "ASKING_S", -1.0)
    settings.THROTTLE_RATES = {"some": "2/hour"}
    assert [take([Counter("some", "x")]) for _ in range(2)] == [None, None]
    assert counting.local.scopes() == {"some"}


@pytest.mark.parametrize(
    ("text", "amount", "seconds"),
    [
        ("60/hour", 60, 3600),
        ("60/h", 60, 3600),
        ("60/hours", 60, 3600),
        ("60/minute", 60, 60),
        ("60/min", 60, 60),
        ("60/m", 60, 60),
        ("5/sec", 5, 1),
        ("5/s", 5, 1),
        ("1/day", 1, 86400),
        (" 1 / D ", 1, 86400),
        ("0/d", 0, 86400),
    ],
)
def test_a_rate_is_a_number_and_a_period(text: str, amount: int, seconds: int) -> None:
    assert (rate(text).amount, rate(text).get_expiry()) == (amount, seconds)


@pytest.mark.parametrize(
    "text", ["", "60", "60/", "/hour", "sixty/hour", "60/month", "60/week", "-1/hour", "1.5/h",
             "60/hour/minute", "60 per hour", "٦٠/hour", "60/2hours"],
)  # fmt: skip
def test_an_invalid_rate_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no rate"):
        rate(text)


@pytest.mark.process
def test_while_redis_hangs_this_process_counts_and_nothing_waits(
    own_redis: psutil.Process, settings, monkeypatch
) -> None:
    """The first call waits once, for all its rates; then none asks before Redis is back."""
    monkeypatch.setattr(counting, "ANSWER_S", TIMEOUT_S)
    settings.THROTTLE_RATES = {"a": "2/hour", "b": "2/hour"}
    counters = [Counter("a", "x"), Counter("b", "x")]
    own_redis.send_signal(signal.SIGSTOP)
    asked = []
    real = RedisCounts.acquire_entry
    monkeypatch.setattr(
        RedisCounts, "acquire_entry", lambda *args: asked.append(args) or real(*args)
    )
    assert [take(counters) for _ in range(3)] == [None, None, HOUR_S]
    assert len(asked) == 1
    give_back(counters)
    assert take(counters) is None
    clear(counters)
    assert [take(counters) for _ in range(3)] == [None, None, HOUR_S]
    assert len(asked) == 1
    own_redis.send_signal(signal.SIGCONT)
    assert redis_breaker.wait_closed(30)
    assert take(counters) is None
    assert len(asked) > 1
