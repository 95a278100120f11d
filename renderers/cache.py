"""One cache for everything a renderer keeps, bounded in bytes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import TypeVar, cast

Value = TypeVar("Value")
_ENTRY = 300  # bytes: what an entry costs besides its value (key, links, object headers), rounded up


class ByteCache:
    """Keeps what was used last, up to *limit* bytes in all. Not safe for several threads: its owner holds the lock."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._entries: OrderedDict[Hashable, tuple[object, int]] = OrderedDict()
        self._used = 0

    @property
    def used(self) -> int:
        """The bytes held now."""
        return self._used

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: Hashable, make: Callable[[], Value], cost: Callable[[Value], int]) -> Value:
        """The value of *key*, made by *make* if it is not there; *cost* gives its bytes.

        Two kinds of values must not share a key: begin keys with a word of their own. A value larger than the whole
        limit comes back, but is not kept.
        """
        entry = self._entries.get(key)
        if entry is not None:
            self._entries.move_to_end(key)
            return cast("Value", entry[0])
        value = make()
        size = cost(value) + _ENTRY
        # *make* may have filled this very key, or others, meanwhile.
        self._drop(key)
        if size <= self.limit:
            self._entries[key] = value, size
            self._used += size
            while self._used > self.limit:
                self._drop(next(iter(self._entries)))
        return value

    def _drop(self, key: Hashable) -> None:
        entry = self._entries.pop(key, None)
        if entry is not None:
            self._used -= entry[1]
