"""People of the loopback platform: what they do in their clients, and what they see there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import parse_qs, urlsplit

from tests.telegram.markup import typed
from tests.telegram.model import Account, Chat, Json, Member, Message, Status
from tests.telegram.wire import account_json, chat_json, member_json, message_json
from tests.telegram.world import ANONYMOUS_ADMIN, CHANNEL_BOT, World

ANSWER_SECONDS: Final = 10.0


@dataclass(frozen=True, slots=True)
class Answer:
    """What a pressed button showed: a *text* in passing, or an *alert* to close; both may be empty."""

    text: str = ""
    alert: bool = False
    url: str = ""


@dataclass(slots=True, eq=False)
class Query:
    """A press of a button that the bot may answer, once and in time."""

    id: str
    person: Person
    message: Message
    at: float
    answer: Answer | None = None
    expired: bool = False


@dataclass(slots=True, eq=False)
class Presses:
    """All presses, by the id of their query."""

    queries: dict[str, Query] = field(default_factory=dict)
    next_id: int = 4_000_000_000_000_000


@dataclass(slots=True, eq=False, kw_only=True)
class Person(Account):
    """A person with a client. *offline*: no ephemeral message reaches him; *old_client*: he can send none."""

    world: World = field(repr=False)
    presses: Presses = field(repr=False)
    sends_ephemeral: Callable[[Account, Chat, str], bool] = field(repr=False)
    offline: bool = False
    old_client: bool = False
    deactivated: bool = False

    @property
    def private(self) -> Chat:
        """His chat with the bot."""
        return self.world.private(self)

    def start(self, code: str = "") -> Message:
        """Press Start in the private chat, or follow a link with a *code*."""
        return self.say(self.private, f"/start {code}".strip())

    def follow(self, url: str) -> Message:
        """Open a link to the bot, `https://t.me/BOT?start=CODE`, and press Start.

        :raises AssertionError: if the link leads elsewhere.
        """
        parts = urlsplit(url)
        assert parts.netloc == "t.me", url
        assert parts.path.strip("/").lower() == self.world.bot.username.lower(), url
        return self.start(parse_qs(parts.query).get("start", [""])[0])

    def say(
        self,
        chat: Chat,
        text: str,
        *,
        topic: int | None = None,
        mentions: Sequence[Account] = (),
        reply_to: Message | None = None,
        as_channel: Chat | None = None,
    ) -> Message:
        """Write *text*. *mentions* are people whose name stands in it as a text mention.

        An ephemeral command of the bot in a group is seen by nobody else. An anonymous admin writes as the group,
        and whoever owns a channel may write as that.
        """
        self._open(chat)
        standing = chat.status(self)
        assert chat.kind == "private" or standing.here, f"{self.name} is not in {chat}"
        styled = typed(text, [(one.name, account_json(one)) for one in mentions])
        if chat.kind == "channel":
            message = self.world.write(chat, None, text=text, entities=styled.entities, as_chat=chat)
        elif self._whispers(chat, text) and not standing.anonymous and as_channel is None:
            message = self.world.whisper(chat, self, self.world.bot, text=text, entities=styled.entities, thread=topic)
        else:
            shown = as_channel or (chat if standing.anonymous else None)
            mask = self.world.accounts[CHANNEL_BOT if as_channel else ANONYMOUS_ADMIN]
            message = self.world.write(
                chat,
                self if shown is None else mask,
                text=text,
                entities=styled.entities,
                as_chat=shown,
                reply_to=reply_to or self._topic_start(chat, topic),
                thread=self._thread(chat, topic, reply_to),
            )
        self.world.tell(message)
        return message

    def reply(self, message: Message, text: str, *, mentions: Sequence[Account] = ()) -> Message:
        """Answer to *message*, in its topic."""
        topic = message.thread if message.chat.is_forum else None
        return self.say(message.chat, text, topic=topic, mentions=mentions, reply_to=message)

    def edit(self, message: Message, text: str) -> None:
        """Change an own message."""
        assert message.sender is self or message.as_chat is not None, f"{message} is not by {self.name}"
        self.world.edit(message, text=text, entities=typed(text).entities)
        self.world.tell(message, edited=True)

    async def press(
        self, message: Message, button: str, *, stale: bool = False, seconds: float = ANSWER_SECONDS
    ) -> Answer:
        """Press the button with that text, or the only one whose text holds it; the answer that is shown.

        *stale*: the client still shows the buttons of before.

        :raises AssertionError: if there is no such button, or no answer within *seconds*: the button would spin.
        """
        return await self.answered(self.tap(message, button, stale=stale), seconds)

    def tap(self, message: Message, button: str, *, stale: bool = False) -> Query:
        """Press a button without waiting for the answer."""
        found = self.find_button(message, button, stale=stale)
        assert "callback_data" in found, f"{found} does not call the bot"
        return self.send_data(message, found["callback_data"])

    async def answered(self, query: Query, seconds: float = ANSWER_SECONDS) -> Answer:
        """What a pressed button showed.

        :raises AssertionError: if the bot does not answer within *seconds*.
        """
        what = f"an answer to a button of {query.message}"
        return await self.world.bell.until(lambda: query.answer, seconds, what)

    def find_button(self, message: Message, button: str, *, stale: bool = False) -> Json:
        """The button of *message* with that text, or the only one whose text holds it.

        :raises AssertionError: if there is none, or more than one.
        """
        assert stale or not message.deleted, f"{message} is deleted"
        assert self in self.readers(message), f"{self.name} does not see {message}"
        keyboards = message.keyboards if stale else message.keyboards[-1:]
        for rows in reversed(keyboards):
            buttons = [one for row in rows for one in row]
            fit = [one for one in buttons if one["text"] == button] or [one for one in buttons if button in one["text"]]
            if fit:
                assert len(fit) == 1, f"{button!r} fits {[one['text'] for one in fit]}"
                return fit[0]
        raise AssertionError(f"no button {button!r} on {message}")

    def send_data(self, message: Message, data: str) -> Query:
        """Send the data of a button, which a modified client can make up."""
        self.presses.next_id += 1
        query = Query(str(self.presses.next_id), self, message, self.world.bell.time())
        self.presses.queries[query.id] = query
        self.world.met.add(self.id)
        body = {
            "id": query.id,
            "from": account_json(self),
            "message": message_json(message),
            "chat_instance": str(message.chat.id * 31),
            "data": data,
        }
        if message.deleted:
            body["message"] = {"chat": chat_json(message.chat), "message_id": message.id, "date": 0}
        self.world.publish("callback_query", body, message.chat.id)
        return query

    def sees(self, chat: Chat) -> list[Message]:
        """What this person reads in *chat*, oldest first: what all read, and what is for him alone.

        An ephemeral message that replaces another stands in its place.
        """
        whispers = [one for one in chat.whispers if self in self.readers(one) and not one.deleted]
        hidden = {one.replaces for one in whispers}
        seen = [one for one in [*chat.messages, *whispers] if self in self.readers(one) and one not in hidden]
        return sorted(seen, key=lambda one: one.order)

    def readers(self, message: Message) -> list[Account]:
        """Nobody but this person, if he reads *message*."""
        if message.chat.kind == "private":
            return [self] if message.chat.id == self.id else []
        if not message.chat.status(self).here:
            return []
        if message.ephemeral_id is None or message.sender is self:
            return [self]
        return [self] if message.receiver is self and message.delivered else []

    def block(self) -> None:
        """Block the bot."""
        self._stand(self.private, "kicked")
        self.private.blocked = True

    def unblock(self) -> None:
        """Take the bot back, without writing to it."""
        self.private.blocked = False
        self._stand(self.private, "member")

    def add_bot(self, chat: Chat, status: Status = "member") -> None:
        """Bring the bot into *chat*."""
        self._stand(chat, status)
        if chat.kind != "channel":
            self._service(chat, new_chat_members=[account_json(self.world.bot)])

    def remove_bot(self, chat: Chat) -> None:
        """Throw the bot out of *chat*."""
        if chat.kind != "channel":
            self._service(chat, left_chat_member=account_json(self.world.bot))
        self._stand(chat, "kicked")

    def silence_bot(self, chat: Chat, *rights: str) -> None:
        """Take rights from the bot, like `can_send_photos`; none named: all rights to write."""
        self._stand(chat, "restricted", frozenset(rights or ("can_send_messages", "can_send_photos")))

    def promote_bot(self, chat: Chat) -> None:
        """Make the bot an admin: it hears everything then."""
        self._stand(chat, "administrator")

    def leave(self, chat: Chat) -> None:
        """Leave *chat*."""
        if chat.kind != "channel":
            self._service(chat, left_chat_member=account_json(self))
        chat.members[self.id] = Member("left")

    def join(self, chat: Chat) -> None:
        """Enter *chat*."""
        chat.members[self.id] = Member("member")
        if chat.kind != "channel":
            self._service(chat, new_chat_members=[account_json(self)])

    def _whispers(self, chat: Chat, text: str) -> bool:
        return chat.kind != "private" and not self.old_client and self.sends_ephemeral(self, chat, text)

    def _open(self, chat: Chat) -> None:
        """Writing in the private chat starts the bot, or takes it back."""
        if chat.kind != "private":
            return
        assert chat.id == self.id, f"the private chat of somebody else: {chat}"
        if not chat.status(self.world.bot).here or chat.blocked:
            chat.blocked = False
            self._stand(chat, "member")

    def _stand(self, chat: Chat, status: Status, silenced: frozenset[str] = frozenset()) -> None:
        """Give the bot another standing, and tell it."""
        bot = self.world.bot
        before, after = chat.status(bot), Member(status, silenced=silenced)
        chat.members[bot.id] = after
        self.world.met.add(self.id)
        if before.status == after.status and before.silenced == silenced:
            return
        body = {
            "chat": chat_json(chat),
            "from": account_json(self),
            "date": self.world.now(),
            "old_chat_member": member_json(bot, before),
            "new_chat_member": member_json(bot, after),
        }
        self.world.publish("my_chat_member", body, chat.id)

    def _service(self, chat: Chat, **service: Json | list[Json]) -> Message:
        message = self.world.write(chat, self, service=service)
        self.world.tell(message)
        return message

    def _thread(self, chat: Chat, topic: int | None, reply_to: Message | None) -> int | None:
        """The thread of a message. A trap: in a supergroup without topics, a reply carries the first message's id."""
        if chat.is_forum:
            return topic
        if chat.kind == "supergroup" and reply_to is not None:
            return reply_to.thread or reply_to.id
        return None

    def _topic_start(self, chat: Chat, topic: int | None) -> Message | None:
        """A trap: in a topic, a message that answers to nothing answers to the message that made the topic."""
        if topic is None:
            return None
        assert topic in chat.topics, f"no topic {topic} in {chat}"
        return next(one for one in chat.written if one.id == topic)
