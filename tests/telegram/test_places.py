"""Topics, General, groups that become supergroups, and matches that nobody ends: a match stays where it is played."""

from __future__ import annotations

import pytest
from redis.asyncio import Redis

from bot.adapters.telegram_adapter import PLATFORM
from rules.match import Status
from storage.base import Place
from tests.bot.harness import SetClock
from tests.telegram.acting import press, press_for_answer, reply, say
from tests.telegram.bot import Bot, running_bot
from tests.telegram.faults import refuse
from tests.telegram.model import Chat
from tests.telegram.people import Person
from tests.telegram.play import Match, begin, label, match_of, newest_board
from tests.telegram.server import Telegram

HOURS_OPEN = 24 * 8


def pair(telegram: Telegram) -> tuple[Person, Person]:
    """Two who play: one has a user name, the other none."""
    return telegram.person("Ana", username="ana"), telegram.person("Бо", language="ru")


async def moves_of(match: Match) -> int:
    """How many moves were made."""
    return len((await match.stored()).match.record.moves)


async def status_of(match: Match) -> Status:
    """Where the match stands."""
    return (await match.stored()).match.status


async def move_from_private(match: Match) -> None:
    """One move from the private chat, which knows of several matches."""
    person = match.people[await match.mover()]
    await say(match.bot, person, person.private, f"/m {match.id} {await match.any_move()}")


def topics_named(bot: Bot, chat: Chat) -> set[object]:
    """The topics that were named in what was sent to *chat*."""
    written = ("sendMessage", "sendPhoto", "sendDocument", "sendAnimation")
    return {call.fields.get("message_thread_id") for call in bot.telegram.calls(chat=chat) if call.method in written}


def refused(bot: Bot, chat: Chat) -> list[str]:
    """What the platform did not take in *chat*."""
    return [f"{call}" for call in bot.telegram.calls(chat=chat) if call.refused]


# ---- topics (T3) and General (T4) ------------------------------------------------------------------------------------


async def test_each_topic_has_a_match_of_its_own(bot: Bot) -> None:
    people = pair(bot.telegram)
    forum = bot.telegram.forum("Club", *people, topics=("Ayu", "Volo"))
    first, second = forum.topics
    ayu = await begin(bot, people, forum, "ayu 9", first)
    volo = await begin(bot, people, forum, "volo 6", second)
    assert ayu.id != volo.id
    await ayu.type_one()
    await volo.type_one()
    await volo.type_one(reply=True)
    assert (await moves_of(ayu), await moves_of(volo)) == (1, 2)
    for topic, match in ((first, ayu), (second, volo)):
        (shown,) = await say(bot, people[0], forum, "/board", topic=topic)
        assert (match_of(shown), shown.thread, shown.receiver) == (match.id, topic, None)
    greeting, *others = [one for one in forum.messages if one.sender is bot.telegram.bot]
    assert (greeting.thread, {one.thread for one in others}) == (None, {first, second})


async def test_what_is_for_one_stays_in_the_topic(bot: Bot) -> None:
    people = pair(bot.telegram)
    forum = bot.telegram.forum("Club", *people, topics=("Ayu",))
    (topic,) = forum.topics
    match = await begin(bot, people, forum, "ayu 9", topic)
    number = await match.mover()
    mover, other = people[number], people[1 - number]
    for person in (mover, other):
        shown = await press(bot, person, match.board(0), label(bot, "move"))
        assert [(one.thread, one.receiver) for one in shown] == [(topic, person)]


async def test_in_general_no_topic_is_named(bot: Bot) -> None:
    people = pair(bot.telegram)
    forum = bot.telegram.forum("Club", *people, topics=("Ayu",))
    match = await begin(bot, people, forum)
    await match.type_one()
    await match.press_one()
    await reply(bot, people[0], match.board(0), "z9")
    await say(bot, people[0], forum, "/board")
    assert await moves_of(match) == 2
    assert topics_named(bot, forum) == {None}
    assert [one for one in refused(bot, forum) if "thread" in one] == []


async def test_a_thread_of_replies_is_no_topic(bot: Bot) -> None:
    people = pair(bot.telegram)
    group = bot.telegram.group("Friends", *people)
    match = await begin(bot, people, group)
    for _ in range(3):
        await match.type_one(reply=True)
    assert await moves_of(match) == 3
    assert (topics_named(bot, group), refused(bot, group)) == ({None}, [])


@pytest.mark.parametrize("fate", ["closed", "deleted"])
async def test_a_topic_ends_but_not_its_match(bot: Bot, fate: str) -> None:
    people = pair(bot.telegram)
    forum = bot.telegram.forum("Club", *people, topics=("Ayu",))
    (topic,) = forum.topics
    match = await begin(bot, people, forum, "ayu 9", topic)
    setattr(forum.topics[topic], fate, True)
    await move_from_private(match)
    assert await moves_of(match) == 1
    assert match_of(newest_board(people[0], forum)) == match.id


