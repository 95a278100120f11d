"""What pages say is done here, once and in order, and acknowledged when it is saved."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Final

from bot.adapters.http import Words
from bot.adapters.page.chat import Chat
from bot.adapters.page.frames import Say, clean_name
from bot.adapters.page.room import Listener
from bot.adapters.page.seats import SEATS, Seats, person_id
from bot.messages import Incoming, Outgoing, Text
from bot.ports import Handle, Place, StoreUnavailableError

TEXT_LENGTH: Final = 10_000
"""Characters of one text; what is longer is cut, and its writer told so."""

FIRST_WAIT: Final = 0.25
LONGEST_WAIT: Final = 4.0
"""Seconds between two tries while nothing can be saved; each wait is twice the one before."""

REMEMBERED: Final = 1000
"""Acknowledged ids that are kept in memory, so that a repetition is not even looked up."""

_LOG: Final = logging.getLogger(__name__)


class Inbox:
    """Hands what was said in *place* to *handle* and posts the answers in *chat*."""

    def __init__(
        self, place: Place, handle: Handle, chat: Chat, seats: Seats, words: Words, languages: Sequence[str]
    ) -> None:
        self._place = place
        self._handle = handle
        self._chat = chat
        self._seats = seats
        self._words = words
        self._languages = tuple(languages)
        self._turns: Mapping[int, asyncio.Lock] = {seat: asyncio.Lock() for seat in SEATS}
        self._done: OrderedDict[str, None] = OrderedDict()

    async def take(self, seat: int, say: Say, listener: Listener) -> bool:
        """Do what the page *listener* said on *seat*, and acknowledge it; True when that is over.

        While nothing can be saved it is tried again and again. False if the page has gone meanwhile: it will say it
        again itself, and what it said after it.
        """
        key = f"{seat}:{say.id}"
        wait = FIRST_WAIT
        while not await self._is_done(key, seat, say, listener):
            listener.tell({"type": "waiting", "id": say.id})
            await asyncio.sleep(wait)
            wait = min(2 * wait, LONGEST_WAIT)
            if listener.is_closed:
                return False
        return True

    async def _is_done(self, key: str, seat: int, say: Say, listener: Listener) -> bool:
        # One at a time for each seat: the same words may come through two sockets at once.
        async with self._turns[seat]:
            if key not in self._done:
                try:
                    await self._do(key, seat, say)
                except StoreUnavailableError:
                    return False
                except Exception:  # noqa: BLE001 - a defect behind the port: this one text fails, the page goes on
                    error_id = secrets.token_hex(4)
                    _LOG.exception("error %s: what seat %d said could not be done", error_id, seat)
                    listener.tell({"type": "failed", "id": say.id, "error": error_id})
                    return True
                self._done[key] = None
                if len(self._done) > REMEMBERED:
                    self._done.popitem(last=False)
        listener.tell({"type": "ack", "id": say.id})
        return True

    async def _do(self, key: str, seat: int, say: Say) -> None:
        language = say.language if say.language in self._languages else self._languages[0]
        self._seats.call(seat, clean_name(say.name))
        person = self._seats.person(seat, language)
        text = "" if say.payload else say.text[:TEXT_LENGTH]
        if text and not say.quiet:
            await self._chat.said(f"said:{key}", seat, person.name, text, say.id)
        written, mentions = self._seats.mentions(text, seat, language)
        incoming = Incoming(
            key,
            self._place,
            person,
            written,
            say.payload,
            mentions=mentions,
            quoted=f"#{say.about}" if say.about else "",
            private=True,
            language=language,
        )
        answers = list(await self._handle(incoming))
        # It is saved: the boards need not wait until the courier has drawn its picture.
        self._chat.room.stir()
        if not say.payload and len(say.text) > TEXT_LENGTH:
            notice = self._words(language)["page.cut"].format(n=TEXT_LENGTH)
            answers.append(Outgoing(self._place, (Text(notice),), only_for=person_id(seat), language=language))
        for index, outgoing in enumerate(answers):
            await self._chat.post(f"answer:{key}:{index}", outgoing, say.entry)
