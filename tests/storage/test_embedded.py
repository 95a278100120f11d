"""The private server: one for each data directory, and nothing that was answered is ever lost. Durable settings."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
import redis

from rules.actions import Accept
from storage import embedded
from storage.base import StoreUnavailableError
from storage.connect import connect
from storage.embedded import EmbeddedServerError, ensure_server, find_binary, stop_server, supervise
from storage.redis_store import RedisStore
from storage.transcript import RedisTranscript
from tests.storage.matches import BO, after, draft
from tests.storage.servers import kill_server, own_server, server_pid


def value_of(url: str, key: str) -> bytes | None:
    with closing(redis.Redis.from_url(url)) as client:
        value = client.get(key)
    assert value is None or isinstance(value, bytes)
    return value


def put(url: str, key: str, value: str = "1") -> None:
    with closing(redis.Redis.from_url(url)) as client:
        client.set(key, value)


def newest_file(data_dir: Path) -> Path:
    """The append-only file that the server writes to."""
    return max((data_dir / "appendonlydir").glob("*.incr.aof"), key=lambda path: int(path.name.split(".")[2]))


# ---- one server ------------------------------------------------------------------------------------------------------


def test_twelve_processes_that_start_at_once_share_one_server(tmp_path: Path) -> None:
    code = "import sys; from storage.embedded import ensure_server; print(ensure_server(sys.argv[1]))"
    starters = [
        subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True)
        for _ in range(12)
    ]
    urls = {starter.communicate()[0] for starter in starters}
    assert [starter.returncode for starter in starters] == [0] * 12
    assert len(urls) == 1
    # Each start writes the process id down, and the log of the start before is moved aside.
    log = (tmp_path / "valkey.log").read_text()
    assert len(re.findall("Server initialized", log)) == 1
    assert not (tmp_path / "valkey.log.1").exists()
    assert stop_server(tmp_path)


def test_who_comes_later_joins(tmp_path: Path) -> None:
    with own_server(tmp_path) as url:
        pid = server_pid(tmp_path)
        put(url, "a")
        assert ensure_server(tmp_path) == url
        assert server_pid(tmp_path) == pid
        assert value_of(url, "a") == b"1"


def test_a_process_that_inherited_the_lock_holds_nobody_up(tmp_path: Path) -> None:
    # As one that another thread forks while the server is looked after.
    home = embedded._home(tmp_path, create=True)
    command = [sys.executable, "-c", "import sys; sys.stdin.read()"]
    with embedded._start_lock(home, end=0) as lock:
        heir = subprocess.Popen(command, pass_fds=(lock.fileno(),), stdin=subprocess.PIPE)
    with heir:
        ensure_server(tmp_path, timeout=5)
        assert stop_server(tmp_path, timeout=5)


def test_what_was_saved_is_there_after_a_clean_stop(tmp_path: Path) -> None:
    put(ensure_server(tmp_path), "a")
    assert stop_server(tmp_path)
    with own_server(tmp_path) as url:
        assert value_of(url, "a") == b"1"


def test_what_lies_on_disk_is_plain_commands_for_any_server(tmp_path: Path) -> None:
    put(ensure_server(tmp_path), "a")
    assert stop_server(tmp_path)
    with own_server(tmp_path):  # each start writes the file anew
        (base,) = (tmp_path / "appendonlydir").glob("*.base.*")
        assert base.suffix == ".aof"
        assert b"SET\r\n$1\r\na\r\n" in base.read_bytes()


def test_it_is_not_stopped_while_another_client_is_connected(tmp_path: Path) -> None:
    url = ensure_server(tmp_path)
    with closing(redis.Redis.from_url(url)) as other:
        other.ping()
        assert not stop_server(tmp_path)
        other.ping()
    assert stop_server(tmp_path)
    assert stop_server(tmp_path), "what is down already is down"


def test_stopping_where_nothing_ever_ran_leaves_nothing_behind(tmp_path: Path) -> None:
    assert stop_server(tmp_path / "never")
    assert list(tmp_path.iterdir()) == []


def test_it_listens_on_no_network_and_lets_nobody_else_in(tmp_path: Path) -> None:
    data_dir = tmp_path / "data"
    with own_server(data_dir) as url, closing(redis.Redis.from_url(url)) as client:
        assert client.config_get("port") == {"port": "0"}
        assert data_dir.stat().st_mode & 0o077 == 0
        assert (data_dir / "valkey.sock").stat().st_mode & 0o077 == 0
        assert client.config_get("appendfsync") == {"appendfsync": "always"}


@pytest.mark.parametrize("name", ["with space", "quote \" and \\ and '", "ñandú Бо", "a%20b?db=1#x", "long" * 30])
def test_any_path_will_do(tmp_path: Path, name: str) -> None:
    data_dir = tmp_path / name
    with own_server(data_dir) as url:
        put(url, "a")
        assert value_of(url, "a") == b"1"
    assert (data_dir / "appendonlydir").is_dir()


# ---- nothing is lost -------------------------------------------------------------------------------------------------


async def test_no_acknowledged_move_is_lost_when_the_server_is_killed(tmp_path: Path) -> None:
    url = await asyncio.to_thread(ensure_server, tmp_path)
    failures: list[EmbeddedServerError] = []
    keeper = asyncio.ensure_future(supervise(tmp_path, failures.append, interval=0.05))
    client = connect(url)
    store = RedisStore(client)
    stored = await store.create(draft(), "created")
    acknowledged = ["created"]
    for number in range(150):
        if number in (40, 90):
            await asyncio.to_thread(kill_server, tmp_path)
        operation = f"op {number}"
        while True:
            try:
                stored = await store.save(stored, operation)
            except StoreUnavailableError:
                continue
            break
        acknowledged.append(operation)
    await client.aclose()
    keeper.cancel()
    with pytest.raises(asyncio.CancelledError):
        await keeper

    await asyncio.to_thread(kill_server, tmp_path)
    with own_server(tmp_path) as again:
        client = connect(again)
        loaded = await RedisStore(client).load(stored.id)
        await client.aclose()
    assert failures == []
    assert loaded == stored
    assert loaded.operations == tuple(acknowledged), "every move once, none missing"
    assert loaded.version == len(acknowledged)


async def test_a_full_disk_is_told_and_what_was_acknowledged_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server may write no file longer than some kilobytes; the errors are those of a full disk."""
    full, program = tmp_path / "full", tmp_path / "server"
    limited = f"#!/bin/sh\ntrap '' XFSZ\nif test -e '{full}'; then ulimit -f 60; fi\nexec {find_binary()} \"$@\"\n"
    program.write_text(limited)
    program.chmod(0o755)
    monkeypatch.setenv("REDIS_SERVER_BIN", str(program))
    full.touch()
    data_dir = tmp_path / "data"
    url = await asyncio.to_thread(ensure_server, data_dir)
    failures: list[EmbeddedServerError] = []
    well = asyncio.Event()
    keeper = asyncio.ensure_future(supervise(data_dir, failures.append, recovered=well.set, interval=0.05))
    client = connect(url)
    transcript = RedisTranscript(client)
    number = 0
    while not failures:
        try:
            assert (await transcript.append("room", str(number), b"x" * 1000)).number == number + 1
        except StoreUnavailableError:
            continue
        number += 1
    line = rf"the disk of {re.escape(str(data_dir))} is full \(.+\): free some space; nothing is saved until then"
    assert re.fullmatch(line, str(failures[0]))

    well.clear()
    full.unlink()
    async with asyncio.timeout(30):
        await well.wait()
    # What was not acknowledged may have been written or not.
    assert number <= len(await transcript.since("room", 0)) <= number + 1
    assert (await transcript.append("room", str(number), b"x" * 1000)).number == number + 1
    await client.aclose()
    keeper.cancel()
    with pytest.raises(asyncio.CancelledError):
        await keeper
    assert stop_server(data_dir)


