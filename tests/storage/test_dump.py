"""Export and import: everything comes over, the indexes too, to any server; a damaged file changes nothing."""

from __future__ import annotations

import io
import json
import random
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from redis.asyncio import Redis

from rules.actions import Accept, PersonId, Resign
from storage import keys
from storage.base import ChatSettings, Place, Profile, StoredMatch
from storage.connect import connect
from storage.dump import DumpError
from storage.exporting import Exporter
from storage.importing import DataExistsError, Importer
from storage.redis_store import ENDED_KEPT, RedisStore
from storage.server import Client
from storage.transcript import RedisTranscript
from tests.storage.matches import (
    ANA,
    BO,
    EVA,
    EVA_BY_NAME,
    GROUP,
    PEOPLE,
    PLACES,
    ROOM,
    START,
    after,
    any_move,
    draft,
)
from tests.storage.servers import own_server

FAR = (START + 10**8) * 1000
PLATFORMS = ("discord", "telegram", "web")


@pytest_asyncio.fixture
async def other(tmp_path: Path) -> AsyncIterator[Redis]:
    """Another server, empty."""
    with own_server(tmp_path / "other", {"appendonly": "no", "save": ""}) as url:
        client = connect(url)
        yield client
        await client.aclose()


async def exported(client: Client) -> bytes:
    exporter = Exporter(client)
    lines = b"".join([line async for line in exporter.export()])
    assert exporter.problems == []
    return lines


async def fill(client: Client, matches: int = 12, seed: int = 1) -> list[StoredMatch]:
    """Matches in all states, chats, people, rooms and secrets; the matches, last changed last."""
    rng, store, transcript = random.Random(seed), RedisStore(client, rng=random.Random(seed)), RedisTranscript(client)
    changed: list[StoredMatch] = []
    for number in range(matches):
        places = rng.sample(PLACES, rng.randint(1, 3))
        stored = await store.create(draft(*places, invited=rng.choice([BO, EVA_BY_NAME, None])), f"op {number}")
        if number % 4:
            known = EVA_BY_NAME if stored.match.invited == EVA_BY_NAME else None
            stored = await store.save(after(stored, Accept(EVA if known else BO, known)), f"accept {number} ñ\n")
            for ply in range(number % 3):
                stored = await store.save(after(stored, any_move(stored)), f"move {number} {ply}")
            if number % 4 == 2:
                stored = await store.save(after(stored, Resign(ANA)), f"resign {number}")
        changed.append(stored)
        for place in stored.places[: rng.randint(0, 2)]:
            await store.mark_pinged(stored.id, place, 1)
            await store.mark_shown(stored.id, place, rng.randint(1, stored.version), f"message {number} ñ ")
        await store.postpone(stored.id, stored.places[-1], START * 1000 + number)
        await store.lease(stored.places[0], "me", 10_000)
    await store.change_chat(GROUP, lambda _: ChatSettings("ru", "dark"))
    await store.change_chat(ROOM, lambda _: ChatSettings("en"))
    await store.change_profile(ANA, lambda _: Profile("Ana", "es", ping=False, blocked=(BO, EVA), played=3))
    await store.change_profile(EVA_BY_NAME, lambda _: Profile(confirm=True))
    for number in range(5):
        await transcript.append("main", f"key {number} ñ", b'{"said":"\xc3\xb1"}' if number else b"\xff\x00")
    await transcript.append("main.files", "key", b"x" * 100_000)
    await transcript.secret("seat-1", "sesame")
    return changed


async def seen(client: Client) -> dict[str, Any]:
    """All that a store and a transcript tell of the data, and the names of all keys."""
    store, transcript = RedisStore(client), RedisTranscript(client)
    found: dict[str, Any] = {}
    for person in PEOPLE:
        found[f"naming {person}"] = await store.naming(person)
        found[f"profile {person}"] = await store.profile(person)
        for live in (True, False):
            found[f"of {person} {live}"] = await store.matches_of(person, live=live)
    for place in PLACES:
        found[f"chat {place}"] = await store.chat(place)
        for live in (True, False):
            found[f"in {place} {live}"] = await store.matches_in(place, live=live)
        for match in found[f"in {place} True"] + found[f"in {place} False"]:
            found[f"match {match}"] = await store.load(match)
            found[f"shown {match} {place}"] = await store.shown(match, place)
    found["expired"] = await store.expired(FAR)
    found["behind"] = [await store.behind(PLATFORMS, now) for now in (START * 1000, FAR)]
    found["rooms"] = [await transcript.since(room, 0) for room in ("main", "main.files", "none")]
    found["again"] = [await transcript.append("main", "key 2 ñ", b"other")]
    found["secret"] = await transcript.secret("seat-1", "other")
    names = {name.decode() async for name in client.scan_iter(count=1000)}
    found["keys"] = {name for name in names if not name.startswith(keys.lease_key(Place("", ""))[:-1])}
    return found


