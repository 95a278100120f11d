"""Discord: translates between its interactions and messages and the bot's values. No rule, no sentence, no storage."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import aiohttp
import discord

from bot.adapters.discord_adapter.client import Client
from bot.adapters.discord_adapter.commands import Translator, declare
from bot.adapters.discord_adapter.incoming import AnyInteraction, message_of
from bot.adapters.discord_adapter.interactions import Interactions, handled
from bot.adapters.discord_adapter.opening import Opening
from bot.adapters.discord_adapter.outgoing import letter, mentions
from bot.adapters.discord_adapter.sending import Sending
from bot.adapters.discord_adapter.shards import Shards
from bot.adapters.discord_adapter.suggestions import suggest
from bot.adapters.discord_adapter.sync import sync
from bot.adapters.discord_adapter.words import Words, language_of
from bot.config import ShardChoice
from bot.messages import Outgoing
from bot.ports import Calm, Complete, Draw, Handle, Leases, Place, PlatformError

log = logging.getLogger(__name__)

LOGIN_SECONDS: Final = 5.0
"""How soon the login is tried again while Discord cannot be reached."""

WRONG_TOKEN: Final = 4004
"""Close code of the gateway: "Authentication failed"."""

_BAD_TOKEN: Final = "Discord refuses DISCORD_TOKEN: copy it again from the developer portal"

FINISH_SECONDS: Final = 5.0
"""How long the end waits for the answers to what came before: Discord delivers an interaction once.