def test_a_disk_without_room_is_said_before_anything_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("storage.embedded._LEAST_ROOM", 1 << 62)
    with pytest.raises(EmbeddedServerError, match=r"is full \(\d+ bytes are left\): free some space"):
        ensure_server(tmp_path)
    assert not (tmp_path / "valkey.log").exists()


def test_zeros_at_the_end_of_the_file_are_cut_off_and_a_backup_is_kept(tmp_path: Path) -> None:
    url = ensure_server(tmp_path)
    for number in range(100):
        put(url, f"key {number}")
    kill_server(tmp_path)
    file = newest_file(tmp_path)
    whole = file.read_bytes()
    file.write_bytes(whole + b"\0" * 4096)
    with own_server(tmp_path) as again:
        assert all(value_of(again, f"key {number}") == b"1" for number in range(100))
    (backup,) = (tmp_path / "appendonlydir").glob("*.bak")
    assert backup.read_bytes() == whole + b"\0" * 4096


@pytest.mark.parametrize(
    "torn",
    [
        b"*3\r\n$3\r\nSET\r\n$1\r\nx\r\n$5\r\n12",
        b"*1\r\n$5\r\nMULTI\r\n*3\r\n$3\r\nSET\r\n$1\r\nx\r\n$1\r\n1\r\n",
        b"*1\r\n$5\r\nMULTI\r\n*3\r\n$3\r\nSET\r\n$1\r\nx\r\n$1\r\n" + b"\0" * 100,
    ],
    ids=["a torn command", "a torn block", "a torn block and zeros"],
)
def test_behind_a_torn_end_nothing_is_lost_later(tmp_path: Path, torn: bytes) -> None:
    put(ensure_server(tmp_path), "before")
    kill_server(tmp_path)
    with newest_file(tmp_path).open("ab") as file:
        file.write(torn)
    put(ensure_server(tmp_path), "after")
    kill_server(tmp_path)
    with own_server(tmp_path) as url:
        assert value_of(url, "before") == value_of(url, "after") == b"1"
        assert value_of(url, "x") is None


