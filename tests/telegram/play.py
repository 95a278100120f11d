"""Playing through the clients: challenge, accept, type, press step by step, to the end."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field

from bot.texts import Texts
from rules.match import Status
from storage.base import MatchId, StoredMatch
from tests.telegram.bot import Bot
from tests.telegram.model import Chat, Message
from tests.telegram.people import Person

LONGEST = 400


def match_of(message: Message) -> MatchId:
    """The match that the message is about."""
    return MatchId(re.findall(r"· #([a-z]{4,})$", message.text, re.MULTILINE)[-1])


def labels(message: Message) -> list[str]:
    """What the buttons under a message say."""
    return [button["text"] for row in message.keyboard for button in row]


def label(bot: Bot, key: str, language: str = "en") -> str:
    """What the button *key* says."""
    return bot.core.texts.plain(language, f"button.{key}")


def label_of(key: str, language: str) -> str:
    """The same, where the bot is a process of its own."""
    return Texts.load().plain(language, f"button.{key}")


def newest_board(person: Person, chat: Chat, topic: int | None = None) -> Message:
    """The last message there that all see and that is about a match."""
    seen = [one for one in person.sees(chat) if one.ephemeral_id is None and one.thread == topic and one.sender]
    return next(one for one in reversed(seen) if "#" in one.text and one.sender is not person)


@dataclass(slots=True)
class Match:
    """A match of two people in the chats where each of them plays. *language* is that of the boards in each chat."""

    bot: Bot
    people: tuple[Person, Person]
    chats: tuple[Chat, Chat]
    id: MatchId
    topic: int | None = None
    languages: tuple[str, str] = ("en", "en")
    rng: random.Random = field(default_factory=lambda: random.Random(3))

    async def stored(self) -> StoredMatch:
        """The match as it is saved."""
        found = await self.bot.core.store.load(self.id)
        assert found is not None
        return found

    async def mover(self) -> int:
        """Whose turn it is: 0 or 1."""
        to_move = (await self.stored()).match.person_to_move
        return [f"telegram:{person.id}" for person in self.people].index(str(to_move))

    def board(self, number: int) -> Message:
        """The newest board that person *number* sees where he plays."""
        return newest_board(self.people[number], self.chats[number], self.topic)

    async def any_move(self) -> str:
        """A legal move in canonical writing."""
        position = (await self.stored()).match.record.position
        return position.write(self.rng.choice(position.legal_moves()))

    async def type_one(self, *, reply: bool = False) -> None:
        """One move typed: as an answer to the board, else as a command, or alone where that is enough."""
        number = await self.mover()
        person, chat, move = self.people[number], self.chats[number], await self.any_move()
        if reply:
            person.reply(self.board(number), move)
        else:
            person.say(chat, move if chat.kind == "private" else f"/m {move}", topic=self.topic)
        await self.bot.settle()

    async def press_one(self) -> None:
        """One move by buttons, step by step; nobody else sees the steps."""
        number = await self.mover()
        person, chat, language = self.people[number], self.chats[number], self.languages[number]
        before, board = (await self.stored()).version, self.board(number)
        own = {person.language, language}
        last = {label(self.bot, key, one) for key in ("back", "no") for one in own}
        await person.press(board, label(self.bot, "move", language))
        for _ in range(10):
            await self.bot.settle()
            if (await self.stored()).version > before:
                return
            step = person.sees(chat)[-1]
            assert step.keyboard, step
            assert step.ephemeral_id is not None or chat.kind == "private"
            await person.press(step, self.rng.choice([one for one in labels(step) if one not in last]))
        raise AssertionError("a guided move does not end")

    async def to_the_end(self, *, pressed: bool = False) -> None:
        """Play until the match is over."""
        for number in range(LONGEST):
            now = await self.stored()
            if now.match.status is Status.FINISHED:
                return
            if pressed:
                await self.press_one()
            else:
                await self.type_one(reply=bool(number % 2))
            assert (await self.stored()).version == now.version + 1
        raise AssertionError("the match does not end")


async def begin(
    bot: Bot, people: tuple[Person, Person], chat: Chat, game: str = "ayu 9", topic: int | None = None, pie: str = ""
) -> Match:
    """A match in a group: the first challenges, the second accepts."""
    first, second = people
    first.say(chat, f"/challenge {game} {pie}", topic=topic)
    await bot.settle()
    challenge = newest_board(second, chat, topic)
    language = (await bot.core.store.chat(bot.place(chat))).language or "en"
    await second.press(challenge, label(bot, "accept", language))
    await bot.settle()
    return Match(bot, people, (chat, chat), match_of(challenge), topic, (language, language))
