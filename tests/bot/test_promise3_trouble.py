"""Promise 3: what was saved is spoken, whatever trouble the platform makes; late boards as one, pings at most once."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from typing import Final

import pytest
from redis.asyncio import Redis

from bot.core import build
from bot.courier import RETRY_MS
from bot.messages import Outgoing
from bot.ports import PlaceGoneError, SendLaterError
from bot.present import CAPTION_LENGTH
from bot.texts import plain
from renderers.scene import Scene
from rules.core import Side
from storage.base import Behind, Place, StoreUnavailableError
from storage.redis_store import RedisStore
from tests.bot.harness import PLATFORM, NoRender, World
from tests.bot.table import begun, failing, first_line, is_behind, ready, room, sentence, typed, watched

MOVES: Final = ("b1-b2", "a2-a3", "d1-d2", "c2-c3", "f1-f2")


async def test_late_boards_come_as_one(redis_client: Redis) -> None:
    world = World(redis_client)
    stored = await begun(world)
    sender = watched(world)
    sender.trouble = failing(SendLaterError(5))
    for move in MOVES:
        stored = await typed(world, stored, move)
        await world.core.courier.drain()
    assert (sender.sent, (await world.store.shown(stored.id, world.place)).version) == ([], 2)

    sender.trouble = failing(None)
    world.clock.forward(seconds=5)
    (board,) = await world.delivered()
    told = plain(board.text).split("\n")
    assert told[:5] == [
        sentence("event.moved", name=name, move=move)
        for name, move in zip(("Ana", "Бо", "Ana", "Бо", "Ana"), MOVES, strict=True)
    ]
    assert board.picture is not None
    position = stored.match.record.position
    assert set(board.picture.scene.first) == set(position.board.names(position.pieces(Side.FIRST)))
    assert board.ping == world.person("Бо").id
    shown = await world.store.shown(stored.id, world.place)
    assert (shown.version, shown.message) == (stored.version, "1")
    assert not await is_behind(world)


async def test_the_platform_asks_to_wait(redis_client: Redis) -> None:
    world = World(redis_client)
    stored = await begun(world)
    sender = watched(world)
    sender.trouble = failing(SendLaterError(7.5))
    await typed(world, stored, "b1b2")
    for seconds, tries in ((0, 1), (7, 1), (1, 2), (7, 2)):
        world.clock.forward(seconds=seconds)
        await world.core.courier.drain()
        assert (sender.tries, await is_behind(world)) == (tries, True)
    sender.trouble = failing(None)
    world.clock.forward(seconds=1)
    (board,) = await world.delivered()
    # The platform has taken none of the messages before: this is the first ping.
    assert board.ping == world.person("Бо").id
    assert sender.tries == 3


async def test_a_chat_that_must_wait_holds_up_no_other(redis_client: Redis) -> None:
    world = World(redis_client)
    here = [await begun(world) for _ in range(3)]
    there = await begun(world, place=room("other"))
    sender = watched(world)

    def trouble(outgoing: Outgoing) -> None:
        if outgoing.place == world.place:
            raise SendLaterError(30)

    sender.trouble = trouble
    for stored in (*here, there):
        await typed(world, stored, "b1b2")
    assert [outgoing.match for outgoing in await world.delivered()] == [there.id]
    # One try for the chat, not one for each of its matches.
    assert sender.tries == 2
    sender.trouble = failing(None)
    assert await world.delivered() == []
    world.clock.forward(seconds=30)
    assert {outgoing.match for outgoing in await world.delivered()} == {stored.id for stored in here}


async def test_a_chat_that_is_gone_is_left_until_something_happens(
    redis_client: Redis, caplog: pytest.LogCaptureFixture
) -> None:
    world = World(redis_client)
    stored = await begun(world)
    sender = watched(world)
    sender.trouble = failing(PlaceGoneError("kicked"))
    stored = await typed(world, stored, "b1b2")
    assert await world.delivered() == []
    assert not await is_behind(world)
    assert "a chat on test is gone" in caplog.text
    # The bot is back; the next move is told, with the board as it is.
    sender.trouble = failing(None)
    await typed(world, stored, "a2a3")
    (board,) = await world.delivered()
    assert first_line([board]) == sentence("event.moved", name="Бо", move="a2-a3")


async def test_an_unknown_failure_is_tried_again_once_it_may(
    redis_client: Redis, caplog: pytest.LogCaptureFixture
) -> None:
    world = World(redis_client)
    stored, other = await begun(world), await begun(world, place=room("other"))
    sender = watched(world)
    sender.trouble = failing(RuntimeError("planted"))
    await typed(world, stored, "b1b2")
    assert await world.delivered() == []
    assert f"match {stored.id}: sending on test failed" in caplog.text
    sender.trouble = failing(None)
    await typed(world, other, "b1b2")
    assert [outgoing.match for outgoing in await world.delivered()] == [other.id]
    world.clock.forward(seconds=RETRY_MS / 1000)
    (board,) = await world.delivered()
    # It may have arrived the first time: nobody is pinged twice.
    assert (board.match, board.ping) == (stored.id, None)
    assert await world.delivered() == []


async def test_a_ping_comes_once_for_a_version(redis_client: Redis) -> None:
    """Whatever becomes of the sends: those that arrive hold one ping for each version, and each version has one."""
    world = World(redis_client)
    stored = await begun(world)
    sender = watched(world)
    arrived_twice = iter([True, False, True, True, False, False, True, False])

    def after(_: Outgoing) -> None:
        if next(arrived_twice, False):
            raise TimeoutError

    sender.after = after
    for move in MOVES:
        stored = await typed(world, stored, move)
        for _ in range(3):
            await world.core.courier.drain()
            world.clock.forward(seconds=RETRY_MS / 1000)
    pings = Counter(outgoing.key for outgoing in sender.sent if outgoing.ping is not None)
    assert pings == {f"{stored.id}:{version}": 1 for version in range(3, 8)}
    assert len(sender.sent) > len(pings)


async def test_a_board_that_cannot_be_drawn_is_told_in_words(
    redis_client: Redis, caplog: pytest.LogCaptureFixture
) -> None:
    class Broken(NoRender):
        async def png(self, scene: Scene) -> bytes:
            raise RuntimeError(f"planted for {scene.game}")

    world = World(redis_client, Broken())
    stored = await begun(world)
    await typed(world, stored, "b1b2")
    (board,) = await world.delivered()
    assert first_line([board]) == sentence("event.moved", name="Ana", move="b1-b2")
    assert (board.picture, board.ping) == (None, world.person("Бо").id)
    assert f"match {stored.id}: its board cannot be drawn" in caplog.text


async def test_the_words_of_a_long_absence_fit_a_caption(redis_client: Redis) -> None:
    world = World(redis_client)
    names = ("Ж" * 70, "Я" * 70)
    await world.say(names[0], "/challenge ayu 9 nopie")
    await world.say(names[1], "/accept")
    (match,) = await world.store.matches_in(world.place)
    sender = watched(world)
    sender.trouble = failing(SendLaterError(1))
    stored = await ready(world, match)
    for ply in range(24):
        position = stored.match.record.position
        move = position.write(next(iter(position.legal_moves())))
        assert await world.core.handle(world.incoming(names[ply % 2], move)) == ()
        stored = await ready(world, match)
    sender.trouble = failing(None)
    (board,) = await world.delivered()
    lines = plain(board.text).split("\n")
    assert len(plain(board.text)) <= CAPTION_LENGTH
    assert lines[0] == "…"
    assert [line.rpartition(" ")[2] for line in lines[1:-2]] == [
        f"{move}." for move in stored.match.tokens[3 - len(lines) :]
    ]
    assert f"#{match}" in lines[-1]


class UnsteadyStore(RedisStore):
    """A store that cannot be reached now and then, and once fails in a way that nobody has thought of."""

    def __init__(self, client: Redis) -> None:
        super().__init__(client)
        lost = StoreUnavailableError("planted")
        self.behind_trouble = iter([lost, lost])
        self.lease_trouble = iter([lost, RuntimeError("planted"), lost])

    async def behind(self, platforms: Sequence[str], now_ms: int) -> Sequence[Behind]:
        """See `Store.behind`."""
        for error in islice(self.behind_trouble, 1):
            raise error
        return await super().behind(platforms, now_ms)

    async def lease(self, place: Place, holder: str, milliseconds: int) -> bool:
        """See `Store.lease`."""
        for error in islice(self.lease_trouble, 1):
            raise error
        return await super().lease(place, holder, milliseconds)


async def test_the_courier_outlives_its_store(redis_client: Redis, caplog: pytest.LogCaptureFixture) -> None:
    world = World(redis_client)
    stored = await typed(world, await begun(world), "b1b2")
    sender = watched(world)
    arrived = asyncio.Event()
    sender.after = lambda _: arrived.set()
    core = build(UnsteadyStore(redis_client), world.core.transcript, NoRender(), language="en", clock=world.clock)
    core.senders[PLATFORM] = sender
    async with asyncio.TaskGroup() as group:
        group.create_task(core.courier.run())
        while not arrived.is_set():
            core.courier.wake()
            await asyncio.sleep(0.01)
        core.courier.close()
    assert [outgoing.key for outgoing in sender.sent] == [f"{stored.id}:3"]
    assert "cannot look for what is to be sent" in caplog.text
    assert "cannot send on test" in caplog.text
    assert "a chat on test cannot be served" in caplog.text


async def test_the_courier_ends_after_the_send_in_flight(redis_client: Redis) -> None:
    world = World(redis_client)
    stored = await begun(world)
    begun_to_draw, let_go = asyncio.Event(), asyncio.Event()

    class Held(NoRender):
        async def png(self, scene: Scene) -> bytes:
            begun_to_draw.set()
            await let_go.wait()
            return await super().png(scene)

    held = World(redis_client, Held())
    sender = watched(held)
    await typed(world, stored, "b1b2")
    async with asyncio.TaskGroup() as group:
        running = group.create_task(held.core.courier.run())
        await begun_to_draw.wait()
        held.core.courier.close()
        await asyncio.sleep(0.02)
        assert not running.done()
        let_go.set()
    assert [outgoing.key for outgoing in sender.sent] == [f"{stored.id}:3"]
    assert not await is_behind(world)
