"""Posting by itself: boards, and what is said to a whole channel."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Awaitable
from typing import Final, TypeVar

import discord

from bot.adapters.discord_adapter.ids import PLATFORM, channel_of, user_of
from bot.adapters.discord_adapter.outgoing import Letter, letter, mentions, nonce
from bot.adapters.discord_adapter.permissions import lacking
from bot.adapters.discord_adapter.words import Words
from bot.messages import Outgoing
from bot.ports import NotAllowedError, Place, PlaceGoneError, SendLaterError

log = logging.getLogger(__name__)

UNKNOWN_MEMBERS: Final = (10007, 10013)
MISSING: Final = (50001, 50013)
"""Missing access, missing permissions."""

CLOSED_DM: Final = (50007, 50278)
NO_PLACE: Final = (10003, 50008, 50024, 50083, 160005)
"""Unknown channel, a channel without messages (twice), an archived thread, a locked one."""

LATER_SECONDS: Final = 60.0
"""How soon a channel is tried again in which a right was missing."""

MUCH_LATER_SECONDS: Final = 3600.0
"""The same for a channel that the bot does not even see."""

REMEMBERED: Final = 10_000
"""So many people's private chats are remembered; others are asked for again."""

_T = TypeVar("_T")


class Sending:
    """Posts messages and changes them."""

    def __init__(self, client: discord.Client, words: Words) -> None:
        self._client = client
        self._words = words
        self._told: set[Place] = set()
        self._private: OrderedDict[int, int] = OrderedDict()

    async def send(self, outgoing: Outgoing) -> str:
        """Where the message stands, as `retire` wants it; see `bot.ports.Sender`."""
        if self._client.application_id is None:
            raise SendLaterError(0.5)  # not logged in yet
        present = await self._is_present(outgoing)
        ready = letter(outgoing, self._words, ping=present)
        place = outgoing.place
        message = await self._somewhere(ready, outgoing)
        self._told.discard(place)
        return f"{message.channel.id}/{message.id}"

    async def channel(self, place: Place) -> int:
        """The number of the channel: of a place that is called by a person's number, of the chat with him."""
        number = channel_of(place)
        if place.topic or self._client.get_channel(number) is not None:
            return number
        if number not in self._private:
            try:
                opened = await _in_time(self._client.create_dm(discord.Object(number)))
            except discord.HTTPException as error:
                log.debug("there is no such person, so it is a channel: %s", error)
                return number
            self._private[number] = opened.id
            if len(self._private) > REMEMBERED:
                self._private.popitem(last=False)
        return self._private[number]

    async def retire(self, place: Place, message: str) -> None:
        """Take the buttons off; see `bot.ports.Sender`."""
        channel, _, number = message.partition("/")
        if place.platform != PLATFORM or not number.isdecimal():
            return
        target = self._client.get_partial_messageable(int(channel)).get_partial_message(int(number))
        try:
            await target.edit(view=None)
        except discord.HTTPException as error:
            # Nothing is edited in an archived thread, and a locked one stays so: old buttons lead to what is now.
            log.debug("an old board keeps its buttons: %s", error)

    async def _post(self, ready: Letter, channel: int, once: str | None) -> discord.Message:
        target = self._client.get_partial_messageable(channel)
        message = await _in_time(
            target.send(
                ready.content,
                files=ready.files,
                view=ready.view,  # type: ignore[arg-type]  # None is as good as nothing
                nonce=once,  # type: ignore[arg-type]  # the same
                allowed_mentions=ready.mentions,
                suppress_embeds=True,
            )
        )
        for number, more in enumerate(ready.more):
            key = None if once is None else f"{once[:20]}.{number}"
            await _in_time(
                target.send(more, nonce=key, allowed_mentions=mentions(None), suppress_embeds=True)  # type: ignore[arg-type]
            )
        return message

    async def _somewhere(self, ready: Letter, outgoing: Outgoing) -> discord.Message:
        """The message where it could be posted: in a thread that is opened again if need be, or else in its channel.

        :raises SendLaterError: if a right is missing: the match waits.
        :raises PlaceGoneError: if there is nowhere to post it.
        """
        place = outgoing.place
        own = await self.channel(place)
        message = await self._tried(ready, own, outgoing)
        if message is None and await self._reopened(own):
            message = await self._tried(ready, own, outgoing)
        if message is None and place.topic:
            message = await self._tried(ready, int(place.chat), outgoing)
        if message is None:
            raise PlaceGoneError("it was deleted or closed")
        return message

    async def _tried(self, ready: Letter, channel: int, outgoing: Outgoing) -> discord.Message | None:
        """The message in *channel*; None if that is deleted, archived or locked."""
        try:
            return await self._post(ready, channel, nonce(outgoing))
        except discord.HTTPException as error:
            if error.code in MISSING:
                await self._wait_for_rights(error, outgoing)
            if error.code in CLOSED_DM:
                raise PlaceGoneError("this person takes no direct messages") from error
            if error.code in NO_PLACE:
                return None
            raise

    async def _wait_for_rights(self, error: discord.HTTPException, outgoing: Outgoing) -> None:
        """Say once which right is missing, in the channel if that can be.

        :raises NotAllowedError: always.
        """
        place = outgoing.place
        channel = self._client.get_channel(channel_of(place))
        if not isinstance(channel, discord.TextChannel | discord.Thread | discord.VoiceChannel):
            log.warning("a channel on discord cannot be seen any more; its matches wait")
            raise NotAllowedError(MUCH_LATER_SECONDS) from error
        missing = lacking(channel.permissions_for(channel.guild.me), in_thread=isinstance(channel, discord.Thread))
        log.warning("in a channel on discord the bot may not %s; its matches wait", ", ".join(missing) or "post")
        if place not in self._told and missing == ("attach-files",):
            self._told.add(place)
            words = self._words(outgoing.language)
            names = ", ".join(words[f"permission.{name}"] for name in missing)
            said = words["discord.lacking"].format(permissions=f"**{names}**")
            try:
                await _in_time(channel.send(said, allowed_mentions=mentions(None)))
            except discord.HTTPException as second:
                log.debug("nobody can be told: %s", second)
        raise NotAllowedError(LATER_SECONDS) from error

    async def _reopened(self, thread: int) -> bool:
        """True if the archived thread is open again."""
        try:
            found = await self._client.fetch_channel(thread)
            if isinstance(found, discord.Thread):
                await found.edit(archived=False)
                return True
        except discord.HTTPException as error:
            log.debug("a thread stays closed: %s", error)
        return False

    async def _is_present(self, outgoing: Outgoing) -> bool:
        """False if the person to be notified has left the server."""
        user = user_of(outgoing.ping) if outgoing.ping is not None else None
        channel = self._client.get_channel(int(outgoing.place.chat))
        if user is None or not isinstance(channel, discord.abc.GuildChannel):
            return True
        try:
            await _in_time(channel.guild.fetch_member(user))
        except discord.HTTPException as error:
            return error.code not in UNKNOWN_MEMBERS
        return True


async def _in_time(call: Awaitable[_T]) -> _T:
    """What *call* gives back.

    :raises SendLaterError: if Discord asks to wait for long.
    """
    try:
        return await call
    except discord.RateLimited as error:
        raise SendLaterError(error.retry_after) from error
