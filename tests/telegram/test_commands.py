"""What people may say, and what the bot keeps silent about; with the privacy mode on, as BotFather leaves it."""

from __future__ import annotations

import asyncio
import json

import aiohttp
from redis.asyncio import Redis

from bot.adapters.telegram_adapter.commands import DESCRIPTION_LENGTH
from bot.core import OFFERED
from rules.match import Status
from tests.bot.test_forgetting import everything
from tests.telegram.bot import Bot, running_bot
from tests.telegram.model import Chat
from tests.telegram.people import Person
from tests.telegram.play import begin, label, labels, match_of, newest_board
from tests.telegram.server import Telegram
from tests.telegram.updates import SECRET_HEADER


def two(bot: Bot) -> tuple[Person, Person]:
    return bot.telegram.person("Ana", username="ana"), bot.telegram.person("Бо")


def said(bot: Bot, chat: Chat) -> list[str]:
    """What the bot has said there to anybody."""
    return [one.text for one in [*chat.messages, *chat.whispers] if one.sender is bot.telegram.bot]


async def test_commands_are_offered_in_each_language_and_place(bot: Bot) -> None:
    """A client shows those of its language; who speaks none of them gets English."""
    group = bot.telegram.group("Friends", bot.telegram.person("Ana"))
    for language, shown_in in (("en", "en"), ("es", "es"), ("ru", "ru"), ("de", "en")):
        person = bot.telegram.person("Eva", language=language)
        person.join(group)
        for chat in (person.private, group):
            shown = bot.telegram.own.shown(person, chat)
            assert [one["command"] for one in shown] == ["start", *OFFERED, "m"]
            described = [bot.core.texts.plain(shown_in, f"command.{one['command']}") for one in shown]
            assert [one["description"] for one in shown] == described
            assert max(map(len, described)) <= DESCRIPTION_LENGTH
    person = bot.telegram.person("Eva")
    person.join(group)
    hidden = {one["command"] for one in bot.telegram.own.shown(person, group) if one.get("is_ephemeral")}
    assert hidden >= {"m", "move", "moves", "settings", "games"}
    assert hidden.isdisjoint({"challenge", "rematch"}), "they may reply to somebody"
    assert not any(one.get("is_ephemeral") for one in bot.telegram.own.shown(person, person.private))


async def test_only_the_own_suffix_is_listened_to(bot: Bot) -> None:
    """T10."""
    ana, bo = two(bot)
    group = bot.telegram.group("Friends", ana, bo)
    bot.telegram.world.privacy = False  # it hears all, and keeps silent by itself
    await bot.settle()
    before = said(bot, group)
    for text in ("/challenge@other_bot ayu 9", "/help@other_bot", "/weather", "/weather tomorrow", "hello", "b1b2"):
        ana.say(group, text)
    await bot.settle()
    assert said(bot, group) == before
    ana.say(group, f"/challenge@{bot.telegram.bot.username.upper()} ayu 9")
    await bot.settle()
    assert len(said(bot, group)) == len(before) + 1


async def test_a_command_that_there_is_not_is_named_to_whoever_meant_the_bot(bot: Bot) -> None:
    ana, _ = two(bot)
    group = bot.telegram.group("Friends", ana)
    unknown = bot.core.texts.plain("en", "notice.unknown-command", command="/weather")
    ana.start()
    await bot.settle()
    # What was asked in the group is answered where she alone reads it.
    asked = [(ana.private, "/weather tomorrow"), (group, f"/weather@{bot.telegram.bot.username}"), (group, "/weather")]
    for (chat, text), count in zip(asked, (1, 2, 2), strict=True):
        ana.say(chat, text)
        await bot.settle()
        assert said(bot, ana.private).count(unknown) == count
    assert unknown not in said(bot, group)


async def test_a_match_by_commands_buttons_and_replies_alone(bot: Bot) -> None:
    """T9: with the privacy mode on the bot hears no plain word and no mention, and needs none."""
    people = two(bot)
    group = bot.telegram.group("Friends", *people)
    match = await begin(bot, people, group, pie="nopie")
    heard = len(bot.telegram.updates.history)
    people[0].say(group, f"@{bot.telegram.bot.username} b1b2")
    people[0].say(group, "b1b2")
    await bot.settle()
    assert len(bot.telegram.updates.history) == heard
    await match.type_one()
    await match.type_one(reply=True)
    await match.press_one()
    assert (await match.stored()).match.ply == 3


