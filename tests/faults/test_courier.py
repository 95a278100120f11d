"""What keeps a courier from saying things twice or too soon: its lease, what it remembers, and how it ends."""

from __future__ import annotations

import asyncio

import pytest
from redis.asyncio import Redis

from bot import courier
from bot.core import build
from bot.courier import LEASE_MS
from bot.messages import Outgoing
from bot.ports import NotAllowedError, SendLaterError
from storage.base import MatchId, Place, StoreUnavailableError
from storage.keys import lease_key
from storage.redis_store import RedisStore
from storage.transcript import RedisTranscript
from tests.bot.harness import PLATFORM, Inbox, NoRender, World
from tests.bot.table import begun, failing, is_behind, typed, watched


class Slow(Inbox):
    """A sender that is at it until it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.begun = asyncio.Event()
        self.go = asyncio.Event()

    async def send(self, outgoing: Outgoing) -> str:
        self.begun.set()
        await self.go.wait()
        return await super().send(outgoing)


class Counting(RedisStore):
    """Tells when a lease was asked for the *wanted*th time."""

    def __init__(self, client: Redis, wanted: int) -> None:
        super().__init__(client)
        self.left = wanted
        self.reached = asyncio.Event()

    async def lease(self, place: Place, holder: str, milliseconds: int) -> bool:
        """See `Store.lease`."""
        held = await super().lease(place, holder, milliseconds)
        self.left -= 1
        if self.left == 0:
            self.reached.set()
        return held


async def test_a_lease_is_renewed_while_a_message_is_being_sent(
    redis_client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(courier, "RENEW_SECONDS", 0.01)
    world = World(redis_client)
    stored = await typed(world, await begun(world), "b1b2")
    seen = len(world.inbox.sent)
    sender, store = Slow(), Counting(redis_client, 4)
    core = build(store, RedisTranscript(redis_client), NoRender(), language="en", clock=world.clock)
    core.senders[PLATFORM] = sender
    async with asyncio.TaskGroup() as group:
        group.create_task(core.courier.run())
        await sender.begun.wait()
        await redis_client.pexpire(lease_key(world.place), LEASE_MS // 2)
        await store.reached.wait()
        assert await redis_client.pttl(lease_key(world.place)) > LEASE_MS // 2
        # Whoever else looks finds the place taken, for as long as it takes.
        await world.core.courier._serve(world.place, await store.behind([PLATFORM], world.clock.now_ms()))
        assert len(world.inbox.sent) == seen
        sender.go.set()
        core.courier.close()
    assert [outgoing.key for outgoing in sender.sent] == [f"{stored.id}:3"]
    assert not await redis_client.exists(lease_key(world.place))


async def test_a_place_that_was_served_during_the_renewal_is_given_back(
    redis_client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(courier, "RENEW_SECONDS", 0.01)
    world = World(redis_client)
    await typed(world, await begun(world), "b1b2")
    sender = Slow()

    class Late(RedisStore):
        """Its second lease comes when the place has been given back."""

        asked = 0
        released = asyncio.Event()
        renewed = asyncio.Event()

        async def lease(self, place: Place, holder: str, milliseconds: int) -> bool:
            self.asked += 1
            if self.asked == 2:
                sender.go.set()
                await self.released.wait()
                held = await super().lease(place, holder, milliseconds)
                self.renewed.set()
                return held
            return await super().lease(place, holder, milliseconds)

        async def release(self, place: Place, holder: str) -> None:
            await super().release(place, holder)
            self.released.set()

    store = Late(redis_client)
    core = build(store, RedisTranscript(redis_client), NoRender(), language="en", clock=world.clock)
    core.senders[PLATFORM] = sender
    async with asyncio.TaskGroup() as group:
        group.create_task(core.courier.run())
        await store.renewed.wait()
        while await redis_client.exists(lease_key(world.place)):  # noqa: ASYNC110 - the server tells nobody
            await asyncio.sleep(0.001)
        core.courier.close()
    assert len(sender.sent) == 1


class Forgetting(RedisStore):
    """Cannot mark anything as shown, as often as *trouble* says."""

    trouble = 0

    async def mark_shown(self, match: MatchId, place: Place, version: int, message: str) -> None:
        """See `Store.mark_shown`."""
        if self.trouble:
            self.trouble -= 1
            raise StoreUnavailableError("planted")
        await super().mark_shown(match, place, version, message)


async def test_what_was_sent_during_an_outage_is_not_sent_again(redis_client: Redis) -> None:
    world = World(redis_client)
    stored = await typed(world, await begun(world), "b1b2")
    sender, store = Inbox(), Forgetting(redis_client)
    core = build(store, RedisTranscript(redis_client), NoRender(), language="en", clock=world.clock)
    core.senders[PLATFORM] = sender
    store.trouble = 2
    await core.courier.drain()
    assert store.trouble == 0
    assert [outgoing.key for outgoing in sender.sent] == [f"{stored.id}:3"]
    shown = await store.shown(stored.id, world.place)
    assert (shown.version, shown.message) == (3, "1")
    assert not await is_behind(world)


async def test_what_was_sent_during_an_outage_counts_no_more_once_somebody_else_went_on(redis_client: Redis) -> None:
    world = World(redis_client)
    stored = await typed(world, await begun(world), "b1b2")
    sender, store = Inbox(), Forgetting(redis_client)
    core = build(store, RedisTranscript(redis_client), NoRender(), language="en", clock=world.clock)
    core.senders[PLATFORM] = sender
    store.trouble = 1
    behind = await store.behind([PLATFORM], world.clock.now_ms())
    await core.courier._serve(world.place, behind)
    # The lease ran out, and another process said the same and more.
    stored = await typed(world, stored, "a2a3")
    await redis_client.delete(lease_key(world.place))
    await world.delivered()
    stored = await typed(world, stored, "d1d2")
    await core.courier.drain()
    assert [outgoing.key for outgoing in sender.sent] == [f"{stored.id}:3", f"{stored.id}:5"]
    assert sender.retired == ["3"]  # the other's board, not the own older one
    assert not await is_behind(world)


async def test_a_new_move_does_not_hurry_a_platform_that_asked_to_wait(redis_client: Redis) -> None:
    world = World(redis_client)
    stored = await begun(world)
    sender = watched(world)
    sender.trouble = failing(SendLaterError(7))
    stored = await typed(world, stored, "b1b2")
    assert await world.delivered() == []
    stored = await typed(world, stored, "a2a3")
    sender.trouble = failing(None)
    assert await world.delivered() == []
    assert sender.tries == 1
    world.clock.forward(seconds=7)
    assert [outgoing.key for outgoing in await world.delivered()] == [f"{stored.id}:4"]


async def test_who_plays_where_the_bot_is_let_in_again_does_not_wait(redis_client: Redis) -> None:
    world = World(redis_client)
    stored = await begun(world)
    sender = watched(world)
    sender.trouble = failing(NotAllowedError(3600))
    stored = await typed(world, stored, "b1b2")
    assert await world.delivered() == []
    assert await world.delivered() == []
    assert sender.tries == 1
    sender.trouble = failing(None)
    stored = await typed(world, stored, "a2a3")
    assert [outgoing.key for outgoing in await world.delivered()] == [f"{stored.id}:4"]


async def test_another_courier_pings_where_the_platform_asked_this_one_to_wait(redis_client: Redis) -> None:
    world = World(redis_client)
    stored = await begun(world)
    sender = watched(world)
    sender.trouble = failing(SendLaterError(7))
    await typed(world, stored, "b1b2")
    assert await world.delivered() == []
    world.clock.forward(seconds=7)
    other = build(world.store, RedisTranscript(redis_client), NoRender(), language="en", clock=world.clock)
    other.senders[PLATFORM] = inbox = Inbox()
    await other.courier.drain()
    assert [outgoing.ping for outgoing in inbox.sent] == [world.person("Бо").id]


async def test_a_courier_that_is_closed_begins_no_other_message(redis_client: Redis) -> None:
    world = World(redis_client)
    matches = [await begun(world) for _ in range(3)]
    for stored in matches:
        await typed(world, stored, "b1b2")
    sender = Slow()
    closing = World(redis_client)
    closing.core.senders[PLATFORM] = sender
    async with asyncio.TaskGroup() as group:
        group.create_task(closing.core.courier.run())
        await sender.begun.wait()
        closing.core.courier.close()
        sender.go.set()
    assert len(sender.sent) == 1
    assert not await redis_client.exists(lease_key(world.place))
    left = await world.delivered()
    assert {outgoing.match for outgoing in (*sender.sent, *left)} == {stored.id for stored in matches}
    assert len(left) == 2
