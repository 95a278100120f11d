"""The direct answers to whoever wrote or pressed, and the answers that pressed buttons wait for.

In a group an answer is for one person: it goes as a message that he alone sees (Bot API 10.2, "Ephemeral messages").
What anybody may know stands in the group where all saw the question, and where Telegram takes no such message. With
the rest, a pressed button is then answered by an alert, if the words are few and ask for no choice; else the answer
goes to the private chat; and if the bot may not write there, a link leads there.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from telegram import InlineKeyboardButton, Message
from telegram.error import BadRequest, ChatMigrated, Forbidden, RetryAfter, TelegramError

from bot.adapters.telegram_adapter.client import Client
from bot.adapters.telegram_adapter.errors import (
    CONNECT_SECONDS,
    is_gone,
    is_late_query,
    is_not_modified,
    is_unsent,
    wait_of,
)
from bot.adapters.telegram_adapter.incoming import PLATFORM, Arrived
from bot.adapters.telegram_adapter.markup import (
    ALERT_LENGTH,
    CAPTION_LENGTH,
    Words,
    length,
    plain,
    share_link,
    start_link,
)
from bot.adapters.telegram_adapter.outgoing import Content, Target, Writer, content
from bot.adapters.telegram_adapter.pace import SPARE, Pace
from bot.messages import MENU, Mention, Outgoing, Text
from bot.ports import Draw, Memory, Place, StoreUnavailableError

log = logging.getLogger(__name__)

ATTEMPTS: Final = 5
"""How often an answer is tried that Telegram does not take yet."""

LATE_SECONDS: Final = 120.0
"""An answer that would come later than this is not given."""

REFUSED_SECONDS: Final = 600.0
"""How long somebody to whom Telegram takes no hidden message is not tried again."""

LINK_SECONDS: Final = 30.0
"""How often at most a group is shown the way to the private chat because of buttons pressed by the same person."""

WAYS: Final = 5_000
"""So many people's ways to the private chat are remembered."""


class NotHiddenError(Exception):
    """The server knows no messages that one person alone sees, and showed one to all: its host's to renew."""


