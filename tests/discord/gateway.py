"""The gateway: HELLO, IDENTIFY, READY, events, heartbeats, RESUME, and the ways in which it fails.

Source: https://discord.com/developers/docs/events/gateway.
"""

from __future__ import annotations

import asyncio
import json
import zlib
from dataclasses import dataclass, field
from typing import Any, Final

from aiohttp import WSMsgType, web

from tests.discord.messages import Event
from tests.discord.payloads import guild_json, user_json, without_content
from tests.discord.world import World

JSON = dict[str, Any]

_DISPATCH, _HEARTBEAT, _IDENTIFY, _RESUME, _RECONNECT, _INVALID, _HELLO, _ACK = 0, 1, 2, 6, 7, 9, 10, 11
_PRESENCE, _VOICE, _MEMBERS = 3, 4, 8
_MESSAGE_CONTENT: Final = 1 << 15
_PRIVILEGED: Final = 1 << 1 | 1 << 8 | _MESSAGE_CONTENT
_ALL_INTENTS: Final = (1 << 26) - 1
_DECODE_ERROR, _NOT_AUTHENTICATED, _AUTHENTICATION_FAILED, _ALREADY_AUTHENTICATED = 4002, 4003, 4004, 4005
_UNKNOWN_OPCODE, _INVALID_SHARD, _INVALID_INTENTS, _DISALLOWED_INTENTS = 4001, 4010, 4013, 4014


@dataclass(slots=True, eq=False)
class Session:
    """What an identified client gets; it outlives its connection until the gateway forgets it."""

    id: str
    shard: tuple[int, int]
    intents: int
    sequence: int = 0
    sent: list[JSON] = field(default_factory=list)
    connection: Connection | None = None


@dataclass(slots=True, eq=False)
class Connection:
    """One web socket; what waits in *queue* is written by a task of its own, so that whoever tells need not wait."""

    socket: web.WebSocketResponse
    request: web.Request
    compressor: Any
    queue: asyncio.Queue[JSON | int] = field(default_factory=asyncio.Queue)
    session: Session | None = None

    async def write(self) -> None:
        """Send what waits; a number closes the connection with that code."""
        while True:
            match await self.queue.get():
                case int() as code:
                    await self.socket.close(code=code)
                    return
                case payload:
                    text = json.dumps(payload)
                    if self.compressor is None:
                        await self.socket.send_str(text)
                        continue
                    data = self.compressor.compress(text.encode()) + self.compressor.flush(zlib.Z_SYNC_FLUSH)
                    await self.socket.send_bytes(data)


