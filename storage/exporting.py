"""Reads all data from a server, as the lines of `storage.dump`. May run while the bot does.

Each match is as it is at one moment; what changes meanwhile may be in it or not. What is held in memory: the names of
the keys, the keys of one room's entries, a hundred records.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator, Sequence
from typing import Final, TypeVar

import msgspec

from storage import keys
from storage.base import DamagedRecordError
from storage.dump import (
    SCHEMA,
    ChatLine,
    Checker,
    End,
    EntryLine,
    Head,
    Line,
    MatchLine,
    OperationLine,
    PersonLine,
    SecretLine,
    Shown,
    written,
)
from storage.server import Client, Server

AT_ONCE: Final = 100
"""How many records are read in one go."""

_KEPT: Final = ("match", "chat", "person", "room", "secret", "operation")
_DERIVED: Final = ("live", "ended", "named", "outbox", "due", "room-keys")
_PASSING: Final = ("lease", "sequence", "answered")

_Item = TypeVar("_Item")


class Exporter:
    """All data of the server of *client*. *problems* tells, when the export is over, what is not in it: a line each."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._server = Server(client)
        self._checker = Checker()
        self.problems: list[str] = []
        self.lines = 0

    async def export(self) -> AsyncIterator[bytes]:
        """The lines.

        :raises StoreUnavailableError: if the server cannot be reached.
        """
        names = await self._names()
        yield written(Head(SCHEMA))
        self.lines = 1
        parts = (
            self._parts(names["match"], self._matches),
            self._parts(names["chat"], self._chats),
            self._parts(names["person"], self._people),
            self._rooms(names["room"]),
            self._parts(names["secret"], self._secrets),
            self._parts(names["operation"], self._operations),
        )
        for part in parts:
            async for line in part:
                try:
                    self._checker.check(line)
                except DamagedRecordError as error:
                    self.problems.append(f"left out: {error}")
                    continue
                yield written(line)
                self.lines += 1
        # Last: what changed meanwhile must not have a higher number than the next change will get.
        sequence = await self._server.run(keys.SEQUENCE, self._client.get(keys.SEQUENCE))
        yield written(End(self.lines, int(sequence or 0)))

    async def _names(self) -> dict[str, list[str]]:
        """What stands behind the kind in the names of the keys, by kind, in order."""
        found: dict[str, list[str]] = {kind: [] for kind in _KEPT}
        async for name in scanned(self._client, self._server):
            kind, _, rest = name.partition(":")
            if kind in found:
                found[kind].append(rest)
            elif kind not in _DERIVED and kind not in _PASSING:
                self.problems.append(f"left out: {keys.PREFIX}{name} is of a kind that is unknown here")
        for rests in found.values():
            rests.sort()
        return {kind: list(_once(rests)) for kind, rests in found.items()}

    async def _parts(
        self, names: Sequence[str], read: Callable[[Sequence[str]], Awaitable[list[Line]]]
    ) -> AsyncIterator[Line]:
        for start in range(0, len(names), AT_ONCE):
            for line in await read(names[start : start + AT_ONCE]):
                yield line

    async def _matches(self, ids: Sequence[str]) -> list[Line]:
        found = await self._server.script("dump", [keys.match_key(match) for match in ids], keys.PREFIX)
        lines: list[Line] = []
        for match, (version, record, operations, order, *places) in zip(ids, found, strict=True):
            try:
                shown = [_shown(*places[at : at + 3]) for at in range(0, len(places), 3)]
                lines.append(
                    MatchLine(
                        id=match,
                        version=int(version),
                        order=None if order is None else int(float(order)),
                        places=sorted(shown, key=lambda place: (place.platform, place.chat, place.topic)),
                        operations=operations.decode("ascii").split("\n")[1:-1],
                        record=msgspec.Raw(record),
                    )
                )
            except (TypeError, ValueError, AttributeError) as error:
                self.problems.append(f"left out: {keys.match_key(match)}: {error}")
        return lines

    async def _chats(self, texts: Sequence[str]) -> list[Line]:
        places = [keys.parse_place(text) for text in texts]
        packed = await self._values([keys.chat_key(place) for place in places])
        return [
            ChatLine(place.platform, place.chat, msgspec.Raw(record))
            for place, record in zip(places, packed, strict=True)
            if record is not None
        ]

    async def _people(self, people: Sequence[str]) -> list[Line]:
        packed = await self._values([keys.PREFIX + f"person:{person}" for person in people])
        return [
            PersonLine(person, msgspec.Raw(record))
            for person, record in zip(people, packed, strict=True)
            if record is not None
        ]

    async def _secrets(self, names: Sequence[str]) -> list[Line]:
        values = await self._values([keys.secret_key(name) for name in names])
        return [
            SecretLine(name, value.decode()) for name, value in zip(names, values, strict=True) if value is not None
        ]

    async def _operations(self, operations: Sequence[str]) -> list[Line]:
        names = [f"{keys.PREFIX}operation:{operation}" for operation in operations]
        matches = await self._values(names)
        ends = await asyncio.gather(*(self._server.run(name, self._client.pexpiretime(name)) for name in names))
        return [
            OperationLine(operation, match.decode(), until)
            for operation, match, until in zip(operations, matches, ends, strict=True)
            if match is not None and until > 0
        ]

    async def _values(self, names: Sequence[str]) -> list[bytes | None]:
        values: list[bytes | None] = await self._server.run(names[0], self._client.mget(names))
        return values

    async def _rooms(self, rooms: Sequence[str]) -> AsyncIterator[Line]:
        for room in rooms:
            name, index = keys.room_key(room), keys.room_index_key(room)
            length = await self._server.run(name, self._client.llen(name))
            numbers = await self._server.run(index, self._client.hgetall(index))
            entry_keys = {int(number): key.decode() for key, number in numbers.items()}
            for start in range(0, length, AT_ONCE):
                last = min(start + AT_ONCE, length) - 1
                contents = await self._server.run(name, self._client.lrange(name, start, last))
                for number, content in enumerate(contents, start + 1):
                    yield _entry(room, number, entry_keys.get(number, f"#{number}"), content)


async def scanned(client: Client, server: Server) -> AsyncGenerator[str, None]:
    """The names of all keys without their prefix, in no order, some perhaps twice.

    :raises StoreUnavailableError: if the server cannot be reached.
    """
    names = client.scan_iter(match=f"{keys.PREFIX}*", count=1000)
    while (name := await server.run(keys.PREFIX, anext(names, None))) is not None:
        yield name.decode(errors="backslashreplace").removeprefix(keys.PREFIX)


def _once(sorted_items: Sequence[_Item]) -> Iterator[_Item]:
    for at, item in enumerate(sorted_items):
        if at == 0 or sorted_items[at - 1] != item:
            yield item


def _shown(place_text: bytes, shown: bytes, due: bytes | None) -> Shown:
    place = keys.parse_place(place_text.decode())
    version, pinged, message = shown.decode().split(" ", 2)
    when = None if due is None else int(float(due))
    return Shown(place.platform, place.chat, place.topic, int(version), int(pinged), message, when)


def _entry(room: str, number: int, key: str, content: bytes) -> EntryLine:
    try:
        return EntryLine(room, number, key, text=content.decode())
    except UnicodeDecodeError:
        return EntryLine(room, number, key, data=content)
