"""In a group: what anybody may know is answered openly where all saw the question, the rest to one person alone."""

from __future__ import annotations

import pytest

from rules.match import Status
from tests.telegram.acting import press, say
from tests.telegram.bot import Bot
from tests.telegram.model import Chat
from tests.telegram.people import Person
from tests.telegram.play import Match, begin, label, labels, match_of, newest_board


async def group_of(bot: Bot, *, old_client: bool = False) -> tuple[tuple[Person, Person], Chat]:
    """Two who never wrote to the bot in private, and their group, in which it has said hello."""
    people = bot.telegram.person("Ana", username="ana"), bot.telegram.person("Бо")
    for person in people:
        person.old_client = old_client
    group = bot.telegram.group("Friends", *people)
    await bot.settle()
    return people, group


async def test_a_first_game_begins_by_buttons_in_the_group(bot: Bot) -> None:
    (ana, bo), group = await group_of(bot)
    (question,) = await say(bot, ana, group, "/challenge")
    assert (question.receiver, question.text) == (None, bot.core.texts.plain("en", "ask.game"))
    await press(bot, ana, question, labels(question)[0])
    challenge = newest_board(bo, group)
    await press(bot, bo, challenge, label(bot, "accept"))
    match = Match(bot, (ana, bo), (group, group), match_of(challenge))
    assert (await match.stored()).match.status is Status.PLAYING


async def test_the_button_of_the_greeting_asks_one_alone(bot: Bot) -> None:
    (ana, bo), group = await group_of(bot)
    greeting = group.last
    (question,) = await press(bot, bo, greeting, label(bot, "start"))
    assert (question.receiver, len(ana.sees(group))) == (bo, 1)
    await press(bot, bo, question, labels(question)[0])
    assert question.deleted
    assert match_of(newest_board(ana, group))


@pytest.mark.parametrize(
    "command", ["/board", "/replay", "/export", "/help", "/rules", "/rules ayu", "/challenge", "/start"]
)
async def test_what_anybody_may_know_is_said_openly(bot: Bot, command: str) -> None:
    people, group = await group_of(bot, old_client=True)
    match = await begin(bot, people, group)
    await match.type_one()
    for bot_is_admin in (False, True):
        if bot_is_admin:  # which could whisper
            people[0].promote_bot(group)
        shown = await say(bot, people[0], group, command)
        assert shown
        assert {one.receiver for one in shown} == {None}
    assert bot.telegram.calls(chat=people[0].private) == []


@pytest.mark.parametrize("command", ["/moves", "/games", "/settings", "/m z9", "/mydata"])
async def test_what_is_for_one_is_not_said_openly(bot: Bot, command: str) -> None:
    people, group = await group_of(bot, old_client=True)
    match = await begin(bot, people, group)
    mover = people[await match.mover()]
    mover.start()
    await bot.settle()
    before = len(mover.private.messages)
    assert await say(bot, mover, group, command) == []
    assert len(mover.private.messages) == before + 1


async def test_hidden_commands_are_answered_hidden(bot: Bot) -> None:
    people, group = await group_of(bot)
    match = await begin(bot, people, group)
    before = group.messages
    for command in ("/help", "/rules volo", "/games", "/settings", "/m z9", "/moves"):
        shown = await say(bot, people[await match.mover()], group, command)
        assert {one.receiver for one in shown} == {people[await match.mover()]}
    assert group.messages == before
