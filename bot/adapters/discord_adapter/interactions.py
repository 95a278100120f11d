"""Interactions: the command is saved first, then the kind of the answer is chosen.

Discord wants an acknowledgement within three seconds, and it fixes who sees the answer: a refusal is for the one who
acted, what was accepted is for all and comes as the board that the courier posts. A save that takes longer is deferred,
which promises nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import discord

from bot.adapters.discord_adapter.components import TYPING, move_form
from bot.adapters.discord_adapter.incoming import AnyInteraction, commands_of, incoming_of
from bot.adapters.discord_adapter.outgoing import Letter, is_heavy, letter, mentions
from bot.adapters.discord_adapter.words import Words, language_of
from bot.messages import Incoming, Outgoing, Text
from bot.ports import Calm, Draw, Handle, StoreUnavailableError

log = logging.getLogger(__name__)

DEFER_SECONDS: Final = 2.0
"""How long a save may take before the interaction is deferred."""

GIVE_UP_SECONDS: Final = 20.0
"""How long a save is tried again and again: Discord delivers an interaction once."""

RETRY_SECONDS: Final = 0.25
AT_ONCE: Final = 4
"""Of many who act at once so many are served at a time: the first need not wait until all are done."""

TIDY_SECONDS: Final = 0.5
"""How long an answer that says nothing stays at most while others act."""

LATE: Final = (10062, 40060)
"""Unknown interaction (it is too old), and one that was answered already (it was delivered twice)."""


class Interactions:
    """Answers commands, buttons, menus and forms."""

    def __init__(self, handle: Handle, draw: Draw, words: Words, calm: Calm, ending: asyncio.Event) -> None:
        self._handle = handle
        self._calm = calm
        self._draw = draw
        self._words = words
        self._ending = ending
        self._turns = asyncio.Semaphore(AT_ONCE)

    async def command(self, interaction: AnyInteraction) -> None:
        """Carry out a slash command."""
        await self._take(interaction, commands_of(interaction))

    async def component(self, interaction: AnyInteraction) -> None:
        """Carry out a button or the choice of a menu; or show the form for a move."""
        data: Any = interaction.data or {}
        custom_id = str(data.get("custom_id", ""))
        if custom_id.startswith(TYPING):
            words = self._words(language_of(str(interaction.locale)))
            await interaction.response.send_modal(move_form(custom_id.removeprefix(TYPING), words))
            return
        await self._take(interaction, [incoming_of(interaction)])

    async def form(self, interaction: AnyInteraction) -> None:
        """Carry out what was typed into a form."""
        await self._take(interaction, [incoming_of(interaction)])

    async def _take(self, interaction: AnyInteraction, updates: Sequence[Incoming]) -> None:
        reply = _Reply(interaction, self._draw, self._words, self._calm)
        async with asyncio.TaskGroup() as group:
            saving = group.create_task(self._saved(updates))
            await asyncio.wait({saving}, timeout=DEFER_SECONDS)
            if not saving.done():
                await reply.defer()
        await reply.give(saving.result())

    async def _saved(self, updates: Sequence[Incoming]) -> Sequence[Outgoing]:
        """The answers to the last of the *updates*, all of which are saved then."""
        answers: Sequence[Outgoing] = ()
        for update in updates:
            answers = await handled(self._in_turn, update, self._words, self._ending)
        return answers

    async def _in_turn(self, incoming: Incoming) -> Sequence[Outgoing]:
        async with self._turns:
            return await self._handle(incoming)


async def handled(handle: Handle, update: Incoming, words: Words, ending: asyncio.Event) -> Sequence[Outgoing]:
    """The answers to *update*, which is tried again while nothing can be saved; in the end, that it was not.

    That is said at once when the process is *ending*: nobody else could take a promise back.
    """
    loop = asyncio.get_running_loop()
    until = loop.time() + GIVE_UP_SECONDS
    while True:
        try:
            return await handle(update)
        except StoreUnavailableError as error:
            if loop.time() >= until or await _comes(ending, RETRY_SECONDS):
                log.warning("an update is given up: %s", error)
                said = words(language_of(update.language))["discord.not_saved"]
                return (Outgoing(update.place, (Text(said),), only_for=update.person.id),)


async def _comes(event: asyncio.Event, seconds: float) -> bool:
    """True as soon as the *event* has come, False if it does not within so many *seconds*."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            return await event.wait()
    return False


