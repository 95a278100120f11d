"""How updates come in: saved before they are confirmed, done once, in order; by polling and by a webhook."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence

import pytest
import pytest_asyncio
from redis.asyncio import Redis

from bot.ports import StoreUnavailableError
from tests.telegram.bot import Bot, running_bot
from tests.telegram.faults import slow
from tests.telegram.model import Message
from tests.telegram.play import begin, label, match_of, newest_board
from tests.telegram.server import Telegram


@pytest_asyncio.fixture(params=["polling", "webhook"])
async def either(request: pytest.FixtureRequest, telegram: Telegram, redis_client: Redis) -> AsyncIterator[Bot]:
    """A bot that polls, then one with a webhook."""
    async with running_bot(telegram, redis_client, webhook=request.param == "webhook") as running:
        yield running


def texts(messages: Sequence[Message]) -> list[str]:
    """What the messages say."""
    return [one.text for one in messages]


async def test_what_is_delivered_again_is_done_once_and_answered_once(either: Bot) -> None:
    telegram = either.telegram
    people = telegram.person("Ana", username="ana"), telegram.person("Бо")
    match = await begin(either, people, telegram.group("Friends", *people))
    await match.type_one()
    people[0].say(people[0].private, "/help")
    await either.settle()
    before, written = await match.stored(), len(telegram.calls("sendMessage")) + len(telegram.calls("sendPhoto"))
    telegram.updates.again(last=9)
    await either.settle()
    assert (await match.stored()).version == before.version
    assert len(telegram.calls("sendMessage")) + len(telegram.calls("sendPhoto")) == written


async def test_a_double_tap_makes_one_move_and_both_are_answered(either: Bot) -> None:
    people = either.telegram.person("Ana", username="ana"), either.telegram.person("Бо")
    group = either.telegram.group("Friends", *people)
    people[0].say(group, "/challenge ayu 9")
    await either.settle()
    board = newest_board(people[1], group)
    taps = [people[1].tap(board, label(either, "accept")) for _ in range(3)]
    for tap in taps:
        await people[1].answered(tap)
    await either.settle()
    stored = await either.core.store.load(match_of(board))
    assert stored is not None
    assert stored.version == 2


async def test_many_updates_of_one_chat_are_taken_in_their_order(either: Bot) -> None:
    people = either.telegram.person("Ana"), either.telegram.person("Бо")
    group = either.telegram.group("Friends", *people)
    match = await begin(either, people, group, pie="nopie")
    planned = []
    position = (await match.stored()).match.record.position
    mover = await match.mover()
    for number in range(8):
        move = position.legal_moves()[0]
        planned.append(position.write(move))
        people[(mover + number) % 2].say(group, f"/m {planned[-1]}")
        position = position.play(move)
    await either.settle()
    assert list((await match.stored()).match.tokens) == planned


async def test_an_update_that_cannot_be_saved_comes_again(either: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server of games is away for a moment: nothing is confirmed, nothing is lost."""
    ana = either.telegram.person("Ana")
    ana.start()
    await either.settle()

    async def away(*_: object) -> object:
        raise StoreUnavailableError("away")

    with monkeypatch.context() as patch:
        patch.setattr(either.core.store, "settings", away)
        ana.say(ana.private, "/challenge ayu 9")
        ana.say(ana.private, "/games")
        await asyncio.sleep(0.3)
        assert len(either.telegram.updates.pending) == 2
    await either.settle()
    seen = texts(ana.sees(ana.private))
    assert sum("https://t.me/" in text for text in seen) == 1
    assert either.core.texts.plain("en", "games.title") in seen[-1] + seen[-2]


async def test_what_the_library_cannot_read_is_left_out(either: Bot, caplog: pytest.LogCaptureFixture) -> None:
    ana = either.telegram.person("Ana")
    ana.start()
    await either.settle()
    either.telegram.updates.publish("message", {"message_id": 1, "chat": {"id": "?"}}, ana.id)
    ana.say(ana.private, "/games")
    await either.settle()
    assert either.core.texts.plain("en", "games.none") in texts(ana.sees(ana.private))[-1]
    assert "cannot be read" in caplog.text


async def test_a_crowded_button_is_answered_at_once(either: Bot) -> None:
    """T8: nothing that is slow stands before the answer, and one that comes too late is no error."""
    people = either.telegram.person("Ana"), either.telegram.person("Бо")
    group = either.telegram.group("Friends", *people)
    match = await begin(either, people, group)
    board = match.board(0)
    either.telegram.plant(slow(1.0), "sendPhoto", group, times=1)
    await match.type_one()
    late = people[0].tap(board, label(either, "move"), stale=True)
    either.telegram.expire(late)
    await either.settle()
    assert late.answer is None
    await people[0].press(match.board(0), label(either, "resign"))
