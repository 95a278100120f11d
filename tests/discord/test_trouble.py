"""Discord says no, too late, too often or nothing at all: nothing is lost, nothing is said twice."""

from __future__ import annotations

import logging

import pytest
from redis.asyncio import Redis

from rules.actions import PersonId
from tests.bot.table import sentence
from tests.discord import calls, refusals
from tests.discord.house import House, first_move, house, whose_turn
from tests.discord.people import Person
from tests.discord.server import DiscordServer
from tests.discord.world import Channel, ChannelKind, Message


async def table(home: House, service: DiscordServer) -> tuple[Person, Person, Channel]:
    """Two people who have begun a match in a channel: the mover, the other one, and the channel."""
    ana, bo = service.person("Ana"), service.person("Бо")
    channel = service.channel(service.guild("Casa", ana, bo))
    await service.until(lambda: home.adapter.client.get_channel(channel.id) is not None)
    stored = await home.begun(channel, ana, bo)
    mover = whose_turn(stored, ana, bo)
    return mover, bo if mover is ana else ana, channel


async def test_too_many_requests_are_waited_for(service: DiscordServer, redis_client: Redis) -> None:
    async with house(service, redis_client) as home:
        mover, _, channel = await table(home, service)
        service.faults.plant("create_message", calls.too_many(0.2), 2)
        await home.played(channel, mover, first_move(await home.stored(channel)))
        assert service.faults.are_used_up
        assert len(channel.public) == 3


@pytest.mark.parametrize("after", [False, True])
async def test_a_bad_gateway_repeats_no_board(service: DiscordServer, redis_client: Redis, after: bool) -> None:
    async with house(service, redis_client) as home:
        mover, _, channel = await table(home, service)
        service.faults.plant("create_message", calls.bad_gateway(after=after))
        await home.played(channel, mover, first_move(await home.stored(channel)))
        await home.drained()
        assert len(channel.public) == 3
        assert len(channel.last.pinged) == 1


async def test_a_slow_acknowledgement_loses_no_move(service: DiscordServer, redis_client: Redis) -> None:
    async with house(service, redis_client) as home:
        mover, _, channel = await table(home, service)
        service.faults.plant("create_interaction_response", calls.refusal(*refusals.UNKNOWN_INTERACTION))
        before = channel.last
        seen = await mover.slash(channel, "move", move=first_move(await home.stored(channel)))
        assert seen.failed
        await home.board(channel, after=before)
        assert (await home.stored(channel)).match.ply == 1


async def test_an_answer_that_came_too_late_is_said_in_the_channel(service: DiscordServer, redis_client: Redis) -> None:
    async with house(service, redis_client) as home:
        mover, _, channel = await table(home, service)
        service.faults.plant("create_interaction_response", calls.refusal(*refusals.UNKNOWN_INTERACTION))
        before = channel.last
        await mover.slash(channel, "move", move="z99")
        assert (await home.board(channel, after=before)).pinged == frozenset()


async def test_a_deleted_board_is_no_trouble(service: DiscordServer, redis_client: Redis) -> None:
    async with house(service, redis_client) as home:
        mover, _, channel = await table(home, service)
        service.delete(channel.last)
        await home.played(channel, mover, first_move(await home.stored(channel)))
        await service.until(lambda: [one.code for one in service.requests if one.code == 10008] == [10008])


async def test_a_deleted_channel_ends_no_match(service: DiscordServer, redis_client: Redis) -> None:
    async with house(service, redis_client) as home:
        mover, _, channel = await table(home, service)
        stored = await home.stored(channel)
        service.delete_channel(channel)
        seen = await mover.slash(service.dm(mover), "move", move=first_move(stored), match=stored.id)
        assert not seen.failed
        await home.drained()
        assert (await home.match(stored.id)).match.ply == 1


@pytest.mark.parametrize("right", ["view_channel", "send_messages", "attach_files"])
async def test_a_missing_right_is_named_before_a_match_begins(
    service: DiscordServer, redis_client: Redis, right: str
) -> None:
    ana, bo = service.person("Ana"), service.person("Бо", "es-ES")
    channel = service.channel(service.guild("Casa", ana, bo))
    service.permit(channel, service.world.bot, **{right: False})
    async with house(service, redis_client) as home:
        named = sentence(f"permission.{right.replace('_', '-')}", "es")
        seen = await bo.slash(channel, "challenge", game="ayu", opponent=ana)
        assert seen.is_private
        assert named in seen.text
        assert await home.core.store.matches_of(whom(ana)) == []


def whom(person: Person) -> PersonId:
    return PersonId(f"discord:{person.id}")


