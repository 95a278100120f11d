"""The pictures and files that the page fetches: drawn when they are asked for, the last ones kept."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Final

BYTES: Final = 8_000_000
"""The bound of what is kept: about a hundred boards."""

Key = tuple[int, str]
"""The number of an entry, and the language of what is written on its picture (empty: the one it was sent in)."""


class Pictures:
    """What was drawn last, by number of the entry and language, at most *limit* bytes of it."""

    def __init__(self, limit: int = BYTES) -> None:
        self._limit = limit
        self._bytes = 0
        self._kept: OrderedDict[Key, bytes] = OrderedDict()
        self._drawing = asyncio.Lock()

    def keep(self, key: Key, content: bytes) -> None:
        """Remember what the entry and language *key* looks like."""
        self._bytes += len(content) - len(self._kept.pop(key, b""))
        self._kept[key] = content
        while self._bytes > self._limit:
            _, oldest = self._kept.popitem(last=False)
            self._bytes -= len(oldest)

    async def get(self, key: Key, draw: Callable[[], Awaitable[bytes]]) -> bytes:
        """What the entry and language *key* looks like: remembered, or drawn now (once, however many ask)."""
        if key not in self._kept:
            async with self._drawing:
                if key not in self._kept:
                    content = await draw()
                    self.keep(key, content)
                    return content
        self._kept.move_to_end(key)
        return self._kept[key]
