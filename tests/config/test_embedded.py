"""The Redis that `make run` and the suite bring along."""

from pathlib import Path

import pytest
import redis

from config.local import embedded
from config.local.embedded import NoServerError, redis_executable, redis_server, require_redis

pytestmark = pytest.mark.process


def answers(url: str) -> bool:
    try:
        with redis.Redis.from_url(url) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False


def test_it_runs_for_the_length_of_the_block(tmp_path: Path) -> None:
    with redis_server(tmp_path / "redis") as url:
        assert answers(url)
    assert not answers(url)


def test_it_ends_with_the_block_that_fails(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), redis_server(tmp_path / "redis") as url:
        _ = 1 // 0
    assert not answers(url)


def test_its_folder_may_lie_deeper_than_a_socket_file(tmp_path: Path) -> None:
    folder = tmp_path / ("deep" * 30) / "with a space"
    with redis_server(folder) as url:
        assert answers(url)
    assert (folder / "redis.log").exists()


def test_two_of_them_do_not_meet(tmp_path: Path) -> None:
    with redis_server(tmp_path / "one") as one, redis_server(tmp_path / "two") as two:
        assert one != two
        with redis.Redis.from_url(one) as client:
            client.set("key", "value")
        with redis.Redis.from_url(two) as client:
            assert client.get("key") is None


def test_it_asks_for_its_password(tmp_path: Path) -> None:
    with redis_server(tmp_path / "redis") as url:
        scheme, _, address = url.partition("@")
        assert not answers(f"{scheme.split(':')[0]}://{address}")


def test_it_leaves_its_password_in_no_file(tmp_path: Path) -> None:
    with redis_server(tmp_path) as url:
        password = url.split("@")[0].rpartition(":")[2].encode()
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files
    assert not [path for path in files if password in path.read_bytes()]


def test_the_server_on_the_path_does_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wheel = Path(redis_executable())
    monkeypatch.setattr(embedded, "find_spec", lambda _name: None)
    (tmp_path / "redis-server").symlink_to(wheel)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert redis_executable() == str(tmp_path / "redis-server")


def test_a_missing_server_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "find_spec", lambda _name: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoServerError, match=r"install redis-server .* REDIS_URL"):
        redis_executable()


def test_a_server_that_does_not_start_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "redis-server"
    program.write_text("#!/bin/sh\ncat > /dev/null\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setattr(embedded, "find_spec", lambda _name: None)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(NoServerError, match="Redis did not start"), redis_server(tmp_path / "r"):
        pass


def test_a_named_server_must_answer() -> None:
    with pytest.raises(NoServerError, match="does not answer"):
        require_redis("redis://127.0.0.1:1/0")
