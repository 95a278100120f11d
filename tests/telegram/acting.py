"""Somebody acts, the bot comes to rest, and what is new on his screen is looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tests.telegram.bot import Bot
from tests.telegram.model import Account, Chat, Message
from tests.telegram.people import Answer, Person


async def say(
    bot: Bot,
    person: Person,
    chat: Chat,
    text: str,
    *,
    topic: int | None = None,
    mentions: Sequence[Account] = (),
    as_channel: Chat | None = None,
) -> list[Message]:
    """*person* writes; what is new for him there, without what he wrote."""
    return await _new(
        bot, person, chat, lambda: person.say(chat, text, topic=topic, mentions=mentions, as_channel=as_channel)
    )


async def reply(bot: Bot, person: Person, message: Message, text: str) -> list[Message]:
    """*person* answers to *message*; what is new for him there, without what he wrote."""
    return await _new(bot, person, message.chat, lambda: person.reply(message, text))


async def press(bot: Bot, person: Person, message: Message, button: str, *, stale: bool = False) -> list[Message]:
    """*person* presses the *button*, which is answered; what is new, or changed, for him there."""
    _, seen = await press_for_answer(bot, person, message, button, stale=stale)
    return seen


async def press_for_answer(
    bot: Bot, person: Person, message: Message, button: str, *, stale: bool = False
) -> tuple[Answer, list[Message]]:
    """As `press`, with what the button showed."""
    before = _screen(person, message.chat)
    answer = await person.press(message, button, stale=stale)
    await bot.settle()
    return answer, _changed(person, message.chat, before)


async def _new(bot: Bot, person: Person, chat: Chat, act: Callable[[], Message]) -> list[Message]:
    before = _screen(person, chat)
    own = act()
    await bot.settle()
    return [one for one in _changed(person, chat, before) if one is not own]


def _screen(person: Person, chat: Chat) -> dict[int, int]:
    return {one.order: one.edits for one in person.sees(chat)}


def _changed(person: Person, chat: Chat, before: dict[int, int]) -> list[Message]:
    """What *person* sees now and did not see so before; a board that only lost its buttons is not among it."""
    seen = person.sees(chat)
    return [one for one in seen if before.get(one.order) != one.edits and (one.order not in before or one.keyboard)]
