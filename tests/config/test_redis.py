"""Web processes wait briefly for a Redis that hangs, and then not at all until it is back."""

import signal

import psutil
import pytest
import redis
from pytest_django import Settings

from config.redis import redis_breaker, short_client
from tests.processes import PATIENCE_S

pytestmark = pytest.mark.process


def test_without_a_named_redis_there_is_no_client(settings: Settings) -> None:
    settings.REDIS_URL = ""
    assert short_client() is None


def test_a_redis_that_hangs_raises_and_is_found_again(own_redis: psutil.Process) -> None:
    client = short_client()
    assert client is not None
    assert client.ping()
    own_redis.send_signal(signal.SIGSTOP)
    with pytest.raises(redis.TimeoutError):
        client.ping()
    redis_breaker.trip()
    assert redis_breaker.is_open
    own_redis.send_signal(signal.SIGCONT)
    assert redis_breaker.wait_closed(PATIENCE_S)
    assert client.ping()