class _Reply:
    """One interaction's answer."""

    def __init__(self, interaction: AnyInteraction, draw: Draw, words: Words, calm: Calm) -> None:
        self._interaction = interaction
        self._calm = calm
        self._draw = draw
        self._words = words
        message = interaction.message
        self._private_source = message is not None and message.flags.ephemeral
        self._public_source = message is not None and not message.flags.ephemeral

    async def defer(self) -> None:
        """Promise an answer for the one who acted; nothing is accepted by it."""
        await self._attempt(self._interaction.response.defer(ephemeral=True, thinking=True))

    async def give(self, answers: Sequence[Outgoing]) -> None:
        """Answer; without *answers* everything is said elsewhere."""
        if not answers:
            await self._nothing_to_say()
        elif answers[0].only_for is None:
            await self._publicly(answers)
        elif not await self._privately(answers):
            await self._too_late(answers[0])

    async def _nothing_to_say(self) -> None:
        response = self._interaction.response
        if response.is_done():
            await self._attempt(self._interaction.delete_original_response())
        elif self._public_source:
            await self._attempt(response.defer())
        else:
            # What led here was private: it has done its service.
            thinking = not self._private_source
            if await self._attempt(response.defer(ephemeral=thinking, thinking=thinking)):
                # What is acknowledged can wait for its tidying until others are.
                await self._calm(TIDY_SECONDS)
                await self._attempt(self._interaction.delete_original_response())

    async def _publicly(self, answers: Sequence[Outgoing]) -> None:
        """The answer is what everybody is told: the bot is a guest here and cannot say it by itself."""
        interaction, response = self._interaction, self._interaction.response
        if response.is_done():
            await self._attempt(interaction.delete_original_response())
        elif self._public_source:
            await self._attempt(response.edit_message(view=None))
        elif self._private_source:
            if await self._attempt(response.defer()):
                await self._attempt(interaction.delete_original_response())
        else:
            # The words at once, since an edit notifies nobody; the picture when it is drawn.
            first, *answers = answers
            await self._attempt(self._send(letter(replace(first, picture=None), self._words), private=False))
            if is_heavy(first):
                await self._edit(await self._letter(first))
        for answer in answers:
            await self._follow(await self._letter(answer), private=False)

    async def _privately(self, answers: Sequence[Outgoing]) -> bool:
        """True unless Discord does not know the interaction any more."""
        first, *others = answers
        interaction, response = self._interaction, self._interaction.response
        if response.is_done() or is_heavy(first):
            if not response.is_done():
                defer = response.defer() if self._private_source else response.defer(ephemeral=True, thinking=True)
                if not await self._attempt(defer):
                    return False
            ready = await self._letter(first)
            await self._edit(ready)
        else:
            ready = await self._letter(first)
            if self._private_source:
                answer = response.edit_message(content=ready.content, attachments=[], view=ready.view)
                known = await self._attempt(answer)
            else:
                known = await self._attempt(self._send(ready, private=True))
            if not known:
                return False
        for more in ready.more:
            await self._attempt(interaction.followup.send(more, ephemeral=True, suppress_embeds=True))
        for other in others:
            await self._follow(await self._letter(other), private=True)
        return True

    async def _letter(self, outgoing: Outgoing) -> Letter:
        return letter(await self._draw(outgoing), self._words)

    async def _edit(self, ready: Letter) -> None:
        await self._attempt(
            self._interaction.edit_original_response(
                content=ready.content, attachments=ready.files, view=ready.view, allowed_mentions=ready.mentions
            )
        )

    async def _send(self, ready: Letter, *, private: bool) -> None:
        """Answer with the words and the buttons."""
        more: dict[str, Any] = {} if ready.view is None else {"view": ready.view}
        await self._interaction.response.send_message(
            ready.content, ephemeral=private, suppress_embeds=True, allowed_mentions=ready.mentions, **more
        )

    async def _follow(self, ready: Letter, *, private: bool) -> None:
        more: dict[str, Any] = {} if ready.view is None else {"view": ready.view}
        await self._attempt(
            self._interaction.followup.send(
                ready.content,
                files=ready.files,
                ephemeral=private,
                suppress_embeds=True,
                allowed_mentions=ready.mentions,
                **more,
            )
        )

    async def _too_late(self, answer: Outgoing) -> None:
        """Discord has given the interaction up: what can be said before all is said in the channel."""
        channel = self._interaction.channel
        if channel is None or answer.document is not None or self._interaction.guild_id is None:
            return
        ready = letter(answer, self._words)
        target = self._interaction.client.get_partial_messageable(channel.id)
        await self._attempt(target.send(ready.content, suppress_embeds=True, allowed_mentions=mentions(None)))

    async def _attempt(self, call: Any) -> bool:  # noqa: ANN401 - whatever a call of discord.py gives back
        """True if Discord took it. That it did not is no harm to what is saved: it is logged."""
        try:
            await call
        except (discord.DiscordException, OSError) as error:
            level = logging.DEBUG if getattr(error, "code", 0) in LATE else logging.WARNING
            log.log(level, "an answer on discord did not arrive: %s", error)
            return False
        return True
