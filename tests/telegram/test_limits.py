"""How fast the bot writes, and what it does when Telegram asks to wait, breaks off, or says that the chat is gone."""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter
from collections.abc import AsyncIterator
from functools import partial

import pytest
import pytest_asyncio
from redis.asyncio import Redis

from bot.adapters.telegram_adapter.pace import Limits, Pace, Rate
from tests.bot.harness import SetClock
from tests.telegram.bot import CUT_OFF, Bot, running_bot
from tests.telegram.faults import Rates, cut, refuse
from tests.telegram.model import Chat, Message
from tests.telegram.people import Person
from tests.telegram.play import Match, begin, label, newest_board
from tests.telegram.server import Telegram

pytestmark = [*CUT_OFF]

# ---- the pace alone --------------------------------------------------------------------------------------------------


class Steps:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.at = 100.0

    def __call__(self) -> float:
        return self.at


def test_a_group_takes_so_many_a_minute() -> None:
    now = Steps()
    pace = Pace(1000, Limits(), now)
    for _ in range(20):
        assert pace.wait(-5) == 0
        pace.take(-5)
        now.at += 1
    assert pace.wait(-5) == pytest.approx(40)
    assert pace.wait(-6) == pace.wait(5) == 0
    now.at += 40
    assert pace.wait(-5) == 0


def test_some_are_kept_for_what_matters_more() -> None:
    now = Steps()
    pace = Pace(1000, Limits(Rate(4, 60), Rate(4, 60)), now)
    for taken, (free, spare) in enumerate([(0, 0), (0, 0), (0, 60), (0, 60), (60, 60)]):
        assert (pace.wait(-5), pace.wait(-5, spare=2)) == (free, spare), taken
        pace.take(-5)


def test_a_chat_that_asks_to_wait_is_left_alone_and_no_other() -> None:
    now = Steps()
    pace = Pace(1000, Limits(), now)
    pace.block(-5, 7)
    pace.block(-5, 3)
    assert (pace.wait(-5), pace.wait(-6)) == (7, 0)
    now.at += 7
    assert pace.wait(-5) == 0


async def test_all_together_are_so_many_a_second() -> None:
    loop = asyncio.get_running_loop()
    pace = Pace(100, Limits(), loop.time)
    times = []

    async def send() -> None:
        await pace.turn()
        times.append(loop.time())

    started = loop.time()
    await asyncio.gather(*(send() for _ in range(22)))
    assert times == sorted(times)
    assert times[-1] - started >= 0.19, "22 sends, two of them at once, the others 10 ms apart"


# ---- on the platform -------------------------------------------------------------------------------------------------


@pytest_asyncio.fixture
async def limited(telegram: Telegram, redis_client: Redis) -> AsyncIterator[Bot]:
    """A bot that takes a group's minute for three seconds and twelve sends, on a platform that has no more patience."""
    async with running_bot(telegram, redis_client, limits=Limits(Rate(12, 3.0), Rate(20, 20.0))) as running:
        telegram.limit(Rates(group=12, window=3.0))
        yield running


async def playing(bot: Bot, title: str = "Friends") -> tuple[Match, Chat, Person, Person]:
    people = bot.telegram.person("Ana"), bot.telegram.person("Бо")
    group = bot.telegram.group(title, *people)
    match = await begin(bot, people, group, pie="nopie")
    number = await match.mover()
    return match, group, people[number], people[1 - number]


async def test_a_busy_group_is_told_the_newest_and_nothing_is_refused(limited: Bot) -> None:
    """T6: late boards coalesce, the last is never lost; what is for one person does not wait."""
    match, group, _, _ = await playing(limited)
    people = match.people
    first = await match.mover()
    position = (await match.stored()).match.record.position
    moves = []
    for number in range(12):
        move = position.legal_moves()[0]
        moves.append(position.write(move))
        people[(first + number) % 2].say(group, f"/m {moves[-1]}")
        position = position.play(move)
    people[0].say(group, "/help")
    await limited.telegram.wait(group, lambda one: one.ephemeral_id and "/challenge" in one.text, seconds=2)
    assert len(limited.telegram.calls("sendPhoto", group)) < 12, "the board is still behind"
    await limited.caught_up()
    told = [one for one in group.messages if " plays " in one.text]
    assert len(told) < 12
    assert list((await match.stored()).match.tokens) == moves
    lines = [line for one in told for line in one.text.splitlines() if " plays " in line]
    assert [line.rpartition(" ")[2].rstrip(".") for line in lines] == moves, "each once, in order"
    assert [call for call in limited.telegram.calls() if call.refused] == []
    await limited.telegram.world.bell.until(
        lambda: sum(bool(one.keyboard) for one in group.messages if "#" in one.text) == 1, 10
    )


def is_shown_the_way(typed: Message) -> bool:
    """True if below what was *typed* something leads to the private chat."""
    return any(one.id > typed.id and "url" in str(one.keyboard) for one in typed.chat.messages)


