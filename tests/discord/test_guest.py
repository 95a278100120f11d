"""Where the bot is no member: the board is the answer to the mover's own interaction, and nothing comes later."""

from __future__ import annotations

from redis.asyncio import Redis

from rules.actions import PersonId
from tests.bot.table import sentence
from tests.discord.house import first_move, house, whose_turn
from tests.discord.people import Person
from tests.discord.server import DiscordServer
from tests.discord.world import Channel, ChannelKind


async def played_as_a_guest(service: DiscordServer, client: Redis, channel: Channel, ana: Person, bo: Person) -> None:
    async with house(service, client) as home:
        seen = await ana.slash(channel, "challenge", game="ayu", size=9, pie=False, opponent=bo)
        assert not seen.is_private
        assert sentence("notice.guest")[:30] in seen.text
        challenge = seen.first
        assert challenge.pinged == {bo.user}
        accepted = await bo.press(challenge, "Accept")
        assert accepted.updated
        await service.until(lambda: channel.last is not challenge and channel.last.attachments)
        board = channel.last
        assert challenge.buttons == []
        (match,) = await home.core.store.matches_of(person_id(ana))
        stored = await home.match(match)
        assert stored.places == ()
        mover = whose_turn(stored, ana, bo)
        seen = await mover.slash(channel, "move", move=first_move(stored))
        assert not seen.is_private
        await service.until(lambda: seen.first.attachments)
        assert seen.first.file.description
        assert seen.first.pinged == {whose_turn(await home.match(match), ana, bo).user}
        stored = await home.match(match)
        assert stored.match.ply == 1
        # Step by step: the private step goes, the board comes for all.
        other = whose_turn(stored, ana, bo)
        step = (await other.press(seen.first, "Move")).first
        assert step.is_private
        form = await other.press(step, "Type it")
        await other.submit(form, {"move": first_move(stored)})
        await service.until(lambda: channel.last is not seen.first and channel.last.attachments)
        await service.until(lambda: step not in channel.messages)
        # What was missed is one command away.
        again = await mover.slash(channel, "board")
        assert first_move(stored) in again.text
        stale = await mover.press(board, "Move")
        assert stale.is_private
        assert not stale.failed
        await home.drained()
        assert service.sent("create_message") == 0


def person_id(person: Person) -> PersonId:
    return PersonId(f"discord:{person.id}")


async def test_in_a_server_without_the_bot(service: DiscordServer, redis_client: Redis) -> None:
    ana, bo = service.person("Ana", has_app=True), service.person("Бо", has_app=True)
    channel = service.channel(service.guild("Casa", ana, bo, has_bot=False))
    await played_as_a_guest(service, redis_client, channel, ana, bo)


async def test_in_a_group_of_people(service: DiscordServer, redis_client: Redis) -> None:
    ana, bo = service.person("Ana", has_app=True), service.person("Бо", has_app=True)
    channel = service.group_dm(ana, bo)
    assert channel.kind is ChannelKind.GROUP_DM
    await played_as_a_guest(service, redis_client, channel, ana, bo)


async def test_no_thread_for_a_guest(service: DiscordServer, redis_client: Redis) -> None:
    ana = service.person("Ana", has_app=True)
    channel = service.channel(service.guild("Casa", ana, has_bot=False))
    async with house(service, redis_client):
        seen = await ana.slash(channel, "challenge", game="ayu", thread=True)
        assert (seen.text, seen.is_private) == (sentence("notice.no-thread"), True)
