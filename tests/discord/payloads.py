"""What Discord knows, as the JSON that its gateway and its API speak (v10)."""

from __future__ import annotations

import datetime as dt
from typing import Any, Final

import discord

from tests.discord.world import (
    EPOCH_MS,
    NOT_A_MEMBER,
    Attachment,
    Channel,
    ChannelKind,
    Guild,
    Interaction,
    Member,
    Message,
    Role,
    User,
    World,
)

JSON = dict[str, Any]

EPHEMERAL: Final = 1 << 6
LOADING: Final = 1 << 7
HAS_THREAD: Final = 1 << 5


def moment(snowflake: int) -> str:
    """When the id was made."""
    seconds = ((snowflake >> 22) + EPOCH_MS) / 1000
    return dt.datetime.fromtimestamp(seconds, dt.UTC).isoformat()


def user_json(user: User) -> JSON:
    """A user."""
    return {
        "id": str(user.id),
        "username": user.username,
        "global_name": None if user.is_bot else user.name,
        "discriminator": "0",
        "avatar": None,
        "bot": user.is_bot,
        "public_flags": 0,
    }


def member_json(member: Member, *, with_user: bool = True) -> JSON:
    """A member of a server."""
    data: JSON = {
        "roles": [str(role.id) for role in member.roles],
        "nick": member.nick,
        "avatar": None,
        "joined_at": moment(member.user.id),
        "premium_since": None,
        "communication_disabled_until": None,
        "deaf": False,
        "mute": False,
        "pending": False,
        "flags": 0,
    }
    return {**data, "user": user_json(member.user)} if with_user else data


def role_json(role: Role, position: int) -> JSON:
    """A role."""
    return {
        "id": str(role.id),
        "name": role.name,
        "permissions": str(role.permissions.value),
        "position": position,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": role.managed_by is not None,
        "mentionable": False,
        "flags": 0,
        "tags": {} if role.managed_by is None else {"bot_id": str(role.managed_by)},
    }


def channel_json(world: World, channel: Channel) -> JSON:
    """A channel, a thread or a direct message."""
    last = str(channel.messages[-1].id) if channel.messages else None
    data: JSON = {"id": str(channel.id), "type": int(channel.kind), "last_message_id": last, "flags": 0}
    if channel.guild is None:
        return {**data, "recipients": [user_json(user) for user in channel.recipients]}
    data |= {"guild_id": str(channel.guild.id), "name": channel.name, "rate_limit_per_user": 0, "position": 0}
    if not channel.is_thread:
        overwrites = [
            {
                "id": str(id_),
                "type": 0 if id_ in channel.guild.roles else 1,
                "allow": str(one.allow.value),
                "deny": str(one.deny.value),
            }
            for id_, one in channel.overwrites.items()
        ]
        return data | {"permission_overwrites": overwrites, "parent_id": None, "topic": None, "nsfw": False}
    assert channel.parent is not None
    assert channel.owner is not None
    return data | {
        "parent_id": str(channel.parent.id),
        "owner_id": str(channel.owner.id),
        "message_count": len(channel.messages),
        "member_count": 1,
        "total_message_sent": len(channel.messages),
        "thread_metadata": {
            "archived": channel.archived,
            "auto_archive_duration": channel.auto_archive_minutes,
            "archive_timestamp": moment(channel.id),
            "locked": channel.locked,
            "create_timestamp": moment(channel.id),
        },
        "member": {
            "id": str(channel.id),
            "user_id": str(world.bot.id),
            "join_timestamp": moment(channel.id),
            "flags": 0,
        },
    }


def guild_json(world: World, guild: Guild) -> JSON:
    """A server as GUILD_CREATE tells it: of its members only the bot, as without the members intent."""
    here = [channel for channel in world.channels.values() if channel.guild is guild]
    seen = [channel for channel in here if world.permissions(channel, world.bot).view_channel]
    return {
        "id": str(guild.id),
        "name": guild.name,
        "owner_id": str(guild.owner.id),
        "icon": None,
        "splash": None,
        "discovery_splash": None,
        "banner": None,
        "description": None,
        "vanity_url_code": None,
        "region": "deprecated",
        "features": [],
        "preferred_locale": guild.locale,
        "roles": [role_json(role, position) for position, role in enumerate(guild.roles.values())],
        "channels": [channel_json(world, channel) for channel in here if not channel.is_thread],
        "threads": [channel_json(world, one) for one in seen if one.is_thread and not one.archived],
        "members": [member_json(guild.members[world.bot.id])] if world.bot.id in guild.members else [],
        "member_count": len(guild.members),
        "joined_at": moment(guild.id),
        "large": False,
        "unavailable": False,
        "emojis": [],
        "stickers": [],
        "presences": [],
        "voice_states": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
        "afk_channel_id": None,
        "afk_timeout": 300,
        "system_channel_id": None,
        "system_channel_flags": 0,
        "rules_channel_id": None,
        "public_updates_channel_id": None,
        "safety_alerts_channel_id": None,
        "application_id": None,
        "default_message_notifications": 1,
        "explicit_content_filter": 0,
        "mfa_level": 0,
        "nsfw_level": 0,
        "verification_level": 0,
        "premium_tier": 0,
        "premium_progress_bar_enabled": False,
    }


