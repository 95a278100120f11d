"""Writes the lines of `storage.dump` to a server; the indexes are made by the scripts that make them otherwise."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import aclosing
from typing import BinaryIO, Final

from storage import keys
from storage.base import MatchId, Place
from storage.dump import (
    LONGEST_LINE,
    ChatLine,
    Checker,
    DumpError,
    End,
    EntryLine,
    Line,
    MatchLine,
    OperationLine,
    PersonLine,
    SecretLine,
    read,
)
from storage.exporting import scanned
from storage.redis_store import packed_change
from storage.server import Client, Server
from storage.transcript import RedisTranscript

AT_ONCE: Final = 32
"""How many records are written at the same time."""


class DataExistsError(Exception):
    """There is data on the server already: whoever imports must say that it is to be replaced."""


class Importer:
    """Puts exported data on the server of *client*, which no bot may use meanwhile."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._server = Server(client)
        self._transcript = RedisTranscript(client)
        self._checker = Checker()

    async def load(self, file: BinaryIO, *, replace: bool = False) -> Mapping[str, int]:
        """How many lines of each kind were imported from *file*, which is read twice: first it is checked to its end.

        :raises DumpError: if the file is damaged; then nothing was changed.
        :raises DataExistsError: if there is data already and *replace* is False.
        :raises StoreUnavailableError: if the server cannot be reached, or has no room: the rest is missing then.
        """
        if not replace and await self._has_data():
            raise DataExistsError
        for _ in read(_lines(file), self._checker.check):
            pass
        await self._delete_all()
        file.seek(0)
        counts: Counter[str] = Counter()
        waiting: list[Line | End] = []
        for line in read(_lines(file)):
            waiting.append(line)
            # The order of entries makes their numbers.
            if len(waiting) == AT_ONCE or isinstance(line, EntryLine):
                await self._write_all(waiting)
            counts[type(line).__name__.removesuffix("Line").lower()] += 1
        await self._write_all(waiting)
        del counts["end"]
        return counts

    async def _has_data(self) -> bool:
        async with aclosing(scanned(self._client, self._server)) as names:
            async for name in names:
                if not name.startswith("lease:"):
                    return True
        return False

    async def _delete_all(self) -> None:
        old: list[str] = []
        async for name in scanned(self._client, self._server):
            old.append(keys.PREFIX + name)
            if len(old) == 1000:
                await self._server.run(keys.PREFIX, self._client.unlink(*old))
                old.clear()
        if old:
            await self._server.run(keys.PREFIX, self._client.unlink(*old))

    async def _write_all(self, lines: list[Line | End]) -> None:
        """Write the *lines* at the same time, and empty the list."""
        await asyncio.gather(*map(self._write, lines))
        lines.clear()

    async def _write(self, line: Line | End) -> None:
        match line:
            case MatchLine():
                await self._restore(line)
            case ChatLine():
                await self._set(keys.chat_key(Place(line.platform, line.chat)), bytes(line.record))
            case PersonLine():
                await self._set(f"{keys.PREFIX}person:{line.id}", bytes(line.record))
            case SecretLine():
                await self._set(keys.secret_key(line.name), line.value)
            case EntryLine():
                if (await self._transcript.append(line.room, line.key, line.content)).number != line.number:
                    raise DumpError(f'the key "{line.key}" stands twice in room {line.room}')
            case OperationLine():
                name = f"{keys.PREFIX}operation:{line.id}"
                await self._server.run(name, self._client.set(name, line.match, pxat=line.until))
            case End():
                await self._set(keys.SEQUENCE, str(line.sequence))

    async def _set(self, name: str, value: bytes | str) -> None:
        await self._server.run(name, self._client.set(name, value))

    async def _restore(self, line: MatchLine) -> None:
        match = MatchId(line.id)
        shown = [
            (
                keys.place_text(Place(place.platform, place.chat, place.topic)),
                f"{place.version} {place.pinged} {place.message}",
                *(() if place.due is None else (place.due,)),
            )
            for place in line.places
        ]
        change = packed_change(match, self._checker.pointers(line), order=line.order or 0, shown=shown)
        operations = "".join(f"{operation}\n" for operation in ("", *line.operations))
        await self._server.script(
            "restore", (keys.match_key(match),), change, bytes(line.record), line.version, operations
        )


def _lines(file: BinaryIO) -> Iterator[bytes]:
    return iter(lambda: file.readline(LONGEST_LINE + 1), b"")
