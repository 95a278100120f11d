"""From an Outgoing to what discord.py sends: words, one plain attachment with its words, buttons."""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass
from typing import Final

import discord
from discord import ui

from bot.adapters.discord_adapter.components import view_of
from bot.adapters.discord_adapter.ids import user_of
from bot.adapters.discord_adapter.markdown import pieces, written
from bot.adapters.discord_adapter.words import Words
from bot.messages import Outgoing

ALT_LENGTH: Final = 1024
"""Discord: "Description for the file (max 1024 characters)"."""


@dataclass(frozen=True, slots=True)
class Letter:
    """A message ready to be sent, any number of times. *more* are the words that did not fit."""

    content: str
    file_name: str
    file: bytes
    alt: str
    view: ui.View | None
    ping: int | None
    more: tuple[str, ...] = ()

    @property
    def files(self) -> list[discord.File]:
        """Its attachment, anew for each time it is sent."""
        if not self.file_name:
            return []
        return [discord.File(io.BytesIO(self.file), self.file_name, description=self.alt or None)]

    @property
    def mentions(self) -> discord.AllowedMentions:
        """Whom it may notify: one person, or nobody."""
        return mentions(self.ping)


def mentions(ping: int | None) -> discord.AllowedMentions:
    """Notify the person *ping* alone, or nobody."""
    users = [] if ping is None else [discord.Object(ping)]
    return discord.AllowedMentions(everyone=False, roles=False, users=users, replied_user=False)


def letter(outgoing: Outgoing, words: Words, *, ping: bool = True) -> Letter:
    """The message, whose picture and replay are drawn; *ping* is False where the person is not there any more."""
    user = user_of(outgoing.ping) if ping and outgoing.ping is not None else None
    text = written(outgoing.text, user)
    if outgoing.door is not None:
        # No address leads into somebody's chat with a bot: the code does, wherever the bot is.
        text = f"{text}\n{words(outgoing.language)['discord.door'].format(match=outgoing.door)}"
    if user is not None and f"<@{user}>" not in text:
        text = f"<@{user}>\n{text}"
    first, *more = pieces(text) or [""]
    name, file, alt = "", b"", ""
    if outgoing.document is not None:
        name, file = outgoing.document.name, outgoing.document.content
    elif outgoing.picture is not None:
        name, file, alt = "board.png", outgoing.picture.png, outgoing.picture.alt[:ALT_LENGTH]
    return Letter(first, name, file, alt, view_of(outgoing, words(outgoing.language)), user, tuple(more))


def nonce(outgoing: Outgoing) -> str | None:
    """What makes Discord send the same message once, however often it is asked to; at most 25 characters."""
    return hashlib.blake2b(outgoing.key.encode(), digest_size=12).hexdigest() if outgoing.key else None


def is_heavy(outgoing: Outgoing) -> bool:
    """True if the message must be drawn or uploaded, which takes longer than an acknowledgement should."""
    return outgoing.picture is not None or bool(outgoing.replay) or outgoing.document is not None
