"""One open page of a seat: its WebSocket, what it says and what it is told."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Final

import msgspec
from aiohttp import WSMsgType, web

from bot.adapters.page.entries import is_visible, view
from bot.adapters.page.frames import Here, MalformedFrameError, Question, Say, read_frame
from bot.adapters.page.inbox import Inbox
from bot.adapters.page.observer import Observer
from bot.adapters.page.room import TOO_FAST, Listener, Room
from bot.adapters.page.seats import person_id
from bot.ports import StoreUnavailableError

SOCKETS: Final = 20
"""Open pages of one seat."""

TOO_MANY: Final = 4029
"""The code with which a page beyond `SOCKETS` is cut off."""

FRAME_BYTES: Final = 256 * 1024
"""The longest frame that is read; a longer one ends its socket, and no other."""

UNDONE: Final = 100
"""Frames of one page that are read before the earlier ones are done."""

BEAT_SECONDS: Final = 20.0
RETRY_SECONDS: Final = 0.5


class OpenPage:
    """A page on *seat* that looks into *room*, talks to *inbox* and asks *observer* about the boards."""

    def __init__(self, seat: int, room: Room, inbox: Inbox, observer: Observer) -> None:
        self._seat = seat
        self._room = room
        self._inbox = inbox
        self._observer = observer

    async def serve(self, request: web.Request, after: int) -> web.WebSocketResponse:
        """The socket, when it is over. The page is first told the entries after number *after*."""
        socket = web.WebSocketResponse(heartbeat=BEAT_SECONDS, max_msg_size=FRAME_BYTES)
        await socket.prepare(request)
        person = person_id(self._seat)
        if self._room.count(person) >= SOCKETS:
            await socket.close(code=TOO_MANY)
            return socket
        with self._room.listen(person) as listener:
            said: asyncio.Queue[Say | None] = asyncio.Queue(UNDONE)
            asked: asyncio.Queue[Question | None] = asyncio.Queue(UNDONE)
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._do(said, listener))
                tasks.create_task(self._observer.answer(asked, person, listener))
                tasks.create_task(self._tell(socket, listener, after))
                await self._hear(socket, said, asked, listener)
                listener.close()
                await said.put(None)
                await asked.put(None)
        return socket

    async def _hear(
        self,
        socket: web.WebSocketResponse,
        said: asyncio.Queue[Say | None],
        asked: asyncio.Queue[Question | None],
        listener: Listener,
    ) -> None:
        """Read what the page says, until it has gone or says too much."""
        async for message in socket:
            try:
                frame = read_frame(message.data if message.type is WSMsgType.TEXT else "")
            except MalformedFrameError:
                listener.tell({"type": "malformed"})
                continue
            if isinstance(frame, Here):
                listener.tell({"type": "here"})
            elif said.full() or asked.full():
                listener.close(TOO_FAST)
                return
            elif isinstance(frame, Say):
                said.put_nowait(frame)
            else:
                asked.put_nowait(frame)

    async def _do(self, said: asyncio.Queue[Say | None], listener: Listener) -> None:
        """Do what the page said, in order; also what it said just before it went."""
        is_given_up = False
        while (say := await said.get()) is not None:
            # What was said after something that could not be done must not overtake it.
            is_given_up = is_given_up or not await self._inbox.take(self._seat, say, listener)

    async def _tell(self, socket: web.WebSocketResponse, listener: Listener, after: int) -> None:
        """Tell the page what it missed, and then what is new."""
        try:
            after = await self._catch_up(socket, listener, after)
            while told := await listener.take(after):
                for notice in told:
                    await _send(socket, notice)
        except ConnectionError:
            listener.close()  # the page has gone
        await socket.close(code=listener.code)

    async def _catch_up(self, socket: web.WebSocketResponse, listener: Listener, after: int) -> int:
        """Tell the page the entries after number *after*; the number of the last one."""
        entries = None
        while entries is None and not listener.is_closed:
            try:
                entries = await self._room.since(after)
            except StoreUnavailableError:
                await _send(socket, {"type": "store", "up": False})
                await asyncio.sleep(RETRY_SECONDS)
        shown = [entry for entry in entries or () if is_visible(entry[1], listener.person)]
        views = [view(number, entry, listener.person) for number, entry in shown]
        # The transcript gives the newest ones alone where there are many.
        is_cut = entries is not None and len(entries) > 0 and entries[0][0] > after + 1
        await _send(socket, {"type": "entries", "entries": views, "history": True, "cut": is_cut})
        return entries[-1][0] if entries else after


async def _send(socket: web.WebSocketResponse, notice: Mapping[str, Any]) -> None:
    await socket.send_str(msgspec.json.encode(notice).decode())
