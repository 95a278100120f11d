"""Matches in direct messages, and people who take none (D13)."""

from __future__ import annotations

from redis.asyncio import Redis

from rules.actions import PersonId
from rules.match import Status
from storage.base import MatchId
from tests.bot.table import texts
from tests.discord.house import House, first_move, house, whose_turn
from tests.discord.people import Person
from tests.discord.seats import seated
from tests.discord.server import DiscordServer


async def test_a_match_between_two_private_chats(service: DiscordServer, redis_client: Redis) -> None:
    ana, bo = service.person("Ana", has_app=True), service.person("Бо", "ru", has_app=True)
    async with house(service, redis_client) as home:
        match = await begun_privately(home, ana, bo)
        mover = whose_turn(await home.match(match), ana, bo)
        other = bo if mover is ana else ana
        mine, theirs = service.dm(mover), service.dm(other)
        before = (mine.last, theirs.last)
        await mover.slash(mine, "move", move=first_move(await home.match(match)))
        await home.board(mine, after=before[0])
        board = await home.board(theirs, after=before[1])
        assert board.pinged == {other.user}
        assert mine.last.pinged == frozenset()
        assert (await other.press(board, "Move")).answers


async def begun_privately(home: House, ana: Person, bo: Person) -> MatchId:
    """An open challenge of Ana's that Бо takes up by its code, each in the own chat with the bot."""
    service = home.service
    await ana.slash(service.dm(ana), "challenge", game="ayu", size=9, pie=False)
    challenge = await home.board(service.dm(ana))
    (match,) = await home.core.store.matches_of(PersonId(f"discord:{ana.id}"))
    assert match in challenge.content
    await bo.slash(service.dm(bo), "accept", code=match)
    await home.board(service.dm(bo), lambda message: bool(message.attachments))
    await home.board(service.dm(ana), lambda message: bool(message.attachments), after=challenge)
    return match


async def test_a_challenge_that_nobody_else_sees_says_how_it_is_accepted(
    service: DiscordServer, redis_client: Redis
) -> None:
    ana, bo = service.person("Ana", "es-ES", has_app=True), service.person("Бо", "ru", has_app=True)
    channel = service.channel(service.guild("Casa", bo))
    async with house(service, redis_client) as home:
        for opponent in ({}, {"opponent": bo}):
            own = service.dm(ana)
            before = own.last if own.messages else None
            await ana.slash(own, "challenge", game="ayu", size=9, pie=False, **opponent)
            challenge = await home.board(own, after=before)
            match, *_ = await home.core.store.matches_of(PersonId(f"discord:{ana.id}"))
            assert challenge.content.endswith(texts().catalog("es").forms["discord.door"][0].format(match=match))
            # On a server or in a private chat, as it says.
            where = channel if opponent else service.dm(bo)
            seen = await bo.slash(where, "accept", code=match)
            assert not seen.failed
            await home.drained()
            assert (await home.match(match)).match.status is Status.PLAYING


async def test_who_closes_his_direct_messages_holds_up_nobody_and_finds_his_board_later(
    service: DiscordServer, redis_client: Redis
) -> None:
    ana, bo = service.person("Ana", has_app=True), service.person("Бо", has_app=True)
    async with house(service, redis_client) as home:
        match = await begun_privately(home, ana, bo)
        for person in (ana, bo):
            person.user.dms_open = False
        for ply in (1, 2):
            mover = whose_turn(await home.match(match), ana, bo)
            # An answer to an interaction is no message out of the blue: it arrives.
            assert not (await mover.slash(service.dm(mover), "move", move=first_move(await home.match(match)))).failed
            await home.drained()
            assert (await home.match(match)).match.ply == ply
            assert await home.core.store.behind(("discord",), home.core.clock.now_ms() + 86_400_000) == []
        mover = whose_turn(await home.match(match), ana, bo)
        shown = await mover.slash(service.dm(mover), "board")
        assert shown.first.file.description
        mover.user.dms_open = True
        before = service.dm(mover).last
        await mover.slash(service.dm(mover), "move", move=first_move(await home.match(match)))
        await home.board(service.dm(mover), after=before)
        refused = [one for one in service.requests if one.code == 50007]
        assert len(refused) <= 5, "each board is tried once"


async def test_the_bot_writes_to_nobody_out_of_the_blue(service: DiscordServer, redis_client: Redis) -> None:
    ana, bo = service.person("Ana"), service.person("Бо")
    channel = service.channel(service.guild("Casa", ana, bo))
    async with house(service, redis_client) as home:
        seats = await seated(home, channel, ana, bo)
        await seats.moved()
        await seats.moved()
        assert service.sent("create_dm") == 0


async def test_a_private_chat_that_is_shut_does_not_keep_the_channel_from_its_board(
    service: DiscordServer, redis_client: Redis
) -> None:
    ana, bo = service.person("Ana"), service.person("Бо")
    channel = service.channel(service.guild("Casa", ana, bo))
    async with house(service, redis_client) as home:
        await ana.slash(channel, "challenge", game="ayu", size=9, pie=False, opponent=bo)
        challenge = await home.board(channel)
        match = (await home.stored(channel)).id
        bo.user.dms_open = False
        assert not (await bo.slash(service.dm(bo), "accept", code=match)).failed
        board = await home.board(channel, lambda message: bool(message.attachments), after=challenge)
        mover = whose_turn(await home.match(match), ana, bo)
        assert board.pinged == {mover.user}
        await home.drained()
        assert (await home.match(match)).match.live
