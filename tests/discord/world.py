"""What Discord knows: people, servers, channels, threads, messages and interactions. No socket and no JSON.

Permissions are `discord.Permissions`; who may do what where says `World.permissions`
(https://discord.com/developers/docs/topics/permissions).
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import Any, Final

import discord

from tests.discord.refusals import UNKNOWN_MESSAGE, Refused

EPOCH_MS: Final = 1_420_070_400_000
"""The first millisecond of a snowflake."""

EVERYBODY_MAY: Final = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    create_public_threads=True,
    embed_links=True,
    attach_files=True,
    read_message_history=True,
    add_reactions=True,
    use_application_commands=True,
    use_external_apps=True,
    use_external_emojis=True,
)
"""What the role @everyone gives in a new server."""

PRIVATELY: Final = EVERYBODY_MAY | discord.Permissions(pin_messages=True)
NOT_A_MEMBER: Final = discord.Permissions(attach_files=True, embed_links=True, use_external_emojis=True)
"""What an app may do where only its user brought it: answer."""


class ChannelKind(IntEnum):
    """The types of channels that the tests need."""

    TEXT = 0
    DM = 1
    GROUP_DM = 3
    NEWS = 5
    NEWS_THREAD = 10
    PUBLIC_THREAD = 11
    PRIVATE_THREAD = 12
    FORUM = 15


class InteractionKind(IntEnum):
    """What a person did."""

    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    MODAL = 5


class Answer(StrEnum):
    """How an interaction was acknowledged."""

    MESSAGE = "message"
    DEFERRED = "deferred"
    UPDATE = "update"
    DEFERRED_UPDATE = "deferred update"
    CHOICES = "choices"
    MODAL = "modal"


@dataclass(slots=True, eq=False)
class User:
    """An account. *has_app* is True if the person installed the app for himself."""

    id: int
    name: str
    username: str
    is_bot: bool = False
    locale: str = "en-US"
    dms_open: bool = True
    has_app: bool = False


@dataclass(slots=True, eq=False)
class Role:
    """A role of a server; @everyone has the server's id."""

    id: int
    name: str
    permissions: discord.Permissions
    managed_by: int | None = None


@dataclass(slots=True, eq=False)
class Member:
    """A user in a server."""

    user: User
    roles: list[Role]
    nick: str | None = None


@dataclass(slots=True, eq=False)
class Guild:
    """A server. *available* is False while Discord has an outage."""

    id: int
    name: str
    locale: str
    owner: User
    roles: dict[int, Role] = field(default_factory=dict)
    members: dict[int, Member] = field(default_factory=dict)
    available: bool = True


@dataclass(slots=True)
class Overwrite:
    """What a channel changes for one role or one member."""

    allow: discord.Permissions = field(default_factory=discord.Permissions)
    deny: discord.Permissions = field(default_factory=discord.Permissions)


@dataclass(slots=True, eq=False)
class Channel:
    """A channel, a thread (with *parent*) or a direct message (with *recipients*, the app's bot not among them)."""

    id: int
    kind: ChannelKind
    name: str = ""
    guild: Guild | None = None
    parent: Channel | None = None
    owner: User | None = None
    recipients: tuple[User, ...] = ()
    overwrites: dict[int, Overwrite] = field(default_factory=dict)
    archived: bool = False
    locked: bool = False
    auto_archive_minutes: int = 1440
    messages: list[Message] = field(default_factory=list)
    """Everything that stands there now, oldest first, private answers too: see `public`."""

    @property
    def is_thread(self) -> bool:
        """True for a thread of any kind."""
        return self.kind in (ChannelKind.PUBLIC_THREAD, ChannelKind.PRIVATE_THREAD, ChannelKind.NEWS_THREAD)

    @property
    def public(self) -> list[Message]:
        """The messages that everybody in the channel sees."""
        return [message for message in self.messages if message.only_for is None]

    @property
    def last(self) -> Message:
        """The newest message that everybody sees."""
        return self.public[-1]


@dataclass(slots=True, eq=False)
class Attachment:
    """A file of a message; *description* is its alternative text."""

    id: int
    filename: str
    content: bytes
    content_type: str
    description: str | None = None


@dataclass(frozen=True, slots=True)
class Pressable:
    """A button or a menu as a person sees it."""

    label: str
    custom_id: str
    style: int
    disabled: bool
    options: tuple[tuple[str, str], ...] = ()
    """Of a menu: labels and values."""
    max_values: int = 1


@dataclass(slots=True, eq=False)
class Message:
    """A message. *pinged* are the people whom it notified when it was posted; *edits* counts what came later."""

    id: int
    channel: Channel
    author: User
    content: str = ""
    components: list[dict[str, Any]] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    embeds: list[dict[str, Any]] = field(default_factory=list)
    flags: int = 0
    reference: int | None = None
    mentions: list[User] = field(default_factory=list)
    pinged: frozenset[User] = frozenset()
    interaction: Interaction | None = None
    only_for: User | None = None
    nonce: str | int | None = None
    thread: Channel | None = None
    loading: bool = False
    edits: int = 0

    @property
    def pressables(self) -> list[Pressable]:
        """Its buttons and menus in reading order."""
        return [_pressable(one) for one in walk_components(self.components) if "custom_id" in one]

    @property
    def buttons(self) -> list[str]:
        """The labels of the buttons that can be pressed."""
        return [one.label for one in self.pressables if not one.disabled and not one.options]

    @property
    def is_private(self) -> bool:
        """True if one person alone sees it."""
        return self.only_for is not None

    @property
    def file(self) -> Attachment:
        """Its only attachment."""
        (one,) = self.attachments
        return one


