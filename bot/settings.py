"""What people and chats choose: language, theme, ping, confirmation, pictures as files, the block list."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from bot.finding import by_name, known_as
from bot.messages import Incoming, Settings
from bot.replies import Notice, Reply, SettingsPage
from bot.texts import LANGUAGES
from rules.actions import PersonId
from storage.base import ChatSettings, Profile, Store

THEMES: Final = ("light", "dark", "patterns")
MAX_BLOCKED: Final = 100


class SettingsService:
    """Shows and changes settings."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def carry_out(self, command: Settings, incoming: Incoming, *, chat: ChatSettings, profile: Profile) -> Reply:
        """The settings as they are now, after the change that *command* asks for; or why it cannot be made.

        In a group only somebody who may manage it changes the language and the theme for all; anybody else changes the
        language of the private answers to himself.
        """
        chat_too = incoming.private or incoming.admin
        key, value = command.key, command.value
        new_chat, new_profile = chat, profile
        if key == "language":
            if value not in LANGUAGES:
                return Notice("bad-language", (("languages", ", ".join(LANGUAGES)),))
            new_profile = replace(profile, language=value)
            new_chat = replace(chat, language=value) if chat_too else chat
        elif key == "theme":
            if value not in THEMES:
                return Notice("bad-theme", (("themes", ", ".join(THEMES)),))
            if not chat_too:
                return Notice("only-admins")
            new_chat = replace(chat, theme=value)
        elif key in ("ping", "confirm", "file"):
            if value not in ("on", "off"):
                return Notice("bad-switch", (("key", key),))
            new_profile = _switched(profile, key, on=value == "on")
        elif key in ("block", "unblock"):
            people = _people(command, incoming)
            if not people or incoming.person.id in people:
                return Notice("block-whom")
            blocked = tuple(known for known in profile.blocked if known not in people)
            new_profile = replace(profile, blocked=(*blocked, *people)[-MAX_BLOCKED:] if key == "block" else blocked)
        if new_chat != chat:
            await self._store.save_chat(incoming.place, new_chat)
        if new_profile != profile:
            await self._store.save_profile(incoming.person.id, new_profile)
            if (name := known_as(incoming)) is not None:
                # Whoever challenges him by his user name alone is to meet the same block list and wishes.
                await self._store.save_profile(name, new_profile)
        return SettingsPage(new_chat, new_profile, changed=bool(key), chat_too=chat_too)


def _switched(profile: Profile, key: str, *, on: bool) -> Profile:
    match key:
        case "ping":
            return replace(profile, ping=on)
        case "confirm":
            return replace(profile, confirm=on)
        case _:
            return replace(profile, as_file=on)


def _people(command: Settings, incoming: Incoming) -> tuple[PersonId, ...]:
    """The ids of the person who is named: his own and the one of his user name, as far as they are known."""
    person, platform = command.person, incoming.place.platform
    name = command.value.removeprefix("@") if person is None else person.username
    ids = () if person is None else (person.id,)
    return (*ids, by_name(platform, name)) if name else ids
