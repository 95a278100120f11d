"""Updates go first: whoever acts waits for an answer, whoever is told waits for a board."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator


class Rush:
    """Counts the updates that are being handled, so that the courier can wait until they have been."""

    def __init__(self) -> None:
        self._count = 0
        self._over = asyncio.Event()
        self._over.set()

    @contextlib.contextmanager
    def handling(self) -> Iterator[None]:
        """An update is being handled while the block runs."""
        self._count += 1
        self._over.clear()
        try:
            yield
        finally:
            self._count -= 1
            if not self._count:
                self._over.set()

    async def over(self, seconds: float) -> None:
        """Return when no update is being handled, or after so many *seconds*."""
        if self._over.is_set():
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._over.wait()
