"""The routes of the API that are no answers to interactions: channels, messages, threads, members, the app itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from tests.discord import command_limits, interactions
from tests.discord.calls import Call, Reply
from tests.discord.messages import Desk, Event
from tests.discord.payloads import channel_json, guild_json, member_json, message_json, user_json
from tests.discord.refusals import (
    ARCHIVED,
    HAS_A_THREAD,
    INVALID_BODY,
    MISSING_ACCESS,
    MISSING_PERMISSIONS,
    UNKNOWN_GUILD,
    UNKNOWN_MEMBER,
    UNKNOWN_USER,
    WRONG_CHANNEL_TYPE,
    Refused,
)
from tests.discord.world import Channel, ChannelKind, Guild, Message

JSON = dict[str, Any]
Handler = Callable[[Desk, Call], Reply]

GUILDS_INTENT: Final = 1 << 0
_ARCHIVE_MINUTES: Final = (60, 1440, 4320, 10080)


# ---- the app ---------------------------------------------------------------------------------------------------------


def me(desk: Desk, call: Call) -> Reply:
    """``get_my_user``."""
    del call
    return Reply(200, {**user_json(desk.world.bot), "verified": True, "mfa_enabled": True, "locale": "en-US"})


def application(desk: Desk, call: Call) -> Reply:
    """``get_my_application`` and ``get_my_oauth2_application``."""
    del call
    owner = next((user for user in desk.world.users.values() if not user.is_bot), desk.world.bot)
    body: JSON = {
        "id": str(desk.world.application_id),
        "name": desk.world.bot.name,
        "description": "",
        "icon": None,
        "summary": "",
        "bot_public": True,
        "bot_require_code_grant": False,
        "verify_key": "0" * 64,
        "flags": 0,
        "owner": user_json(owner),
        "team": None,
        "install_params": None,
        "integration_types_config": {"0": {}, "1": {}},
    }
    return Reply(200, body)


def list_commands(desk: Desk, call: Call) -> Reply:
    """``list_application_commands``; localisations only on request, as in Discord."""
    _own(desk, call)
    if call.query.get("with_localizations", "").lower() in ("1", "true"):
        return Reply(200, desk.world.commands)
    return Reply(200, [_without_localisations(command) for command in desk.world.commands])


def _without_localisations(one: JSON) -> JSON:
    kept = {key: value for key, value in one.items() if not key.endswith("_localizations")}
    for key in ("options", "choices"):
        if key in kept:
            kept[key] = [_without_localisations(inner) for inner in kept[key]]
    return kept


def put_commands(desk: Desk, call: Call) -> Reply:
    """``bulk_set_application_commands``: the whole list; a command of an earlier name keeps its id."""
    _own(desk, call)
    problems = command_limits.problems_of_commands(call.body)
    if problems:
        raise Refused(*INVALID_BODY, *problems)
    earlier = {(one["name"], one["type"]): one["id"] for one in desk.world.commands}
    taken = []
    for command in call.body:
        kind = command.get("type") or 1
        given = {key: value for key, value in command.items() if value is not None}
        taken.append(
            {
                "description": "",
                "default_member_permissions": None,
                "nsfw": False,
                "integration_types": [0],
                "contexts": None,
                **given,
                "type": kind,
                "id": earlier.get((command["name"], kind), str(desk.world.new_id())),
                "application_id": str(desk.world.application_id),
                "version": str(desk.world.new_id()),
            }
        )
    desk.world.commands = taken
    return Reply(200, taken)


def _own(desk: Desk, call: Call) -> None:
    if call.number("application_id") != desk.world.application_id:
        raise Refused(403, 20012, "You are not authorized to perform this action on this application")


# ---- people ----------------------------------------------------------------------------------------------------------


def get_user(desk: Desk, call: Call) -> Reply:
    """``get_user``."""
    user = desk.world.users.get(call.number("user_id"))
    if user is None:
        raise Refused(*UNKNOWN_USER)
    return Reply(200, user_json(user))


def _guild(desk: Desk, call: Call) -> Guild:
    guild = desk.world.guilds.get(call.number("guild_id"))
    if guild is None:
        raise Refused(*UNKNOWN_GUILD)
    if not desk.world.is_member(guild, desk.world.bot):
        raise Refused(*MISSING_ACCESS)
    return guild


def get_guild(desk: Desk, call: Call) -> Reply:
    """``get_guild``."""
    return Reply(200, guild_json(desk.world, _guild(desk, call)))


def get_member(desk: Desk, call: Call) -> Reply:
    """``get_guild_member``."""
    member = _guild(desk, call).members.get(call.number("user_id"))
    if member is None:
        raise Refused(*UNKNOWN_MEMBER)
    return Reply(200, member_json(member))


def open_dm(desk: Desk, call: Call) -> Reply:
    """``create_dm``: opens always; whether anything arrives there shows the first message."""
    user = desk.world.users.get(int(call.body.get("recipient_id") or 0))
    if user is None:
        raise Refused(400, 50033, "Invalid Recipient(s)")
    if user.is_bot:
        raise Refused(400, 50007, "Cannot send messages to this user")
    return Reply(200, channel_json(desk.world, dm_of(desk, user.id)))


def dm_of(desk: Desk, user_id: int) -> Channel:
    """The direct messages of a person with the app."""
    user = desk.world.users[user_id]
    for channel in desk.world.channels.values():
        if channel.kind is ChannelKind.DM and channel.recipients == (user,):
            return channel
    channel = Channel(desk.world.new_id(), ChannelKind.DM, recipients=(user,))
    desk.world.channels[channel.id] = channel
    return channel


# ---- channels and messages -------------------------------------------------------------------------------------------


def get_channel(desk: Desk, call: Call) -> Reply:
    """``get_channel``."""
    return Reply(200, channel_json(desk.world, desk.channel(call.number("channel_id"))))


def post_message(desk: Desk, call: Call) -> Reply:
    """``create_message``."""
    channel = desk.channel(call.number("channel_id"))
    return Reply(200, message_json(desk.post(channel, call.body, call.uploads), desk.base))


def _message(desk: Desk, call: Call) -> Message:
    channel = desk.channel(call.number("channel_id"))
    message = desk.world.message(channel, call.number("message_id"))
    if message.is_private:
        raise Refused(404, 10008, "Unknown Message")
    return message


def get_message(desk: Desk, call: Call) -> Reply:
    """``get_message``."""
    message = _message(desk, call)
    desk.require(message.channel, "read_message_history")
    return Reply(200, message_json(message, desk.base))


def list_messages(desk: Desk, call: Call) -> Reply:
    """``list_messages``: the newest first."""
    channel = desk.channel(call.number("channel_id"))
    limit = int(call.query.get("limit", "50"))
    if not desk.world.permissions(channel, desk.world.bot).read_message_history:
        return Reply(200, [])
    return Reply(200, [message_json(message, desk.base) for message in channel.public[::-1][:limit]])


def edit_message(desk: Desk, call: Call) -> Reply:
    """``update_message``."""
    message = _message(desk, call)
    desk.edit(message, call.body, call.uploads, by_answer=False)
    return Reply(200, message_json(message, desk.base))


def delete_message(desk: Desk, call: Call) -> Reply:
    """``delete_message``."""
    message = _message(desk, call)
    if message.author is not desk.world.bot:
        desk.require(message.channel, "manage_messages")
    if message.channel.archived:
        raise Refused(*ARCHIVED)
    desk.delete(message)
    return Reply(204)


def typing(desk: Desk, call: Call) -> Reply:
    """``trigger_typing_indicator``."""
    channel = desk.channel(call.number("channel_id"))
    desk.require(channel, "send_messages_in_threads" if channel.is_thread else "send_messages")
    return Reply(204)


# ---- threads ---------------------------------------------------------------------------------------------------------


def thread_from_message(desk: Desk, call: Call) -> Reply:
    """``create_thread_from_message``: the thread has the message's id."""
    message = _message(desk, call)
    if message.thread is not None:
        raise Refused(*HAS_A_THREAD)
    is_news = message.channel.kind is ChannelKind.NEWS
    kind = ChannelKind.NEWS_THREAD if is_news else ChannelKind.PUBLIC_THREAD
    thread = _open_thread(desk, message.channel, call.body, kind, message.id)
    message.thread = thread
    return Reply(201, channel_json(desk.world, thread))


