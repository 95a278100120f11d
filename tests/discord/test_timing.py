"""Saved first, then answered: whatever is slow, an interaction is acknowledged in time, and nothing by guesswork."""

from __future__ import annotations

import asyncio
import threading

import pytest
from redis.asyncio import Redis

from bot.drawing import ThreadRender
from renderers.geometry import POSTED_WIDTH
from renderers.png import Renderer
from renderers.scene import Scene
from tests.bot.table import sentence
from tests.discord import calls
from tests.discord.house import first_move, house, whose_turn
from tests.discord.server import DiscordServer
from tests.discord.world import Answer

PEOPLE = 50


class HeldRenderer(Renderer):
    """Draws a board for three seconds, or until it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.begun, self.let_go = threading.Event(), threading.Event()
        self.let_go.set()

    def draw(self, scene: Scene, width: int = POSTED_WIDTH) -> bytes:
        """See `Renderer.draw`."""
        self.begun.set()
        self.let_go.wait(3)
        return super().draw(scene, width)


async def test_fifty_are_acknowledged_while_a_board_is_drawn(service: DiscordServer, redis_client: Redis) -> None:
    people = [service.person(f"P{number}") for number in range(PEOPLE)]
    ana, bo = people[:2]
    channel = service.channel(service.guild("Casa", *people))
    renderer = HeldRenderer()
    render = ThreadRender(renderer)
    async with house(service, redis_client, render) as home:
        stored = await home.begun(channel, ana, bo)
        before = channel.last
        renderer.let_go.clear()
        renderer.begun.clear()
        await whose_turn(stored, ana, bo).slash(channel, "move", move=first_move(stored))
        assert await asyncio.to_thread(renderer.begun.wait, 3)
        acting = [asyncio.ensure_future(one.press(before, "Move")) for one in people]
        await service.until(lambda: sum(one.answer is not None for one in service.world.interactions.values()) > PEOPLE)
        assert channel.last is before
        assert not renderer.let_go.is_set()
        renderer.let_go.set()
        await home.board(channel, after=before)
        seen = await asyncio.gather(*acting)
        assert not any(one.failed for one in seen)
    render.close()


@pytest.mark.parametrize("milliseconds", [1000, 2600])
async def test_a_stalled_database_is_waited_for(service: DiscordServer, redis_client: Redis, milliseconds: int) -> None:
    people = [service.person(f"P{number}") for number in range(12)]
    ana, bo = people[:2]
    channel = service.channel(service.guild("Casa", *people))
    service.world.acknowledge_within = 2.5
    async with house(service, redis_client) as home:
        stored = await home.begun(channel, ana, bo)
        mover, before = whose_turn(stored, ana, bo), channel.last
        await redis_client.client_pause(milliseconds)
        others = [one for one in people if one is not mover]
        moving = asyncio.ensure_future(mover.slash(channel, "move", move=first_move(stored)))
        seen = await asyncio.gather(*(one.press(before, "Move") for one in others))
        mine = await moving
        assert not any(one.failed for one in (*seen, mine))
        assert mine.answer is Answer.DEFERRED
        assert mine.is_private, "a deferral accepts nothing"
        assert all(one.is_private for one in seen)
        board = await home.board(channel, after=before)
        assert board.attachments
        await service.until(lambda: mine.first not in channel.messages)
        assert (await home.match(stored.id)).match.ply == 1


async def test_what_cannot_be_saved_is_said_to_be_so(
    service: DiscordServer, redis_client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.adapters.discord_adapter.interactions.GIVE_UP_SECONDS", 0.3)
    ana, bo = service.person("Ana"), service.person("Бо", "ru")
    channel = service.channel(service.guild("Casa", ana, bo))
    async with house(service, redis_client) as home:
        stored = await home.begun(channel, ana, bo)
        await redis_client.config_set("maxmemory", "1")
        try:
            seen = await whose_turn(stored, ana, bo).slash(channel, "move", move=first_move(stored))
        finally:
            await redis_client.config_set("maxmemory", "0")
        language = "en" if whose_turn(stored, ana, bo) is ana else "ru"
        assert (seen.text, seen.is_private) == (sentence("discord.not_saved", language), True)
        assert (await home.match(stored.id)).match.ply == 0


async def test_what_waits_for_the_database_is_answered_before_the_end(
    service: DiscordServer, redis_client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise a deferral would stand there for good."""
    monkeypatch.setattr("bot.adapters.discord_adapter.interactions.DEFER_SECONDS", 0.1)
    ana, bo = service.person("Ana"), service.person("Бо", "ru")
    channel = service.channel(service.guild("Casa", ana, bo))
    try:
        async with house(service, redis_client) as home:
            stored = await home.begun(channel, ana, bo)
            await redis_client.config_set("maxmemory", "1")
            mover = whose_turn(stored, ana, bo)
            acting = asyncio.ensure_future(mover.slash(channel, "move", move=first_move(stored)))
            await service.until(
                lambda: any(one.answer is Answer.DEFERRED for one in service.world.interactions.values())
            )
        seen = await acting
        language = "en" if mover is ana else "ru"
        assert (seen.text, seen.is_private) == (sentence("discord.not_saved", language), True)
    finally:
        await redis_client.config_set("maxmemory", "0")


async def test_a_late_suggestion_is_swallowed(
    service: DiscordServer, redis_client: Redis, caplog: pytest.LogCaptureFixture
) -> None:
    ana, bo = service.person("Ana"), service.person("Бо")
    channel = service.channel(service.guild("Casa", ana, bo))
    async with house(service, redis_client) as home:
        stored = await home.begun(channel, ana, bo)
        mover = whose_turn(stored, ana, bo)
        service.faults.plant("create_interaction_response", calls.refusal(404, 10062, "Unknown interaction"))
        assert await mover.autocomplete(channel, "move", "move", "b") == []
        assert len(await mover.autocomplete(channel, "move", "move", "")) == 25
        assert (await mover.autocomplete(channel, "move", "move", first_move(stored)))[0] == first_move(stored)
        assert await mover.autocomplete(channel, "board", "match", stored.id[:2]) == [stored.id]
        assert [int(size) for size in await mover.autocomplete(channel, "challenge", "size", "1", game="ayu")][:2] == [
            11,
            13,
        ]
    assert [record for record in caplog.records if record.levelname in ("WARNING", "ERROR")] == []
