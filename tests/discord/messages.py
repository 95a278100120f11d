"""Messages come to be, change and go: for the API's routes, for answers to interactions and for people alike."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from tests.discord import limits
from tests.discord.payloads import EPHEMERAL, gateway_message
from tests.discord.refusals import (
    ARCHIVED,
    CLOSED_DM,
    EMPTY_MESSAGE,
    INVALID_BODY,
    LOCKED,
    MISSING_ACCESS,
    MISSING_PERMISSIONS,
    NO_HISTORY,
    NOT_THE_AUTHOR,
    WRONG_CHANNEL_TYPE,
    Refused,
)
from tests.discord.world import Attachment, Channel, ChannelKind, Interaction, Message, User, World, walk_components

JSON = dict[str, Any]

_MENTION: Final = re.compile(r"<@!?(\d+)>")
_NO_NOTIFICATION: Final = 1 << 12
_DELIVERED_FLAGS: Final = ~EPHEMERAL


@dataclass(frozen=True, slots=True)
class Upload:
    """A file of a request: ``files[index]``."""

    index: int
    filename: str
    content: bytes
    content_type: str


@dataclass(frozen=True, slots=True)
class Event:
    """Something the gateway tells. *guild* is None for direct messages."""

    name: str
    data: JSON
    guild: int | None
    intent: int
    is_message: bool = False


@dataclass(slots=True)
class Desk:
    """Where messages are handled: the world, the gateway's *emit*, and the *base* of the addresses of files."""

    world: World
    emit: Callable[[Event], None]
    base: str = ""
    nonces: dict[tuple[int, str], Message] = field(default_factory=dict)

    # ---- may it? -----------------------------------------------------------------------------------------------------

    def channel(self, channel_id: int) -> Channel:
        """The channel, if the bot can see it.

        :raises Refused: if there is none, or the bot cannot see it.
        """
        channel = self.world.channels.get(channel_id)
        if channel is None:
            raise Refused(404, 10003, "Unknown Channel")
        if not self.world.permissions(channel, self.world.bot).view_channel:
            raise Refused(*MISSING_ACCESS)
        return channel

    def require(self, channel: Channel, *names: str) -> None:
        """Refuse if the bot lacks one of the permissions in the channel."""
        granted = self.world.permissions(channel, self.world.bot)
        lacking = [name for name in names if not getattr(granted, name)]
        if lacking:
            raise Refused(*MISSING_PERMISSIONS, *lacking)

    def _may_post(self, channel: Channel, body: JSON, uploads: Sequence[Upload]) -> None:
        if channel.kind is ChannelKind.FORUM:
            raise Refused(*WRONG_CHANNEL_TYPE)
        if channel.kind is ChannelKind.DM and not channel.recipients[0].dms_open:
            raise Refused(*CLOSED_DM)
        self.require(channel, "send_messages_in_threads" if channel.is_thread else "send_messages")
        if uploads:
            self.require(channel, "attach_files")
        if body.get("embeds"):
            self.require(channel, "embed_links")
        granted = self.world.permissions(channel, self.world.bot)
        if body.get("message_reference") and not granted.read_message_history:
            raise Refused(*NO_HISTORY)
        if channel.archived:
            raise Refused(*ARCHIVED)
        if channel.locked and not granted.manage_threads:
            raise Refused(*LOCKED)

    # ---- the app's messages ------------------------------------------------------------------------------------------

    def post(self, channel: Channel, body: JSON, uploads: Sequence[Upload]) -> Message:
        """A message of the bot's own in *channel*; with ``enforce_nonce`` the earlier one if there is one.

        :raises Refused: if the bot may not, or the message cannot be.
        """
        self._may_post(channel, body, uploads)
        nonce = body.get("nonce")
        key = (channel.id, str(nonce))
        if nonce is not None and body.get("enforce_nonce") and key in self.nonces:
            return self.nonces[key]
        message = self.compose(channel, body, uploads, private=False)
        message.nonce = nonce
        self._refer(message, body)
        if nonce is not None:
            self.nonces[key] = message
        self.publish(message)
        return message

    @staticmethod
    def _refer(message: Message, body: JSON) -> None:
        reference = body.get("message_reference")
        if not reference:
            return
        target = int(reference["message_id"])
        if not any(one.id == target for one in message.channel.public):
            if reference.get("fail_if_not_exists", True):
                raise Refused(*INVALID_BODY, "message_reference: Unknown message")
            return
        message.reference = target

    def compose(self, channel: Channel, body: JSON, uploads: Sequence[Upload], *, private: bool) -> Message:
        """A message of the bot's, checked and not yet published; *private* if it may be for one person alone."""
        problems = limits.problems_of_message(body, [one.filename for one in uploads], private=private)
        message = Message(self.world.new_id(), channel, self.world.bot)
        self._attach(message, body, uploads, problems)
        if problems:
            raise Refused(*INVALID_BODY, *problems)
        message.content = body.get("content") or ""
        message.components = _numbered(body.get("components") or [])
        message.embeds = body.get("embeds") or []
        message.flags = (body.get("flags") or 0) & _DELIVERED_FLAGS
        self._refuse_empty(message)
        self._mention(message, body)
        return message

    def _refuse_empty(self, message: Message) -> None:
        if limits.is_empty(message.content, message.components, message.embeds, len(message.attachments)):
            raise Refused(*EMPTY_MESSAGE)

    def _attach(self, message: Message, body: JSON, uploads: Sequence[Upload], problems: list[str]) -> None:
        described = {str(one["id"]): one for one in body.get("attachments") or []}
        for upload in uploads:
            if len(upload.content) > limits.FILE_BYTES:
                raise Refused(413, 40005, "Request entity too large")
            entry = described.pop(str(upload.index), {})
            message.attachments.append(
                Attachment(
                    self.world.new_id(),
                    entry.get("filename") or upload.filename,
                    upload.content,
                    upload.content_type,
                    entry.get("description"),
                )
            )
        there = {str(one.id) for one in message.attachments}
        problems += [f"attachments: {one!r} is neither uploaded nor there" for one in described if one not in there]

    def _mention(self, message: Message, body: JSON) -> None:
        """Who is named, and who of them is notified (https://discord.com/developers/docs/resources/message)."""
        message.mentions = _named(self.world, message.content)
        allowed = body.get("allowed_mentions")
        if message.flags & _NO_NOTIFICATION:
            return
        # Who does not see the channel is not told of what stands there.
        here = [one for one in message.mentions if self.world.permissions(message.channel, one).view_channel]
        if allowed is not None and "users" not in (allowed.get("parse") or ()):
            chosen = {int(id_) for id_ in allowed.get("users") or ()}
            here = [one for one in here if one.id in chosen]
        message.pinged = frozenset(here)

    def edit(self, message: Message, body: JSON, uploads: Sequence[Upload], *, by_answer: bool) -> None:
        """Change a message of the bot's: what *body* does not name stays, files too.

        :raises Refused: if it is not the bot's, or cannot be so.
        """
        if message.author is not self.world.bot:
            raise Refused(*NOT_THE_AUTHOR)
        if message.channel.archived and not by_answer:
            raise Refused(*ARCHIVED)
        was_v2 = message.flags & limits.COMPONENTS_V2
        body = {**body, "flags": (body.get("flags") or 0) | was_v2}
        kept = message.attachments
        if body.get("attachments") is not None:
            ids = {str(one["id"]) for one in body["attachments"]}
            kept = [one for one in kept if str(one.id) in ids]
        names = [one.filename for one in kept]
        problems = limits.problems_of_message(
            body, [one.filename for one in uploads], kept=names, private=message.is_private
        )
        changed = Message(message.id, message.channel, message.author, attachments=list(kept))
        self._attach(changed, body, uploads, problems)
        if body["flags"] & limits.COMPONENTS_V2 and not was_v2 and message.content and "content" not in body:
            problems.append("flags: a message with content does not become components V2")
        if problems:
            raise Refused(*INVALID_BODY, *problems)
        changed.content = (body["content"] or "") if "content" in body else message.content
        changed.components = _numbered(body["components"] or []) if "components" in body else message.components
        changed.embeds = (body["embeds"] or []) if "embeds" in body else message.embeds
        self._refuse_empty(changed)
        message.content, message.components = changed.content, changed.components
        message.embeds, message.attachments = changed.embeds, changed.attachments
        message.flags = body["flags"] & _DELIVERED_FLAGS
        message.loading = False
        message.edits += 1
        if message.only_for is None:
            self._tell(message, "MESSAGE_UPDATE")

    def publish(self, message: Message) -> None:
        """Put a message into its channel and tell the gateway; a private one is told to nobody."""
        message.channel.messages.append(message)
        if message.only_for is None:
            self._tell(message, "MESSAGE_CREATE")

    def delete(self, message: Message) -> None:
        """Take a message away."""
        message.channel.messages.remove(message)
        guild = message.channel.guild
        data = {"id": str(message.id), "channel_id": str(message.channel.id)}
        if guild is not None:
            data["guild_id"] = str(guild.id)
        if message.only_for is None:
            self.emit(Event("MESSAGE_DELETE", data, None if guild is None else guild.id, intent_of(message.channel)))

    def _tell(self, message: Message, name: str) -> None:
        guild = message.channel.guild
        if not self.world.permissions(message.channel, self.world.bot).view_channel:
            return
        data = gateway_message(message, self.base)
        self.emit(Event(name, data, None if guild is None else guild.id, intent_of(message.channel), is_message=True))

    # ---- answers to interactions -------------------------------------------------------------------------------------

    def answer(
        self, interaction: Interaction, body: JSON, uploads: Sequence[Upload], *, private: bool | None = None
    ) -> Message:
        """A message that answers *interaction*; *private* None: as its flags say."""
        message = self.compose(interaction.channel, body, uploads, private=True)
        if private is None:
            private = bool((body.get("flags") or 0) & EPHEMERAL)
        message.only_for = interaction.user if private or self._must_be_private(interaction) else None
        message.interaction = interaction
        interaction.answers.append(message)
        self.publish(message)
        return message

    def _must_be_private(self, interaction: Interaction) -> bool:
        """True where the person may not show others what an app that is no member says."""
        guild = interaction.channel.guild
        if guild is None or self.world.is_member(guild, self.world.bot):
            return False
        return not self.world.permissions(interaction.channel, interaction.user).use_external_apps


def _numbered(components: Sequence[JSON]) -> list[JSON]:
    """The components with the ids that Discord gives them."""
    copied: list[JSON] = copy.deepcopy(list(components))
    for number, one in enumerate(walk_components(copied), 1):
        one["id"] = one.get("id") or number
    return copied


def intent_of(channel: Channel) -> int:
    """The intent that messages in the channel need."""
    return 1 << 12 if channel.guild is None else 1 << 9


def _named(world: World, text: str) -> list[User]:
    """Whom the text mentions, each once."""
    ids = dict.fromkeys(map(int, _MENTION.findall(text)))
    return [world.users[id_] for id_ in ids if id_ in world.users]


def said(world: World, channel: Channel, user: User, text: str, reference: int | None) -> Message:
    """What a person wrote; *reference* is the message that he replies to, whose author is pinged."""
    message = Message(world.new_id(), channel, user, content=text, reference=reference)
    replied = [one.author for one in channel.messages if one.id == reference]
    message.mentions = list(dict.fromkeys([*_named(world, text), *replied]))
    message.pinged = frozenset(message.mentions)
    return message