class Gateway:
    """All sessions. *identified* are the IDENTIFY payloads that were taken, *closed* the codes that refused."""

    def __init__(self, world: World, token: str) -> None:
        self.world = world
        self.token = token
        self.heartbeat_seconds = 41.25
        self.allowed_intents = _ALL_INTENTS & ~_PRIVILEGED
        self.url = ""
        self.identified: list[JSON] = []
        self.resumed: list[JSON] = []
        self.heartbeats = 0
        self.closed: list[int] = []
        self._sessions: dict[str, Session] = {}

    # ---- telling -----------------------------------------------------------------------------------------------------

    def emit(self, event: Event) -> None:
        """Tell every session that the event is for; a session without a connection gets it when it resumes."""
        for session in self._sessions.values():
            self._tell(session, event)

    def _tell(self, session: Session, event: Event) -> None:
        shard, count = session.shard
        if (0 if event.guild is None else (event.guild >> 22) % count) != shard:
            return
        if event.intent and not session.intents & event.intent:
            return
        data = event.data
        if event.is_message and not session.intents & _MESSAGE_CONTENT:
            data = without_content(data, self.world.bot)
        self._dispatch(session, event.name, data)

    @staticmethod
    def _dispatch(session: Session, name: str, data: JSON) -> None:
        session.sequence += 1
        payload = {"op": _DISPATCH, "t": name, "s": session.sequence, "d": data}
        session.sent.append(payload)
        if session.connection is not None:
            session.connection.queue.put_nowait(payload)

    # ---- trouble -----------------------------------------------------------------------------------------------------

    @property
    def connections(self) -> list[Connection]:
        """The live connections that are identified, by shard."""
        live = [session for session in self._sessions.values() if session.connection is not None]
        return [one.connection for one in sorted(live, key=lambda one: one.shard) if one.connection is not None]

    def drop(self) -> None:
        """Cut every connection without a word; the sessions can be resumed."""
        for connection in self.connections:
            assert connection.request.transport is not None
            connection.request.transport.abort()
            self._part(connection)

    def ask_to_reconnect(self) -> None:
        """Opcode 7 to everybody."""
        for connection in self.connections:
            connection.queue.put_nowait({"op": _RECONNECT, "d": None})

    def invalidate(self, *, resumable: bool = False) -> None:
        """Opcode 9 to everybody; unless *resumable* the sessions are forgotten and what they missed is lost."""
        for connection in self.connections:
            connection.queue.put_nowait({"op": _INVALID, "d": resumable})
            if not resumable:
                self._part(connection)
        if not resumable:
            self._sessions.clear()

    def _part(self, connection: Connection) -> None:
        if connection.session is not None and connection.session.connection is connection:
            connection.session.connection = None

    # ---- one connection ----------------------------------------------------------------------------------------------

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Serve one client from its HELLO to its end."""
        socket = web.WebSocketResponse(autoping=True, max_msg_size=4096)
        await socket.prepare(request)
        compressed = request.query.get("compress") == "zlib-stream"
        connection = Connection(socket, request, zlib.compressobj() if compressed else None)
        interval = int(self.heartbeat_seconds * 1000)
        connection.queue.put_nowait({"op": _HELLO, "d": {"heartbeat_interval": interval, "_trace": []}})
        writer = asyncio.ensure_future(connection.write())
        try:
            if request.query.get("v") != "10" or request.query.get("encoding") != "json":
                self._close(connection, 4012)
            async for message in socket:
                if message.type is not WSMsgType.TEXT:
                    self._close(connection, _DECODE_ERROR)
                else:
                    self._take(connection, json.loads(message.data))
        finally:
            self._part(connection)
            writer.cancel()
        return socket

    def _close(self, connection: Connection, code: int) -> None:
        self.closed.append(code)
        connection.queue.put_nowait(code)

    def _take(self, connection: Connection, payload: JSON) -> None:
        match payload["op"]:
            case int() as op if op == _HEARTBEAT:
                self.heartbeats += 1
                connection.queue.put_nowait({"op": _ACK, "d": None})
            case int() as op if op == _IDENTIFY:
                self._identify(connection, payload["d"])
            case int() as op if op == _RESUME:
                self._resume(connection, payload["d"])
            case _ if connection.session is None:
                self._close(connection, _NOT_AUTHENTICATED)
            case int() as op if op in (_PRESENCE, _VOICE):
                pass
            case int() as op if op == _MEMBERS:
                chunk = {"guild_id": payload["d"]["guild_id"], "members": [], "chunk_index": 0, "chunk_count": 1}
                self._dispatch(connection.session, "GUILD_MEMBERS_CHUNK", {**chunk, "nonce": payload["d"].get("nonce")})
            case _:
                self._close(connection, _UNKNOWN_OPCODE)

    def _identify(self, connection: Connection, data: JSON) -> None:
        shard, count = data.get("shard", (0, 1))
        intents = data["intents"]
        if connection.session is not None:
            self._close(connection, _ALREADY_AUTHENTICATED)
        elif data["token"] != self.token:
            self._close(connection, _AUTHENTICATION_FAILED)
        elif not 0 <= shard < count:
            self._close(connection, _INVALID_SHARD)
        elif intents & ~_ALL_INTENTS:
            self._close(connection, _INVALID_INTENTS)
        elif intents & ~self.allowed_intents:
            self._close(connection, _DISALLOWED_INTENTS)
        else:
            self.identified.append(data)
            session = Session(f"session{self.world.new_id()}", (shard, count), intents, connection=connection)
            connection.session = self._sessions[session.id] = session
            self._welcome(session)

    def _welcome(self, session: Session) -> None:
        shard, count = session.shard
        world = self.world
        guilds = [guild for guild in world.guilds.values() if world.is_member(guild, world.bot)]
        guilds = [guild for guild in guilds if (guild.id >> 22) % count == shard]
        ready = {
            "v": 10,
            "user": {**user_json(world.bot), "verified": True, "mfa_enabled": True, "flags": 0, "email": None},
            "guilds": [{"id": str(guild.id), "unavailable": True} for guild in guilds],
            "private_channels": [],
            "session_id": session.id,
            "session_type": "normal",
            "resume_gateway_url": self.url,
            "application": {"id": str(world.application_id), "flags": 0},
            "shard": [shard, count],
            "_trace": [],
        }
        self._dispatch(session, "READY", ready)
        for guild in guilds:
            if guild.available:
                self._dispatch(session, "GUILD_CREATE", guild_json(world, guild))

    def _resume(self, connection: Connection, data: JSON) -> None:
        session = self._sessions.get(data["session_id"])
        if data["token"] != self.token:
            self._close(connection, _AUTHENTICATION_FAILED)
            return
        if session is None or data["seq"] > session.sequence:
            connection.queue.put_nowait({"op": _INVALID, "d": False})
            return
        if session.connection is not None:
            session.connection.queue.put_nowait(4000)
        self.resumed.append(data)
        connection.session, session.connection = session, connection
        for payload in session.sent[data["seq"] :]:
            connection.queue.put_nowait(payload)
        self._dispatch(session, "RESUMED", {"_trace": []})