async def test_an_admin_s_bot_takes_a_move_after_its_name(bot: Bot) -> None:
    people = two(bot)
    group = bot.telegram.group("Friends", *people)
    people[0].promote_bot(group)
    match = await begin(bot, people, group, pie="nopie")
    for name in (f"@{bot.telegram.bot.username} ", f"@{bot.telegram.bot.username.upper()}: "):
        person = people[await match.mover()]
        person.say(group, name + await match.any_move())
        await bot.settle()
    assert (await match.stored()).match.ply == 2


async def test_an_edited_message_is_ignored(bot: Bot) -> None:
    """T13."""
    people = two(bot)
    group = bot.telegram.group("Friends", *people)
    match = await begin(bot, people, group, pie="nopie")
    person = people[await match.mover()]
    person.old_client = True
    own = person.say(group, f"/m {await match.any_move()}")
    await bot.settle()
    version, before = (await match.stored()).version, said(bot, group)
    for text in ("/m a1a9", "/resign yes", "/challenge volo"):
        person.edit(own, text)
    await bot.settle()
    assert (await match.stored()).version == version
    assert said(bot, group) == before


async def test_channels_are_left_alone(bot: Bot) -> None:
    ana = bot.telegram.person("Ana")
    channel = bot.telegram.channel("News", ana)
    ana.say(channel, "/challenge ayu 9")
    await bot.settle()
    assert said(bot, channel) == []


async def test_the_greeting_comes_once_with_one_button(bot: Bot) -> None:
    ana, bo = two(bot)
    group = bot.telegram.group("Friends", ana, bo)
    await bot.settle()
    (greeting,) = [one for one in group.messages if one.sender is bot.telegram.bot]
    assert greeting.text.startswith("Hello")
    assert labels(greeting) == [label(bot, "start")]
    ana.promote_bot(group)
    bo.leave(group)
    bo.join(group)
    bot.telegram.updates.again(last=9)
    await bot.settle()
    assert said(bot, group) == [greeting.text]


async def test_a_challenge_by_a_reply_is_for_whoever_is_replied_to(bot: Bot) -> None:
    ana, bo = two(bot)
    eva = bot.telegram.person("Eva")
    group = bot.telegram.group("Friends", ana, bo, eva)
    hello = bo.say(group, "Who wants to play?")
    ana.reply(hello, "/challenge ayu 9")
    await bot.settle()
    challenge = newest_board(bo, group)
    await eva.press(challenge, label(bot, "accept"))
    await bot.settle()
    stored = await bot.core.store.load(match_of(challenge))
    assert stored is not None
    assert (stored.match.status, stored.match.invited) == (Status.CHALLENGE, f"telegram:{bo.id}")
    await bo.press(challenge, label(bot, "accept"))
    await bot.settle()
    assert match_of(newest_board(bo, group)) == stored.id


# ---- slow play -------------------------------------------------------------------------------------------------------


async def test_whose_turn_it_is_is_told_once_for_each_move(bot: Bot) -> None:
    """K2: one notice for each ply; a telephone rings for it alone."""
    people = two(bot)
    group = bot.telegram.group("Friends", *people)
    match = await begin(bot, people, group, pie="nopie")
    for _ in range(4):
        await match.type_one()
        bot.telegram.updates.again(last=3)
        await bot.settle()
    told = [one for one in group.messages if " plays " in one.text]
    pinged = [[one["user"]["id"] for one in message.entities if one["type"] == "text_mention"] for message in told]
    movers = [people[(await match.mover() + 1 + number) % 2].id for number in range(4)]
    assert pinged == [[one] for one in movers]
    silent = [call.fields.get("disable_notification", False) for call in bot.telegram.calls("sendPhoto", group)]
    assert silent[-4:] == [False] * 4


async def test_who_wants_it_is_asked_before_a_move_and_everybody_before_the_end(bot: Bot) -> None:
    """K3: a question with two buttons that say what they do; until it is answered nothing is done."""
    people = two(bot)
    group = bot.telegram.group("Friends", *people)
    match = await begin(bot, people, group, pie="nopie")
    number = await match.mover()
    person = people[number]
    person.say(group, "/settings confirm on")
    await bot.settle()
    version = (await match.stored()).version
    for typed, key in ((f"/m {await match.any_move()}", "move"), ("/resign", "resign")):
        person.say(group, typed)
        await bot.settle()
        question = person.sees(group)[-1]
        assert labels(question) == [label(bot, f"yes.{key}"), label(bot, "no")]
        assert (await match.stored()).version == version
        await person.press(question, label(bot, "no"))
        await bot.settle()
        assert question.deleted or not question.keyboard
    assert (await match.stored()).version == version