class Until:
    """Remembers for a while, in this process. *now* is a clock that never goes back, in seconds."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._until: dict[object, float] = {}

    def remember(self, key: object, seconds: float) -> None:
        """Hold *key* for so long."""
        now = self._now()
        if len(self._until) > 5_000:
            self._until = {known: until for known, until in self._until.items() if until > now}
        self._until[key] = now + seconds

    def forget(self, key: object) -> None:
        """Do not hold *key* any more."""
        self._until.pop(key, None)

    def __contains__(self, key: object) -> bool:
        """True if *key* is held."""
        return self._until.get(key, float("-inf")) > self._now()


class Answers:
    """Sends what the pipeline answers. *gone* holds the chats that take nothing from the bot."""

    def __init__(self, client: Client, draw: Draw, memory: Memory, words: Words, pace: Pace, gone: Until) -> None:
        self._client = client
        self._write = Writer(client)
        self._draw = draw
        self._memory = memory
        self._words = words
        self._pace = pace
        self._gone = gone
        self._refusing = Until()
        self._hiding = Until()
        self._linked = Until()
        self._ways: dict[tuple[int, int], int] = {}
        self._moved: dict[int, int] = {}

    async def give(self, arrived: Arrived, answers: Sequence[Outgoing]) -> None:
        """Send the *answers* in order; whatever goes wrong is logged."""
        try:
            await self._give(arrived, answers)
        except TelegramError as error:
            log.warning("an answer was not sent: %s", _named(error))
        except StoreUnavailableError as error:
            log.warning("an answer was not sent, or may be sent twice: %s", error)
        except Exception:
            log.exception("an answer was not sent")

    async def _give(self, arrived: Arrived, answers: Sequence[Outgoing]) -> None:
        query = Query(self._client, arrived.query)
        hidden = self._is_hidden(arrived)
        if arrived.query and (not answers or not hidden or (arrived.chat, arrived.user) in self._hiding):
            # The answer is known to reach the person by another way: the button need not wait for it.
            await query.answer()
        left = arrived.pressed if arrived.pressed is not None and arrived.pressed.step else None
        replaced = False
        for outgoing in answers:
            if outgoing.key and await self._memory.answered(outgoing.key):
                continue
            place = left if left is not None and not replaced else None
            made = await self._draw(outgoing)
            if hidden and outgoing.only_for is not None and not (outgoing.public and arrived.seen_by_all):
                replaced |= await self._give_hidden(arrived, made, query, replace_it=place is not None)
            else:
                replaced |= await self._give_openly(arrived, made, replace_it=place is not None)
            if outgoing.key:
                await self._memory.mark_answered(outgoing.key)
        if not replaced and (left is not None or not answers):
            await self._tidy(arrived)
        await query.answer()

    @staticmethod
    def _is_hidden(arrived: Arrived) -> bool:
        """True if the answers are for one person among others; nobody knows who an anonymous one is."""
        return not arrived.incoming.private and not arrived.incoming.anonymous

    # ---- for all in the chat, or in the private chat -----------------------------------------------------------------

    async def _give_openly(self, arrived: Arrived, outgoing: Outgoing, *, replace_it: bool) -> bool:
        """Send it to the chat; True if it took the place of the pressed message."""
        shown, chat, pressed = self.shown(outgoing), arrived.chat, arrived.pressed
        if replace_it and pressed is not None and not pressed.hidden and pressed.kind == shown.kind:
            message = pressed.message
            try:
                await self._patiently(chat, lambda to: self._write.change(to, message, shown))
            except BadRequest as error:
                if is_not_modified(error):
                    return True
                log.info("a message is sent anew, since it cannot be changed: %s", error.message)
            else:
                return True
        topic = int(arrived.incoming.place.topic or 0) or None
        await self._patiently(chat, lambda to: self._write.post(Target(to, topic), shown))
        return False

    def shown(self, outgoing: Outgoing) -> Content:
        """What the message shows; in a private chat a challenge comes with the link to it."""
        shown = content(outgoing)
        if outgoing.door is None:
            return shown
        return with_link(shown, self._client.username, outgoing.door, self._words(outgoing.language))

    async def _patiently(self, chat: int, send: Callable[[int], Any], *, spare: int = 0) -> Any:  # noqa: ANN401 - the call's
        """What *send* gives, when the chat may be sent to, *spare* times more.

        It is tried again as long as it has certainly not arrived.
        """
        for attempt in range(ATTEMPTS):
            chat = self._moved.get(chat, chat)
            await self._pace.chat_turn(chat, spare)
            try:
                return await send(chat)
            except RetryAfter as error:
                self._pace.block(chat, wait_of(error))
                if attempt == ATTEMPTS - 1 or wait_of(error) > LATE_SECONDS:
                    raise
            except ChatMigrated as error:
                await self.move(chat, error.new_chat_id)
            except TelegramError as error:
                if is_gone(error):
                    self._gone.remember(chat, REFUSED_SECONDS)
                if not is_unsent(error) or attempt == ATTEMPTS - 1:
                    raise
                await asyncio.sleep(CONNECT_SECONDS)
        raise TelegramError("the chat keeps moving")

    async def move(self, old: int, new: int) -> None:
        """Note that the chat goes on under another id."""
        self._moved[old] = new
        await self._memory.move_chat(Place(PLATFORM, str(old)), Place(PLATFORM, str(new)))

    # ---- for one person in a group -----------------------------------------------------------------------------------

    async def _give_hidden(self, arrived: Arrived, outgoing: Outgoing, query: Query, *, replace_it: bool) -> bool:
        """Send it so that nobody else sees it; True if it took the place of the pressed message."""
        # Without an occasion (a press, a hidden command) only an admin's bot may send one.
        key = (arrived.chat, arrived.user, bool(arrived.query or arrived.hidden))
        shown = content(outgoing)
        if key not in self._refusing:
            try:
                replaced = await self._hide(arrived, shown, replace_it=replace_it)
            except (TelegramError, NotHiddenError) as error:
                if isinstance(error, TelegramError) and not isinstance(error, BadRequest | Forbidden | RetryAfter):
                    raise
                if not isinstance(error, RetryAfter):
                    self._refusing.remember(key, REFUSED_SECONDS)
                    self._hiding.forget(key[:2])
                log.info("a message for one person is given another way: %s", _named(error))
            else:
                self._hiding.remember(key[:2], REFUSED_SECONDS)
                return replaced
        if outgoing.public:
            return await self._give_openly(arrived, outgoing, replace_it=replace_it)
        await self._give_otherwise(arrived, outgoing, query)
        return False

    async def _hide(self, arrived: Arrived, shown: Content, *, replace_it: bool) -> bool:
        chat, user, pressed = arrived.chat, arrived.user, arrived.pressed
        await self._pace.turn()
        is_long = shown.kind == "text" and length(plain(shown.text)) > CAPTION_LENGTH
        if replace_it and pressed is not None and pressed.hidden and pressed.kind == shown.kind and not is_long:
            try:
                await self._write.change_hidden(chat, user, pressed.message, shown)
            except BadRequest as error:
                if is_not_modified(error):
                    return True
            else:
                return True
        hidden: dict[str, Any] = {"receiver_user_id": user}
        if arrived.query:
            hidden["callback_query_id"] = arrived.query
        topic = int(arrived.incoming.place.topic or 0) or None
        message = await self._write.post(Target(chat, topic, hidden=hidden, answers=arrived.hidden), shown)
        if not _is_hidden(message):
            await self._write.remove(chat, message.message_id)
            raise NotHiddenError
        return False

    async def _give_otherwise(self, arrived: Arrived, outgoing: Outgoing, query: Query) -> None:
        """An alert, else the private chat, else a link to it."""
        words, choices = plain(outgoing.text), sum(map(len, outgoing.buttons))
        is_short = length(words) <= ALERT_LENGTH and choices <= 1
        if (
            is_short
            and outgoing.picture is None
            and outgoing.document is None
            and await query.answer(words, alert=True)
        ):
            return
        own = self._words(outgoing.language)
        if await self._give_privately(arrived, outgoing):
            await query.answer(own["telegram.sent"])
            return
        link = start_link(self._client.username, outgoing.match or MENU)
        if await query.answer(link=link):
            return
        await self._show_way(arrived, link, own)

    async def _show_way(self, arrived: Arrived, link: str, own: Mapping[str, str]) -> None:
        """Show the *link* to the private chat in the group, below what was typed; the one before goes.

        What was typed before the last one came stands above it: that one answers it too.
        """
        key = (arrived.chat, arrived.user)
        last = self._ways.get(key, 0)
        if last > arrived.message > 0 or (arrived.query and key in self._linked):
            return
        self._linked.remember(key, LINK_SECONDS)
        person = arrived.incoming.person
        before, _, after = own["telegram.private"].partition("{name}")
        shown = Content(
            "text",
            (Text(before), Mention(person.id, person.name or person.username), Text(after)),
            ((InlineKeyboardButton(own["telegram.open"], url=link),),),
            ping=person.id,
        )
        topic = int(arrived.incoming.place.topic or 0) or None
        message = await self._patiently(
            arrived.chat, lambda to: self._write.post(Target(to, topic, silent=bool(last)), shown), spare=SPARE
        )
        self._ways.pop(key, None)  # the one that is remembered longest is forgotten first
        self._ways[key] = message.message_id
        if len(self._ways) > WAYS:
            del self._ways[next(iter(self._ways))]
        if last:
            await self._pace.turn()
            with contextlib.suppress(TelegramError):  # somebody else may have deleted it
                await self._write.remove(arrived.chat, last)

    async def _give_privately(self, arrived: Arrived, outgoing: Outgoing) -> bool:
        """Send it to the private chat; False if the bot may not write there."""
        if arrived.user in self._gone:
            return False
        shown = content(outgoing)
        try:
            await self._patiently(arrived.user, lambda to: self._write.post(Target(to), shown))
        except TelegramError as error:
            if not is_gone(error):
                raise
            return False
        return True

    async def _tidy(self, arrived: Arrived) -> None:
        """Take away the question that has been answered; what was no question loses its buttons.

        What all see is the courier's.
        """
        pressed = arrived.pressed
        if pressed is None:
            return
        try:
            if pressed.hidden:
                await self._write.remove_hidden(arrived.chat, arrived.user, pressed.message)
            elif arrived.incoming.private and pressed.step:
                await self._write.remove(arrived.chat, pressed.message)
            elif arrived.incoming.private:
                await self._write.strip(arrived.chat, pressed.message)
        except TelegramError as error:
            if not is_not_modified(error):
                log.info("a message stays as it was: %s", _named(error))


class Query:
    """The query of a pressed button (or none), which is answered once."""

    def __init__(self, client: Client, query: str) -> None:
        self._client = client
        self._open = query

    async def answer(self, text: str = "", *, alert: bool = False, link: str = "") -> bool:
        """True if the answer was taken; False if there is no query, it was answered before, or it is too old."""
        query, self._open = self._open, ""
        if not query:
            return False
        try:
            await self._client.answer_callback_query(
                query, text[:ALERT_LENGTH] or None, show_alert=alert or None, url=link or None
            )
        except TelegramError as error:
            if not is_late_query(error):
                log.warning("a pressed button was not answered: %s", _named(error))
            return False
        return True


def with_link(shown: Content, username: str, match: str, words: Mapping[str, str]) -> Content:
    """The message of a challenge with the link by which somebody elsewhere can accept it."""
    link = start_link(username, match)
    share = InlineKeyboardButton(words["telegram.invite"], url=share_link(link, words["telegram.invitation"]))
    return replace(shown, text=(*shown.text, Text(f"\n{link}")), rows=((share,), *shown.rows))


def _is_hidden(message: Message) -> bool:
    return message.api_kwargs.get("ephemeral_message_id") is not None


def _named(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
