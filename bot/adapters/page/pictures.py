"""The pictures and files that the page fetches: drawn when they are asked for, the last ones kept."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Final

BYTES: Final = 8_000_000
"""The bound of what is kept: about a hundred boards."""


class Pictures:
    """What was drawn last, by number of the entry, at most *limit* bytes of it."""

    def __init__(self, limit: int = BYTES) -> None:
        self._limit = limit
        self._bytes = 0
        self._kept: OrderedDict[int, bytes] = OrderedDict()
        self._drawing = asyncio.Lock()

    def keep(self, number: int, content: bytes) -> None:
        """Remember what entry *number* looks like."""
        self._bytes += len(content) - len(self._kept.pop(number, b""))
        self._kept[number] = content
        while self._bytes > self._limit:
            _, oldest = self._kept.popitem(last=False)
            self._bytes -= len(oldest)

    async def get(self, number: int, draw: Callable[[], Awaitable[bytes]]) -> bytes:
        """What entry *number* looks like: remembered, or drawn now (once, however many ask)."""
        if number not in self._kept:
            async with self._drawing:
                if number not in self._kept:
                    content = await draw()
                    self.keep(number, content)
                    return content
        self._kept.move_to_end(number)
        return self._kept[number]
