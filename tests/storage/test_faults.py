"""What a store says when the server is gone, refuses or does not answer; and what `connect` makes of it."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError, ResponseError

from rules.actions import Accept
from storage.base import ChatSettings, Listing, MatchId, Profile, StoredMatch, StoreUnavailableError
from storage.connect import BadUrlError, connect, server_warnings
from storage.embedded import ensure_server
from storage.redis_store import RedisStore
from storage.server import Server
from storage.transcript import RedisTranscript
from tests.storage.matches import ANA, BO, CHANNEL, GROUP, after, draft
from tests.storage.servers import kill_server, own_server, server_pid

ID = MatchId("kfwt")
SAVED = StoredMatch(ID, 1, draft().match, (GROUP,))

CALLS: dict[str, Callable[[RedisStore, RedisTranscript], Coroutine[Any, Any, object]]] = {
    "create": lambda store, _: store.create(draft(), "op"),
    "load": lambda store, _: store.load(ID),
    "load_many": lambda store, _: store.load_many([ID]),
    "save": lambda store, _: store.save(SAVED, "op"),
    "rewrite": lambda store, _: store.rewrite(SAVED),
    "naming": lambda store, _: store.naming(ANA),
    "listed": lambda store, _: store.listed(Listing(ANA)),
    "matches_of": lambda store, _: store.matches_of(ANA),
    "matches_in": lambda store, _: store.matches_in(GROUP),
    "saved_in": lambda store, _: store.saved_in([ID], "op"),
    "expired": lambda store, _: store.expired(0),
    "settings": lambda store, _: store.settings(GROUP, ANA),
    "chat": lambda store, _: store.chat(GROUP),
    "change_chat": lambda store, _: store.change_chat(GROUP, lambda _: ChatSettings("es")),
    "delete_chat": lambda store, _: store.delete_chat(GROUP),
    "move_chat": lambda store, _: store.move_chat(GROUP, CHANNEL),
    "profile": lambda store, _: store.profile(ANA),
    "change_profile": lambda store, _: store.change_profile(ANA, lambda _: Profile("Ana")),
    "delete_profile": lambda store, _: store.delete_profile(ANA),
    "behind": lambda store, _: store.behind(["telegram"], 0),
    "lease": lambda store, _: store.lease(GROUP, "me", 1000),
    "release": lambda store, _: store.release(GROUP, "me"),
    "shown": lambda store, _: store.shown(ID, GROUP),
    "mark_pinged": lambda store, _: store.mark_pinged(ID, GROUP, 1),
    "unmark_pinged": lambda store, _: store.unmark_pinged(ID, GROUP, 1),
    "mark_shown": lambda store, _: store.mark_shown(ID, GROUP, 1, ""),
    "postpone": lambda store, _: store.postpone(ID, GROUP, 0),
    "answered": lambda store, _: store.answered("1:0"),
    "mark_answered": lambda store, _: store.mark_answered("1:0"),
    "append": lambda _, transcript: transcript.append("room", "key", b""),
    "since": lambda _, transcript: transcript.since("room", 0),
    "read": lambda _, transcript: transcript.read("room", 1),
    "secret": lambda _, transcript: transcript.secret("name", "x"),
}


@asynccontextmanager
async def connected(url: str) -> AsyncIterator[Redis]:
    client = connect(url)
    try:
        yield client
    finally:
        await client.aclose()


def test_no_method_is_missing_from_the_list_above() -> None:
    methods = {name for kind in (RedisStore, RedisTranscript) for name in vars(kind) if not name.startswith("_")}
    assert set(CALLS) == methods


@pytest.mark.parametrize("call", CALLS)
async def test_every_method_says_that_the_server_is_gone(tmp_path: Path, call: str) -> None:
    client = Redis(unix_socket_path=str(tmp_path / "nobody"), retry=Retry(NoBackoff(), 0))
    with pytest.raises(StoreUnavailableError) as caught:
        await CALLS[call](RedisStore(client), RedisTranscript(client))
    assert isinstance(caught.value.__cause__, RedisError)
    await client.aclose()


async def test_a_full_server_saves_nothing_and_says_so(tmp_path: Path) -> None:
    with own_server(tmp_path) as url:
        async with connected(url) as client:
            store = RedisStore(client)
            stored = await store.create(draft(), "op")
            await client.config_set("maxmemory", "1")
            with pytest.raises(StoreUnavailableError):
                await store.save(after(stored, Accept(BO)), "accept")
            with pytest.raises(StoreUnavailableError):
                await store.change_chat(GROUP, lambda _: ChatSettings("es"))
            assert await store.load(stored.id) == stored
            await client.config_set("maxmemory", "0")
            assert (await store.save(after(stored, Accept(BO)), "accept")).version == 2


async def test_a_replica_refuses_to_save(tmp_path: Path) -> None:
    with own_server(tmp_path) as url:
        async with connected(url) as client:
            store = RedisStore(client)
            stored = await store.create(draft(), "op")
            await client.replicaof("127.0.0.1", "1")
            with pytest.raises(StoreUnavailableError):
                await store.save(after(stored, Accept(BO)), "accept")
            assert any("REDIS_URL" in line for line in await server_warnings(client))
            await client.replicaof("NO", "ONE")


async def test_a_server_that_does_not_answer_is_not_waited_for_long(tmp_path: Path) -> None:
    with own_server(tmp_path) as url:
        async with connected(f"{url}&socket_timeout=0.2") as client:
            store = RedisStore(client)
            await store.create(draft(), "op")
            os.kill(server_pid(tmp_path), signal.SIGSTOP)
            with pytest.raises(StoreUnavailableError):
                await store.create(draft(), "other")
            os.kill(server_pid(tmp_path), signal.SIGCONT)
            assert (await store.create(draft(), "op")).operations == ("op",)


async def test_a_short_outage_is_not_noticed(tmp_path: Path) -> None:
    with own_server(tmp_path) as url:
        async with connected(url) as client:
            store = RedisStore(client)
            stored = await store.create(draft(), "op")
            kill_server(tmp_path)
            saved, _ = await asyncio.gather(
                store.save(after(stored, Accept(BO)), "accept"), asyncio.to_thread(ensure_server, tmp_path)
            )
            assert await store.load(stored.id) == saved


async def test_our_own_fault_is_not_taken_for_an_outage(redis_client: Redis) -> None:
    with pytest.raises(ResponseError):
        await Server(redis_client).run("key", redis_client.eval("no Lua", 0))
    with pytest.raises(ResponseError):
        await RedisStore(redis_client).lease(GROUP, "me", -1)


# ---- connect ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "url",
    [
        "",
        "localhost",
        "http://host",
        "redis://:secret/word@host",
        "redis://:secret@host:port",
        "redis://:secret@host?socket_timeout=x",
        "redis://:secret@host?secret=1",
    ],
)
def test_a_bad_url_is_refused_in_one_line_without_what_is_secret(url: str) -> None:
    with pytest.raises(BadUrlError, match="REDIS_URL must look like") as caught:
        connect(url)
    assert "secret" not in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.__suppress_context__


@pytest.mark.parametrize("url", ["redis://host", "rediss://user:pass%2Fword@host:1/2", "unix:///tmp/a%20b.sock?db=0"])
async def test_good_urls_make_a_client_that_has_not_connected_yet(url: str) -> None:
    async with connected(url):
        pass


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({}, []),
        ({"appendfsync": "everysec"}, ["appendfsync everysec"]),
        ({"appendonly": "no"}, ["appendonly no"]),
        ({"maxmemory-policy": "allkeys-lru"}, ["maxmemory-policy allkeys-lru"]),
        ({"appendonly": "no", "maxmemory-policy": "volatile-ttl"}, ["maxmemory-policy volatile-ttl", "appendonly no"]),
        ({"rename-command": 'CONFIG ""'}, ["see that appendfsync is always"]),
    ],
)
async def test_settings_that_lose_games_are_told(tmp_path: Path, settings: dict[str, str], words: list[str]) -> None:
    with own_server(tmp_path, settings) as url:
        async with connected(url) as client:
            warnings = await server_warnings(client)
    assert len(warnings) == len(words)
    assert all(word in line for word, line in zip(words, warnings, strict=True))


@pytest.mark.parametrize("fresh", [True, False], ids=["connecting", "connected"])
async def test_a_call_that_is_cancelled_ends_and_disturbs_no_other(tmp_path: Path, fresh: bool) -> None:
    """Wherever the cancellation comes: the client's own way of writing would forget some of them."""
    with own_server(tmp_path) as url:
        async with connected(url) as client:
            store = RedisStore(client)
            await store.change_chat(GROUP, lambda _: ChatSettings("es"))
            for steps in range(60):
                if fresh:
                    await client.connection_pool.disconnect()
                asking = asyncio.ensure_future(for_ever(store))
                for _ in range(steps):
                    await asyncio.sleep(0)
                asking.cancel()
                async with asyncio.timeout(5):
                    await asyncio.wait({asking})
                assert asking.cancelled()
                assert await store.chat(GROUP) == ChatSettings("es")
                assert await store.profile(ANA) == Profile()


async def for_ever(store: RedisStore) -> None:
    """Ask for one thing and another."""
    while True:
        await store.profile(BO)
        await store.lease(GROUP, "me", 1000)