async def test_a_right_that_is_taken_away_makes_the_match_wait(
    service: DiscordServer, redis_client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.adapters.discord_adapter.sending.LATER_SECONDS", 0.3)
    async with house(service, redis_client) as home:
        mover, other, channel = await table(home, service)
        stored = await home.stored(channel)
        service.permit(channel, service.world.bot, attach_files=False)
        before = channel.last
        # In a private chat he may still move: the channel is told when that is possible.
        await mover.slash(service.dm(mover), "move", move=first_move(stored), match=stored.id)
        notice = await home.board(channel, after=before)
        assert sentence("permission.attach-files") in notice.content
        seen = await other.slash(channel, "move", move=first_move(await home.stored(channel)))
        assert seen.is_private
        assert sentence("permission.attach-files") in seen.text
        assert (await home.match(stored.id)).match.ply == 1
        service.permit(channel, service.world.bot, attach_files=None)
        board = await home.board(channel, lambda message: bool(message.attachments), after=before)
        assert other.user in board.pinged
        assert [one for one in channel.public if "Attach" in one.content] == [notice], "said once"


async def test_closed_direct_messages_hold_up_nobody(service: DiscordServer, redis_client: Redis) -> None:
    async with house(service, redis_client) as home:
        ana, bo = service.person("Ana"), service.person("Бо")
        channel = service.channel(service.guild("Casa", ana, bo))
        await service.until(lambda: home.adapter.client.get_channel(channel.id) is not None)
        await ana.slash(channel, "challenge", game="ayu", size=9, pie=False, opponent=bo)
        await home.board(channel)
        stored = await home.stored(channel)
        assert not (await bo.slash(service.dm(bo), "accept", code=stored.id)).failed
        await home.drained()
        bo.user.dms_open = False
        stored = await home.match(stored.id)
        before = channel.last
        mover = whose_turn(stored, ana, bo)
        await mover.slash(channel, "move", move=first_move(stored), match=stored.id)
        await home.board(channel, after=before)
        await home.drained()
        assert (await home.match(stored.id)).match.ply == 1


async def test_what_is_private_goes_to_closed_direct_messages_nowhere(
    service: DiscordServer, redis_client: Redis
) -> None:
    async with house(service, redis_client) as home:
        mover, _, channel = await table(home, service)
        before = channel.last
        mover.say(channel, f"{service.mention} /mydata")
        await service.until(lambda: service.dm(mover).public)
        mover.user.dms_open = False
        mover.say(channel, f"{service.mention} /mydata")
        answer = await home.board(channel, lambda message: message.author is service.world.bot, after=before)
        assert answer.content == sentence("discord.closed")
        assert answer.attachments == []


async def test_who_has_left_is_named_and_not_pinged(service: DiscordServer, redis_client: Redis) -> None:
    async with house(service, redis_client) as home:
        mover, other, channel = await table(home, service)
        assert channel.guild is not None
        service.leave(channel.guild, other)
        board = await home.played(channel, mover, first_move(await home.stored(channel)))
        assert board.pinged == frozenset()
        assert other.mention not in board.content
        assert other.user.name in board.content


# ---- threads ---------------------------------------------------------------------------------------------------------


async def threaded(home: House, service: DiscordServer) -> tuple[Person, Person, Channel]:
    """The same in a thread of its own."""
    ana, bo = service.person("Ana"), service.person("Бо")
    channel = service.channel(service.guild("Casa", ana, bo))
    await service.until(lambda: home.adapter.client.get_channel(channel.id) is not None)
    await ana.slash(channel, "challenge", game="ayu", size=9, pie=False, opponent=bo, thread=True)
    await service.until(lambda: any(one.is_thread for one in service.world.channels.values()))
    thread = next(one for one in service.world.channels.values() if one.is_thread)
    challenge: Message = await home.board(thread)
    await bo.press(challenge, "Accept")
    await home.board(thread, after=challenge)
    stored = await home.stored(thread)
    mover = whose_turn(stored, ana, bo)
    return mover, bo if mover is ana else ana, thread


async def test_a_match_has_a_thread_of_its_own(service: DiscordServer, redis_client: Redis) -> None:
    async with house(service, redis_client) as home:
        mover, _, thread = await threaded(home, service)
        assert thread.kind is ChannelKind.PUBLIC_THREAD
        assert "Ayu 9" in thread.name
        await home.played(thread, mover, first_move(await home.stored(thread)))
        assert thread.parent is not None
        assert thread.parent.public == []


async def test_an_archived_thread_is_opened_again(service: DiscordServer, redis_client: Redis) -> None:
    async with house(service, redis_client) as home:
        mover, _, thread = await threaded(home, service)
        stored = await home.stored(thread)
        service.archive(thread)
        before = thread.last
        await mover.slash(service.dm(mover), "move", move=first_move(stored), match=stored.id)
        await home.board(thread, after=before)
        assert not thread.archived


async def test_of_a_locked_thread_the_channel_is_told(service: DiscordServer, redis_client: Redis) -> None:
    async with house(service, redis_client) as home:
        mover, other, thread = await threaded(home, service)
        stored = await home.stored(thread)
        service.archive(thread, locked=True)
        assert thread.parent is not None
        await mover.slash(service.dm(mover), "move", move=first_move(stored), match=stored.id)
        board = await home.board(thread.parent)
        assert other.user in board.pinged
        assert (await home.match(stored.id)).match.ply == 1


async def test_no_thread_without_the_right_to_open_one(service: DiscordServer, redis_client: Redis) -> None:
    ana = service.person("Ana", "ru")
    channel = service.channel(service.guild("Casa", ana))
    service.permit(channel, service.world.bot, create_public_threads=False)
    async with house(service, redis_client) as home:
        seen = await ana.slash(channel, "challenge", game="ayu", thread=True)
        assert (seen.text, seen.is_private) == (sentence("notice.no-thread", "ru"), True)
        assert await home.core.store.matches_of(whom(ana)) == []


# ---- secrets ---------------------------------------------------------------------------------------------------------


async def test_the_token_is_nowhere_to_be_read(
    service: DiscordServer, redis_client: Redis, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    async with house(service, redis_client) as home:
        mover, _, channel = await table(home, service)
        service.faults.plant("create_message", calls.bad_gateway())
        await home.played(channel, mover, first_move(await home.stored(channel)))
        service.gateway.drop()
        await service.until(lambda: len(service.gateway.connections) == 1, 20)
        shown = [home.adapter, home.adapter.client, home.adapter.client.http, vars(home.adapter.client)]
        assert service.token not in repr(shown[:3])
    assert len(caplog.records) > 30
    assert service.token not in caplog.text
    assert all(service.token not in one.content for one in channel.messages)
