"""What people and chats choose: language, theme, ping, confirmation, pictures as files, the block list."""

from __future__ import annotations

from collections.abc import Callable
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
        language of the private answers to himself, as everybody does with the key ``my-language``.
        """
        chat_too = incoming.private or incoming.admin
        key, value = command.key, command.value
        match key:
            case "language" | "my-language":
                if value not in LANGUAGES:
                    return Notice("bad-language", (("languages", ", ".join(LANGUAGES)),))
                profile = await self._change_profile(incoming, lambda p: replace(p, language=value))
                if chat_too and key == "language":
                    chat = await self._store.change_chat(incoming.place, lambda c: replace(c, language=value))
            case "theme":
                if value not in THEMES:
                    return Notice("bad-theme", (("themes", ", ".join(THEMES)),))
                if not chat_too:
                    return Notice("only-admins")
                chat = await self._store.change_chat(incoming.place, lambda c: replace(c, theme=value))
            case "ping" | "confirm" | "file":
                if value not in ("on", "off"):
                    return Notice("bad-switch", (("key", key),))
                profile = await self._change_profile(incoming, lambda p: _switched(p, key, on=value == "on"))
            case "block" | "unblock":
                people = _people(command, incoming)
                if not people or incoming.person.id in people:
                    return Notice("block-whom")
                profile = await self._change_profile(incoming, lambda p: _blocking(p, people, on=key == "block"))
        return SettingsPage(chat, profile, changed=bool(key), chat_too=chat_too)

    async def _change_profile(self, incoming: Incoming, change: Callable[[Profile], Profile]) -> Profile:
        profile = await self._store.change_profile(incoming.person.id, change)
        if (name := known_as(incoming)) is not None:
            # Whoever challenges him by his user name alone is to meet the same block list and wishes.
            await self._store.change_profile(name, lambda _: profile)
        return profile


def _blocking(profile: Profile, people: tuple[PersonId, ...], *, on: bool) -> Profile:
    others = tuple(known for known in profile.blocked if known not in people)
    return replace(profile, blocked=(*others, *people)[-MAX_BLOCKED:] if on else others)


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
