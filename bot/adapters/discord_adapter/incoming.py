"""From what Discord delivers to an Incoming: who, where, what."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import discord

from bot.adapters.discord_adapter.commands import typed
from bot.adapters.discord_adapter.components import FIELD, MENU
from bot.adapters.discord_adapter.ids import person_of, place_of
from bot.adapters.discord_adapter.permissions import lacking
from bot.messages import Incoming

AnyInteraction = discord.Interaction[discord.Client]

_MANAGING: Final = ("administrator", "manage_guild", "manage_channels")


def incoming_of(interaction: AnyInteraction) -> Incoming:
    """A button, a menu or a sent form, without what a command brings along."""
    data: Mapping[str, Any] = interaction.data or {}
    payload, text = _pressed(interaction.type, data)
    channel, channel_id = interaction.channel, interaction.channel_id or 0
    person, guest = person_of(interaction.user), is_guest(interaction)
    in_guild = interaction.guild_id is not None and not guest
    return Incoming(
        id=str(interaction.id),
        place=place_of(channel, channel_id, person.id),
        person=person,
        text=text,
        payload=payload,
        private=interaction.guild_id is None and not guest,
        admin=in_guild and _manages(interaction.permissions),
        language=str(interaction.locale),
        guest=guest,
        lacking=lacking(interaction.app_permissions, in_thread=_is_thread(channel)) if in_guild else (),
    )


def commands_of(interaction: AnyInteraction) -> Sequence[Incoming]:
    """What a command says, as people would type it: one update, or several if it sets several things."""
    plain = incoming_of(interaction)
    said = typed(interaction)
    return [
        _with(plain, text, mentions, plain.id if number == 0 else f"{plain.id}:{number}")
        for number, (text, mentions) in enumerate(said)
    ]


def completing(interaction: AnyInteraction, text: str) -> Incoming:
    """Somebody who is still typing *text*."""
    return _with(incoming_of(interaction), text, (), str(interaction.id))


def message_of(message: discord.Message, me: discord.ClientUser) -> Incoming | None:
    """A written message that is meant for the bot; None for all others."""
    if message.author.bot or message.webhook_id is not None:
        return None
    private = message.guild is None
    if not private and me not in message.mentions:
        return None
    text = message.content
    for mark in (f"<@{me.id}>", f"<@!{me.id}>"):
        text = text.replace(mark, " ")
    reference = message.reference.resolved if message.reference is not None else None
    quoted = reference.content if isinstance(reference, discord.Message) and reference.author == me else ""
    author = person_of(message.author)
    mine = ours = discord.Permissions.none()
    if isinstance(message.author, discord.Member) and message.guild is not None:
        mine = message.channel.permissions_for(message.author)
        ours = message.channel.permissions_for(message.guild.me)
    return Incoming(
        id=str(message.id),
        place=place_of(message.channel, message.channel.id, author.id),
        person=author,
        text=text.strip(),
        mentions=tuple(person_of(one) for one in message.mentions if one != me),
        quoted=quoted,
        private=private,
        admin=_manages(mine),
        lacking=() if private else lacking(ours, in_thread=_is_thread(message.channel)),
    )


def is_guest(interaction: AnyInteraction) -> bool:
    """True where the bot is no member: somebody brought it along as his own app."""
    if interaction.guild_id is not None:
        return interaction.client.get_guild(interaction.guild_id) is None
    return interaction.context.private_channel is True


def _with(plain: Incoming, text: str, mentions: Sequence[discord.abc.User], update: str) -> Incoming:
    people = tuple(person_of(one) for one in mentions if isinstance(one, discord.User | discord.Member))
    return replace(plain, id=update, text=text, payload="", mentions=people)


def _pressed(kind: discord.InteractionType, data: Mapping[str, Any]) -> tuple[str, str]:
    """The payload, and what was typed beside it."""
    custom_id = str(data.get("custom_id", ""))
    if kind is discord.InteractionType.modal_submit:
        return custom_id, _field(data.get("components", ()))
    values: Sequence[object] = data.get("values") or ()
    if custom_id.startswith(MENU) and len(values) == 1:
        return str(values[0]), ""
    return custom_id, ""


def _field(components: Iterable[Mapping[str, Any]]) -> str:
    """What was typed into the form's one field."""
    for one in components:
        inside = [*one.get("components", ()), *([one["component"]] if "component" in one else ())]
        if one.get("custom_id") == FIELD:
            return str(one.get("value", ""))
        if text := _field(inside):
            return text
    return ""


def _manages(permissions: discord.Permissions) -> bool:
    return any(getattr(permissions, right) for right in _MANAGING)


def _is_thread(channel: object) -> bool:
    return isinstance(channel, discord.Thread)