def attachment_json(attachment: Attachment, base: str) -> JSON:
    """A file of a message; its URL is good for a day in the real Discord, here as long as the message."""
    url = f"{base}/attachments/{attachment.id}/{attachment.filename}"
    data: JSON = {
        "id": str(attachment.id),
        "filename": attachment.filename,
        "size": len(attachment.content),
        "url": url,
        "proxy_url": url,
        "content_type": attachment.content_type,
    }
    return data if attachment.description is None else {**data, "description": attachment.description}


def message_json(message: Message, base: str) -> JSON:
    """A message as it is told to its author, or to an app with the message content intent."""
    flags = message.flags | (EPHEMERAL if message.is_private else 0) | (LOADING if message.loading else 0)
    data: JSON = {
        "id": str(message.id),
        "channel_id": str(message.channel.id),
        "type": 0 if message.interaction is None else 20,
        "author": user_json(message.author),
        "content": message.content,
        "components": message.components,
        "attachments": [attachment_json(one, base) for one in message.attachments],
        "embeds": message.embeds,
        "mentions": [user_json(user) for user in message.mentions],
        "mention_roles": [],
        "mention_everyone": False,
        "pinned": False,
        "tts": False,
        "timestamp": moment(message.id),
        "edited_timestamp": moment(message.id) if message.edits else None,
        "flags": flags | (HAS_THREAD if message.thread else 0),
    }
    if message.nonce is not None:
        data["nonce"] = message.nonce
    if message.reference is not None:
        data["type"] = 19
        data["message_reference"] = {"message_id": str(message.reference), "channel_id": str(message.channel.id)}
        found = [one for one in message.channel.messages if one.id == message.reference]
        data["referenced_message"] = message_json(found[0], base) if found else None
    if message.interaction is not None:
        data |= {"application_id": str(message.author.id), "webhook_id": str(message.author.id)}
        data["interaction_metadata"] = _metadata(message.interaction)
    return data


def _metadata(interaction: Interaction) -> JSON:
    return {
        "id": str(interaction.id),
        "type": int(interaction.kind),
        "user": user_json(interaction.user),
        "authorizing_integration_owners": {},
    }


def gateway_message(message: Message, base: str) -> JSON:
    """A message as MESSAGE_CREATE tells it: with the server and the author as its member."""
    data = message_json(message, base)
    guild = message.channel.guild
    if guild is None:
        return data
    data["guild_id"] = str(guild.id)
    if message.author.id in guild.members:
        data["member"] = member_json(guild.members[message.author.id], with_user=False)
    return data


def without_content(data: JSON, bot: User) -> JSON:
    """The same message for an app without the message content intent, unless it is meant for the app."""
    own = data["author"]["id"] == str(bot.id)
    mentioned = any(user["id"] == str(bot.id) for user in data["mentions"])
    if own or mentioned or "guild_id" not in data:
        return data
    return {**data, "content": "", "embeds": [], "attachments": [], "components": []}


def interaction_json(world: World, interaction: Interaction, base: str) -> JSON:
    """An interaction as INTERACTION_CREATE tells it."""
    channel, user, guild = interaction.channel, interaction.user, interaction.channel.guild
    with_bot = channel.kind is ChannelKind.DM and channel.recipients == (user,)
    owners = {"1": str(user.id)} if user.has_app else {}
    if guild is not None and world.is_member(guild, world.bot):
        owners["0"] = str(guild.id)
    elif with_bot:
        owners["0"] = "0"
    data: JSON = {
        "id": str(interaction.id),
        "application_id": str(world.application_id),
        "type": int(interaction.kind),
        "token": interaction.token,
        "version": 1,
        "data": interaction.data,
        "channel_id": str(channel.id),
        "channel": channel_json(world, channel),
        "locale": user.locale,
        "app_permissions": str(app_permissions(world, channel).value),
        "authorizing_integration_owners": owners,
        "context": 0 if guild is not None else 1 if with_bot else 2,
        "entitlements": [],
        "attachment_size_limit": 10 * 1024 * 1024,
    }
    if interaction.message is not None:
        data["message"] = message_json(interaction.message, base)
    if guild is None:
        return {**data, "user": user_json(user)}
    permissions = world.permissions(channel, user)
    member = {**member_json(guild.members[user.id]), "permissions": str(permissions.value)}
    partial = {"id": str(guild.id), "locale": guild.locale, "features": []}
    return {**data, "guild_id": str(guild.id), "guild": partial, "guild_locale": guild.locale, "member": member}


def app_permissions(world: World, channel: Channel) -> discord.Permissions:
    """What the app may do where an interaction came from."""
    if channel.guild is None or world.is_member(channel.guild, world.bot):
        return world.permissions(channel, world.bot)
    return NOT_A_MEMBER
