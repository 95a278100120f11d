"""The commands as Telegram offers them: for each language, in private chats and in groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from telegram import BotCommand, BotCommandScopeAllGroupChats, BotCommandScopeAllPrivateChats
from telegram.error import BadRequest

from bot.adapters.telegram_adapter.client import Client
from bot.adapters.telegram_adapter.markup import Words

DESCRIPTION_LENGTH: Final = 256

_SEEN: Final = frozenset(("start", "challenge", "rematch", "board", "replay", "export"))
"""The commands that all in a group see typed: they may reply to somebody, or to an old board.

The others are hidden messages there: what is refused, asked or shown can then be told to that person alone.
"""


async def offer(client: Client, words: Words, languages: Sequence[str], names: Sequence[str]) -> None:
    """Have Telegram offer the commands *names*; the first language is also for all who speak none of them."""
    for place, language in enumerate(languages):
        described = words(language)
        private, group = commands(described, names), commands(described, names, group=True)
        for code in (None, language) if place == 0 else (language,):
            await client.set_my_commands(private, BotCommandScopeAllPrivateChats(), code)
            try:
                await client.set_my_commands(group, BotCommandScopeAllGroupChats(), code)
            except BadRequest:  # a server of the host's own that does not know hidden commands
                await client.set_my_commands(private, BotCommandScopeAllGroupChats(), code)


def commands(described: Mapping[str, str], names: Sequence[str], *, group: bool = False) -> list[BotCommand]:
    """The commands *names* with what they do."""
    return [
        BotCommand(
            name,
            described[f"command.{name}"][:DESCRIPTION_LENGTH],
            api_kwargs={"is_ephemeral": True} if group and name not in _SEEN else None,
        )
        for name in names
    ]
