"""From Telegram's updates to `Incoming`. Translates, and leaves out what is not meant for the bot.

Left out on purpose, without an answer: edited messages, channels, what a channel posts in its discussion group by
itself, service messages, commands for other bots, pictures and stickers in groups.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from telegram import CallbackQuery, Chat, ChatMember, ChatMemberUpdated, Message, MessageEntity, Update, User

from bot.adapters.telegram_adapter.markup import read_payload
from bot.messages import Incoming, Person
from bot.ports import Place
from rules.actions import PersonId

PLATFORM: Final = "telegram"

ALLOWED_UPDATES: Final = ("message", "callback_query", "my_chat_member")
"""What Telegram is asked to deliver: edits, channels and reactions are not."""

_GENERAL: Final = 1
"""The topic "General" of a forum: messages for it must not name it."""

_OUTSIDE: Final = frozenset({ChatMember.LEFT, ChatMember.BANNED})


@dataclass(frozen=True, slots=True)
class Self:
    """The bot's own id and user name."""

    id: int
    username: str


@dataclass(frozen=True, slots=True)
class Pressed:
    """The message whose button was pressed.

    *kind* is ``text``, ``photo``, ``document`` or ``animation``. *step* if it makes way for the answer. *hidden* if
    only the one who pressed sees it: *message* then counts among such messages.
    """

    message: int
    kind: str
    step: bool
    hidden: bool


@dataclass(frozen=True, slots=True)
class Arrived:
    """An update for the bot: what was wanted, and what the answer needs of Telegram.

    *query* is the id of the pressed button's query (empty for messages), *pressed* the message it stands under, if that
    is known. *hidden* is the id of a typed command that nobody else sees, *message* the id of anything else that was
    typed, both else 0.
    """

    incoming: Incoming
    query: str = ""
    pressed: Pressed | None = None
    hidden: int = 0
    message: int = 0

    @property
    def seen_by_all(self) -> bool:
        """True if everybody in the chat saw what was asked: it was typed, and not hidden."""
        return not self.query and not self.hidden

    @property
    def chat(self) -> int:
        """The chat's id."""
        return int(self.incoming.place.chat)

    @property
    def user(self) -> int:
        """The person's id."""
        return int(self.incoming.person.id.partition(":")[2])


def chat_of(update: Update) -> int:
    """The id of the chat that the update belongs to: updates of one chat are taken one after the other; else 0."""
    return update.effective_chat.id if update.effective_chat is not None else 0


def migration(update: Update) -> tuple[Place, Place] | None:
    """The chat's place before and after it became a supergroup, if the update says that it has; either side says so."""
    message = update.message
    if message is None:
        return None
    before, after = message.migrate_from_chat_id, message.migrate_to_chat_id
    if after is not None:
        return Place(PLATFORM, str(message.chat.id)), Place(PLATFORM, str(after))
    if before is not None:
        return Place(PLATFORM, str(before)), Place(PLATFORM, str(message.chat.id))
    return None


def read(update: Update, me: Self) -> Arrived | None:
    """The update as the pipeline knows it; None for what is not meant for the bot."""
    if update.callback_query is not None:
        return _pressed(update.callback_query, str(update.update_id))
    if update.message is not None:
        return _typed(update.message, str(update.update_id), me)
    if update.my_chat_member is not None:
        return _joined(update.my_chat_member, str(update.update_id))
    return None


def is_welcome_again(update: Update) -> bool:
    """True if the update shows that the chat takes the bot's messages (again)."""
    change = update.my_chat_member
    return change is None or change.new_chat_member.status not in _OUTSIDE