async def test_who_asks_in_vain_again_and_again_leaves_room_for_boards(limited: Bot) -> None:
    """He is shown the way to the private chat each time, and the moves of others are shown without waiting for that."""
    match, group, person, _ = await playing(limited)
    stranger = limited.telegram.person("Eva")
    stranger.old_client = True
    stranger.join(group)
    await limited.settle()
    for _ in range(9):
        typed = stranger.say(group, "/games")
        await limited.telegram.world.bell.until(partial(is_shown_the_way, typed))
    typed = stranger.say(group, "/games")
    person.say(group, f"/m {await match.any_move()}")
    await limited.telegram.wait(group, " plays ", seconds=1.0)
    await limited.settle()
    assert is_shown_the_way(typed)
    assert sum("url" in str(one.keyboard) for one in group.messages) == 1
    refused = [call.refused.code for call in limited.telegram.calls(chat=group) if call.refused is not None]
    assert 429 not in refused


async def test_one_chat_that_asks_to_wait_holds_up_no_other(bot: Bot) -> None:
    match, group, _, other = await playing(bot)
    second, elsewhere, _, _ = await playing(bot, "Others")
    planted = bot.telegram.plant(refuse(429, retry_after=2), "sendPhoto", group)
    number = await match.mover()
    match.people[number].say(group, f"/m {await match.any_move()}")
    await bot.telegram.world.bell.until(lambda: planted.hits, 10)
    refused_at = bot.telegram.calls("sendPhoto", group)[-1].at
    before = len(bot.telegram.calls("sendPhoto", group))
    number = await second.mover()
    second.people[number].say(elsewhere, f"/m {await second.any_move()}")
    await bot.telegram.wait(elsewhere, " plays ", seconds=1.5)
    assert (await other.press(newest_board(other, group), label(bot, "move"))) is not None
    assert len(bot.telegram.calls("sendPhoto", group)) == before
    await bot.caught_up()
    again = bot.telegram.calls("sendPhoto", group)[before]
    assert again.at - refused_at >= 2
    assert again.done


async def test_a_message_whose_fate_is_unknown_comes_twice_at_most(telegram: Telegram, redis_client: Redis) -> None:
    """T7: the board arrived, the answer did not; it is tried once more after 30 seconds, and the match is untouched."""
    clock = SetClock()
    async with running_bot(telegram, redis_client, clock=clock) as bot:
        match, group, _, _ = await playing(bot)
        telegram.plant(cut(after=True), "sendPhoto", group)
        number = await match.mover()
        match.people[number].say(group, f"/m {await match.any_move()}")
        await bot.settle()
        version = (await match.stored()).version
        assert sum(" plays " in one.text for one in group.messages) == 1
        clock.forward(seconds=29)
        await bot.settle()
        assert sum(" plays " in one.text for one in group.messages) == 1
        clock.forward(seconds=2)
        await bot.settle()
        assert sum(" plays " in one.text for one in group.messages) == 2
        clock.forward(seconds=60)
        await bot.settle()
        assert sum(" plays " in one.text for one in group.messages) == 2
        assert (await match.stored()).version == version
        assert sum(bool(one.keyboard) for one in group.messages if " plays " in one.text) == 2, (
            "none knows of the first"
        )


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (refuse(403, "Forbidden: bot was kicked from the supergroup chat"), "gone"),
        (refuse(400, "Bad Request: chat not found"), "gone"),
        (refuse(400, "Bad Request: not enough rights to send text messages to the chat"), "gone"),
        (refuse(400, "Bad Request: CHAT_WRITE_FORBIDDEN"), "gone"),
        (refuse(400, "Bad Request: group chat was deactivated"), "gone"),
        (refuse(400, "Bad Request: not enough rights to send photos to the chat"), "words"),
        (refuse(502), "again"),
    ],
)
async def test_what_becomes_of_a_board_that_is_refused(
    telegram: Telegram, redis_client: Redis, fault: object, code: str
) -> None:
    clock = SetClock()
    async with running_bot(telegram, redis_client, clock=clock) as bot:
        match, group, _, _ = await playing(bot)
        telegram.plant(fault, "sendPhoto", group)  # type: ignore[arg-type]  # parametrize forgets the type
        number = await match.mover()
        match.people[number].say(group, f"/m {await match.any_move()}")
        await bot.settle()
        told = Counter(one.file is not None for one in group.messages if " plays " in one.text)
        assert told == ({False: 1} if code == "words" else {})
        clock.forward(seconds=31)
        await bot.settle()
        told = Counter(one.file is not None for one in group.messages if " plays " in one.text)
        assert told == {"gone": {}, "words": {False: 1}, "again": {True: 1}}[code]
        # Whatever it was, the match goes on when the chat takes messages again.
        telegram.person("Eva").join(group)
        await match.people[1 - number].press(match.board(0), label(bot, "move"))
        await bot.settle()
        match.people[1 - number].say(group, f"/m {await match.any_move()}")
        await bot.settle()
        assert match.board(0).file is not None
        assert " plays " in match.board(0).text


async def test_an_answer_that_certainly_did_not_arrive_is_tried_again(bot: Bot) -> None:
    ana = bot.telegram.person("Ana")
    ana.start()
    await bot.settle()
    bot.telegram.plant(refuse(429, retry_after=1), "sendMessage", ana.private, times=2)
    ana.say(ana.private, "/games")
    ana.say(ana.private, "/help")
    await bot.settle()
    games, help_page = [one.text for one in ana.sees(ana.private) if one.sender is bot.telegram.bot][-2:]
    assert games == bot.core.texts.plain("en", "games.none")
    assert "/challenge" in help_page
    times = [call.at for call in bot.telegram.calls("sendMessage", ana.private)][-4:]
    assert all(later - earlier >= 0.9 for earlier, later in itertools.pairwise(times[:3]))
