"""The adapter in simcord, another make of Discord: no sockets, its own rules about views, permissions and answers."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import discord
import simcord
from redis.asyncio import Redis

from bot.config import Config
from bot.core import Core, build, build_discord
from storage.redis_store import RedisStore
from storage.transcript import RedisTranscript
from tests.bot.harness import NoRender

TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.In-process.not-a-real-token-of-anybody-at-all"


@dataclass(slots=True)
class Table:
    """A bot in simcord, a channel, two people. Nobody delivers but `said`."""

    env: Any
    core: Core
    channel: Any
    ana: Any
    bo: Any

    async def said(self) -> discord.Message:
        """The channel's newest message, once everything is said."""
        await self.core.courier.drain()
        message = self.channel.last_message
        assert isinstance(message, discord.Message)
        return message

    async def begun(self) -> discord.Message:
        """The first board of a match that Ana has offered and Bo accepted."""
        await self.ana.slash(self.channel, "challenge", game="ayu", size=9, pie=False, opponent=self.bo)
        await self.bo.click(await self.said(), label="Accept")
        return await self.said()


@asynccontextmanager
async def table(client: Redis) -> AsyncIterator[Table]:
    core = build(RedisStore(client), RedisTranscript(client), NoRender(), language="en")
    adapter = build_discord(replace(Config(data_dir=Path()), discord_token=TOKEN), core)
    core.senders["discord"] = adapter

    async def setup() -> None:
        await adapter.tell_commands()

    adapter.client.setup_hook = setup  # type: ignore[method-assign]  # `run` does it over sockets
    async with simcord.run(adapter.client, shard_count=1) as env:
        guild = env.create_guild()
        channel = guild.create_text_channel("games")
        ana, bo = (guild.add_member(env.create_user(name)) for name in ("Ana", "Bo"))
        yield Table(env, core, channel, ana, bo)


async def test_a_move_step_by_step(redis_client: Redis) -> None:
    async with table(redis_client) as at:
        board = await at.begun()
        (file,) = board.attachments
        assert file.description is not None
        assert "to move" in file.description
        asked = await at.ana.click(board, label="Move")
        assert asked.ephemeral
        step = asked.response
        for _ in range(2):
            menu = step.components[0]["components"][0]
            chosen = menu["options"][0]["value"] if "options" in menu else None
            if chosen is None:
                await at.ana.click(step, custom_id=menu["custom_id"])
            else:
                await at.ana.select(step, [chosen], custom_id=menu["custom_id"])
        after = await at.said()
        assert after.id != board.id
        assert len(after.attachments) == 1
        assert [one.id for one in after.mentions] == [at.bo.id]


async def test_a_move_typed_into_the_form(redis_client: Redis) -> None:
    async with table(redis_client) as at:
        board = await at.begun()
        step = (await at.ana.click(board, label="Move")).response
        form = await at.ana.click(step, label="Type it")
        await at.ana.submit_modal(form, {"move": "b1 b2"})
        assert "b1-b2" in (await at.said()).content


async def test_the_board_before_has_no_buttons(redis_client: Redis) -> None:
    async with table(redis_client) as at:
        board = await at.begun()
        await at.ana.slash(at.channel, "move", move="b1b2")
        newer = await at.said()
        seen = await at.bo.click(newer, label="Resign")
        assert seen.ephemeral
        assert seen.acknowledged
        assert board.id != newer.id
        (before,) = [one for one in at.channel.history() if one.id == board.id]
        assert before.components == []


async def test_suggestions_are_at_most_twenty_five_and_begin_as_typed(redis_client: Redis) -> None:
    async with table(redis_client) as at:
        await at.begun()
        assert len(await at.ana.autocomplete(at.channel, "move", "move", "")) == 25
        first, *_ = await at.ana.autocomplete(at.channel, "move", "move", "B1")
        assert first["value"].startswith("b1")
        assert await at.bo.autocomplete(at.channel, "move", "move", "") == []