def _typed(message: Message, update: str, me: Self) -> Arrived | None:
    chat, user = message.chat, message.from_user
    private = chat.type == Chat.PRIVATE
    if chat.type == Chat.CHANNEL or user is None or message.is_automatic_forward:
        return None
    text = (message.text or message.caption or "").strip()
    if not text and not (private and message.effective_attachment is not None):
        return None
    reply = _reply(message)
    quoted = ""
    if reply is not None and reply.from_user is not None and reply.from_user.id == me.id:
        quoted = reply.text or reply.caption or ""
        reply = None
    addressed = private
    if text.startswith("/"):
        suffix = text.split(maxsplit=1)[0].partition("@")[2].casefold()
        if suffix and suffix != me.username.casefold():
            return None
        addressed = private or bool(suffix)
    elif (spoken := _without_mention(text, me)) != text:
        text, addressed = spoken, True
    incoming = Incoming(
        id=update,
        place=Place(PLATFORM, str(chat.id), _topic(message)),
        person=_person(user),
        text=text,
        mentions=_mentions(message, reply),
        quoted=quoted,
        addressed=addressed,
        private=private,
        language=user.language_code or "",
        # Somebody who writes as the group or as a channel: the same "user" stands for all of them.
        anonymous=message.sender_chat is not None,
    )
    hidden = message.api_kwargs.get("ephemeral_message_id", 0)
    return Arrived(incoming, hidden=hidden, message=0 if hidden else message.message_id)


def _pressed(query: CallbackQuery, update: str) -> Arrived | None:
    message = query.message
    if message is None or query.data is None or message.chat.type == Chat.CHANNEL:
        return None
    payload, step = read_payload(query.data)
    pressed = topic = None
    if isinstance(message, Message):
        topic = _topic(message)
        hidden = message.api_kwargs.get("ephemeral_message_id")
        pressed = Pressed(hidden or message.message_id, _kind(message), step, hidden is not None)
    incoming = Incoming(
        id=update,
        place=Place(PLATFORM, str(message.chat.id), topic or ""),
        person=_person(query.from_user),
        payload=payload,
        private=message.chat.type == Chat.PRIVATE,
        language=query.from_user.language_code or "",
    )
    return Arrived(incoming, query=query.id, pressed=pressed)


def _joined(change: ChatMemberUpdated, update: str) -> Arrived | None:
    """The update that says that the bot was brought into a group."""
    was_outside = change.old_chat_member.status in _OUTSIDE
    is_inside = change.new_chat_member.status not in _OUTSIDE
    if change.chat.type not in (Chat.GROUP, Chat.SUPERGROUP) or not (was_outside and is_inside):
        return None
    incoming = Incoming(
        id=update,
        place=Place(PLATFORM, str(change.chat.id)),
        person=_person(change.from_user),
        addressed=False,
        language=change.from_user.language_code or "",
        joined=True,
    )
    return Arrived(incoming)


def _person(user: User) -> Person:
    return Person(PersonId(f"{PLATFORM}:{user.id}"), user.full_name, user.username or "", user.is_bot)


def _topic(message: Message) -> str:
    """The forum's topic; replies in other groups have a thread too, which is none."""
    thread = message.message_thread_id
    return str(thread) if message.is_topic_message and thread is not None and thread != _GENERAL else ""


def _reply(message: Message) -> Message | None:
    """The message that this one replies to; in a topic everything seems to reply to the topic's beginning."""
    reply = message.reply_to_message
    return None if reply is None or reply.forum_topic_created is not None else reply


def _mentions(message: Message, reply: Message | None) -> tuple[Person, ...]:
    """The people the text points at: linked by name, else the one whose message it replies to."""
    entities = message.entities or message.caption_entities
    named = tuple(_person(entity.user) for entity in entities if entity.user is not None)
    by_username = any(entity.type == MessageEntity.MENTION for entity in entities)
    replied = reply.from_user if reply is not None and reply.sender_chat is None else None
    return named if named or by_username or replied is None else (_person(replied),)


def _without_mention(text: str, me: Self) -> str:
    """The text without the bot's own name at one of its ends."""
    name = f"@{me.username.casefold()}"
    words = text.split()
    if words[:1] and words[0].rstrip(",:").casefold() == name:
        return " ".join(words[1:])
    if words[-1:] and words[-1].casefold() == name:
        return " ".join(words[:-1])
    return text


def _kind(message: Message) -> str:
    if message.photo:
        return "photo"
    if message.animation is not None:
        return "animation"
    return "document" if message.document is not None else "text"
