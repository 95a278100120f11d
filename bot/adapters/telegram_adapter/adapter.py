"""Telegram as a platform: built by the app, sends for the courier, listens until it is cancelled."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from telegram.error import InvalidToken, RetryAfter, TelegramError

from bot.adapters.http import Part
from bot.adapters.telegram_adapter.answers import REFUSED_SECONDS, Answers, Until, with_link
from bot.adapters.telegram_adapter.client import Client, new_client, readable
from bot.adapters.telegram_adapter.commands import offer
from bot.adapters.telegram_adapter.errors import (
    is_gone,
    is_no_message,
    is_not_modified,
    meaning,
    wait_of,
)
from bot.adapters.telegram_adapter.incoming import ALLOWED_UPDATES
from bot.adapters.telegram_adapter.intake import Intake
from bot.adapters.telegram_adapter.markup import Words
from bot.adapters.telegram_adapter.outgoing import Target, Writer, content
from bot.adapters.telegram_adapter.pace import SPARE, Limits, Pace
from bot.adapters.telegram_adapter.polling import Poller, rejected
from bot.adapters.telegram_adapter.webhook import PATH, WebhookPart
from bot.config import Config
from bot.messages import Incoming, Outgoing
from bot.ports import (
    Draw,
    Handle,
    Memory,
    Place,
    PlaceGoneError,
    SendLaterError,
    StoreUnavailableError,
    Transcript,
)

log = logging.getLogger(__name__)

NOT_YET_SECONDS: Final = 0.25
PAUSE_SECONDS: Final = 2.0
STOP_SECONDS: Final = 5.0
"""How long the answers on their way may take when the process is asked to stop."""

KEPT_TO_STRIP: Final = 40
"""Old boards of a group that keep their buttons until there is room; the others keep them for good."""

_SECRET: Final = "telegram-webhook"


@dataclass(frozen=True, slots=True)
class Core:
    """What the adapter is given: the pipeline, what draws, and what is kept for it.

    *words* has the keys ``telegram.*`` and ``command.<name>``. *needs_rights* tells the updates for which it matters
    whether the person may manage the chat.
    """

    handle: Handle
    draw: Draw
    memory: Memory
    transcript: Transcript
    words: Words
    languages: Sequence[str]
    commands: Sequence[str]
    needs_rights: Callable[[Incoming], bool]


class TelegramAdapter:
    """Implements `bot.core.Platform`: a webhook where ``PUBLIC_URL`` is set, else long polling.

    *limits* are what a chat takes, if not the usual.
    """

    def __init__(self, config: Config, core: Core, limits: Limits | None = None) -> None:
        self._config = config
        self._core = core
        self._client: Client = new_client(config.telegram_token, config.telegram_api_url)
        self._pace = Pace(config.telegram_sends_per_second, limits or Limits())
        self._gone = Until()
        self._write = Writer(self._client)
        self._answers = Answers(self._client, core.draw, core.memory, core.words, self._pace, self._gone)
        self._intake: Intake | None = None
        self._to_strip: dict[int, list[int]] = {}
        self._running: set[asyncio.Task[None]] = set()
        self._webhook = WebhookPart(config.public_url, self._take) if config.public_url else None
        self.parts: tuple[Part, ...] = () if self._webhook is None else (self._webhook,)

    # ---- the sender --------------------------------------------------------------------------------------------------

    async def send(self, outgoing: Outgoing) -> str:
        """The message's id in its chat; see `bot.ports.Sender`."""
        place = outgoing.place
        chat = self._ready(place)
        if chat in self._gone:
            raise PlaceGoneError("it took nothing a moment ago")
        if (wait := self._pace.wait(chat)) > 0:
            raise SendLaterError(wait)
        self._pace.take(chat)
        await self._pace.turn()
        shown = content(outgoing)
        if outgoing.door is not None:
            shown = with_link(shown, self._client.username, outgoing.door, self._core.words(outgoing.language))
        target = Target(chat, int(place.topic) if place.topic else None, silent=outgoing.board and not outgoing.ping)
        try:
            message = await self._write.post(target, shown)
        except TelegramError as error:
            if isinstance(error, RetryAfter):
                self._pace.block(chat, wait_of(error))
            if is_gone(error):
                self._gone.remember(chat, REFUSED_SECONDS)
            if (known := meaning(error, place)) is not None:
                raise known from error
            raise
        return str(message.message_id)

    async def retire(self, place: Place, message: str) -> None:
        """Take the buttons off an earlier message, in a busy group as soon as there is room; see `bot.ports.Sender`."""
        chat = self._ready(place)
        if not message.isdecimal():
            return
        if self._pace.wait(chat, SPARE) > 0:
            waiting = self._to_strip.setdefault(chat, [])
            waiting.append(int(message))
            del waiting[:-KEPT_TO_STRIP]
            return
        await self._strip(chat, int(message))

    async def _strip(self, chat: int, message: int) -> None:
        self._pace.take(chat)
        await self._pace.turn()
        try:
            await self._write.strip(chat, message)
        except RetryAfter as error:
            self._pace.block(chat, wait_of(error))
            self._to_strip.setdefault(chat, []).append(message)
        except TelegramError as error:
            if not (is_not_modified(error) or is_no_message(error) or is_gone(error)):
                log.info("the buttons of an old board stay: %s", error.message)

    async def _strip_later(self) -> None:
        """Take the buttons off the old boards of groups that were busy, for ever."""
        while True:
            await asyncio.sleep(1)
            for chat in [chat for chat in self._to_strip if self._pace.wait(chat, SPARE) == 0]:
                message, *others = self._to_strip.pop(chat)
                if others:
                    self._to_strip[chat] = others
                await self._strip(chat, message)

    def _ready(self, place: Place) -> int:
        """The chat's id.

        :raises SendLaterError: if Telegram has not been reached yet, PlaceGoneError if it is no chat of Telegram's.
        """
        try:
            chat = int(place.chat)
        except ValueError:
            raise PlaceGoneError("no chat has such an id") from None
        if self._intake is None:
            raise SendLaterError(NOT_YET_SECONDS)
        return chat

    # ---- listening ---------------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Listen for ever.

        :raises PlatformError: if Telegram does not let this process go on.
        """
        async with asyncio.TaskGroup() as group:
            try:
                await self._connected()
                self._intake = self._new_intake(group)
                group.create_task(self._offer())
                group.create_task(self._strip_later())
                if self._webhook is None:
                    await self._poll(self._intake)
                else:
                    await self._serve(self._webhook)
            finally:
                await self._finish()

    def _new_intake(self, group: asyncio.TaskGroup) -> Intake:
        def start(work: Awaitable[None]) -> asyncio.Task[None]:
            task = group.create_task(_run(work))
            self._running.add(task)
            task.add_done_callback(self._running.discard)
            return task

        return Intake(
            self._client,
            self._core.handle,
            self._answers,
            self._gone,
            start=start,
            needs_rights=self._core.needs_rights,
        )

    async def _connected(self) -> None:
        """Return when Telegram has told who the bot is."""
        while True:
            try:
                await self._client.initialize()
            except InvalidToken:
                raise rejected() from None
            except TelegramError as error:
                log.warning("Telegram cannot be reached, trying again: %s", error.message)
                await asyncio.sleep(PAUSE_SECONDS)
            else:
                log.info("connected to Telegram as @%s", self._client.username)
                return

    async def _offer(self) -> None:
        core = self._core
        await self._insist("offer the commands", lambda: offer(self._client, core.words, core.languages, core.commands))

    async def _poll(self, intake: Intake) -> None:
        await self._insist("take the webhook away", lambda: self._client.delete_webhook(drop_pending_updates=False))
        await Poller(self._client, self._core.memory, intake.take_all).run()

    async def _serve(self, part: WebhookPart) -> None:
        secret = await self._secret()
        part.open(secret)

        async def register() -> None:
            await self._client.set_webhook(
                self._config.public_url + PATH, secret_token=secret, allowed_updates=ALLOWED_UPDATES
            )

        await self._insist("set the webhook", register)
        log.info("Telegram delivers to %s%s", self._config.public_url, PATH)
        await asyncio.Event().wait()

    async def _secret(self) -> str:
        """The webhook's secret: the host's, or one made once for all processes of these games."""
        if self._config.telegram_webhook_secret:
            return self._config.telegram_webhook_secret
        while True:
            try:
                return await self._core.transcript.secret(_SECRET, secrets.token_urlsafe(32))
            except StoreUnavailableError as error:
                log.warning("cannot read the webhook's secret, trying again: %s", error)
                await asyncio.sleep(PAUSE_SECONDS)

    async def _insist(self, what: str, do: Callable[[], Awaitable[object]]) -> None:
        """Do it, however long it takes; what Telegram refuses for good is told once."""
        while True:
            try:
                await do()
            except InvalidToken:
                raise rejected() from None
            except TelegramError as error:
                log.warning("cannot %s, trying again: %s", what, error.message)
                await asyncio.sleep(wait_of(error) if isinstance(error, RetryAfter) else PAUSE_SECONDS)
            else:
                return

    async def _take(self, update: Mapping[str, Any]) -> None:
        """Save an update of the webhook."""
        if self._intake is None:
            raise StoreUnavailableError("Telegram has not been reached yet")
        if (read := readable(dict(update), self._client)) is not None:
            await self._intake.take(read)

    async def _finish(self) -> None:
        """Let the answers on their way arrive, and hang up."""
        self._intake = None
        if self._running:
            await asyncio.wait(self._running, timeout=STOP_SECONDS)
        try:
            await self._client.shutdown()
        except TelegramError as error:
            log.info("hanging up: %s", error.message)


async def _run(work: Awaitable[None]) -> None:
    await work
