"""What the transcript promises."""

from __future__ import annotations

import asyncio

import pytest

from storage.base import DamagedRecordError, Line
from storage.keys import room_key
from storage.server import Client
from storage.transcript import RedisTranscript


async def test_entries_are_numbered_from_1_without_gaps(transcript: RedisTranscript) -> None:
    lines = [await transcript.append("room", f"key {number}", b"%d" % number) for number in range(3)]
    assert lines == [Line(1, b"0"), Line(2, b"1"), Line(3, b"2")]
    assert await transcript.since("room", 0) == lines
    assert await transcript.append("other", "key 0", b"x") == Line(1, b"x")


async def test_the_same_key_again_returns_the_first_entry(transcript: RedisTranscript) -> None:
    first = await transcript.append("room", "key", b"first")
    await transcript.append("room", "other", b"other")
    assert await transcript.append("room", "key", b"second") == first
    assert await transcript.since("room", 0) == [first, Line(2, b"other")]


async def test_numbers_have_no_gap_and_no_double_under_concurrency(transcript: RedisTranscript) -> None:
    # Each entry is sent three times at once, as after answers that were lost.
    keys = [f"key {number}" for number in range(100)] * 3
    lines = await asyncio.gather(*(transcript.append("room", key, key.encode()) for key in keys))
    assert sorted({line.number for line in lines}) == list(range(1, 101))
    assert len({(line.number, line.content) for line in lines}) == 100
    assert await transcript.since("room", 0) == sorted(set(lines), key=lambda line: line.number)


async def test_since_returns_the_newest_entries_after_a_number_in_order(transcript: RedisTranscript) -> None:
    lines = [await transcript.append("room", f"{number}", b"%d" % number) for number in range(10)]
    assert await transcript.since("room", 7) == lines[7:]
    assert await transcript.since("room", 2, 3) == lines[7:]
    assert await transcript.since("room", 8, 3) == lines[8:]
    assert await transcript.since("room", -5, 2) == lines[8:]
    for number in (10, 11, 1000):
        assert await transcript.since("room", number) == []
    assert await transcript.since("room", 0, 0) == []
    assert await transcript.since("empty", 0) == []


async def test_one_entry_is_read_by_its_number(transcript: RedisTranscript) -> None:
    await transcript.append("room", "a", b"")
    await transcript.append("room", "b", b"\0\xff")
    assert await transcript.read("room", 1) == b""
    assert await transcript.read("room", 2) == b"\0\xff"
    for number in (-1, 0, 3):
        assert await transcript.read("room", number) is None
    assert await transcript.read("empty", 1) is None


async def test_a_secret_stays_what_it_was_first(transcript: RedisTranscript) -> None:
    found = await asyncio.gather(*(transcript.secret("webhook", f"candidate {number}") for number in range(10)))
    assert len(set(found)) == 1
    assert await transcript.secret("webhook", "another") == found[0]
    assert await transcript.secret("page", "another") == "another"


async def test_a_damaged_room_refuses_itself_alone(transcript: RedisTranscript, client: Client) -> None:
    await client.set(room_key("broken"), "text")
    with pytest.raises(DamagedRecordError, match="room:broken"):
        await transcript.append("broken", "key", b"x")
    with pytest.raises(DamagedRecordError, match="room:broken"):
        await transcript.since("broken", 0)
    assert await transcript.append("sound", "key", b"x") == Line(1, b"x")