async def imported(client: Client, lines: bytes, *, replaced: bool = False) -> dict[str, int]:
    return dict(await Importer(client).load(io.BytesIO(lines), replace=replaced))


async def test_everything_comes_over_to_another_server(client: Client, other: Redis) -> None:
    await fill(client)
    before = await seen(client)
    lines = await exported(client)
    counts = await imported(other, lines)
    assert counts == {"match": 12, "chat": 2, "person": 2, "entry": 6, "secret": 1, "operation": 12}
    assert await exported(other) == lines, "byte for byte"
    assert await seen(other) == before
    # The operations are still known there, until the same moment.
    (created,) = [line for line in map(json.loads, lines.splitlines()) if line.get("id") == "op 3"]
    assert (await RedisStore(other).create(draft(), "op 3")).id == created["match"]
    assert await other.pexpiretime(keys.operation_key("op 3")) == created["until"]


async def test_what_changes_after_an_import_comes_first(client: Client, other: Redis) -> None:
    await fill(client)
    await imported(other, await exported(client))
    store = RedisStore(other)
    first = (await store.matches_of(ANA))[-1]
    stored = await store.load(first)
    assert stored is not None
    await store.save(replace(stored, names=((ANA, "Ana María"),)), "later")
    assert (await store.matches_of(ANA))[0] == first


async def test_what_no_list_holds_any_more_comes_over_too(redis_client: Redis, other: Redis) -> None:
    store = RedisStore(redis_client)
    for number in range(ENDED_KEPT + 5):
        stored = await store.create(draft(), f"op {number}")
        stored = await store.save(after(stored, Accept(BO)), f"accept {number}")
        await store.save(after(stored, Resign(BO)), f"resign {number}")
    lines = await exported(redis_client)
    assert sum(json.loads(line).get("order", 0) is None for line in lines.splitlines()) == 5
    await imported(other, lines)
    assert await exported(other) == lines
    moved = RedisStore(other)
    assert await moved.matches_of(ANA, live=False) == await store.matches_of(ANA, live=False)
    assert len(await moved.naming(ANA)) == ENDED_KEPT + 5


async def test_an_empty_server_makes_two_lines(client: Client, other: Redis) -> None:
    lines = await exported(client)
    assert lines == b'{"kind":"bandada storage","schema":1}\n{"kind":"end","lines":1,"sequence":0}\n'
    assert await imported(other, lines) == {}
    assert await exported(other) == lines


# ---- over existing data ----------------------------------------------------------------------------------------------


async def test_existing_data_is_replaced_only_if_asked(client: Client, other: Redis) -> None:
    await fill(client, seed=1)
    await fill(other, seed=2)
    lines, theirs = await exported(client), await exported(other)
    await other.set("somebody else's", "data")
    with pytest.raises(DataExistsError):
        await imported(other, lines)
    assert await exported(other) == theirs
    await imported(other, lines, replaced=True)
    assert await exported(other) == lines
    assert await other.get("somebody else's") == b"data"


async def test_a_damaged_file_replaces_nothing(redis_client: Redis) -> None:
    await fill(redis_client)
    lines = await exported(redis_client)
    with pytest.raises(DumpError):
        await imported(redis_client, lines[:-10], replaced=True)
    assert await exported(redis_client) == lines


async def test_leases_are_no_data(redis_client: Redis) -> None:
    await RedisStore(redis_client).lease(GROUP, "me", 10_000)
    await imported(redis_client, b'{"kind":"bandada storage","schema":1}\n{"kind":"end","lines":1,"sequence":0}\n')


# ---- damaged lines ---------------------------------------------------------------------------------------------------


def changed(number: int, change: Callable[[dict[str, Any]], object]) -> Callable[[list[bytes]], None]:
    def do(lines: list[bytes]) -> None:
        line = json.loads(lines[number - 1])
        change(line)
        lines[number - 1] = json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode()

    return do