def thread_alone(desk: Desk, call: Call) -> Reply:
    """``create_thread``: private if no type is named."""
    kind = ChannelKind(call.body.get("type") or ChannelKind.PRIVATE_THREAD)
    channel = desk.channel(call.number("channel_id"))
    return Reply(201, channel_json(desk.world, _open_thread(desk, channel, call.body, kind, desk.world.new_id())))


def _open_thread(desk: Desk, channel: Channel, body: JSON, kind: ChannelKind, id_: int) -> Channel:
    is_news = kind is ChannelKind.NEWS_THREAD
    if channel.kind is not (ChannelKind.NEWS if is_news else ChannelKind.TEXT):
        raise Refused(*WRONG_CHANNEL_TYPE)
    is_public = is_news or kind is ChannelKind.PUBLIC_THREAD
    desk.require(channel, "create_public_threads" if is_public else "create_private_threads")
    minutes = body.get("auto_archive_duration") or 1440
    if minutes not in _ARCHIVE_MINUTES:
        raise Refused(*INVALID_BODY, f"auto_archive_duration: {minutes}")
    thread = Channel(id_, kind, body["name"], channel.guild, channel, desk.world.bot, auto_archive_minutes=minutes)
    desk.world.channels[thread.id] = thread
    tell_channel(desk, thread, "THREAD_CREATE")
    return thread


