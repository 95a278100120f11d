"""Whole games through the real client: in a group, in a topic, in two private chats; typed and by buttons."""

from __future__ import annotations

from typing import Final

import pytest

from tests.telegram.bot import Bot
from tests.telegram.model import Chat, Message
from tests.telegram.people import Person
from tests.telegram.play import Match, begin, label, labels, match_of, newest_board

GAMES: Final = ("ayu 9", "volo 6")


def two(bot: Bot, *languages: str) -> tuple[Person, Person]:
    """Ana and Бо, who has no user name."""
    first, second = languages or ("en", "en")
    return bot.telegram.person("Ana", username="ana", language=first), bot.telegram.person("Бо", language=second)


def with_buttons(chat: Chat) -> list[Message]:
    """The messages about a match that still have buttons that call the bot."""
    return [one for one in chat.messages if "#" in one.text and one.keyboard]


def assert_over(match: Match, number: int) -> None:
    """The last board shows the end, and is the only one with buttons."""
    board = match.board(number)
    assert board.file is not None
    assert labels(board)[0] == label(match.bot, "rematch", match.languages[number])
    assert with_buttons(match.chats[number]) == [board]


@pytest.mark.parametrize("game", GAMES)
async def test_a_game_in_a_group_by_typed_moves(bot: Bot, game: str) -> None:
    people = two(bot)
    match = await begin(bot, people, bot.telegram.group("Friends", *people), game)
    await match.to_the_end()
    assert_over(match, 0)


@pytest.mark.parametrize("game", GAMES)
async def test_a_game_in_a_topic_by_buttons(bot: Bot, game: str) -> None:
    people = two(bot, "es", "ru")
    forum = bot.telegram.forum("Club", *people, topics=("Talk", "Games"))
    topic = list(forum.topics)[1]
    match = await begin(bot, people, forum, game, topic)
    assert match.languages == ("es", "es")
    await match.to_the_end(pressed=True)
    assert_over(match, 0)
    elsewhere = [one.text for one in forum.messages if one.sender is bot.telegram.bot and one.thread != topic]
    assert len(elsewhere) == 1, "the greeting"
    assert [one.text for person in people for one in person.sees(forum) if one.ephemeral_id is not None] == []


@pytest.mark.parametrize(("game", "pressed"), [("volo 6", False), ("ayu 9", True)])
async def test_a_game_in_two_private_chats(bot: Bot, game: str, pressed: bool) -> None:
    """They share no group: the challenge is accepted by its link, and each sees the board where he plays."""
    ana, bo = two(bot, "es", "ru")
    ana.start()
    await bot.settle()
    ana.say(ana.private, f"/challenge {game}")
    await bot.settle()
    challenge = newest_board(ana, ana.private)
    link = next(word for word in challenge.text.split() if word.startswith("https://t.me/"))
    bo.follow(link)
    await bot.settle()
    door = newest_board(bo, bo.private)
    assert match_of(door) == match_of(challenge)
    await bo.press(door, label(bot, "accept", "ru"))
    await bot.settle()
    match = Match(bot, (ana, bo), (ana.private, bo.private), match_of(door), languages=("es", "ru"))
    await match.to_the_end(pressed=pressed)
    assert_over(match, 0)
    assert_over(match, 1)
