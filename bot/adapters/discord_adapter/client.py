"""discord.py's client: what it may hear, and whom it tells."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Final

import discord
from discord import app_commands

from bot.adapters.discord_adapter.incoming import AnyInteraction

log = logging.getLogger(__name__)

LONGEST_WAIT_SECONDS: Final = 30.0
"""Longer than this discord.py does not wait for a rate limit: the courier tries later, and others meanwhile."""

Hear = Callable[[AnyInteraction], Awaitable[None]]


def intents() -> discord.Intents:
    """What the bot is told of: servers and their channels, and messages; a part of the default ones.

    Not who the members are, not who is online, and the content of no message that is not meant for it.
    """
    return discord.Intents(guilds=True, guild_messages=True, dm_messages=True)


class Tree(app_commands.CommandTree[discord.Client]):
    """The declared commands; all of them are carried out by *hear*."""

    def __init__(self, client: discord.Client, hear: Hear) -> None:
        super().__init__(
            client,
            allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=True),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=True),
        )
        self._hear = hear

    async def interaction_check(self, interaction: AnyInteraction, /) -> bool:
        """False: it is done already. So also commands of an older version are answered, which are in no table."""
        await self._hear(interaction)
        return False


class Client(discord.AutoShardedClient):
    """Hands on what comes; keeps no messages and no members."""

    def __init__(
        self,
        hear: Hear,
        read: Callable[[discord.Message], Awaitable[None]],
        *,
        shard_count: int | None,
        shard_ids: list[int],
    ) -> None:
        # It speaks in no voice channel; that it could not is nothing to warn of.
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
        super().__init__(
            intents=intents(),
            shard_count=shard_count,
            shard_ids=shard_ids or None,  # type: ignore[arg-type]  # None: all of them
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            allowed_mentions=discord.AllowedMentions.none(),
            max_ratelimit_timeout=LONGEST_WAIT_SECONDS,
            guild_ready_timeout=0.1,  # nothing waits for all servers to be known
        )
        self.tree = Tree(self, hear)
        self._hear = hear
        self._read = read

    async def on_interaction(self, interaction: AnyInteraction) -> None:
        """Buttons, menus and forms; commands come by the tree."""
        if interaction.type in (discord.InteractionType.component, discord.InteractionType.modal_submit):
            await self._hear(interaction)

    async def on_message(self, message: discord.Message) -> None:
        """Messages, of which few are meant for the bot."""
        await self._read(message)

    async def on_error(self, event_method: str, /, *args: object, **kwargs: object) -> None:
        """Whatever went wrong stands in the log."""
        del args, kwargs
        log.exception("handling %s on discord failed", event_method)  # noqa: LOG004 - discord.py calls it in a handler