def tell_channel(desk: Desk, channel: Channel, name: str) -> None:
    """Tell the gateway of a channel or a thread."""
    guild = None if channel.guild is None else channel.guild.id
    desk.emit(Event(name, channel_json(desk.world, channel), guild, GUILDS_INTENT))


def edit_channel(desk: Desk, call: Call) -> Reply:
    """``update_channel``, of threads alone: the rest is the host's business, not the bot's."""
    channel, body = desk.channel(call.number("channel_id")), call.body
    manages = desk.world.permissions(channel, desk.world.bot).manage_threads
    if not channel.is_thread:
        desk.require(channel, "manage_channels")
        raise Refused(*INVALID_BODY, "only threads are edited here")
    if channel.archived and body.get("archived", True):
        raise Refused(*ARCHIVED)
    if (channel.locked or set(body) - {"archived", "auto_archive_duration"} or body.get("archived")) and not manages:
        raise Refused(*MISSING_PERMISSIONS)
    desk.require(channel, "send_messages_in_threads")
    channel.archived = bool(body.get("archived", channel.archived))
    channel.locked = bool(body.get("locked", channel.locked))
    channel.name = body.get("name") or channel.name
    channel.auto_archive_minutes = body.get("auto_archive_duration") or channel.auto_archive_minutes
    tell_channel(desk, channel, "THREAD_UPDATE")
    return Reply(200, channel_json(desk.world, channel))


def thread_member(desk: Desk, call: Call) -> Reply:
    """``join_thread`` and ``leave_thread``."""
    channel = desk.channel(call.number("channel_id"))
    if channel.archived:
        raise Refused(*ARCHIVED)
    return Reply(204)


_WEBHOOK: Final = "/webhooks/{webhook_id}/{webhook_token}"
_ORIGINAL: Final = f"{_WEBHOOK}/messages/@original"
_FOLLOWUP: Final = f"{_WEBHOOK}/messages/{{message_id}}"
_MESSAGES: Final = "/channels/{channel_id}/messages"
_MESSAGE: Final = f"{_MESSAGES}/{{message_id}}"
_COMMANDS: Final = "/applications/{application_id}/commands"

ROUTES: Final[tuple[tuple[str, str, str, Handler], ...]] = (
    ("GET", "/users/@me", "get_my_user", me),
    ("GET", "/applications/@me", "get_my_application", application),
    ("GET", "/oauth2/applications/@me", "get_my_oauth2_application", application),
    ("GET", _COMMANDS, "list_application_commands", list_commands),
    ("PUT", _COMMANDS, "bulk_set_application_commands", put_commands),
    ("POST", "/users/@me/channels", "create_dm", open_dm),
    ("GET", "/users/{user_id}", "get_user", get_user),
    ("GET", "/guilds/{guild_id}", "get_guild", get_guild),
    ("GET", "/guilds/{guild_id}/members/{user_id}", "get_guild_member", get_member),
    ("GET", "/channels/{channel_id}", "get_channel", get_channel),
    ("PATCH", "/channels/{channel_id}", "update_channel", edit_channel),
    ("GET", _MESSAGES, "list_messages", list_messages),
    ("POST", _MESSAGES, "create_message", post_message),
    ("GET", _MESSAGE, "get_message", get_message),
    ("PATCH", _MESSAGE, "update_message", edit_message),
    ("DELETE", _MESSAGE, "delete_message", delete_message),
    ("POST", f"{_MESSAGE}/threads", "create_thread_from_message", thread_from_message),
    ("POST", "/channels/{channel_id}/threads", "create_thread", thread_alone),
    ("PUT", "/channels/{channel_id}/thread-members/@me", "join_thread", thread_member),
    ("DELETE", "/channels/{channel_id}/thread-members/@me", "leave_thread", thread_member),
    ("POST", "/channels/{channel_id}/typing", "trigger_typing_indicator", typing),
    (
        "POST",
        "/interactions/{interaction_id}/{interaction_token}/callback",
        "create_interaction_response",
        interactions.acknowledge,
    ),
    ("POST", _WEBHOOK, "execute_webhook", interactions.follow_up),
    ("GET", _ORIGINAL, "get_original_webhook_message", interactions.fetch),
    ("PATCH", _ORIGINAL, "update_original_webhook_message", interactions.edit),
    ("DELETE", _ORIGINAL, "delete_original_webhook_message", interactions.delete),
    ("GET", _FOLLOWUP, "get_webhook_message", interactions.fetch),
    ("PATCH", _FOLLOWUP, "update_webhook_message", interactions.edit),
    ("DELETE", _FOLLOWUP, "delete_webhook_message", interactions.delete),
)
"""Method, path, name in Discord's description, and what does it; a path before another that would match it too."""