@dataclass(slots=True, eq=False)
class Interaction:
    """Something a person did, and everything that the app answered.

    *seconds* is the time to the acknowledgement (None: there was none), *answers* the messages that it got, the first
    the original one; *updated* is True if the message of the pressed button was changed in answering.
    """

    id: int
    token: str
    kind: InteractionKind
    user: User
    channel: Channel
    data: dict[str, Any]
    message: Message | None = None
    parent: Interaction | None = None
    sent_at: float = 0.0
    answer: Answer | None = None
    seconds: float | None = None
    answers: list[Message] = field(default_factory=list)
    choices: list[dict[str, Any]] = field(default_factory=list)
    modal: dict[str, Any] | None = None
    updated: bool = False
    followups: int = 0

    @property
    def first(self) -> Message:
        """The first message that answered."""
        if not self.answers:
            raise AssertionError(f"no message answered; acknowledged: {self.answer or 'not at all'}")
        return self.answers[0]

    @property
    def text(self) -> str:
        """What the first message says."""
        return self.first.content

    @property
    def is_private(self) -> bool:
        """True if only the person who acted sees the first message."""
        return self.first.is_private

    @property
    def failed(self) -> bool:
        """True if the person saw "The application did not respond"."""
        return self.answer is None


def walk_components(components: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Every component, those inside others after the one that holds them."""
    for one in components:
        yield one
        inner = [one[key] for key in ("component", "accessory") if isinstance(one.get(key), dict)]
        yield from walk_components([*one.get("components", ()), *inner])


def _pressable(component: dict[str, Any]) -> Pressable:
    options = tuple((option["label"], option["value"]) for option in component.get("options", ()))
    return Pressable(
        component.get("label") or component.get("placeholder") or "",
        component["custom_id"],
        component.get("style") or 0,
        bool(component.get("disabled")),
        options,
        component.get("max_values") or 1,
    )


class World:
    """Everything, by id. *bot* is the app's own account."""

    def __init__(self, bot_name: str = "Bandada") -> None:
        self._counter = itertools.count(1)
        self.application_id = self.new_id()
        self.bot = User(self.application_id, bot_name, bot_name.lower(), is_bot=True)
        self.users: dict[int, User] = {self.bot.id: self.bot}
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.interactions: dict[int, Interaction] = {}
        self.commands: list[dict[str, Any]] = []
        self.acknowledge_within = 3.0
        """Seconds until an interaction that nobody acknowledged is unknown."""
        self.token_lives = 900.0
        """Seconds until an interaction's token is worth nothing."""

    def new_id(self) -> int:
        """A snowflake of this moment, unlike every other."""
        milliseconds = time.time_ns() // 1_000_000 - EPOCH_MS
        return milliseconds << 22 | next(self._counter) & 0x3FFFFF

    def is_member(self, guild: Guild | None, user: User) -> bool:
        """True if *user* is in the server."""
        return guild is not None and user.id in guild.members

    def permissions(self, channel: Channel, user: User) -> discord.Permissions:
        """What *user* may do in *channel*; nothing where he is no member."""
        guild = channel.guild
        if guild is None:
            return PRIVATELY if user.is_bot or user in channel.recipients else discord.Permissions.none()
        if user.id not in guild.members:
            return discord.Permissions.none()
        member = guild.members[user.id]
        granted = self._in_guild(guild, member)
        if granted.administrator:
            return discord.Permissions.all()
        overwrites = (channel.parent or channel).overwrites
        everyone = overwrites.get(guild.id, Overwrite())
        granted = (granted & ~everyone.deny) | everyone.allow
        of_roles = [overwrites[role.id] for role in member.roles if role.id in overwrites]
        for overwrite in of_roles:
            granted &= ~overwrite.deny
        for overwrite in of_roles:
            granted |= overwrite.allow
        own = overwrites.get(user.id, Overwrite())
        granted = (granted & ~own.deny) | own.allow
        return granted if granted.view_channel else discord.Permissions.none()

    @staticmethod
    def _in_guild(guild: Guild, member: Member) -> discord.Permissions:
        if guild.owner is member.user:
            return discord.Permissions.all()
        granted = guild.roles[guild.id].permissions
        for role in member.roles:
            granted |= role.permissions
        return granted

    def message(self, channel: Channel, message_id: int) -> Message:
        """The message with this id.

        :raises Refused: if it is not there (any more).
        """
        for message in reversed(channel.messages):
            if message.id == message_id:
                return message
        raise Refused(*UNKNOWN_MESSAGE)
