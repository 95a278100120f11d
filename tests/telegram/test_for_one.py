"""What one person in a group is told: seen by nobody else, and by which way where Telegram takes no such message."""

from __future__ import annotations

import pytest

from tests.telegram.bot import Bot
from tests.telegram.faults import refuse
from tests.telegram.model import Chat, Message
from tests.telegram.people import Person
from tests.telegram.play import Match, begin, label, labels, newest_board

REFUSED = refuse(400, "Bad Request: not enough rights to send ephemeral messages to the chat")


async def playing(bot: Bot) -> tuple[Match, Chat, Person, Person]:
    """A match in a group; who is to move, and the other one."""
    people = bot.telegram.person("Ana", username="ana"), bot.telegram.person("Бо <b>&")
    group = bot.telegram.group("Friends", *people)
    match = await begin(bot, people, group)
    number = await match.mover()
    return match, group, people[number], people[1 - number]


def for_one(person: Person, group: Chat) -> list[Message]:
    """What the bot has told the person alone."""
    return [one for one in person.sees(group) if one.ephemeral_id is not None and one.sender is not person]


def ways(bot: Bot, group: Chat) -> list[Message]:
    """What stands in the group and leads to the private chat."""
    said = [one for one in group.messages if one.sender is bot.telegram.bot and one.keyboard and not one.deleted]
    return [one for one in said if "url" in one.keyboard[0][0]]


@pytest.mark.parametrize("typed", ["/m a1a9", "/moves", "/help", "/games", "/rules ayu", "/settings"])
async def test_what_is_typed_and_answered_for_one_is_seen_by_him_alone(bot: Bot, typed: str) -> None:
    _, group, person, other = await playing(bot)
    before = len(other.sees(group))
    person.say(group, typed)
    await bot.settle()
    assert for_one(person, group)
    assert len(other.sees(group)) == before
    assert [call.refused for call in bot.telegram.calls() if call.refused] == []


async def test_a_guided_move_goes_on_in_one_message_and_leaves_none(bot: Bot) -> None:
    _, group, person, other = await playing(bot)
    board = newest_board(person, group)
    await person.press(board, label(bot, "move"))
    await bot.settle()
    (step,) = for_one(person, group)
    assert step.file is not None
    assert for_one(other, group) == []
    before = labels(step)
    await person.press(step, before[0])
    await bot.settle()
    assert for_one(person, group) == [step]
    assert labels(step) != before
    await person.press(step, label(bot, "back"))
    await bot.settle()
    assert labels(step) == before
    assert bot.telegram.calls("editEphemeralMessageMedia")


async def test_where_none_can_be_sent_a_short_answer_is_an_alert(bot: Bot) -> None:
    _, group, _, other = await playing(bot)
    board = newest_board(other, group)
    planted = bot.telegram.plant(REFUSED, "sendMessage", group, times=9)
    for _ in range(2):
        answer = await other.press(board, label(bot, "move"))
        assert answer.alert
        assert bot.core.texts.plain("en", "fault.not-your-turn") in answer.text
        await bot.settle()
    assert planted.hits == 1, "for a while it is not tried again"
    assert for_one(other, group) == []


async def test_else_it_goes_to_the_private_chat(bot: Bot) -> None:
    _, group, person, other = await playing(bot)
    person.start()
    await bot.settle()
    board = newest_board(person, group)
    bot.telegram.plant(REFUSED, "sendPhoto", group, times=9)
    before = len(other.sees(group))
    answer = await person.press(board, label(bot, "move"))
    assert answer.text == bot.core.texts.plain("en", "telegram.sent")
    await bot.settle()
    step = person.sees(person.private)[-1]
    assert step.file is not None
    assert labels(step)
    assert len(other.sees(group)) == before


async def test_who_never_began_a_private_chat_is_led_there_by_the_button(bot: Bot) -> None:
    match, group, person, _ = await playing(bot)
    board = newest_board(person, group)
    bot.telegram.plant(REFUSED, "sendPhoto", group, times=9)
    answer = await person.press(board, label(bot, "move"))
    assert answer.url == f"https://t.me/{bot.telegram.bot.username}?start={match.id}"
    person.follow(answer.url)
    await bot.settle()
    assert label(bot, "move") in labels(newest_board(person, person.private))


async def test_who_never_began_a_private_chat_is_shown_the_way_after_typing(bot: Bot) -> None:
    match, group, person, _ = await playing(bot)
    person.old_client = True
    for typed in ("/m a1a9", "/m a1a9"):
        person.say(group, typed)
        await bot.settle()
    shown = ways(bot, group)
    assert len(shown) == 1, "the one before has gone"
    assert shown == [group.last], "below what was typed: no command stays without an answer"
    assert shown[0].text == bot.core.texts.catalog("en").forms["telegram.private"][0].format(name=person.name)
    assert [(one["type"], one["user"]["id"]) for one in shown[0].entities] == [("text_mention", person.id)]
    assert shown[0].keyboard[0][0]["url"].endswith(f"?start={match.id}")
    tried = [call for call in bot.telegram.calls("sendMessage", person.private) if call.refused]
    assert len(tried) == 1, "whom the bot may not write to is not written to again"


async def test_of_many_commands_in_a_row_all_are_answered_by_the_message_below_them(bot: Bot) -> None:
    _, group, person, _ = await playing(bot)
    person.old_client = True
    person.say(group, "/m a1a9")
    await bot.settle()
    before, (first,) = len(bot.telegram.calls("sendMessage", group)), ways(bot, group)
    for _ in range(10):
        person.say(group, "/moves")
    await bot.settle()
    assert first.deleted
    assert ways(bot, group) == [group.last]
    sent = len(bot.telegram.calls("sendMessage", group)) - before
    assert sent <= 3, "a group is not told ten times"


async def test_the_way_that_an_admin_has_deleted_is_shown_again(bot: Bot) -> None:
    _, group, person, _ = await playing(bot)
    person.old_client = True
    person.say(group, "/m a1a9")
    await bot.settle()
    (first,) = ways(bot, group)
    first.deleted = True
    person.say(group, "/m a1a9")
    await bot.settle()
    assert ways(bot, group) == [group.last]


async def test_a_server_that_shows_it_to_all_is_noticed(bot: Bot) -> None:
    """An older Bot API leaves out what it does not know: what was meant for one is seen by all, and is taken back."""
    _, group, person, other = await playing(bot)
    bot.telegram.be_old()
    person.start()
    await bot.settle()
    before = len(other.sees(group))
    await person.press(newest_board(person, group), label(bot, "move"))
    await bot.settle()
    assert len(other.sees(group)) == before


async def test_the_admin_s_bot_tells_typed_refusals_to_one(bot: Bot) -> None:
    _, group, person, other = await playing(bot)
    person.promote_bot(group)
    person.old_client = True
    before = len(other.sees(group))
    person.say(group, "/m a1a9")
    await bot.settle()
    assert len(for_one(person, group)) == 1
    assert len(other.sees(group)) == before + 1, "what was typed"


async def test_hostile_names_disturb_nothing(bot: Bot) -> None:
    match, _, _, _ = await playing(bot)
    assert "Бо <b>&" in match.board(0).text
    await match.type_one()
    assert "Бо <b>&" in match.board(0).text
