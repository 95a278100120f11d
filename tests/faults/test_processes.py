"""Real processes that are stopped or killed while they are sending."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from storage.base import MatchId, Place
from storage.connect import connect
from storage.embedded import ensure_server, stop_server
from storage.redis_store import RedisStore
from tests.faults.loopback import CALM, Message, Platform
from tests.faults.processes import Bots
from tests.faults.wire import PLATFORM, Sent, Update

CHALLENGE = Update("", "chat", "loop:ana", "Ana", "/challenge ayu 9")
PATIENCE_SECONDS = 25.0
"""More than a lease and a sweep, and what a busy machine takes for them."""


class Held:
    """Holds the platform's answer to the first board back, until it is let go."""

    def __init__(self, platform: Platform) -> None:
        self.arrived = asyncio.Event()
        self.again = asyncio.Event()
        self.go = asyncio.Event()
        self.boards: list[Sent] = []
        platform.hold = self._hold
        platform.hear = self._hear

    def _hear(self, message: Message) -> None:
        self.boards.append(message.sent)
        (self.again if self.arrived.is_set() else self.arrived).set()

    def _hold(self, sent: Sent) -> asyncio.Event | None:
        return self.go if sent is self.boards[0] else None


@asynccontextmanager
async def bots_on(data_dir: Path, number: int) -> AsyncIterator[tuple[Platform, Bots, RedisStore]]:
    """*number* bots that ask for updates."""
    platform = Platform(random.Random(1), CALM)
    await platform.start()
    url = await asyncio.to_thread(ensure_server, data_dir)
    client = connect(url)
    bots = Bots(platform.url, data_dir, number)
    try:
        while not platform.bots.issuperset(bots.names):
            await asyncio.sleep(0.02)
            bots.mourn()
            assert not bots.unexpected
        yield platform, bots, RedisStore(client)
    finally:
        await asyncio.to_thread(bots.close)
        await client.aclose()
        await platform.stop()
        await asyncio.to_thread(stop_server, data_dir)


async def test_a_process_that_is_asked_to_stop_finishes_what_it_sends(tmp_path: Path) -> None:
    async with bots_on(tmp_path / "data", 1) as (platform, bots, store):
        held = Held(platform)
        platform.submit(CHALLENGE)
        await held.arrived.wait()
        (name,) = bots.names
        stopping = asyncio.create_task(asyncio.to_thread(bots.stop, name))  # noqa: TID251 - a test watches its own task
        await asyncio.sleep(0.3)
        assert not stopping.done()
        held.go.set()
        await stopping
        assert not bots.unexpected
        (board,) = held.boards
        shown = await store.shown(MatchId(board.match), Place(PLATFORM, board.chat))
        assert (shown.version, shown.message) == (1, "0")
        assert not await store.behind([PLATFORM], 10**15)


@pytest.mark.faults
async def test_the_chats_of_a_killed_process_are_taken_over_soon(tmp_path: Path) -> None:
    async with bots_on(tmp_path / "data", 2) as (platform, bots, store):
        held = Held(platform)
        platform.submit(CHALLENGE)
        await held.arrived.wait()
        await asyncio.to_thread(bots.kill, held.boards[0].bot)
        async with asyncio.timeout(PATIENCE_SECONDS):
            await held.again.wait()
            while await store.behind([PLATFORM], 10**15):  # noqa: ASYNC110 - the server tells nobody
                await asyncio.sleep(0.02)
        first, second = held.boards
        assert (second.key, second.bot) == (first.key, *bots.names)
        held.go.set()
