"""The local chat platform: one room in the browser with two seats, each behind a link of its own.

A page sends what was typed or pressed with an id, again and again until it is acknowledged; the id makes the
`Incoming.id` and the keys in the transcript, so however often it comes it is done once.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

from aiohttp import web

from bot.adapters.http import Words, preferred_language
from bot.adapters.page.chat import Chat
from bot.adapters.page.document import Source
from bot.adapters.page.entries import Said
from bot.adapters.page.frames import NAME_LENGTH
from bot.adapters.page.inbox import TEXT_LENGTH, Inbox
from bot.adapters.page.observer import Observer
from bot.adapters.page.seats import SEATS, Seats, person_id
from bot.adapters.page.socket import TOO_MANY, OpenPage
from bot.messages import Outgoing
from bot.ports import (
    Clock,
    Complete,
    Handle,
    Live,
    Place,
    PlaceGoneError,
    Render,
    SendLaterError,
    StoreUnavailableError,
    Transcript,
)

PLACE: Final = Place("web", "main")
"""The one room."""

_RETRY_SECONDS: Final = 1.0
_FOREVER: Final = "private, max-age=31536000, immutable"
_MEDIA_TYPE: Final = re.compile(r"[a-z]+/[a-z0-9.+-]+")


@dataclass(frozen=True, slots=True)
class Door:
    """How the page is reached.

    *is_open* tells that the server can be reached from this machine alone, so that ``/`` may lead to the first seat.
    *address* is where a friend's browser finds the server (``http://192.0.2.7:8000``), if not by the address in the
    reader's own.
    """

    is_open: bool
    address: str = ""


@dataclass(frozen=True, slots=True)
class Bot:
    """The bot as the page sees it: what is said goes in, boards and what can be typed come out."""

    handle: Handle
    live: Live
    complete: Complete


class WebAdapter:
    """The page: routes for the server, and the sender of platform ``web``.

    *words* has the keys of locales/*/page.po and ``command.<name>`` for each command that is offered.
    """

    def __init__(
        self,
        bot: Bot,
        transcript: Transcript,
        render: Render,
        words: Words,
        clock: Clock,
        *,
        languages: Sequence[str],
        door: Door,
    ) -> None:
        self._transcript = transcript
        self._words = words
        self._languages = tuple(languages)
        self._door = door
        self._source = Source.load()
        self._seats = Seats(lambda seat, language: words(language)["page.player"].format(n=seat))
        self._chat = Chat.open(PLACE.chat, transcript, render, clock)
        self._inbox = Inbox(PLACE, bot.handle, self._chat, self._seats, words, languages)
        self._observer = Observer(PLACE, bot.live, bot.complete)

    async def load(self) -> tuple[str, str]:
        """The paths of the two seats' links; to be called before the server starts.

        :raises StoreUnavailableError: if the secrets in them can neither be read nor kept.
        """
        await self._seats.load(self._transcript)
        for _, entry in await self._chat.room.since(0):
            if isinstance(entry, Said):
                self._seats.call(entry.seat, entry.name)
        first, second = (self._seats.path(seat) for seat in SEATS)
        return first, second

    async def run(self) -> None:
        """Show new messages to the open pages, for ever."""
        await self._chat.room.follow()

    # ---- the sender --------------------------------------------------------------------------------------------------

    async def send(self, outgoing: Outgoing) -> str:
        """The number of the message; see `bot.ports.Sender`."""
        if outgoing.place != PLACE:
            raise PlaceGoneError
        try:
            return str(await self._chat.post(f"send:{outgoing.key or secrets.token_hex(8)}", outgoing))
        except StoreUnavailableError as error:
            raise SendLaterError(_RETRY_SECONDS) from error

    async def retire(self, place: Place, message: str) -> None:
        """Take the buttons off an earlier message; see `bot.ports.Sender`."""
        if place != PLACE or not message.isdecimal():
            return
        try:
            await self._chat.retire(int(message))
        except StoreUnavailableError as error:
            raise SendLaterError(_RETRY_SECONDS) from error

    # ---- a part of the server ----------------------------------------------------------------------------------------

    def routes(self) -> Iterable[web.AbstractRouteDef]:
        """The page's routes."""
        return [
            web.get("/", self._enter),
            web.get("/seat/{token}", self._page),
            web.get("/seat/{token}/socket", self._socket),
            web.get(r"/seat/{token}/picture/{number:\d{1,15}}.png", self._picture),
            web.get(r"/seat/{token}/document/{number:\d{1,15}}", self._document),
        ]

    async def close(self) -> None:
        """Cut off the open pages; they come back when there is a server again."""
        self._chat.room.close()

    async def _enter(self, request: web.Request) -> web.Response:
        if self._door.is_open:
            raise web.HTTPFound(self._seats.path(SEATS[0]), headers={"Cache-Control": "no-store"})
        return self._notice(request, 200, "page.use_link")

    async def _page(self, request: web.Request) -> web.Response:
        seat = self._seats.find(request.match_info["token"])
        if seat is None:
            return self._notice(request, 404, "page.unknown_seat")
        guessed = preferred_language(request, self._languages)
        # What the page shows first comes with it; what the person has chosen counts more than what his browser wants.
        view = await self._observer.view(person_id(seat), guessed)
        language = guessed if view is None else view["language"]
        # The one on the first seat invites; whoever was invited need not know the way to the first seat.
        friend = None
        if seat == SEATS[0]:
            friend = {"path": self._seats.path(SEATS[1]), "address": self._door.address, "local": self._door.is_open}
        setup = {
            "seat": seat,
            "person": person_id(seat),
            "friend": friend,
            "language": language,
            "view": view,
            "words": {name: dict(self._words(name)) for name in self._languages},
            "textLength": TEXT_LENGTH,
            "nameLength": NAME_LENGTH,
            "tooMany": TOO_MANY,
        }
        return self._html(request, 200, self._source.seat(setup, language, self._words(language)))

    async def _picture(self, request: web.Request) -> web.Response:
        seat, number = self._asked(request)
        try:
            png = await self._chat.picture(number, person_id(seat), request.query.get("language", ""))
        except StoreUnavailableError as error:
            raise web.HTTPServiceUnavailable from error
        if png is None:
            raise web.HTTPNotFound
        return web.Response(body=png, content_type="image/png", headers={"Cache-Control": _FOREVER})

    async def _document(self, request: web.Request) -> web.Response:
        seat, number = self._asked(request)
        try:
            file = await self._chat.file(number, person_id(seat))
        except StoreUnavailableError as error:
            raise web.HTTPServiceUnavailable from error
        if file is None:
            raise web.HTTPNotFound
        known = _MEDIA_TYPE.fullmatch(file.media_type)
        return web.Response(
            body=file.content,
            content_type=file.media_type if known else "application/octet-stream",
            headers={
                "Cache-Control": _FOREVER,
                "Content-Disposition": f"attachment; filename*=UTF-8''{quote(file.name, safe='')}",
            },
        )

    def _asked(self, request: web.Request) -> tuple[int, int]:
        seat = self._seats.find(request.match_info["token"])
        if seat is None:
            raise web.HTTPNotFound
        return seat, int(request.match_info["number"])

    def _notice(self, request: web.Request, status: int, key: str) -> web.Response:
        language = preferred_language(request, self._languages)
        words = self._words(language)
        return self._html(request, status, self._source.message(language, words["page.title"], words[key]))

    def _html(self, request: web.Request, status: int, text: str) -> web.Response:
        headers = {"Cache-Control": "no-store", "Content-Security-Policy": self._source.policy(request.host)}
        response = web.Response(status=status, text=text, content_type="text/html", headers=headers)
        response.enable_compression()
        return response

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        seat = self._seats.find(request.match_info["token"])
        after = request.query.get("after", "0")
        if seat is None or not (after.isascii() and after.isdecimal() and len(after) <= 15):
            raise web.HTTPNotFound
        return await OpenPage(seat, self._chat.room, self._inbox, self._observer).serve(request, int(after))
