"""The whole bot in this process: the real core, the real discord.py, over sockets to the loopback Discord."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path

from redis.asyncio import Redis

from bot.adapters.discord_adapter import DiscordAdapter
from bot.config import Config, ShardChoice
from bot.core import Core, build, build_discord
from bot.ports import Render
from storage.base import MatchId, Place, Store, StoredMatch
from storage.redis_store import RedisStore
from storage.transcript import RedisTranscript
from tests.bot.harness import NoRender
from tests.discord.people import Person
from tests.discord.server import DiscordServer
from tests.discord.world import Channel, ChannelKind, Message


@dataclass(slots=True)
class House:
    """A bot that runs, and the service it runs on."""

    service: DiscordServer
    core: Core
    adapter: DiscordAdapter

    async def drained(self) -> None:
        """Return when all is said."""
        await self.core.courier.drain()

    async def stored(self, channel: Channel) -> StoredMatch:
        """The one live match (or the one that ended last) of the channel."""
        place = place_of(channel)
        ids = await self.core.store.matches_in(place) or await self.core.store.matches_in(place, live=False)
        return await self.match(ids[0])

    async def match(self, match: MatchId) -> StoredMatch:
        stored = await self.core.store.load(match)
        assert stored is not None
        return stored

    async def begun(self, channel: Channel, ana: Person, bo: Person, **options: object) -> StoredMatch:
        """A match that Ana has offered and Бо accepted by button; the channel's last message is its first board."""
        wanted: dict[str, object] = {"game": "ayu", "size": 9, "pie": False, **options}
        asked = await ana.slash(channel, "challenge", opponent=bo, **wanted)
        assert not asked.failed
        await self.board(channel, lambda message: "Accept" in message.buttons)
        await bo.press(channel.last, "Accept")
        await self.board(channel, lambda message: bool(message.attachments))
        return await self.stored(channel)

    async def board(self, channel: Channel, condition: object = None, after: Message | None = None) -> Message:
        """The channel's newest message, once it is another than *after* and *condition* holds of it."""
        check = condition if callable(condition) else lambda _: True

        def is_there() -> bool:
            return bool(channel.public) and channel.last is not after and bool(check(channel.last))

        await self.service.until(is_there)
        return channel.last

    async def played(self, channel: Channel, person: Person, move: str) -> Message:
        """The board after *person* has typed *move*."""
        before = channel.last
        answer = await person.slash(channel, "move", move=move)
        assert not answer.failed
        assert [one.content for one in answer.answers if one in channel.messages] == []
        return await self.board(channel, after=before)


def place_of(channel: Channel) -> Place:
    """The channel as the store knows it."""
    if channel.parent is not None:
        return Place("discord", str(channel.parent.id), str(channel.id))
    if channel.kind is ChannelKind.DM:
        return Place("discord", str(channel.recipients[0].id))
    return Place("discord", str(channel.id))


def first_move(stored: StoredMatch) -> str:
    """The first legal move in writing order."""
    position = stored.match.record.position
    return min(position.write(move) for move in position.legal_moves())


def whose_turn(stored: StoredMatch, *people: Person) -> Person:
    """The one of *people* who is to move."""
    return next(one for one in people if f"discord:{one.id}" == stored.match.person_to_move)


@contextlib.asynccontextmanager
async def house(
    service: DiscordServer,
    client: Redis,
    render: Render | None = None,
    *,
    store: Store | None = None,
    shards: ShardChoice | None = None,
    courier: bool = True,
) -> AsyncIterator[House]:
    """A bot that is ready. Without *courier*, boards are posted by `House.drained` alone."""
    core = build(store or RedisStore(client), RedisTranscript(client), render or NoRender(), language="en")
    config = replace(Config(data_dir=Path()), discord_token=service.token, discord_shards=shards)
    with service.pointed():
        adapter = build_discord(config, core)
        core.senders["discord"] = adapter
        running = asyncio.ensure_future(adapter.run())
        posting = asyncio.ensure_future(core.courier.run()) if courier else None
        try:
            await service.until(lambda: adapter.client.is_ready() or running.done())
            if running.done():
                running.result()
            yield House(service, core, adapter)
        finally:
            core.courier.close()
            if posting is not None:
                await posting
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)


__all__ = ["House", "first_move", "house", "place_of", "whose_turn"]