async def test_a_challenge_that_nobody_takes_ends_by_itself(telegram: Telegram, redis_client: Redis) -> None:
    clock = SetClock()
    ana, bo = people = pair(telegram)
    forum = telegram.forum("Club", *people, topics=("Ayu",))
    (topic,) = forum.topics
    async with running_bot(telegram, redis_client, clock=clock) as bot:
        await say(bot, ana, forum, "/challenge ayu 9", topic=topic)
        challenge = newest_board(bo, forum, topic)
        match = Match(bot, people, (forum, forum), match_of(challenge), topic)
        clock.forward(hours=HOURS_OPEN)
        assert await bot.core.service.expire(clock.now_ms() // 1000)
        bot.core.courier.wake()
        await bot.settle()
        assert await status_of(match) is Status.EXPIRED
        over = newest_board(bo, forum, topic)
        assert bot.core.texts.plain("en", "event.expired") in over.text
        assert (label(bot, "accept") in over.buttons, match_of(over)) == (False, match.id)
        # Bo's client still shows the old button: he is told, and nothing begins.
        answer, shown = await press_for_answer(bot, bo, challenge, label(bot, "accept"), stale=True)
        assert answer.text or shown
        assert await status_of(match) is Status.EXPIRED
        again = await begin(bot, (bo, ana), forum, "ayu 9", topic)
        assert (again.id != match.id, await status_of(again)) == (True, Status.PLAYING)


# ---- a group becomes a supergroup (T5) -------------------------------------------------------------------------------


@pytest.mark.parametrize("told", [("old", "new"), ("new", "old"), ("old",), ("new",)])
async def test_a_match_moves_with_its_group(bot: Bot, told: tuple[str, ...]) -> None:
    people = pair(bot.telegram)
    small = bot.telegram.group("Friends", *people, small=True)
    await say(bot, people[0], small, "/settings language es")
    match = await begin(bot, people, small)
    await match.type_one()
    big = bot.telegram.migrate(small, told)
    await bot.settle()
    before = len(bot.telegram.calls(chat=small))
    match.chats = (big, big)
    await match.type_one()
    await match.type_one(reply=True)
    assert await moves_of(match) == 3
    shown = match.board(0)
    assert (match_of(shown), label(bot, "move", "es") in shown.buttons) == (match.id, True)
    assert (await bot.core.store.chat(Place(PLATFORM, str(big.id)))).language == "es"
    assert len(bot.telegram.calls(chat=small)) - before <= 1


async def test_a_group_that_moved_unheard_is_found(bot: Bot) -> None:
    people = pair(bot.telegram)
    small = bot.telegram.group("Friends", *people, small=True)
    match = await begin(bot, people, small)
    big = bot.telegram.migrate(small, told=())
    await move_from_private(match)
    assert (match_of(newest_board(people[0], big)), await moves_of(match)) == (match.id, 1)
    assert len(refused(bot, small)) <= 2
    match.chats = (big, big)
    await match.type_one()
    assert await moves_of(match) == 2


async def test_moving_twice_is_moving_once(telegram: Telegram, redis_client: Redis) -> None:
    people = pair(telegram)
    small = telegram.group("Friends", *people, small=True)
    async with running_bot(telegram, redis_client) as bot:
        match = await begin(bot, people, small)
        big = telegram.migrate(small)
        match.chats = (big, big)
        await bot.settle()
        await match.type_one()
    telegram.updates.again(last=3)
    async with running_bot(telegram, redis_client) as bot:
        match.bot = bot
        await bot.settle()
        await match.type_one()
        assert await moves_of(match) == 2
        assert match_of(match.board(0)) == match.id
        # A chat that the bot knows from before is not greeted.
        assert [one for one in big.messages if label(bot, "start") in one.buttons] == []


# ---- ways out (T23) --------------------------------------------------------------------------------------------------


async def test_who_manages_the_chat_ends_any_match(bot: Bot) -> None:
    people = pair(bot.telegram)
    eve, owner = bot.telegram.person("Eve"), bot.telegram.person("Olga", username="olga")
    group = bot.telegram.group("Friends", owner, *people, eve)
    match = await begin(bot, people, group)
    for _ in range(2):
        await match.type_one()
    (refusal,) = await say(bot, eve, group, f"/abort {match.id}")
    assert label(bot, "yes.abort") not in refusal.buttons
    seen = await say(bot, owner, group, f"/abort {match.id}")
    await press(bot, owner, seen[-1], label(bot, "yes.abort"))
    assert await status_of(match) is Status.ABORTED
    over = match.board(0)
    assert bot.core.texts.plain("en", "event.aborted", name="Olga") in over.text
    assert [one for one in group.messages if label(bot, "move") in one.buttons] == []


async def test_who_cannot_be_looked_up_manages_nothing(bot: Bot) -> None:
    people = pair(bot.telegram)
    owner = bot.telegram.person("Olga")
    group = bot.telegram.group("Friends", owner, *people)
    match = await begin(bot, people, group)
    for _ in range(2):
        await match.type_one()
    bot.telegram.plant(refuse(400, "Bad Request: CHAT_ADMIN_REQUIRED"), "getChatMember", group, times=9)
    seen = await say(bot, owner, group, f"/abort {match.id}")
    assert label(bot, "yes.abort") not in seen[-1].buttons
    assert await status_of(match) is Status.PLAYING


async def test_many_matches_in_one_chat_are_not_mixed_up(bot: Bot) -> None:
    people = pair(bot.telegram)
    group = bot.telegram.group("Friends", *people)
    matches, boards = [], []
    for game in ("ayu 9", "ayu 9", "volo 6"):
        matches.append(await begin(bot, people, group, game))
        boards.append(matches[-1].board(0))
    assert len({match.id for match in matches}) == 3
    for number, match in enumerate(matches):
        mover, move = people[await match.mover()], await match.any_move()
        if number == 1:
            await reply(bot, mover, boards[1], move)
        else:
            await say(bot, mover, group, f"/m {match.id} {move}")
        made = [await moves_of(one) for one in matches]
        assert made == [1] * (number + 1) + [0] * (2 - number)
    ana = people[0]
    (question,) = await say(bot, ana, group, f"/resign {matches[0].id}")
    await press(bot, ana, question, label(bot, "yes.resign"))
    statuses = [await status_of(match) for match in matches]
    assert statuses == [Status.FINISHED, Status.PLAYING, Status.PLAYING]
