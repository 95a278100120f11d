"""Threads that are archived, locked or deleted: the match goes on, and people are told where (D10)."""

from __future__ import annotations

import pytest
from redis.asyncio import Redis

from tests.bot.table import sentence
from tests.discord.calls import refusal
from tests.discord.house import House, first_move, house
from tests.discord.refusals import ARCHIVED
from tests.discord.seats import Seats, seated, seated_in_thread
from tests.discord.server import DiscordServer
from tests.discord.world import ChannelKind


async def table(home: House) -> Seats:
    """Ana and Бо in a thread that was opened for their match."""
    service = home.service
    ana, bo = service.person("Ana"), service.person("Бо", "ru")
    channel = service.channel(service.guild("Casa", ana, bo))
    await service.until(lambda: home.adapter.client.get_channel(channel.id) is not None)
    return await seated_in_thread(home, channel, ana, bo)


async def test_who_acts_in_an_archived_thread_is_answered_and_the_thread_opens(
    service: DiscordServer, redis_client: Redis
) -> None:
    async with house(service, redis_client) as home:
        seats = await table(home)
        board = seats.channel.last
        service.archive(seats.channel)
        refused = await seats.other.press(board, "Move")
        assert refused.is_private
        assert sentence("fault.not-your-turn", "ru" if seats.other.user.locale == "ru" else "en") in refused.text
        assert (await seats.mover.press(board, "Move")).is_private
        assert service.sent("update_channel") == 0, "nothing was said to the thread"
        await seats.moved()
        assert not seats.channel.archived
        await service.until(lambda: board.buttons == [])


@pytest.mark.parametrize("archived", [True, False])
async def test_after_a_locked_thread_is_opened_the_boards_come_back_to_it(
    service: DiscordServer, redis_client: Redis, archived: bool
) -> None:
    async with house(service, redis_client) as home:
        seats = await table(home)
        thread, parent = seats.channel, seats.channel.parent
        assert parent is not None
        service.archive(thread, archived=archived, locked=True)
        standing = len(thread.public)
        await seats.move(service.dm(seats.mover))
        in_parent = await home.board(parent)
        assert in_parent.pinged == {seats.mover.user}
        # The board in the parent channel is as good as any: the next move is made on it.
        assert (await seats.mover.press(in_parent, "Move")).is_private
        assert len(thread.public) == standing
        service.archive(thread, archived=False)
        await seats.moved(service.dm(seats.mover))
        await service.until(lambda: in_parent.buttons == [])
        assert await seats.ply() == 2


@pytest.mark.parametrize("archived", [True, False])
async def test_an_old_board_in_a_closed_thread_keeps_its_buttons_since_nothing_can_be_edited_there(
    service: DiscordServer, redis_client: Redis, archived: bool
) -> None:
    """Discord edits no message of an archived thread, and a locked one only its moderators open.

    Where it is locked alone, the old board loses its buttons as everywhere. What is pressed is answered by what is now.
    """
    async with house(service, redis_client) as home:
        seats = await table(home)
        thread, old, parent = seats.channel, seats.channel.last, seats.channel.parent
        assert parent is not None
        service.archive(thread, archived=archived, locked=True)
        await seats.move(service.dm(seats.mover))
        await home.board(parent)
        await home.drained()
        if not archived:
            await service.until(lambda: old.buttons == [])
            return
        assert old.buttons
        # Whoever moved, and whoever is to move now: both are shown the way to the board as it is.
        for person in (seats.other, seats.mover):
            stale, language = await person.press(old, "Move"), person.user.locale[:2]
            assert stale.is_private
            assert sentence("fault.stale", language) in stale.text
            told = stale.first
            await person.press(told, sentence("button.board", language))
            await home.board(thread, lambda _, told=told: bool(told.attachments))
            assert sentence("button.move", language) in told.buttons
        refused = [one for one in service.requests if one.code in (50083, 50013)]
        assert len(refused) <= 3, "what cannot be is not tried again and again"


async def test_a_deleted_thread_leaves_the_match_to_its_channel(service: DiscordServer, redis_client: Redis) -> None:
    async with house(service, redis_client) as home:
        seats = await table(home)
        parent = seats.channel.parent
        assert parent is not None
        service.delete_channel(seats.channel)
        await seats.move(service.dm(seats.mover))
        first = await home.board(parent)
        assert first.pinged == {seats.mover.user}
        # Typed in the channel: the match is found there by its id.
        await seats.move(parent)
        second = await home.board(parent, after=first)
        assert second.pinged == {seats.mover.user}
        await service.until(lambda: first.buttons == [])


