"""The world behind the loopback Bot API: chats, who is in them, what was written, and what the bot hears of it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable
from itertools import count
from typing import Final, TypedDict, TypeVar, Unpack

from tests.telegram.limits import Keyboard
from tests.telegram.markup import Entity
from tests.telegram.model import Account, Chat, ChatKind, File, FileKind, Json, Member, Message
from tests.telegram.wire import message_json

_Found = TypeVar("_Found")

ANONYMOUS_ADMIN: Final = 1087968824
"""Who writes for an admin that hides behind the group; on a button his own id is shown (tdlib/telegram-bot-api#667)."""
GENERAL: Final = 1
"""The topic that a forum always has: its messages carry no thread, and to name it in a send is an error."""

CHANNEL_BOT: Final = 136817688
"""Who writes for somebody that speaks as a channel."""

_FIRST_PERSON: Final = 5_100_000_000
_FIRST_GROUP: Final = -4_100_000_000
_FIRST_SUPERGROUP: Final = -1_002_100_000_000
_FILE_IDS: Final = {"photo": "AgACAgQA", "document": "BQACAgQA", "animation": "CgACAgQA"}


class Content(TypedDict, total=False):
    """What a message may hold, see `Message`."""

    text: str
    entities: tuple[Entity, ...]
    file: File | None
    keyboards: list[Keyboard]
    reply_to: Message | None
    thread: int | None
    as_chat: Chat | None
    replaces: Message | None
    delivered: bool
    service: Json


class Bell:
    """Rings when anything changes, so that a test waits for what it expects instead of for a time."""

    def __init__(self) -> None:
        self._waiting: set[asyncio.Future[None]] = set()

    @staticmethod
    def time() -> float:
        """Seconds, to measure by."""
        return time.monotonic()

    def ring(self) -> None:
        """Wake everybody who waits."""
        for future in self._waiting:
            if not future.done():
                future.set_result(None)
        self._waiting.clear()

    async def until(self, look: Callable[[], _Found | None], seconds: float = 10.0, what: str = "") -> _Found:
        """The first true thing that *look* returns.

        :raises AssertionError: if there is none within *seconds*.
        """
        deadline = time.monotonic() + seconds
        while not (found := look()):
            future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.add(future)
            try:
                async with asyncio.timeout(max(deadline - time.monotonic(), 0.001)):
                    await future
            except TimeoutError:
                self._waiting.discard(future)
                raise AssertionError(f"waited {seconds:g} s in vain{f' for {what}' if what else ''}") from None
        return found


class World:
    """Everything that the platform knows."""

    def __init__(self, bot: Account) -> None:
        self.bot = bot
        self.privacy = True
        self.bell = Bell()
        self.accounts: dict[int, Account] = {bot.id: bot}
        self.chats: dict[int, Chat] = {}
        self.files: dict[str, File] = {}
        self.met: set[int] = set()
        self.publish: Callable[[str, Json, int], None] = lambda _kind, _body, _chat: None
        self._people = count(_FIRST_PERSON, 11)
        self._groups = count(-_FIRST_GROUP, 3)
        self._supergroups = count(-_FIRST_SUPERGROUP, 7)
        # Private chats and small groups count their messages together, each supergroup and channel its own.
        self._messages = count(20)
        self._whispers = count(29_341_000)
        self._files = count(1)
        self._order = count(1)
        for number, name, username in (
            (ANONYMOUS_ADMIN, "Group", "GroupAnonymousBot"),
            (CHANNEL_BOT, "Channel", "Channel_Bot"),
        ):
            self.accounts[number] = Account(number, name, username, is_bot=True)

    def now(self) -> int:
        """Seconds since the epoch."""
        return time.time_ns() // 1_000_000_000

    def next_person(self) -> int:
        """An id for a new person: over 32 bits, as they are today."""
        return next(self._people)

    def private(self, person: Account) -> Chat:
        """The private chat of *person* with the bot."""
        if person.id not in self.chats:
            chat = Chat(person.id, "private", person=person, numbers=self._messages)
            chat.members[self.bot.id] = Member("left")
            chat.members[person.id] = Member("member")
            self.chats[person.id] = chat
        return self.chats[person.id]

    def make_chat(self, kind: ChatKind, title: str, people: Iterable[Account], *, forum: bool = False) -> Chat:
        """A new chat of *people*; the first is its owner. The bot is not in it."""
        small = kind == "group"
        chat_id = -next(self._groups if small else self._supergroups)
        chat = Chat(chat_id, kind, title, is_forum=forum, numbers=self._messages if small else count(GENERAL + 1))
        for person in people:
            chat.members[person.id] = Member("member" if chat.members else "creator")
        self.chats[chat.id] = chat
        return chat

    def find_chat(self, key: int | str | None) -> Chat | None:
        """The chat with that id or @name."""
        if isinstance(key, int):
            return self.chats.get(key)
        named = (chat for chat in self.chats.values() if chat.kind != "private" and chat.username)
        return next((chat for chat in named if key is not None and f"@{chat.username}".lower() == key.lower()), None)

    def add_file(self, kind: FileKind, name: str, data: bytes, size: tuple[int, int]) -> File:
        """Keep an uploaded file."""
        file = File(f"{_FILE_IDS[kind]}x{next(self._files):06d}", kind, name, data, size)
        self.files[file.id] = file
        return file

    def add(self, message: Message) -> Message:
        """Put a message into its chat."""
        message.order = next(self._order)
        message.at = self.bell.time()
        if message.ephemeral_id is None:
            message.chat.written.append(message)
        else:
            message.chat.whispers.append(message)
        if message.sender is not None and message.sender.is_bot and message.as_chat is None:
            message.chat.last_bot = message.sender.id
        self.bell.ring()
        return message

    def write(self, chat: Chat, sender: Account | None, **content: Unpack[Content]) -> Message:
        """A new message of *sender* in *chat*."""
        return self.add(Message(next(chat.numbers), chat, sender, self.now(), **content))

    def whisper(self, chat: Chat, sender: Account, receiver: Account, **content: Unpack[Content]) -> Message:
        """A new ephemeral message, which *receiver* alone sees."""
        number = next(self._whispers)
        return self.add(Message(0, chat, sender, self.now(), receiver=receiver, ephemeral_id=number, **content))

    def edit(self, message: Message, **changes: Unpack[Content]) -> None:
        """Change a message."""
        for name, value in changes.items():
            setattr(message, name, value)
        message.edits += 1
        message.edited_at = self.now()
        self.bell.ring()

    def delete(self, message: Message) -> None:
        """Take a message away."""
        message.deleted = True
        self.bell.ring()

    def tell(self, message: Message, *, edited: bool = False) -> None:
        """Send the bot the update about a person's message, if it gets to know of it."""
        if not self.hears(message):
            return
        if message.sender is not None and not message.sender.is_bot:
            self.met.add(message.sender.id)
        kind = "channel_post" if message.chat.kind == "channel" else "message"
        self.publish(f"edited_{kind}" if edited else kind, message_json(message), message.chat.id)

    def hears(self, message: Message) -> bool:
        """Whether the bot gets *message*. In privacy mode of a group: only what is meant for it.

        https://core.telegram.org/bots/features#privacy-mode: commands with its own name, bare commands unless another
        bot wrote last, replies to its messages, service messages. Mentions are not among them.
        """
        chat = message.chat
        standing = chat.status(self.bot)
        if chat.kind == "private":
            return not chat.blocked
        if not standing.here:
            return False
        if not self.privacy or standing.admin or chat.kind == "channel" or message.service:
            return True
        if message.receiver is self.bot:
            return True
        if message.reply_to is not None and message.reply_to.sender is self.bot:
            return True
        first = message.entities[0] if message.entities else None
        if first is None or first["type"] != "bot_command" or first["offset"] != 0:
            return False
        _, at, name = message.text[: first["length"]].partition("@")
        if at:
            return name.lower() == self.bot.username.lower()
        return chat.last_bot in (None, self.bot.id)