async def test_an_offer_stands_until_it_is_answered(bot: Bot) -> None:
    """K4, K8: a draw and a takeback want the other one's consent; a later board still says what is offered."""
    people = two(bot)
    group = bot.telegram.group("Friends", *people)
    match = await begin(bot, people, group, pie="nopie")
    await match.type_one()
    asker, other = people[1 - await match.mover()], people[await match.mover()]
    await asker.press(match.board(0), label(bot, "takeback"))
    await bot.settle()
    board = match.board(0)
    assert {label(bot, "agree.takeback"), label(bot, "refuse.takeback")} <= set(labels(board))
    other.say(group, "/board")
    await bot.settle()
    assert label(bot, "agree.takeback") in labels(other.sees(group)[-1])
    await other.press(board, label(bot, "agree.takeback"))
    await bot.settle()
    assert (await match.stored()).match.ply == 0


async def test_a_rematch_waits_for_the_other_one_and_next_leads_to_what_waits(bot: Bot) -> None:
    """K8, K9."""
    people = two(bot)
    group = bot.telegram.group("Friends", *people)
    match = await begin(bot, people, group, pie="nopie")
    await match.type_one()
    people[await match.mover()].say(group, "/resign yes")
    await bot.settle()
    await people[0].press(match.board(0), label(bot, "rematch"))
    await bot.settle()
    challenge = newest_board(people[1], group)
    assert match_of(challenge) != match.id
    await people[1].press(challenge, label(bot, "accept"))
    await bot.settle()
    stored = await bot.core.store.load(match_of(challenge))
    assert stored is not None
    waiting = next(person for person in people if stored.match.person_to_move == f"telegram:{person.id}")
    waiting.start()
    waiting.say(waiting.private, "/next")
    await bot.settle()
    assert match_of(waiting.sees(waiting.private)[-1]) == stored.id


async def test_after_forgetting_the_old_messages_lead_nowhere_and_bring_nothing_back(
    bot: Bot, redis_client: Redis
) -> None:
    """Pictures, steps and questions of a match in the private chat keep their buttons; all of them are answered."""
    ana, bo = two(bot)
    ana.start()
    ana.say(ana.private, "/challenge ayu 9 nopie")
    await bot.settle()
    code = match_of(newest_board(ana, ana.private))
    bo.start(code)
    await bot.settle()
    await bo.press(newest_board(bo, bo.private), label(bot, "accept"))
    await bot.settle()
    for text in ("/m", "/resign", "/board", "/moves"):
        ana.say(ana.private, text)
        await bot.settle()
    old = [one for one in ana.sees(ana.private) if code in one.text and one.keyboard]
    assert len(old) >= 4
    ana.say(ana.private, "/forget yes")
    await bot.settle()
    for message in old:
        if message.deleted or not message.keyboard:
            continue
        button = next(one["text"] for row in message.keyboard for one in row if "callback_data" in one)
        await ana.press(message, button)
        await bot.settle()
        told = ana.sees(ana.private)[-1]
        words = bot.core.texts.plain("en", "fault.stale"), bot.core.texts.plain("en", "notice.no-such-match")
        assert told.text in words or message.text in words, (button, told.text)
    assert str(ana.id).encode() not in await everything(redis_client)
    assert [call for call in bot.telegram.calls() if call.refused is not None and call.refused.code == 400] == []


# ---- several workers -------------------------------------------------------------------------------------------------


async def test_one_update_in_two_workers_at_once_is_done_once(telegram: Telegram, redis_client: Redis) -> None:
    """R1-R3: the version is checked in the write, whoever holds what lock."""
    async with (
        running_bot(telegram, redis_client, webhook=True) as one,
        running_bot(telegram, redis_client, webhook=True) as other,
    ):
        people = two(one)
        group = telegram.group("Friends", *people)
        match = await begin(one, people, group, pie="nopie")
        hook = telegram.updates.hook
        assert hook is not None
        assert one.server is not None
        assert other.server is not None
        number = await match.mover()
        people[number].say(group, f"/m {await match.any_move()}")
        update = telegram.updates.history[-1].json
        async with aiohttp.ClientSession(headers={SECRET_HEADER: hook.secret}) as session:

            async def bring(bot: Bot) -> int:
                assert bot.server is not None
                url = f"{bot.server.url}/telegram"
                async with session.post(url, data=json.dumps(update)) as answer:
                    return answer.status

            assert await asyncio.gather(*(bring(bot) for bot in (one, other) * 3)) == [200] * 6
        await one.settle()
        await other.settle()
        assert (await match.stored()).match.ply == 1
        assert sum(" plays " in text for text in said(one, group)) == 1