async def test_a_thread_and_its_channel_that_are_gone_end_no_match(service: DiscordServer, redis_client: Redis) -> None:
    async with house(service, redis_client) as home:
        seats = await table(home)
        assert seats.channel.parent is not None
        service.delete_channel(seats.channel.parent)
        await seats.move(service.dm(seats.mover))
        await seats.move(service.dm(seats.mover))
        await home.drained()
        assert (await seats.stored()).match.live
        assert not await seats.waits()
        posts = service.sent("create_message")
        await home.drained()
        assert service.sent("create_message") == posts, "not tried again and again"


async def test_a_thread_that_stays_archived_whatever_is_done_holds_up_nobody(
    service: DiscordServer, redis_client: Redis
) -> None:
    async with house(service, redis_client) as home:
        seats = await table(home)
        parent = seats.channel.parent
        assert parent is not None
        service.faults.plant("create_message", refusal(*ARCHIVED), 2)
        await seats.move()
        board = await home.board(parent)
        assert board.pinged == {seats.mover.user}
        assert service.faults.are_used_up


async def test_a_match_in_somebody_elses_thread(service: DiscordServer, redis_client: Redis) -> None:
    async with house(service, redis_client) as home:
        ana, bo = service.person("Ana"), service.person("Бо")
        channel = service.channel(service.guild("Casa", ana, bo))
        thread = service.thread(channel, "chat about everything")
        await service.until(lambda: home.adapter.client.get_channel(thread.id) is not None)
        seats = await seated(home, thread, ana, bo)
        await seats.moved()
        # Asked for in a thread, a thread for the match is that thread.
        await ana.slash(thread, "challenge", game="volo", size=6, pie=False, thread=True)
        await home.board(thread, lambda message: "Accept" in message.buttons)
        assert channel.public == []
        assert service.sent("create_thread") == 0


async def test_an_archived_board_keeps_its_buttons_and_nobody_is_hurt(
    service: DiscordServer, redis_client: Redis
) -> None:
    async with house(service, redis_client) as home:
        seats = await table(home)
        old = seats.channel.last
        service.faults.plant("update_message", refusal(*ARCHIVED))
        await seats.moved()
        await service.until(lambda: service.faults.are_used_up)
        assert old.buttons
        seen = await seats.mover.press(old, "Move")
        assert seen.is_private
        assert not seen.failed


async def test_a_post_in_a_forum_is_a_thread_like_others_with_nothing_above_it(
    service: DiscordServer, redis_client: Redis
) -> None:
    ana, bo = service.person("Ana"), service.person("Бо")
    async with house(service, redis_client) as home:
        forum = service.channel(service.guild("Casa", ana, bo), "boards", ChannelKind.FORUM)
        post = service.thread(forum, "who plays?", ana)
        await service.until(lambda: home.adapter.client.get_channel(post.id) is not None)
        seats = await seated(home, post, ana, bo)
        await seats.moved()
        service.archive(post)
        await seats.moved(service.dm(seats.mover))
        service.archive(post, locked=True)
        standing = len(post.public)
        await seats.move(service.dm(seats.mover))
        await home.drained()
        assert len(post.public) == standing
        assert not await seats.waits(), "there is nowhere else: whoever looks with /board sees it"
        service.archive(post, archived=False)
        await seats.moved()


async def test_a_thread_that_was_archived_before_the_bot_started(service: DiscordServer, redis_client: Redis) -> None:
    async with house(service, redis_client) as home:
        seats = await table(home)
        service.archive(seats.channel)
    async with house(service, redis_client) as home:
        seats.home = home
        assert home.adapter.client.get_channel(seats.channel.id) is None
        await seats.moved(service.dm(seats.mover))
        assert not seats.channel.archived
        service.archive(seats.channel)
        stored = await seats.stored()
        before = seats.channel.last
        said = seats.mover.say(seats.channel, f"{service.mention} {first_move(stored)}", reply_to=before)
        await home.board(seats.channel, lambda message: bool(message.attachments), after=said)
        assert await seats.ply() == 2


async def test_a_message_that_is_gone_before_it_is_answered(service: DiscordServer, redis_client: Redis) -> None:
    async with house(service, redis_client) as home:
        seats = await table(home)
        said = seats.mover.say(seats.channel, f"{service.mention} z99")
        service.delete(said)
        before = seats.channel.last
        answer = await home.board(seats.channel, after=before)
        assert answer.reference is None
        assert answer.pinged == frozenset()


async def test_a_match_has_its_thread_in_an_announcement_channel_too(
    service: DiscordServer, redis_client: Redis
) -> None:
    async with house(service, redis_client) as home:
        ana, bo = service.person("Ana"), service.person("Бо")
        channel = service.channel(service.guild("Casa", ana, bo), "news", ChannelKind.NEWS)
        await service.until(lambda: home.adapter.client.get_channel(channel.id) is not None)
        seats = await seated_in_thread(home, channel, ana, bo)
        await seats.moved()
        assert channel.public == []
