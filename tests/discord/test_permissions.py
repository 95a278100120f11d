"""Rights that the bot has not, or has no more: named before a match begins, waited for in mid-match (D8, D9)."""

from __future__ import annotations

from pathlib import Path

import discord
import pytest
from redis.asyncio import Redis

from bot.adapters.discord_adapter.permissions import INVITED_WITH, invite_link
from tests.bot.table import sentence
from tests.discord.house import house, place_of
from tests.discord.seats import seated, seated_in_thread
from tests.discord.server import DiscordServer
from tests.discord.world import EVERYBODY_MAY

A_PERSON_MAY = discord.Permissions(view_channel=True, send_messages=True, use_application_commands=True)


async def test_what_the_invite_link_asks_for_is_enough(service: DiscordServer, redis_client: Redis) -> None:
    ana, bo = service.person("Ana"), service.person("Бо")
    guild = service.guild("Casa", ana, bo, everybody_may=discord.Permissions.none(), bot_may=INVITED_WITH)
    channel = service.channel(guild)
    for person in (ana, bo):
        service.permit(channel, person, view_channel=True, send_messages=True, use_application_commands=True)
    async with house(service, redis_client) as home:
        seats = await seated(home, channel, ana, bo)
        await seats.moved()
        assert (await seats.mover.press(channel.last, "Move")).is_private
        said = seats.mover.say(channel, f"{service.mention} b", reply_to=channel.last)
        # An answer that is no reply: that would take the right to read what was said before.
        answer = await home.board(channel, lambda message: message.author is service.world.bot, after=said)
        assert answer.reference is None
        threaded = await seated_in_thread(home, channel, ana, bo)
        await threaded.moved()
        service.archive(threaded.channel)
        await threaded.moved(service.dm(threaded.mover))
        assert not [one for one in service.requests if one.code in (50001, 50013)]


def test_the_invite_link_asks_for_no_more() -> None:
    needed = ("view_channel", "send_messages", "send_messages_in_threads", "create_public_threads", "attach_files")
    assert discord.Permissions(**dict.fromkeys(needed, True)) == INVITED_WITH
    readme = (Path(__file__).parent.parent.parent / "README.md").read_text(encoding="utf-8")
    assert invite_link("APPLICATION_ID") in readme


@pytest.mark.parametrize("language", ["en", "es-419", "ru"])
async def test_a_thread_where_the_bot_may_not_write_is_named(
    service: DiscordServer, redis_client: Redis, language: str
) -> None:
    ana, bo = service.person("Ana", language), service.person("Бо")
    parent = service.channel(service.guild("Casa", ana, bo))
    service.permit(parent, service.world.bot, send_messages_in_threads=False)
    thread = service.thread(parent)
    async with house(service, redis_client) as home:
        seen = await ana.slash(thread, "challenge", game="ayu", opponent=bo)
        assert seen.is_private
        assert sentence("permission.send-in-threads", language[:2]) in seen.text
        assert await home.core.store.matches_in(place_of(thread)) == []


async def test_a_challenge_is_not_accepted_where_the_board_could_not_stand(
    service: DiscordServer, redis_client: Redis
) -> None:
    ana, bo = service.person("Ana"), service.person("Бо")
    channel = service.channel(service.guild("Casa", ana, bo))
    async with house(service, redis_client) as home:
        await ana.slash(channel, "challenge", game="ayu", size=9, pie=False)
        challenge = await home.board(channel)
        service.permit(channel, service.world.bot, attach_files=False)
        await service.until(lambda: not may(home.adapter.client, channel.id).attach_files)
        seen = await bo.press(challenge, "Accept")
        assert seen.is_private
        assert sentence("permission.attach-files") in seen.text
        service.permit(channel, service.world.bot, attach_files=None)
        await bo.press(challenge, "Accept")
        assert (await home.board(channel, after=challenge)).attachments


def may(client: discord.Client, channel_id: int) -> discord.Permissions:
    """What the bot believes that it may do."""
    channel = client.get_channel(channel_id)
    assert isinstance(channel, discord.TextChannel)
    return channel.permissions_for(channel.guild.me)


@pytest.mark.parametrize("right", ["view_channel", "send_messages", "attach_files"])
async def test_the_match_waits_and_goes_on_where_somebody_moves_again(
    service: DiscordServer, redis_client: Redis, right: str
) -> None:
    ana, bo = service.person("Ana"), service.person("Бо")
    channel = service.channel(service.guild("Casa", ana, bo))
    async with house(service, redis_client) as home:
        seats = await seated(home, channel, ana, bo)
        service.permit(channel, service.world.bot, **{right: False})
        board = channel.last
        await seats.move(service.dm(seats.mover))
        await service.until(lambda: any(one.code in (50001, 50013) for one in service.requests))
        seen = await seats.mover.press(board, "Move")
        assert seen.is_private
        assert await seats.ply() == 1
        assert await seats.waits()
        service.permit(channel, service.world.bot, **{right: None})
        # It would be tried again in a minute at the latest; whoever plays there does not wait so long.
        shown = await seats.moved()
        assert shown.pinged == {seats.mover.user}
        assert shown.file.description
        refused = [one for one in service.requests if one.code in (50001, 50013)]
        assert len(refused) <= 2, "the channel is not asked again and again"


async def test_a_role_that_changes_is_as_good_as_a_channel(service: DiscordServer, redis_client: Redis) -> None:
    ana, bo = service.person("Ana"), service.person("Бо", "es-ES")
    guild = service.guild("Casa", ana, bo)
    channel = service.channel(guild)
    async with house(service, redis_client) as home:
        seats = await seated(home, channel, ana, bo)
        service.change_role(guild, guild.roles[guild.id], attach_files=False)
        before, kept = channel.last, await seats.ply()
        seen = await seats.mover.slash(channel, "move", move="a1a2")
        language = "es" if seats.mover is bo else "en"
        assert sentence("permission.attach-files", language) in seen.text
        assert (channel.last, await seats.ply()) == (before, kept)


async def test_a_bot_that_is_put_out_keeps_the_match_and_comes_back(
    service: DiscordServer, redis_client: Redis
) -> None:
    ana, bo = service.person("Ana"), service.person("Бо")
    guild = service.guild("Casa", ana, bo)
    channel = service.channel(guild)
    async with house(service, redis_client) as home:
        seats = await seated(home, channel, ana, bo)
        service.remove_bot(guild)
        await service.until(lambda: home.adapter.client.get_guild(guild.id) is None)
        await seats.move(service.dm(seats.mover))
        await service.until(lambda: service.sent("create_message") > len(channel.public))
        assert await seats.waits()
        assert seats.match in (await ana.slash(service.dm(ana), "games")).text
        service.invite_bot(guild)
        await service.until(lambda: home.adapter.client.get_guild(guild.id) is not None)
        board = await seats.moved()
        assert board.pinged == {seats.mover.user}
        assert (await seats.mover.press(board, "Move")).is_private


async def test_a_server_without_rights_does_not_hold_up_another(service: DiscordServer, redis_client: Redis) -> None:
    ana, bo = service.person("Ana"), service.person("Бо")
    closed, open_ = (service.channel(service.guild(name, ana, bo)) for name in ("Closed", "Open"))
    async with house(service, redis_client) as home:
        first = await seated(home, closed, ana, bo)
        second = await seated(home, open_, ana, bo)
        service.permit(closed, service.world.bot, send_messages=False)
        await first.move(service.dm(first.mover))
        await second.moved()
        assert EVERYBODY_MAY.send_messages
        assert len(closed.public) == 2