def _swap(lines: list[bytes]) -> None:
    lines[1], lines[2] = lines[2], lines[1]


@pytest.mark.parametrize(
    ("damage", "line"),
    [
        pytest.param(lambda lines: lines.clear(), "line 1: the file is empty", id="empty"),
        pytest.param(lambda lines: lines.pop(), "line 19: the end is missing: the file is cut off", id="cut"),
        pytest.param(lambda lines: lines.pop(5), "line 18: 18 lines should stand before it, not 17", id="missing"),
        pytest.param(lambda lines: lines.append(lines[1]), "line 20: stands behind the end", id="more"),
        pytest.param(lambda lines: lines.insert(1, lines[1]), "line 3: stands twice, or out of order", id="twice"),
        pytest.param(_swap, "line 3: stands twice, or out of order", id="order"),
        pytest.param(lambda lines: lines.insert(4, lines[0]), "line 5: a second beginning", id="two files"),
        pytest.param(lambda lines: lines.pop(0), "line 1: this is no file of `bandada storage export`", id="no head"),
        pytest.param(
            changed(1, lambda line: line.update(schema=2)),
            "line 1: schema 2 is unknown here (schema 1 is spoken): update Bandada",
            id="schema",
        ),
        pytest.param(lambda lines: lines.__setitem__(3, b"{"), "line 4: Input data was truncated", id="no JSON"),
        pytest.param(lambda lines: lines.__setitem__(3, b'{"kind":"match","\xff'), "line 4: ", id="no UTF-8"),
        pytest.param(lambda lines: lines.__setitem__(3, b"[" * 100_000), "line 4: ", id="deep"),
        pytest.param(
            changed(2, lambda line: line["record"].update(size=7)),
            "line 2: {bandada}:match:",
            id="record",
        ),
        pytest.param(changed(2, lambda line: line.update(version=0)), "line 2: Expected `int` >= 1", id="version"),
        pytest.param(
            changed(2, lambda line: line["places"][0].__setitem__(1, "elsewhere")),
            "line 2: the places are not those of the record",
            id="places",
        ),
        pytest.param(changed(2, lambda line: line.update(kind="x")), "line 2: Invalid value 'x'", id="kind"),
        pytest.param(
            changed(10, lambda line: line.update(number=1)),
            "line 10: entry 1 of room main follows none before it",
            id="entry",
        ),
    ],
)  # fmt: skip
async def test_a_damaged_line_is_named_and_nothing_is_imported(
    redis_client: Redis, other: Redis, damage: Callable[[list[bytes]], object], line: str
) -> None:
    await fill(redis_client, matches=3)
    lines = (await exported(redis_client)).splitlines()
    damage(lines)
    with pytest.raises(DumpError) as caught:
        await imported(other, b"".join(one + b"\n" for one in lines))
    assert str(caught.value).startswith(line)
    assert "\n" not in str(caught.value)
    assert await other.dbsize() == 0


async def test_what_cannot_be_read_is_left_out_and_told(client: Client, other: Redis) -> None:
    matches = await fill(client)
    await client.hset(keys.match_key(matches[3].id), "s", b'{"crc":"00000000","schema":1}')
    await client.hdel(keys.match_key(matches[5].id), "v")
    await client.set(keys.profile_key(PersonId("web:1")), b"nonsense")
    await client.set(keys.PREFIX + "future:thing", b"1")
    exporter = Exporter(client)
    lines = b"".join([line async for line in exporter.export()])
    assert len(exporter.problems) == 4
    for name in (*(str(keys.match_key(matches[number].id)) for number in (3, 5)), "person web:1", "future:thing"):
        assert any(name in problem for problem in exporter.problems), name
    assert (await imported(other, lines))["match"] == 10


async def test_a_room_with_a_key_that_stands_twice(redis_client: Redis) -> None:
    lines = [
        b'{"kind":"bandada storage","schema":1}',
        b'{"kind":"entry","room":"main","number":1,"key":"a","text":"1"}',
        b'{"kind":"entry","room":"main","number":2,"key":"a","text":"2"}',
        b'{"kind":"end","lines":3,"sequence":0}',
    ]
    with pytest.raises(DumpError, match='the key "a" stands twice in room main'):
        await imported(redis_client, b"\n".join(lines))
