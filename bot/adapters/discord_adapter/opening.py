"""Opening a thread for a match."""

from __future__ import annotations

import logging
from typing import Final

import discord

from bot.adapters.discord_adapter.ids import PLATFORM, channel_of
from bot.adapters.discord_adapter.permissions import FOR_A_THREAD
from bot.ports import NoThreadError, Place

log = logging.getLogger(__name__)

TITLE_LENGTH: Final = 100
"""Discord: "1-100 character channel name"."""

IDLE_MINUTES: Final = 10080
"""A thread closes after a week in which nobody wrote; the next board opens it again."""


class Opening:
    """Implements `bot.ports.Threads`."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client

    async def open(self, place: Place, title: str) -> Place:
        """See `bot.ports.Threads`."""
        if place.topic:
            return place
        channel = self._client.get_channel(channel_of(place))
        if not isinstance(channel, discord.TextChannel):
            raise NoThreadError
        rights = channel.permissions_for(channel.guild.me)
        if not all(getattr(rights, right) for right in FOR_A_THREAD):
            raise NoThreadError
        # Discord: threads of an announcement channel are of a kind of their own.
        kind = discord.ChannelType.news_thread if channel.is_news() else discord.ChannelType.public_thread
        try:
            thread = await channel.create_thread(
                name=title[:TITLE_LENGTH],
                type=kind,
                auto_archive_duration=IDLE_MINUTES,
            )
        except discord.HTTPException as error:
            log.warning("a thread cannot be opened: %s", error)
            raise NoThreadError from error
        return Place(PLATFORM, place.chat, str(thread.id))