A database that cannot be reached is given up sooner, see `storage.connect`.
"""


@dataclass(frozen=True, slots=True)
class DiscordParts:
    """What the adapter needs of the rest; *commands* are the names of those that are offered, in their order."""

    handle: Handle
    complete: Complete
    draw: Draw
    leases: Leases
    words: Words
    commands: Sequence[str]
    calm: Calm


class DiscordAdapter:
    """Implements `bot.core.Platform` for Discord; *shards* None: all that Discord recommends."""

    def __init__(self, token: str, parts: DiscordParts, shards: ShardChoice | None = None) -> None:
        self._token = token
        self._shards = shards
        self._parts = parts
        self._words = parts.words
        self._ending = asyncio.Event()
        self._interactions = Interactions(parts.handle, parts.draw, parts.words, parts.calm, self._ending)
        self.client = Client(
            self._hear,
            self._read,
            shard_count=None if shards is None else shards.count,
            shard_ids=[] if shards is None else list(shards.ids),
        )
        declare(self.client.tree, parts.commands, parts.words)
        self._sending = Sending(self.client, parts.words)
        self.threads = Opening(self.client)
        self._answering: set[asyncio.Future[None]] = set()

    async def run(self) -> None:
        """Listen for ever.

        :raises PlatformError: if Discord does not take the token, or another process runs a shard of ours.
        """
        shards = Shards(self._parts.leases)
        try:
            async with self.client:
                await self._log_in()
                await shards.claim(self.client.application_id or 0, await self._shard_ids())
                await self.tell_commands()
                try:
                    async with asyncio.TaskGroup() as group:
                        group.create_task(shards.keep())
                        group.create_task(self._connect())
                finally:
                    await self._finish()
        finally:
            await shards.release()

    # ---- the sender --------------------------------------------------------------------------------------------------

    async def send(self, outgoing: Outgoing) -> str:
        """Where the message stands; see `bot.ports.Sender`."""
        return await self._sending.send(outgoing)

    async def retire(self, place: Place, message: str) -> None:
        """Take the buttons off an earlier message; see `bot.ports.Sender`."""
        await self._sending.retire(place, message)

    # ---- beginning ---------------------------------------------------------------------------------------------------

    async def _log_in(self) -> None:
        while True:
            try:
                await self.client.login(self._token)
            except discord.LoginFailure:
                raise PlatformError(_BAD_TOKEN) from None
            except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
                log.warning("Discord cannot be reached, trying again: %s", error)
                await asyncio.sleep(LOGIN_SECONDS)
            else:
                return

    async def _shard_ids(self) -> Sequence[int]:
        if self._shards is not None:
            return self._shards.ids
        count, _, _ = await self.client.http.get_bot_gateway()
        return range(count)

    async def tell_commands(self) -> None:
        """Let Discord know the commands, if it does not."""
        try:
            await sync(self.client.tree, Translator(self._words))
        except discord.DiscordException as error:
            # Those that Discord has go on working; whoever hosts the bot can start it again.
            log.error("Discord was not told the commands: %s", error)  # noqa: TRY400 - its answer says it all

    async def _connect(self) -> None:
        try:
            await self.client.connect()
        except discord.ConnectionClosed as error:
            if error.code == WRONG_TOKEN:
                raise PlatformError(_BAD_TOKEN) from None
            raise PlatformError(f"Discord has ended the connection ({error.code})") from error

    async def _finish(self) -> None:
        """Return when all that came is answered, or after a while."""
        self._ending.set()
        if self._answering:
            await asyncio.wait(self._answering, timeout=FINISH_SECONDS)

    @contextlib.contextmanager
    def _at_work(self) -> Iterator[None]:
        """While this lasts, the end waits for it."""
        done = asyncio.get_running_loop().create_future()
        self._answering.add(done)
        try:
            yield
        finally:
            self._answering.remove(done)
            done.set_result(None)

    # ---- what comes --------------------------------------------------------------------------------------------------

    async def _hear(self, interaction: AnyInteraction) -> None:
        """Answer an interaction, whatever happens."""
        with self._at_work():
            await self._answer(interaction)

    async def _answer(self, interaction: AnyInteraction) -> None:
        try:
            match interaction.type:
                case discord.InteractionType.autocomplete:
                    await suggest(interaction, self._parts.complete)
                case discord.InteractionType.application_command:
                    await self._interactions.command(interaction)
                case discord.InteractionType.component:
                    await self._interactions.component(interaction)
                case discord.InteractionType.modal_submit:
                    await self._interactions.form(interaction)
        except Exception:
            log.exception("an interaction on discord failed")
            await self._apologise(interaction)

    async def _apologise(self, interaction: AnyInteraction) -> None:
        said = self._words(language_of(str(interaction.locale)))["discord.broken"]
        try:
            if interaction.response.is_done():
                await interaction.followup.send(said, ephemeral=True)
            else:
                await interaction.response.send_message(said, ephemeral=True)
        except discord.DiscordException as error:
            log.debug("nobody can be told: %s", error)

    async def _read(self, message: discord.Message) -> None:
        """Answer a message that is meant for the bot."""
        me = self.client.user
        update = None if me is None else message_of(message, me)
        if update is None:
            return
        with self._at_work():
            for answer in await handled(self._parts.handle, update, self._words, self._ending):
                try:
                    await self._reply(message, answer)
                except discord.HTTPException as error:
                    log.warning("an answer on discord did not arrive: %s", error)

    async def _reply(self, message: discord.Message, answer: Outgoing) -> None:
        """Answer beside the message; what is for one person's eyes goes to him in private."""
        ready = letter(await self._parts.draw(answer), self._words)
        content: dict[str, Any] = {"suppress_embeds": True, "allowed_mentions": mentions(None)}
        if ready.view is not None:
            content["view"] = ready.view
        if message.guild is not None and answer.document is not None and answer.only_for is not None:
            try:
                await message.author.send(ready.content, files=ready.files, **content)
            except discord.Forbidden:
                said = self._words(answer.language)["discord.closed"]
                await message.channel.send(said, allowed_mentions=mentions(None), **_beside(message))
            return
        await message.channel.send(ready.content, files=ready.files, **content, **_beside(message))
        for more in ready.more:
            await message.channel.send(more, suppress_embeds=True, allowed_mentions=mentions(None))


def _beside(message: discord.Message) -> dict[str, Any]:
    """What makes an answer a reply to *message*, where that may be: it takes the right to read what was said before."""
    guild = message.guild
    if guild is not None and not message.channel.permissions_for(guild.me).read_message_history:
        return {}
    return {"reference": message.to_reference(fail_if_not_exists=False)}
