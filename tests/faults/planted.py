"""Faults that break a promise, to be planted into a bot process: the judge must see each of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import count
from types import MappingProxyType
from typing import Final

from bot.messages import Incoming, Outgoing
from bot.ports import Handle
from storage.base import Conflict, MatchId, Place, StoredMatch
from storage.redis_store import RedisStore
from storage.server import Client
from tests.faults.loopback_adapter import LoopbackAdapter
from tests.faults.wire import Update

QUEUE_SECONDS: Final = 0.5


class HastyAdapter(LoopbackAdapter):
    """Confirms an update when it is fetched and handles it from a queue, as a library's updater may do."""

    async def _take(self, update: Update) -> None:
        await self.confirm(update)
        await asyncio.sleep(QUEUE_SECONDS)
        await super()._take(update)


class ForgetfulAdapter(LoopbackAdapter):
    """Takes an update that is delivered again for another one."""

    _deliveries = count()

    def incoming(self, update: Update) -> Incoming:
        """See `LoopbackAdapter.incoming`."""
        return replace(super().incoming(update), id=f"{update.id} {self._bot} {next(self._deliveries)}")


class BoastfulAdapter(LoopbackAdapter):
    """Has a message marked as shown before it is sent."""

    def __init__(self, handle: Handle, url: str, bot: str, store: RedisStore) -> None:
        super().__init__(handle, url, bot)
        self._store = store

    async def send(self, outgoing: Outgoing) -> str:
        """See `bot.ports.Sender`."""
        assert outgoing.match is not None
        version = int(outgoing.key.rpartition(":")[2])
        await self._store.mark_shown(outgoing.match, outgoing.place, version, "")
        return await super().send(outgoing)


class CarelessStore(RedisStore):
    """Saves whatever the match has become in the meantime."""

    async def save(self, stored: StoredMatch, operation: str) -> StoredMatch:
        """See `Store.save`."""
        while True:
            try:
                return await super().save(stored, operation)
            except Conflict:
                newest = await self.load(stored.id)
                assert newest is not None
                stored = replace(stored, version=newest.version)


class CrowdedStore(RedisStore):
    """Gives everybody every lease."""

    async def lease(self, place: Place, holder: str, milliseconds: int) -> bool:
        """See `Store.lease`."""
        await super().lease(place, holder, milliseconds)
        return True


class NoisyStore(RedisStore):
    """Lets everybody ping."""

    async def mark_pinged(self, match: MatchId, place: Place, version: int) -> bool:
        """See `Store.mark_pinged`."""
        await super().mark_pinged(match, place, version)
        return True


def _plain(handle: Handle, url: str, bot: str, store: RedisStore) -> LoopbackAdapter:
    del store
    return LoopbackAdapter(handle, url, bot)


@dataclass(frozen=True, slots=True)
class Assembly:
    """How a bot process makes its store and its adapter."""

    store: Callable[[Client], RedisStore] = RedisStore
    adapter: Callable[[Handle, str, str, RedisStore], LoopbackAdapter] = _plain


SOUND: Final = Assembly()

PLANTED: Final[Mapping[str, Assembly]] = MappingProxyType(
    {
        "confirmed before it is saved": Assembly(adapter=lambda handle, url, bot, _: HastyAdapter(handle, url, bot)),
        "saved without looking at the version": Assembly(store=CarelessStore),
        "redelivered as another update": Assembly(
            adapter=lambda handle, url, bot, _: ForgetfulAdapter(handle, url, bot)
        ),
        "sent by everybody at once": Assembly(store=CrowdedStore),
        "notified with every try": Assembly(store=NoisyStore),
        "marked as shown before it is sent": Assembly(adapter=BoastfulAdapter),
    }
)
