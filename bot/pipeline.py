"""From an update to its answers: parse, carry out, word. And the shield around all of it.

When `Pipeline.handle` returns, the command is saved or refused; the courier has been woken for what others are to be
told.
"""

from __future__ import annotations

import hashlib
import logging
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Callable
from dataclasses import replace

from bot.messages import Challenge, Command, Incoming, Outgoing, Silence, Start
from bot.names import shown_name
from bot.pages import Reader
from bot.parse import parse
from bot.ports import Clock
from bot.present import Presenter, asked
from bot.replies import Broken, DamagedMatch, Done, Reply
from bot.request import Request
from bot.rush import Rush
from bot.service import Service
from bot.texts import supported
from storage.base import ChatSettings, DamagedRecordError, Place, Profile, Store, StoredMatch, StoreUnavailableError

log = logging.getLogger(__name__)


class Pipeline:
    """The way every update takes, whatever its platform."""

    def __init__(
        self,
        service: Service,
        presenter: Presenter,
        store: Store,
        clock: Clock,
        *,
        language: str,
        wake: Callable[[Place, StoredMatch], None],
        rush: Rush,
    ) -> None:
        self._rush = rush
        self._service = service
        self._presenter = presenter
        self._store = store
        self._clock = clock
        self._language = language
        self._wake = wake

    async def handle(self, incoming: Incoming) -> tuple[Outgoing, ...]:
        """The direct answers to *incoming*; their pictures are still to be drawn.

        :raises StoreUnavailableError: if nothing could be loaded or saved; the update is to be handled again.
        """
        incoming = _cleaned(incoming)
        try:
            command = parse(incoming)
            if isinstance(command, Silence):
                return ()
            with self._rush.handling():
                return await self._answered(command, incoming)
        except StoreUnavailableError:
            raise
        except Exception as error:  # noqa: BLE001 - the one shield: logged with an id that the person is told
            return await self._broken(error, incoming)

    async def _answered(self, command: Command, incoming: Incoming) -> tuple[Outgoing, ...]:
        chat, profile = await self._store.settings(incoming.place, incoming.person.id)
        if not chat.language and isinstance(command, Challenge | Start):
            chat = await self._first_language(chat, incoming)
        now = self._clock.now_ms() // 1000
        request = Request(incoming, operation_id(incoming), now, chat, profile)
        try:
            reply = await self._service.carry_out(command, request)
        except DamagedRecordError as error:
            reply = DamagedMatch(_logged(error, incoming))
        if reply is None:
            return ()
        if isinstance(reply, Done):
            self._wake(incoming.place, reply.stored)
        reader = self._reader(incoming, chat, profile)
        person = asked(reply.stored.match) if isinstance(reply, Done) and incoming.guest else None
        if person is not None:
            reader = replace(reader, asked=await self._store.profile(person))
        return self._worded(reply, reader, incoming)

    async def _first_language(self, chat: ChatSettings, incoming: Incoming) -> ChatSettings:
        """The chat takes the language of the first person who wants something of the bot there."""
        language = supported(incoming.language)
        if not language:
            return chat
        return await self._store.change_chat(
            incoming.place, lambda known: known if known.language else replace(known, language=language)
        )

    def _worded(self, reply: Reply, reader: Reader, incoming: Incoming) -> tuple[Outgoing, ...]:
        outgoing = self._presenter.reply(reply, reader)
        return tuple(replace(one, key=f"{incoming.id}:{place}") for place, one in enumerate(outgoing))

    def _reader(self, incoming: Incoming, chat: ChatSettings, profile: Profile) -> Reader:
        language = profile.language or supported(incoming.language) or chat.language or self._language
        return Reader(
            incoming.person.id, incoming.place, language, chat.theme or "light", profile.as_file, incoming.guest
        )

    async def _broken(self, error: Exception, incoming: Incoming) -> tuple[Outgoing, ...]:
        reader = self._reader(incoming, ChatSettings(), Profile())
        return self._worded(Broken(_logged(error, incoming)), reader, incoming)


def operation_id(incoming: Incoming) -> str:
    """Eleven characters that stand for the update: the same when it is delivered again."""
    digest = hashlib.blake2b(f"{incoming.place.platform}:{incoming.id}".encode(), digest_size=8).digest()
    return urlsafe_b64encode(digest).decode().rstrip("=")


def _cleaned(incoming: Incoming) -> Incoming:
    """The update with names that can disturb no line."""

    def clean(name: str, username: str) -> str:
        return shown_name(name) or shown_name(username)

    person = replace(incoming.person, name=clean(incoming.person.name, incoming.person.username))
    mentions = tuple(replace(one, name=clean(one.name, one.username)) for one in incoming.mentions)
    return replace(incoming, person=person, mentions=mentions)


def _logged(error: Exception, incoming: Incoming) -> str:
    """The incident's id, under which the error stands in the log (without what the person wrote)."""
    incident = secrets.token_hex(4)
    log.error("incident %s on %s: %s", incident, incoming.place.platform, error, exc_info=error)
    return incident
