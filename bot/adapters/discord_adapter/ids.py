"""Discord's numbers as the bot knows them, and back."""

from __future__ import annotations

from typing import Final

import discord

from bot.messages import Person
from bot.ports import Place
from rules.actions import PersonId

PLATFORM: Final = "discord"


def person_of(user: discord.User | discord.Member | discord.ClientUser) -> Person:
    """The account as a person: by the name that others see."""
    return Person(PersonId(f"{PLATFORM}:{user.id}"), user.display_name, user.name, user.bot)


def user_of(person: PersonId) -> int | None:
    """The account's number, or None for somebody of another platform (or known by name alone)."""
    platform, _, number = person.partition(":")
    return int(number) if platform == PLATFORM and number.isascii() and number.isdecimal() else None


def place_of(channel: object, channel_id: int, person: PersonId) -> Place:
    """The place of a channel in which *person* is heard.

    A public thread belongs to its channel, a private one stands alone; a chat with the bot alone is called by the
    person's number, as on other platforms.
    """
    if isinstance(channel, discord.DMChannel):
        return Place(PLATFORM, person.partition(":")[2])
    if isinstance(channel, discord.Thread) and not channel.is_private():
        return Place(PLATFORM, str(channel.parent_id), str(channel_id))
    return Place(PLATFORM, str(channel_id))


def channel_of(place: Place) -> int:
    """The number of the channel or thread that the place is."""
    return int(place.topic or place.chat)
