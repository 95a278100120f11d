"""From an update that has come to a saved command and its answers: one after the other in each chat.

The same for polling and for a webhook. An update may be confirmed when `Intake.take` returns.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Final

from telegram import ChatMember, Update
from telegram.error import TelegramError

from bot.adapters.telegram_adapter.answers import Answers, Query, Until
from bot.adapters.telegram_adapter.client import Client
from bot.adapters.telegram_adapter.incoming import Arrived, Self, chat_of, is_welcome_again, migration, read
from bot.messages import Incoming, Outgoing
from bot.ports import Handle, StoreUnavailableError

log = logging.getLogger(__name__)

ANSWER_SECONDS: Final = 1.0
"""How long the confirmation of an update waits for its answers: those on their way at a crash are given again."""

_ADMINS: Final = frozenset({ChatMember.ADMINISTRATOR, ChatMember.OWNER})

MOVED_SECONDS: Final = 600.0
"""How long a chat that has become another one is not greeted as a new one."""


@dataclass(frozen=True, slots=True)
class Taken:
    """Updates that were saved, but for the one with the id *failed* (None: all); their *answers* are on their way."""

    failed: int | None
    answers: tuple[asyncio.Task[None], ...]


async def given(answers: Sequence[asyncio.Task[None]]) -> None:
    """Wait a moment for the *answers*."""
    if answers:
        await asyncio.wait(answers, timeout=ANSWER_SECONDS)


class Lanes:
    """Lets one in at a time, in the order in which they come, for each key."""

    def __init__(self) -> None:
        self._locks: dict[Hashable, asyncio.Lock] = {}
        self._users: Counter[Hashable] = Counter()

    @asynccontextmanager
    async def lane(self, key: Hashable) -> AsyncIterator[None]:
        """The block runs alone among those of *key*."""
        self._users[key] += 1
        try:
            async with self._locks.setdefault(key, asyncio.Lock()):
                yield
        finally:
            self._users[key] -= 1
            if not self._users[key]:
                del self._users[key], self._locks[key]


class Intake:
    """Takes updates. *start* runs a coroutine in the background; *has_rights* tells what needs to know of admins."""

    def __init__(
        self,
        client: Client,
        handle: Handle,
        answers: Answers,
        gone: Until,
        *,
        start: Callable[[Awaitable[None]], asyncio.Task[None]],
        needs_rights: Callable[[Incoming], bool],
    ) -> None:
        self._client = client
        self._handle = handle
        self._answers = answers
        self._gone = gone
        self._start = start
        self._needs_rights = needs_rights
        self._me = Self(client.id, client.username)
        self._chats = Lanes()
        self._given = Lanes()
        self._moved = Until()

    async def take_all(self, updates: Sequence[Update]) -> Taken:
        """What has become of the *updates*, which are in Telegram's order.

        What follows one that could not be saved in the same chat is left alone; what other chats said is saved.
        """
        by_chat: dict[int, list[Update]] = {}
        for update in updates:
            by_chat.setdefault(chat_of(update), []).append(update)
        taken = await asyncio.gather(*map(self._take_in_order, by_chat.values()))
        failed = min((one.failed for one in taken if one.failed is not None), default=None)
        return Taken(failed, tuple(task for one in taken for task in one.answers))

    async def _take_in_order(self, updates: Sequence[Update]) -> Taken:
        given: list[asyncio.Task[None]] = []
        for update in updates:
            try:
                given += await self._take(update)
            except StoreUnavailableError as error:
                log.warning("updates are left for later: %s", error)
                return Taken(update.update_id, tuple(given))
        return Taken(None, tuple(given))

    async def take(self, update: Update) -> None:
        """Save the update, and wait a moment for its answers.

        :raises StoreUnavailableError: if it could not be saved.
        """
        await given(await self._take(update))

    async def _take(self, update: Update) -> list[asyncio.Task[None]]:
        """The answers on their way, when the update is saved."""
        try:
            async with self._chats.lane(chat_of(update)):
                return await self._saved(update)
        except StoreUnavailableError:
            raise
        except Exception:
            # It would come again and again, and keep all others from coming.
            log.exception("update %d is left out", update.update_id)
            return []

    async def _saved(self, update: Update) -> list[asyncio.Task[None]]:
        if (moved := migration(update)) is not None:
            old, new = moved
            self._moved.remember(new.chat, MOVED_SECONDS)
            await self._answers.move(int(old.chat), int(new.chat))
            return []
        if is_welcome_again(update):
            self._gone.forget(chat_of(update))
        arrived = read(update, self._me)
        if arrived is None:
            query = update.callback_query
            return [] if query is None else [self._start(_closed(Query(self._client, query.id)))]
        if arrived.incoming.joined and arrived.incoming.place.chat in self._moved:
            return []
        if self._needs_rights(arrived.incoming) and not arrived.incoming.private and not arrived.incoming.anonymous:
            arrived = replace(arrived, incoming=replace(arrived.incoming, admin=await self._is_admin(arrived)))
        outgoing = await self._handle(arrived.incoming)
        if not outgoing and not arrived.query:
            return []
        return [self._start(self._give(arrived, outgoing))]

    async def _is_admin(self, arrived: Arrived) -> bool:
        """True if the person may manage the chat; who cannot be looked up may not."""
        try:
            member = await self._client.get_chat_member(arrived.chat, arrived.user)
        except TelegramError as error:
            log.warning("cannot ask who manages a chat: %s", error.message)
            return False
        return member.status in _ADMINS

    async def _give(self, arrived: Arrived, outgoing: Sequence[Outgoing]) -> None:
        # What is said to one person in a group does not wait for what is said to others.
        async with self._given.lane((arrived.chat, arrived.user)):
            await self._answers.give(arrived, outgoing)


async def _closed(query: Query) -> None:
    await query.answer()
