"""What the world behind the loopback Bot API is made of: accounts, files, messages, chats, updates."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from typing import Any, Literal

from tests.telegram.limits import Keyboard
from tests.telegram.markup import Entity

Json = dict[str, Any]
ChatKind = Literal["private", "group", "supergroup", "channel"]
FileKind = Literal["photo", "document", "animation"]
Status = Literal["creator", "administrator", "member", "restricted", "left", "kicked"]

_HERE = frozenset({"creator", "administrator", "member", "restricted"})


@dataclass(slots=True, eq=False)
class Account:
    """Somebody with an id: a person or a bot."""

    id: int
    name: str
    username: str = ""
    is_bot: bool = False
    last_name: str = ""
    language: str = ""

    @property
    def mention(self) -> str:
        """How others type this account: its @name, or its name if it has none."""
        return f"@{self.username}" if self.username else self.name


@dataclass(slots=True, eq=False)
class File:
    """What was uploaded. *size* is a picture's width and height."""

    id: str
    kind: FileKind
    name: str
    data: bytes
    size: tuple[int, int] = (0, 0)


@dataclass(slots=True, eq=False)
class Message:
    """A message as everybody in its chat sees it now. *ephemeral_id* is set if *receiver* alone sees it.

    *keyboards* are all that it ever had, the last one now; *edits* counts the changes; *service* holds a service
    message's own fields.
    """

    id: int
    chat: Chat
    sender: Account | None
    date: int
    text: str = ""
    entities: tuple[Entity, ...] = ()
    file: File | None = None
    keyboards: list[Keyboard] = field(default_factory=list)
    reply_to: Message | None = None
    thread: int | None = None
    as_chat: Chat | None = None
    receiver: Account | None = None
    ephemeral_id: int | None = None
    replaces: Message | None = None
    delivered: bool = True
    service: Json = field(default_factory=dict)
    edits: int = 0
    edited_at: int | None = None
    deleted: bool = False
    order: int = 0
    at: float = 0.0

    def __repr__(self) -> str:
        who = self.sender.name if self.sender else "?"
        what = f"[{self.file.kind}] " if self.file else ""
        return (
            f"<{self.chat.title or 'private'}/{self.ephemeral_id or self.id} {who}: {what}{self.text!r} {self.buttons}>"
        )

    @property
    def keyboard(self) -> Keyboard:
        """The rows of buttons that it has now."""
        return self.keyboards[-1] if self.keyboards else []

    @property
    def buttons(self) -> list[str]:
        """The texts on its buttons, row by row."""
        return [button["text"] for row in self.keyboard for button in row]

    @property
    def photo(self) -> bytes | None:
        """The picture, if it is a photo."""
        return self.file.data if self.file and self.file.kind == "photo" else None


@dataclass(slots=True, eq=False)
class Topic:
    """A topic of a forum; *id* is the message that made it."""

    id: int
    title: str
    closed: bool = False
    deleted: bool = False


@dataclass(slots=True, eq=False)
class Member:
    """Somebody's standing in a chat. *silenced* are the rights that the chat took from him."""

    status: Status
    anonymous: bool = False
    silenced: frozenset[str] = frozenset()

    @property
    def here(self) -> bool:
        """Whether he is in the chat."""
        return self.status in _HERE

    @property
    def admin(self) -> bool:
        """Whether he manages the chat."""
        return self.status in ("creator", "administrator")


@dataclass(slots=True, eq=False)
class Chat:
    """A chat. *messages* are those of everybody that are not deleted, *whispers* the ephemeral ones."""

    id: int
    kind: ChatKind
    title: str = ""
    username: str = ""
    person: Account | None = None
    is_forum: bool = False
    members: dict[int, Member] = field(default_factory=dict)
    topics: dict[int, Topic] = field(default_factory=dict)
    written: list[Message] = field(default_factory=list)
    whispers: list[Message] = field(default_factory=list)
    migrated_to: Chat | None = None
    last_bot: int | None = None
    blocked: bool = False
    numbers: count[int] = field(default_factory=lambda: count(1))

    def __repr__(self) -> str:
        return f"<{self.kind} {self.title or self.id}>"

    @property
    def messages(self) -> list[Message]:
        """What can be read in it, oldest first, without service messages."""
        return [message for message in self.written if not message.deleted and not message.service]

    @property
    def last(self) -> Message:
        """The newest message in it."""
        return self.messages[-1]

    def status(self, account: Account) -> Member:
        """The standing of *account* here."""
        return self.members.get(account.id, Member("left"))

    def find(self, message_id: int) -> Message | None:
        """The message with that id, unless it is deleted."""
        return next((one for one in self.written if one.id == message_id and not one.deleted), None)

    def whisper(self, ephemeral_id: int) -> Message | None:
        """The ephemeral message with that id, unless it is deleted."""
        return next((one for one in self.whispers if one.ephemeral_id == ephemeral_id and not one.deleted), None)


@dataclass(frozen=True, slots=True)
class Update:
    """What the bot is told. *chat* orders the deliveries: one after the other within a chat."""

    id: int
    kind: str
    body: Json
    chat: int

    @property
    def json(self) -> Json:
        """As on the wire."""
        return {"update_id": self.id, self.kind: self.body}
