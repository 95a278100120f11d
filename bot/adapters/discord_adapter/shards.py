"""Every shard belongs to one process at a time: two with the same one would do everything twice."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Sequence
from typing import Final

from bot.ports import Leases, Place, PlatformError, StoreUnavailableError

log = logging.getLogger(__name__)

PLATFORM: Final = "discord-shard"
LEASE_MS: Final = 6_000
RENEW_SECONDS: Final = 2.0
PATIENCE_SECONDS: Final = 8.0
"""How long a process waits for the shards of one that may have been killed a moment ago."""


class TakenShardError(PlatformError):
    """Another process runs the shard: the host's to mend, by stopping one of them."""


class Shards:
    """The leases of the shards that this process runs."""

    def __init__(self, leases: Leases) -> None:
        self._leases = leases
        self._holder = secrets.token_hex(8)
        self._held: list[Place] = []

    async def claim(self, application: int, shards: Sequence[int]) -> None:
        """Return when this process has the *shards* of the *application*.

        :raises TakenShardError: if another process keeps one of them.
        """
        loop = asyncio.get_running_loop()
        until = loop.time() + PATIENCE_SECONDS
        for shard in shards:
            place = Place(PLATFORM, str(application), str(shard))
            while not await self._leased(place):
                if loop.time() >= until:
                    await self.release()
                    raise TakenShardError(
                        f"another process runs shard {shard} of this Discord bot: stop it, or give each process "
                        "its own shards (DISCORD_SHARDS)"
                    )
                await asyncio.sleep(0.25)
            self._held.append(place)

    async def keep(self) -> None:
        """Renew the leases for ever.

        :raises TakenShardError: if another process has taken one.
        """
        while True:
            await asyncio.sleep(RENEW_SECONDS)
            for place in self._held:
                try:
                    mine = await self._leases.lease(place, self._holder, LEASE_MS)
                except StoreUnavailableError as error:
                    log.warning("cannot renew the lease of a shard, trying again: %s", error)
                    continue
                if not mine:
                    raise TakenShardError(f"another process has taken shard {place.topic} of this Discord bot")

    async def release(self) -> None:
        """Let others have the shards."""
        while self._held:
            try:
                await self._leases.release(self._held.pop(), self._holder)
            except StoreUnavailableError as error:
                log.warning("a shard stays leased for a few seconds: %s", error)

    async def _leased(self, place: Place) -> bool:
        try:
            return await self._leases.lease(place, self._holder, LEASE_MS)
        except StoreUnavailableError as error:
            log.warning("cannot lease a shard, trying again: %s", error)
            return False
