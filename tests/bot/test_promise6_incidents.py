"""Promise 6: what goes wrong is logged under an id that the person is told; nobody's words are logged."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from typing import Final

import pytest
from redis.asyncio import Redis

from bot.core import build
from bot.messages import Code, Outgoing
from rules.actions import PersonId
from rules.match import CHALLENGE_SECONDS, Status
from storage.base import (
    ChatSettings,
    DamagedRecordError,
    MatchId,
    Place,
    Profile,
    StoredMatch,
    StoreUnavailableError,
)
from storage.keys import match_key
from storage.redis_store import RedisStore
from tests.bot.harness import PLATFORM, NoRender, World
from tests.bot.table import begun, first_line, is_behind, moved, ready, room, said, sentence, typed

SECRET: Final = "my secret b1b2 words"


class PlantedStore(RedisStore):
    """A store that fails with *error* in the methods named in *where*."""

    where: Sequence[str] = ()
    error: Exception = RuntimeError("planted")

    def _fail(self, method: str) -> None:
        if method in self.where:
            raise self.error

    async def load(self, match: MatchId) -> StoredMatch | None:
        """See `Store.load`."""
        self._fail("load")
        return await super().load(match)

    async def load_many(self, matches: Sequence[MatchId]) -> Sequence[StoredMatch | DamagedRecordError | None]:
        """See `Store.load_many`."""
        self._fail("load_many")
        return await super().load_many(matches)

    async def save(self, stored: StoredMatch, operation: str) -> StoredMatch:
        """See `Store.save`."""
        self._fail("save")
        return await super().save(stored, operation)

    async def create(self, draft: StoredMatch, operation: str) -> StoredMatch:
        """See `Store.create`."""
        self._fail("create")
        return await super().create(draft, operation)

    async def settings(self, place: Place, person: PersonId) -> tuple[ChatSettings, Profile]:
        """See `Store.settings`."""
        self._fail("settings")
        return await super().settings(place, person)


def planted(world: World, client: Redis) -> PlantedStore:
    """The world's store from now on."""
    store = PlantedStore(client)
    world.store = store
    world.core = build(store, world.core.transcript, NoRender(), language="en", clock=world.clock)
    world.core.senders[PLATFORM] = world.inbox
    return store


def incident(messages: Sequence[Outgoing], key: str) -> str:
    """The id of the incident that the one message tells, which must be worded by *key*."""
    (message,) = messages
    (found,) = (span.text for span in message.text if isinstance(span, Code))
    assert first_line([message]) == sentence(key, incident=found)
    assert re.fullmatch(r"[0-9a-f]{8}", found)
    return found


@pytest.mark.parametrize(
    ("method", "text"),
    [
        ("load", f"/move {SECRET} "),
        ("load_many", SECRET),
        ("save", "b1b2"),
        ("create", "/challenge volo @carla"),
        ("settings", SECRET),
    ],
)
async def test_an_unexpected_error_has_an_id(
    redis_client: Redis, caplog: pytest.LogCaptureFixture, method: str, text: str
) -> None:
    world = World(redis_client)
    stored = await begun(world)
    store = planted(world, redis_client)
    store.where = (method,)
    update = world.incoming("Ana", text + (stored.id if text.startswith("/move") else ""))
    told = incident(await world.core.handle(update), "error.unexpected")
    (record,) = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert told in record.getMessage()
    assert "RuntimeError: planted" in caplog.text
    assert SECRET not in caplog.text
    assert "Ana" not in caplog.text
    # Nothing is lost: the same update, when all is well again.
    store.where = ()
    before = await ready(world, stored.id)
    answers = await world.core.handle(update)
    if method in ("save", "create"):
        assert answers == ()
    else:
        assert said(answers)
    assert (await ready(world, stored.id)).version == before.version + (method == "save")


@pytest.mark.parametrize("method", ["load_many", "save", "settings"])
async def test_an_unreachable_store_is_the_adapters_to_see(redis_client: Redis, method: str) -> None:
    """The update must not be confirmed, so the error passes through; the same update then does what it should."""
    world = World(redis_client)
    stored = await begun(world)
    store = planted(world, redis_client)
    store.where, store.error = (method,), StoreUnavailableError("planted")
    update = world.incoming("Ana", "b1b2")
    with pytest.raises(StoreUnavailableError):
        await world.core.handle(update)
    store.where = ()
    assert await world.core.handle(update) == ()
    assert (await ready(world, stored.id)).match.tokens == ("b1-b2",)


