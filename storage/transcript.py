"""The Transcript on Redis or Valkey."""

from __future__ import annotations

from collections.abc import Sequence

from storage import keys
from storage.base import Line
from storage.server import Client, Server


class RedisTranscript:
    """Implements `storage.base.Transcript`: a room's entries are a list, whose order gives them their numbers."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._server = Server(client)

    async def append(self, room: str, key: str, content: bytes) -> Line:
        """See `Transcript.append`."""
        number, kept = await self._server.script(
            "append", (keys.room_key(room), keys.room_index_key(room)), key, content
        )
        return Line(number, kept)

    async def since(self, room: str, number: int, limit: int = 500) -> Sequence[Line]:
        """See `Transcript.since`."""
        name = keys.room_key(room)
        last = await self._server.run(name, self._client.llen(name))
        first = max(0, number, last - limit)
        if first >= last:
            return []
        # What was added since `last` was read is for the next call.
        contents = await self._server.run(name, self._client.lrange(name, first, last - 1))
        return [Line(first + 1 + place, content) for place, content in enumerate(contents)]

    async def read(self, room: str, number: int) -> bytes | None:
        """See `Transcript.read`."""
        if number < 1:
            return None
        name = keys.room_key(room)
        content: bytes | None = await self._server.run(name, self._client.lindex(name, number - 1))
        return content

    async def secret(self, name: str, candidate: str) -> str:
        """See `Transcript.secret`."""
        key = keys.secret_key(name)
        await self._server.run(key, self._client.set(key, candidate, nx=True))
        kept: bytes = await self._server.run(key, self._client.get(key))
        return kept.decode()
