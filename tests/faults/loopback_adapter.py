"""The bot's side of the loopback platform: updates come by long polling, messages go out by HTTP.

An update is confirmed when the pipeline has handled it and its answers have arrived, not before; what is not confirmed
is delivered again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Final

import aiohttp
import msgspec

from bot.messages import Incoming, Outgoing, Person
from bot.ports import Handle, Place, SendError, SendLaterError, StoreUnavailableError
from rules.actions import PersonId
from tests.faults.wire import PLATFORM, SPEED, Sent, Update, board_of, marked

log = logging.getLogger(__name__)

TROUBLE: Final = (aiohttp.ClientError, TimeoutError)
_TIMEOUT: Final = aiohttp.ClientTimeout(total=8)


class OutcomeUnknownError(SendError):
    """The platform answered with a fault of its own: the message may have arrived."""


class LoopbackAdapter:
    """Implements `bot.core.Platform` for the loopback platform at *url*; *bot* is this process's name."""

    def __init__(self, handle: Handle, url: str, bot: str) -> None:
        self._handle = handle
        self._url = url
        self._bot = bot
        self._session: aiohttp.ClientSession | None = None

    # ---- updates -----------------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Take updates for ever, many at a time."""
        async with aiohttp.ClientSession(timeout=_TIMEOUT) as session, asyncio.TaskGroup() as group:
            self._session = session
            while True:
                for update in await self._poll():
                    group.create_task(self._take(update))

    async def _poll(self) -> Sequence[Update]:
        try:
            async with self._open.get(f"{self._url}/updates", params={"bot": self._bot}) as response:
                return msgspec.json.decode(await response.read(), type=list[Update])
        except TROUBLE:
            await asyncio.sleep(0.05)
            return ()

    async def _take(self, update: Update) -> None:
        try:
            answers = await self._handle(self.incoming(update))
        except StoreUnavailableError as error:
            log.warning("update %s is left for later: %s", update.id, error)
            return
        for answer in answers:
            await self._answer(answer)
        await self.confirm(update)

    def incoming(self, update: Update) -> Incoming:
        """The update as the pipeline knows it."""
        person = Person(PersonId(update.person), update.name)
        return Incoming(
            id=update.id,
            place=Place(PLATFORM, update.chat),
            person=person,
            text=update.text,
            payload=update.payload,
            quoted=update.quoted,
            language=update.language,
        )

    async def confirm(self, update: Update) -> None:
        """Tell the platform not to deliver the update again; if that fails, it will."""
        try:
            async with self._open.post(f"{self._url}/confirmations", params={"id": update.id}) as response:
                await response.read()
        except TROUBLE:
            return

    async def _answer(self, answer: Outgoing) -> None:
        """Send until it has arrived."""
        while True:
            try:
                await self._post(answer)
            except (SendError, *TROUBLE):
                await asyncio.sleep(0.05)
            else:
                return

    # ---- messages ----------------------------------------------------------------------------------------------------

    async def send(self, outgoing: Outgoing) -> str:
        """See `bot.ports.Sender`."""
        return await self._post(outgoing)

    async def retire(self, place: Place, message: str) -> None:
        """See `bot.ports.Sender`."""
        async with self._open.post(f"{self._url}/retired", params={"chat": place.chat, "message": message}) as response:
            await response.read()

    async def _post(self, outgoing: Outgoing) -> str:
        sent = Sent(
            bot=self._bot,
            key=outgoing.key,
            chat=outgoing.place.chat,
            text=marked(outgoing.text),
            language=outgoing.language,
            buttons=tuple(button.payload for row in outgoing.buttons for button in row),
            picture=None if outgoing.picture is None else board_of(outgoing.picture.scene),
            match=outgoing.match or "",
            board=outgoing.board,
            only_for=outgoing.only_for or "",
            ping=outgoing.ping or "",
        )
        async with self._open.post(f"{self._url}/messages", data=msgspec.json.encode(sent)) as response:
            body = await response.text()
            if response.status == 429:
                raise SendLaterError(float(body) * SPEED)
            if response.status != 200:
                raise OutcomeUnknownError(body)
            return body

    @property
    def _open(self) -> aiohttp.ClientSession:
        """The session; the courier may want to send before `run` has begun."""
        if self._session is None:
            raise SendLaterError(0.1 * SPEED)
        return self._session
