"""Updates go before boards, but not for ever."""

from __future__ import annotations

import asyncio

import pytest
from redis.asyncio import Redis

from bot import courier
from bot.rush import Rush
from tests.bot.harness import World
from tests.bot.table import begun, typed


async def test_a_rush_is_over_when_the_last_update_has_been_handled() -> None:
    rush = Rush()
    await rush.over(60)
    with rush.handling():
        with rush.handling():
            pass
        waiting = asyncio.ensure_future(rush.over(60))
        await asyncio.sleep(0)
        assert not waiting.done()
    async with asyncio.timeout(5):
        await waiting


async def test_a_rush_that_does_not_end_is_waited_for_no_longer_than_was_said() -> None:
    rush = Rush()
    with rush.handling():
        async with asyncio.timeout(5):
            await rush.over(0.01)


async def test_boards_wait_while_updates_are_handled(redis_client: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(courier, "RUSH_SECONDS", 60)
    monkeypatch.setattr(courier, "SWEEP_SECONDS", 0.01)
    world = World(redis_client)
    stored = await begun(world)
    sent = len(world.inbox.sent)
    running = asyncio.ensure_future(world.core.courier.run())
    with world.core.courier._rush.handling():
        await asyncio.sleep(0.05)  # it has looked for the last time
        await typed(world, stored, "b1b2")
        await asyncio.sleep(0.1)
        assert len(world.inbox.sent) == sent
    async with asyncio.timeout(10):
        while len(world.inbox.sent) == sent:  # noqa: ASYNC110 - the inbox tells nobody
            await asyncio.sleep(0.01)
    world.core.courier.close()
    await running