def test_other_damage_is_refused_loudly(tmp_path: Path) -> None:
    put(ensure_server(tmp_path), "a")
    kill_server(tmp_path)
    with newest_file(tmp_path).open("ab") as file:
        file.write(b"garbage")
    damaged = newest_file(tmp_path).read_bytes()
    with pytest.raises(EmbeddedServerError, match=r"(?s)does not start; set REDIS_URL .*Bad file format"):
        ensure_server(tmp_path)
    assert newest_file(tmp_path).read_bytes() == damaged


async def test_a_killed_server_is_started_again_by_its_keeper(tmp_path: Path) -> None:
    url = await asyncio.to_thread(ensure_server, tmp_path)
    await asyncio.to_thread(put, url, "a")
    failures: list[EmbeddedServerError] = []
    keeper = asyncio.ensure_future(supervise(tmp_path, failures.append, interval=0.01))
    pid = server_pid(tmp_path)
    await asyncio.to_thread(kill_server, tmp_path)
    client = connect(url)
    assert await client.get("a") == b"1"
    await client.aclose()
    assert server_pid(tmp_path) != pid
    assert failures == []
    keeper.cancel()
    with pytest.raises(asyncio.CancelledError):
        await keeper
    assert await asyncio.to_thread(stop_server, tmp_path)


async def test_a_keeper_tells_of_a_failure_and_goes_on(tmp_path: Path) -> None:
    blocked = tmp_path / "data"
    blocked.write_text("a file, where a directory should be")
    failures: asyncio.Queue[EmbeddedServerError] = asyncio.Queue()
    keeper = asyncio.ensure_future(supervise(blocked, failures.put_nowait, interval=0.001))
    for _ in range(2):
        assert "BANDADA_DATA_DIR" in str(await failures.get())
    keeper.cancel()
    with pytest.raises(asyncio.CancelledError):
        await keeper


# ---- where there is no server ----------------------------------------------------------------------------------------


def test_native_windows_is_told_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    for call in (ensure_server, stop_server):
        with pytest.raises(EmbeddedServerError, match=r"^.*WSL2 or Docker.*REDIS_URL.*$"):
            call(tmp_path)


def test_a_chosen_binary_that_is_none_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDIS_SERVER_BIN", "/no/such/program")
    with pytest.raises(EmbeddedServerError, match="REDIS_SERVER_BIN is no program: /no/such/program"):
        find_binary()


def test_a_chosen_binary_goes_first_then_the_packaged_one_then_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "redis-server"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o700)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("REDIS_SERVER_BIN", raising=False)
    packaged = find_binary()
    assert packaged.endswith("valkey-server")
    monkeypatch.setenv("REDIS_SERVER_BIN", str(program))
    assert find_binary() == str(program)
    monkeypatch.delenv("REDIS_SERVER_BIN")
    monkeypatch.setattr(embedded, "_packaged_binary", lambda: None)
    assert find_binary() == str(program)
    program.unlink()
    with pytest.raises(EmbeddedServerError, match="set REDIS_URL"):
        find_binary()


@pytest.mark.parametrize("where", ["file", "file/below"])
def test_a_directory_that_cannot_be_used_is_told_with_the_setting(tmp_path: Path, where: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(EmbeddedServerError, match="BANDADA_DATA_DIR"):
        ensure_server(tmp_path / where)


def test_a_server_that_does_not_start_is_told_with_its_words(tmp_path: Path) -> None:
    with pytest.raises(EmbeddedServerError, match=r"(?s)does not start.*no-such-setting"):
        ensure_server(tmp_path, settings={"no-such-setting": "1"})


def test_a_start_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    lock = embedded._try_lock(tmp_path / "start.lock")
    assert lock is not None
    with lock, pytest.raises(EmbeddedServerError, match="another process"):
        ensure_server(tmp_path, timeout=0.01)
    assert not (tmp_path / "appendonlydir").exists()


async def test_a_match_is_played_on_after_the_server_was_stopped(tmp_path: Path) -> None:
    client = connect(await asyncio.to_thread(ensure_server, tmp_path))
    created = await RedisStore(client).create(draft(), "op")
    await client.aclose()
    assert await asyncio.to_thread(stop_server, tmp_path)
    with own_server(tmp_path) as url:
        client = connect(url)
        store = RedisStore(client)
        assert await store.load(created.id) == created
        saved = await store.save(after(created, Accept(BO)), "accept")
        assert await store.matches_of(BO) == [saved.id]
        await client.aclose()
