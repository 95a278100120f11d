"""The processes that think: they answer, stop when they are told, are replaced when they die, and end with the bot."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.ports import Question, ThinkingError
from bot.thinking import Workers
from rules import GAMES
from rules.record import Record

QUICK = Question("ayu", 9, (), 3, 0.2, seed=1)
LONG = Question("volo", 7, (), 5, 30.0)


@asynccontextmanager
async def opened(count: int = 1) -> AsyncIterator[Workers]:
    workers = Workers(count)
    try:
        yield workers
    finally:
        await workers.close()


def processes(workers: Workers) -> set[int]:
    return {process.pid for process in workers._all}


async def test_they_think_and_give_reasons() -> None:
    async with opened() as workers:
        opinion = await workers.think(QUICK)
        record = Record.opening(GAMES["ayu"], 9)
        assert record.position.is_legal(record.read(opinion.move))
        assert 0 < opinion.chance < 1
        assert opinion.own > 0
        assert opinion == await workers.think(QUICK)


async def test_who_loses_interest_frees_the_process() -> None:
    async with opened() as workers:
        await workers.warm()
        before = processes(workers)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.3):
                await workers.think(LONG)
        # It answers the next question, and does not finish the one before.
        async with asyncio.timeout(10):
            assert (await workers.think(QUICK)).move
        assert processes(workers) == before


async def test_a_process_that_dies_is_replaced(caplog: pytest.LogCaptureFixture) -> None:
    async with opened() as workers:
        await workers.warm()
        (first,) = processes(workers)
        async with asyncio.TaskGroup() as group:
            task = group.create_task(workers.think(Question("volo", 7, (), 5, 1.0)))
            await asyncio.sleep(0.3)
            with caplog.at_level(logging.WARNING):
                os.kill(first, signal.SIGKILL)
                assert (await task).move
        assert "replaced" in caplog.text
        assert first not in processes(workers)


async def test_what_cannot_be_thought_about_is_an_error() -> None:
    async with opened() as workers:
        with pytest.raises(ThinkingError, match="IllegalMoveError"):
            await workers.think(Question("ayu", 9, ("a1-a2",), 3, 0.1))
        assert (await workers.think(QUICK)).move


async def test_they_know_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "not-for-them")
    async with opened() as workers:
        await workers.warm()
        (pid,) = processes(workers)
        environment = environment_of(pid)
        if environment is None:
            pytest.skip("this system does not show it")
        assert b"not-for-them" not in environment


def environment_of(pid: int) -> bytes | None:
    path = Path(f"/proc/{pid}/environ")
    return path.read_bytes() if path.exists() else None


async def test_they_end_with_the_bot() -> None:
    async with opened(2) as workers:
        await workers.warm()
        pids = processes(workers)
    assert len(pids) == 2
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


async def test_a_process_ends_when_nobody_is_left_to_ask_it() -> None:
    """Whoever started it was killed: its input ends, and so does it, in the middle of a search."""
    workers = Workers(1)
    process = await workers._started()
    assert process.stdin is not None
    limits = {"seconds": 30, "depth": 40, "noise": 0, "blind": 0, "seed": 1, "even": False}
    process.stdin.write(json.dumps({"game": "volo", "size": 7, "moves": [], **limits}).encode() + b"\n")
    await process.stdin.drain()
    await asyncio.sleep(0.2)
    process.stdin.close()
    async with asyncio.timeout(5):
        assert await process.wait() == 0
