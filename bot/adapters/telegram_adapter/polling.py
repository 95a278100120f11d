"""Long polling, in our own loop: an update is confirmed (by asking for the next one) after its command is saved.

One process polls for a bot. Others of the same games wait until it ends; one that knows nothing of these games (another
database) is told so by Telegram, and ends.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

from telegram import Update
from telegram.error import Conflict, InvalidToken, RetryAfter, TelegramError

from bot.adapters.telegram_adapter.client import Client, readable
from bot.adapters.telegram_adapter.errors import wait_of
from bot.adapters.telegram_adapter.incoming import ALLOWED_UPDATES
from bot.adapters.telegram_adapter.intake import Taken, given
from bot.ports import Memory, Place, PlatformError, StoreUnavailableError

log = logging.getLogger(__name__)

POLL_SECONDS: Final = 50
"""How long Telegram may keep a request for updates that there are not."""

BATCH: Final = 100
PAUSE_SECONDS: Final = 1.0
LONGEST_PAUSE_SECONDS: Final = 30.0

CONFLICTS: Final = 3
"""So many conflicts in a row are no process that is just ending."""

LEASE_MS: Final = 6_000
RENEW_SECONDS: Final = 1.5

Take = Callable[[Sequence[Update]], Awaitable[Taken]]
"""Saves updates."""


class _TakenOverError(Exception):
    """Another process has the lease, since this one could not renew it in time: nobody's fault."""


class Poller:
    """Asks for updates for ever, as long as no other process of the same bot does."""

    def __init__(self, client: Client, memory: Memory, take: Take) -> None:
        self._client = client
        self._memory = memory
        self._take = take
        self._place = Place("telegram-poller", str(client.id))
        self._holder = secrets.token_hex(8)
        self._offset = self._saved = 0

    async def run(self) -> None:
        """Poll until cancelled; what was saved is confirmed then.

        :raises PlatformError: if another program polls for the same bot, or the token is not valid any more.
        """
        while True:
            try:
                async with self._alone(), asyncio.TaskGroup() as group:
                    keeper = group.create_task(self._keep_alone())
                    try:
                        await self._poll()
                    finally:
                        # Whoever has taken over asks for himself.
                        if not keeper.done():
                            keeper.cancel()
                            await self._confirm()
            except* _TakenOverError:
                log.warning("another process polls Telegram for this bot now; this one waits until that one has ended")

    # ---- alone -------------------------------------------------------------------------------------------------------

    @asynccontextmanager
    async def _alone(self) -> AsyncIterator[None]:
        """The block runs when no other process of these games polls for the bot."""
        told = False
        while not await self._is_alone():
            if not told:
                log.warning("another process polls Telegram for this bot; this one takes over when that one has ended")
                told = True
            await asyncio.sleep(PAUSE_SECONDS)
        if told:
            log.info("polls Telegram from now on")
        try:
            yield
        finally:
            with suppress(StoreUnavailableError):
                await self._memory.release(self._place, self._holder)

    async def _is_alone(self) -> bool:
        try:
            return await self._memory.lease(self._place, self._holder, LEASE_MS)
        except StoreUnavailableError as error:
            log.warning("cannot look whether another process polls Telegram, trying again: %s", error)
            return False

    async def _keep_alone(self) -> None:
        while True:
            await asyncio.sleep(RENEW_SECONDS)
            with suppress(StoreUnavailableError):
                if not await self._memory.lease(self._place, self._holder, LEASE_MS):
                    raise _TakenOverError

    # ---- polling -----------------------------------------------------------------------------------------------------

    async def _poll(self) -> None:
        pause, conflicts = PAUSE_SECONDS, 0
        while True:
            try:
                updates = await self._fetch(BATCH, POLL_SECONDS)
            except Conflict as error:
                conflicts += 1
                if conflicts == CONFLICTS:
                    raise PlatformError(
                        "another program takes this bot's updates from Telegram: stop the other one, or give one of "
                        "them a token of its own"
                    ) from None
                log.info("%s", error.message)
                await asyncio.sleep(PAUSE_SECONDS)
            except InvalidToken:
                raise rejected() from None
            except TelegramError as error:
                wait = wait_of(error) if isinstance(error, RetryAfter) else pause
                log.warning("Telegram gives no updates, trying again: %s", error.message)
                await asyncio.sleep(wait)
                pause = min(2 * pause, LONGEST_PAUSE_SECONDS)
            else:
                pause, conflicts = PAUSE_SECONDS, 0
                await self._save(updates)

    async def _fetch(self, limit: int, seconds: int) -> Sequence[Mapping[str, Any]]:
        return await self._client.updates(self._offset, limit, seconds, ALLOWED_UPDATES)

    async def _save(self, raw: Sequence[Mapping[str, Any]]) -> None:
        if not raw:
            return
        updates = [update for one in raw if (update := readable(one, self._client)) is not None]
        taken = await self._take(updates)
        # What was saved behind one that failed comes again, and is known by its id.
        self._saved = int(raw[-1]["update_id"]) + 1 if taken.failed is None else taken.failed
        await given(taken.answers)
        self._offset = self._saved
        if taken.failed is not None:
            await asyncio.sleep(PAUSE_SECONDS)

    async def _confirm(self) -> None:
        """Tell Telegram what was saved: it confirms by the next request, which there will be none of.

        The answers that are on their way are waited for by whoever ends the adapter.
        """
        self._offset = self._saved
        if self._offset:
            with suppress(TelegramError):
                await self._fetch(1, 0)


def rejected() -> PlatformError:
    """The error for a token that Telegram does not know."""
    return PlatformError("Telegram does not know the TELEGRAM_TOKEN: copy it again from @BotFather")