async def test_a_saved_move_whose_answer_was_lost(redis_client: Redis) -> None:
    """The server saved, but its answer did not arrive: the update comes again and is known."""

    class Deaf(PlantedStore):
        async def save(self, stored: StoredMatch, operation: str) -> StoredMatch:
            await RedisStore.save(self, stored, operation)
            raise StoreUnavailableError("planted")

    world = World(redis_client)
    stored = await begun(world)
    core = build(Deaf(redis_client), world.core.transcript, NoRender(), language="en", clock=world.clock)
    update = world.incoming("Ana", "b1b2")
    with pytest.raises(StoreUnavailableError):
        await core.handle(update)
    assert await core.handle(update) == ()
    assert (await ready(world, stored.id)).match.tokens == ("b1-b2",)


# ---- a damaged record ------------------------------------------------------------------------------------------------


async def damage(client: Redis, match: MatchId) -> None:
    """Change one letter of the record."""
    key = match_key(match)
    record = (await client.hgetall(key))[b"s"]
    assert isinstance(record, bytes)
    await client.hset(key, "s", record.replace(b"ayu", b"axu"))


async def test_a_damaged_match_is_refused_and_the_others_go_on(
    redis_client: Redis, caplog: pytest.LogCaptureFixture
) -> None:
    world = World(redis_client)
    broken, whole = await begun(world), await begun(world)
    await typed(world, broken, "b1b2")
    await damage(redis_client, broken.id)
    for text in (f"/board {broken.id}", f"a2a3 {broken.id}", f"/resign yes {broken.id}", f"/export {broken.id}"):
        caplog.clear()
        told = incident(await world.core.handle(world.incoming("Бо", text)), "error.damaged")
        (record,) = [record for record in caplog.records if record.levelno >= logging.ERROR]
        assert told in record.getMessage()
        assert broken.id in record.getMessage()

    # The courier cannot say what was saved there, and goes on.
    caplog.clear()
    whole = await moved(world, whole, "b1b2")
    assert f"match {broken.id} cannot be shown" in caplog.text
    assert [outgoing.match for outgoing in world.inbox.sent][-1] == whole.id
    caplog.clear()
    await world.core.courier.drain()
    assert not caplog.text
    assert await is_behind(world)

    # Moves without an id find the other match, lists leave the damaged one out.
    assert await world.core.handle(world.incoming("Бо", "a2a3")) == ()
    (answer,) = await world.core.handle(world.incoming("Ana", "/games"))
    assert whole.id in said([answer])
    assert broken.id not in said([answer])


async def test_a_damaged_match_that_alone_may_be_meant(redis_client: Redis) -> None:
    world = World(redis_client)
    stored = await begun(world)
    await damage(redis_client, stored.id)
    for text in ("b1b2", "/resign", "/draw"):
        incident(await world.core.handle(world.incoming("Ana", text)), "error.damaged")
        # Whoever does not play in it is not bothered with it.
        (answer,) = await world.core.handle(world.incoming("Carla", text))
        assert first_line([answer]) == sentence("notice.no-match")


async def test_a_damaged_challenge_does_not_stop_the_clock(
    redis_client: Redis, caplog: pytest.LogCaptureFixture
) -> None:
    world = World(redis_client)
    await world.say("Ana", "/challenge ayu 9")
    (broken,) = await world.store.matches_in(world.place)
    await world.say("Бо", "/challenge ayu 9", place=room("other"))
    (other,) = await world.store.matches_in(room("other"))
    await damage(redis_client, broken)
    world.clock.forward(seconds=CHALLENGE_SECONDS + 1)
    now = world.clock.now_ms() // 1000
    assert await world.core.service.expire(now) == 1
    assert await world.core.service.expire(now) == 0
    assert (await ready(world, other)).match.status is Status.EXPIRED
    assert caplog.text.count(f"match {broken} cannot be closed") == 1
