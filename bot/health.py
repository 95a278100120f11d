"""Whether all is well: moves can be saved, and what was saved is spoken."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from typing import Final

from bot.metrics import Metrics
from storage.base import Place, Store, StoreUnavailableError

ANSWER_SECONDS: Final = 3.0
"""How long the database may take."""

LOOK_SECONDS: Final = 30.0
"""How long ago the courier may have looked what is to be sent; it looks four times a second."""

SEND_SECONDS: Final = 180.0
"""How long a message may be under way."""

KEPT_SECONDS: Final = 1.0
"""How long an answer is given again, so that many questions cost no more than one."""


class Health:
    """Answers how it goes. *now* is a clock that never goes back, in seconds."""

    def __init__(self, store: Store, metrics: Metrics, now: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._metrics = metrics
        self._now = now
        self._name = secrets.token_hex(8)
        self._turn = asyncio.Lock()
        self._asked_at = float("-inf")
        self._trouble = ""

    async def trouble(self) -> str:
        """What is wrong, as one line for the host; empty if all is well."""
        async with self._turn:
            if self._now() - self._asked_at >= KEPT_SECONDS:
                self._trouble = await self._look()
                self._asked_at = self._now()
            return self._trouble

    async def _look(self) -> str:
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                # A lease is the smallest thing that is saved, and it passes by itself.
                await self._store.lease(Place("health", self._name), self._name, 1000)
        except (StoreUnavailableError, TimeoutError):
            return "nothing can be saved: the database does not answer or refuses"
        if (seconds := self._metrics.seconds_since_look()) > LOOK_SECONDS:
            return f"the courier has not looked for {seconds:.0f} s what is to be sent"
        if (seconds := self._metrics.seconds_under_way()) > SEND_SECONDS:
            return f"a message has been under way for {seconds:.0f} s"
        return ""
