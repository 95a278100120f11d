"""One room of the page: its transcript, and the pages that listen to it."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

from bot.adapters.page.entries import DamagedEntryError, Entry, decode, encode, is_visible, view
from bot.ports import StoreUnavailableError, Transcript

POLL_SECONDS: Final = 0.5
"""How long entries that another process appended stay unseen."""

WAITING_LINES: Final = 1024
"""A page that has not taken so many entries or notices is cut off; it comes back and asks for what it missed."""

GOING_AWAY: Final = 1001
"""The code with which a page is cut off when the server ends."""

TOO_FAST: Final = 4008
"""The code with which a page is cut off that says more than can be done, or does not take what it is told."""

_LOG: Final = logging.getLogger(__name__)


class Listener:
    """One open page of *person*: what it has yet to be told."""

    def __init__(self, person: str) -> None:
        self.person = person
        self.is_closed = False
        self.code = GOING_AWAY
        self._entries: deque[tuple[int, Entry]] = deque()
        self._notices: deque[Mapping[str, Any]] = deque()
        self._wake = asyncio.Event()

    def tell(self, notice: Mapping[str, Any]) -> None:
        """Have the page told something that is no entry."""
        self._notices.append(notice)
        self._added()

    def show(self, number: int, entry: Entry) -> None:
        """Have the page shown an entry, if its person may see it."""
        if is_visible(entry, self.person):
            self._entries.append((number, entry))
            self._added()

    def close(self, code: int = GOING_AWAY) -> None:
        """Have the page cut off with *code* after what was told so far."""
        if not self.is_closed:
            self.is_closed = True
            self.code = code
        self._wake.set()

    async def take(self, after: int) -> list[Mapping[str, Any]]:
        """What there is to tell, as soon as there is something; the entries after number *after*, in one.

        An empty list when the page is to be cut off.
        """
        while True:
            await self._wake.wait()
            self._wake.clear()
            shown = [view(number, entry, self.person) for number, entry in self._entries if number > after]
            told: list[Mapping[str, Any]] = [{"type": "entries", "entries": shown}] if shown else []
            told.extend(self._notices)
            self._entries.clear()
            self._notices.clear()
            if told or self.is_closed:
                if self.is_closed:
                    self._wake.set()
                return told

    def _added(self) -> None:
        if len(self._entries) + len(self._notices) > WAITING_LINES:
            self._entries.clear()
            self._notices.clear()
            self.close(TOO_FAST)
        self._wake.set()


class Room:
    """The room called *name* in *transcript*."""

    def __init__(self, transcript: Transcript, name: str) -> None:
        self._transcript = transcript
        self.name = name
        self._listeners: set[Listener] = set()
        self._seen = 0
        self._is_down = False
        self._wake = asyncio.Event()

    async def append(self, key: str, entry: Entry) -> int:
        """The number of the entry, which is shown to those who listen; the same *key* again changes nothing.

        :raises StoreUnavailableError: if it could not be kept.
        """
        line = await self._transcript.append(self.name, key, encode(entry))
        self._wake.set()
        return line.number

    async def read(self, number: int) -> Entry | None:
        """One entry, or None.

        :raises StoreUnavailableError: if the transcript cannot be reached.
        :raises DamagedEntryError: if the entry cannot be read.
        """
        content = await self._transcript.read(self.name, number)
        return None if content is None else decode(content)

    async def since(self, number: int) -> Sequence[tuple[int, Entry]]:
        """The newest 500 entries after *number*, in order; damaged ones are left out and logged.

        :raises StoreUnavailableError: if the transcript cannot be reached.
        """
        entries = []
        for line in await self._transcript.since(self.name, number):
            try:
                entries.append((line.number, decode(line.content)))
            except DamagedEntryError as error:
                _LOG.error("entry %d of room %s cannot be read: %s", line.number, self.name, error)
        return entries

    @contextmanager
    def listen(self, person: str) -> Iterator[Listener]:
        """A listener that is shown all new entries while the context lasts."""
        listener = Listener(person)
        self._listeners.add(listener)
        try:
            yield listener
        finally:
            self._listeners.discard(listener)

    def count(self, person: str) -> int:
        """How many pages of *person* listen."""
        return sum(listener.person == person for listener in self._listeners)

    def stir(self) -> None:
        """Have all who listen look at the boards again: something was saved that the courier will tell of."""
        for listener in self._listeners:
            listener.tell({"type": "changed"})

    def close(self) -> None:
        """Cut off all who listen."""
        for listener in self._listeners:
            listener.close()

    async def follow(self) -> None:
        """Show new entries to all who listen, for ever: this process' own at once, others' within `POLL_SECONDS`."""
        task = asyncio.current_task()
        # Python 3.11's wait_for, which the server's client uses, swallows a cancellation that comes just as it ends.
        while task is None or not task.cancelling():
            try:
                async with asyncio.timeout(POLL_SECONDS):
                    await self._wake.wait()
            except TimeoutError:
                pass  # time to look for other processes' entries
            self._wake.clear()
            if self._listeners:
                await self._deliver()

    async def _deliver(self) -> None:
        try:
            entries = await self.since(self._seen)
        except StoreUnavailableError:
            self._tell_store(up=False)
            await asyncio.sleep(POLL_SECONDS)
            self._wake.set()
            return
        self._tell_store(up=True)
        for number, entry in entries:
            self._seen = number
            for listener in self._listeners:
                listener.show(number, entry)

    def _tell_store(self, *, up: bool) -> None:
        if up != self._is_down:
            return
        self._is_down = not up
        for listener in self._listeners:
            listener.tell({"type": "store", "up": up})
