"""The computer as a platform of its own: it is woken when it may be its turn, and answers like a person."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import Final

from bot.messages import Incoming
from bot.ports import Handle, Opponent, StoreUnavailableError, ThinkingError

_LOG = logging.getLogger(__name__)

SWEEP_SECONDS: Final = 20.0
"""How often all matches are looked through: what another process left behind waits no longer."""


class ComputerAdapter:
    """Thinks about many matches at the same time, about each one once; begins anew when a match has changed."""

    def __init__(self, handle: Handle, opponent: Opponent) -> None:
        self._handle = handle
        self._opponent = opponent
        self._woken: set[str] = set()
        self._serving: set[str] = set()
        self._thinking: dict[str, asyncio.Task[Incoming | None]] = {}
        self._event = asyncio.Event()

    def wake(self, match: str) -> None:
        """The match has changed: look whether the computer is to do something."""
        self._woken.add(match)
        task = self._thinking.get(match)
        if task is not None:
            task.cancel()
        self._event.set()

    async def run(self) -> None:
        """Answer for ever."""
        loop = asyncio.get_running_loop()
        next_sweep = loop.time()
        async with asyncio.TaskGroup() as group:
            while True:
                if loop.time() >= next_sweep:
                    await self._sweep()
                    next_sweep = loop.time() + SWEEP_SECONDS
                self._event.clear()
                for match in self._woken - self._serving:
                    self._serving.add(match)
                    group.create_task(self._serve(match, group))
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout_at(next_sweep):
                        await self._event.wait()

    async def _sweep(self) -> None:
        try:
            self._woken.update(await self._opponent.waiting())
        except StoreUnavailableError as error:
            _LOG.warning("cannot look for matches that wait for the computer, trying again: %s", error)

    async def _serve(self, match: str, group: asyncio.TaskGroup) -> None:
        """Answer in *match* until it has nothing to answer there; never raises."""
        try:
            while match in self._woken:
                self._woken.discard(match)
                task = self._thinking[match] = group.create_task(self._asked(match))
                await asyncio.wait({task})
                del self._thinking[match]
                incoming = None if task.cancelled() else task.result()
                if incoming is not None:
                    await self._say(match, incoming)
        finally:
            self._serving.discard(match)
            self._event.set()
            await self._leave(match)

    async def _asked(self, match: str) -> Incoming | None:
        try:
            return await self._opponent.answer(match)
        except (StoreUnavailableError, ThinkingError) as error:
            _LOG.warning("match %s: the computer cannot answer, trying again: %s", match, error)
        except Exception:  # noqa: BLE001 - one match's defect is logged, and the others go on
            _LOG.exception("match %s: the computer cannot answer, trying again", match)
        return None

    async def _say(self, match: str, incoming: Incoming) -> None:
        try:
            if await self._handle(incoming):
                # The match has changed in between, which wakes us again; or it is a defect: the next sweep tries again.
                _LOG.warning("match %s: what the computer wanted to do is refused", match)
        except StoreUnavailableError as error:
            _LOG.warning("match %s: what the computer does cannot be saved, trying again: %s", match, error)

    async def _leave(self, match: str) -> None:
        try:
            await self._opponent.leave(match)
        except StoreUnavailableError as error:
            _LOG.warning("match %s: other processes wait until they may think about it: %s", match, error)
