"""Promise 3: what was saved is spoken: after a crash, by several processes, in every place of a match."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Final

import pytest
from redis.asyncio import Redis

from bot.core import build
from bot.messages import Outgoing
from bot.ports import PlaceGoneError
from bot.texts import plain
from renderers.scene import Scene
from storage.base import MatchId, Place
from storage.keys import lease_key
from storage.redis_store import RedisStore
from storage.transcript import RedisTranscript
from tests.bot.harness import PLATFORM, NoRender, World
from tests.bot.table import (
    Troubled,
    begun,
    first_line,
    is_behind,
    moved,
    ready,
    room,
    sentence,
    typed,
    watched,
)

MOVES: Final = ("b1-b2", "a2-a3", "d1-d2", "c2-c3", "f1-f2")


# ---- a courier that dies ---------------------------------------------------------------------------------------------


class KilledError(BaseException):
    """The process is gone."""


class DyingStore(RedisStore):
    """The store of a process that is killed between a send and its mark."""

    async def mark_shown(self, match: MatchId, place: Place, version: int, message: str) -> None:
        raise KilledError(match, place, version, message)

    async def release(self, place: Place, holder: str) -> None:
        raise KilledError(place, holder)


async def test_a_crash_after_the_send_repeats_one_message(redis_client: Redis) -> None:
    world = World(redis_client)
    stored = await begun(world)
    stored = await typed(world, stored, "b1b2")
    sender = watched(world)
    dying = build(DyingStore(redis_client), RedisTranscript(redis_client), NoRender(), language="en", clock=world.clock)
    dying.senders[PLATFORM] = sender
    with pytest.raises(KilledError):
        await dying.courier.drain()
    assert [outgoing.key for outgoing in sender.sent] == [f"{stored.id}:3"]
    assert (await world.store.shown(stored.id, world.place)).version == 2

    # As long as the dead courier's lease runs, nobody sends there.
    assert not await world.store.lease(world.place, "another", 1)
    await redis_client.delete(lease_key(world.place))
    repeated = await world.delivered()
    assert [outgoing.key for outgoing in repeated] == [f"{stored.id}:3"] * 2
    assert [outgoing.ping for outgoing in repeated] == [world.person("Бо").id, None]
    assert await world.delivered() == []


async def test_a_lost_lease_stops_the_courier(redis_client: Redis) -> None:
    """While the first message was under way, the lease ran out and another process took the chat."""
    world = World(redis_client)
    matches = [await begun(world) for _ in range(3)]
    for stored in matches:
        await typed(world, stored, "b1b2")
    sender = watched(world)
    taken = asyncio.Event()

    class Slow(NoRender):
        async def png(self, scene: Scene) -> bytes:
            if not taken.is_set():
                await redis_client.set(lease_key(world.place), "another", px=200)
                taken.set()
            return await super().png(scene)

    slow = World(redis_client, Slow())
    slow.core.senders[PLATFORM] = sender
    waiting = await world.store.behind([PLATFORM], world.clock.now_ms())
    assert len(waiting) == 3
    await slow.core.courier._serve(world.place, waiting)
    assert len(sender.sent) == 1
    assert await redis_client.get(lease_key(world.place)) == b"another"


async def test_two_couriers_do_not_double(redis_client: Redis) -> None:
    worlds = [World(redis_client), World(redis_client)]
    world = worlds[0]
    places = [room(f"room{number}") for number in range(6)]
    matches = [await begun(world, place=place) for place in places for _ in range(2)]
    sender = watched(world)
    worlds[1].core.senders[PLATFORM] = sender
    under_way: set[Place] = set()

    class Checked(Troubled):
        async def send(self, outgoing: Outgoing) -> str:
            assert outgoing.place not in under_way
            under_way.add(outgoing.place)
            await asyncio.sleep(0.002)
            under_way.discard(outgoing.place)
            return await super().send(outgoing)

    checked = Checked()
    for one in worlds:
        one.core.senders[PLATFORM] = checked
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one.core.courier.run()) for one in worlds]
        for ply, move in enumerate(MOVES):
            name = ("Ana", "Бо")[ply % 2]
            await asyncio.gather(
                *(
                    worlds[number % 2].core.handle(
                        worlds[number % 2].incoming(name, f"{move} {stored.id}", id=f"{ply}:{number}")
                    )
                    for number, stored in enumerate(matches)
                )
            )
        await world.core.courier.drain()
        for one in worlds:
            one.core.courier.close()
        await asyncio.gather(*tasks)
    keys = Counter((outgoing.place, outgoing.key) for outgoing in checked.sent)
    assert set(keys.values()) == {1}
    newest = {outgoing.match: outgoing for outgoing in checked.sent}
    for stored in matches:
        assert (await ready(world, stored.id)).match.tokens == MOVES
        assert newest[stored.id].key == f"{stored.id}:7"
        told = [outgoing for outgoing in checked.sent if outgoing.match == stored.id]
        # Every move is told once, in order, in as few messages as it came to.
        assert [line for one in told for line in plain(one.text).split("\n") if " plays " in line] == [
            sentence("event.moved", name=("Ana", "Бо")[ply % 2], move=move) for ply, move in enumerate(MOVES)
        ]


# ---- what is said where ----------------------------------------------------------------------------------------------


async def test_two_places_get_every_board_in_their_own_language(redis_client: Redis) -> None:
    world = World(redis_client)
    cafe = room("café")
    await world.say("Ana", "/challenge ayu 9 nopie", language="ru")
    (match,) = await world.store.matches_in(world.place)
    await world.say("Бо", "/settings language es", place=cafe, language="es")
    await world.say("Бо", f"/accept {match}", place=cafe, language="es")
    await moved(world, await ready(world, match), "b1b2", "a2a3")
    told: dict[Place, list[Outgoing]] = {world.place: [], cafe: []}
    for outgoing in world.inbox.sent:
        told[outgoing.place].append(outgoing)
    for place, language in ((world.place, "ru"), (cafe, "es")):
        assert {outgoing.language for outgoing in told[place]} == {language}
        assert first_line(told[place][-1:]) == sentence("event.moved", language, name="Бо", move="a2-a3")
        assert [outgoing.key for outgoing in told[place]][-3:] == [f"{match}:{version}" for version in (2, 3, 4)]
        assert (await world.store.shown(match, place)).version == 4
    # One of them is gone; the other goes on.
    sender = watched(world)

    def trouble(outgoing: Outgoing) -> None:
        if outgoing.place == cafe:
            raise PlaceGoneError("gone")

    sender.trouble = trouble
    assert [outgoing.place for outgoing in await world.say("Ana", f"d1d2 {match}")] == [world.place]


async def test_the_board_before_loses_its_buttons(redis_client: Redis) -> None:
    world = World(redis_client)
    stored = await moved(world, await begun(world), "b1b2", "a2a3")
    assert world.inbox.retired == ["1", "2", "3"]
    sender = watched(world)

    async def broken(place: Place, message: str) -> None:
        raise RuntimeError(f"{place} {message}")

    sender.retire = broken  # type: ignore[method-assign]
    await typed(world, stored, "d1d2")
    assert len(await world.delivered()) == 1
    assert not await is_behind(world)
