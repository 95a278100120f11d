"""Who is notified: the person to move, once, if he wants it; nobody through a name (D19)."""

from __future__ import annotations

import re

import pytest
from redis.asyncio import Redis

from tests.discord.house import house
from tests.discord.seats import seated
from tests.discord.server import DiscordServer

# Every request by which the bot says something to more than one person.
SAYING = ("create_message", "execute_webhook", "update_message", "create_interaction_response")

# Discord's Markdown shows what follows a backslash as it is, unless that is a letter, a digit or a space.
_UNESCAPE = re.compile(r"\\([^0-9A-Za-z\s])")


async def test_each_board_notifies_the_mover_alone(service: DiscordServer, redis_client: Redis) -> None:
    ana, bo, eva = service.person("Ana"), service.person("Бо"), service.person("Eva")
    channel = service.channel(service.guild("Casa", ana, bo, eva))
    async with house(service, redis_client) as home:
        seats = await seated(home, channel, ana, bo)
        for _ in range(4):
            before = channel.last
            board = await seats.moved()
            assert board.pinged == {seats.mover.user}
            assert board.content.count("<@") == 1
            await service.until(lambda before=before: before.buttons == [])  # type: ignore[misc]  # bound early
        assert sum(len(one.pinged) for one in channel.public) <= len(channel.public)
        assert [one for one in channel.public if one.buttons] == [channel.last]


async def test_who_does_not_want_it_is_not_notified(service: DiscordServer, redis_client: Redis) -> None:
    ana, bo = service.person("Ana"), service.person("Бо")
    channel = service.channel(service.guild("Casa", ana, bo))
    async with house(service, redis_client) as home:
        seats = await seated(home, channel, ana, bo)
        assert (await seats.other.slash(channel, "settings", ping=False)).is_private
        board = await seats.moved()
        assert board.pinged == frozenset()
        assert seats.mover.user.name in board.content
        assert "<@" not in board.content
        assert (await seats.moved()).pinged == {seats.mover.user}, "the other one did not ask for quiet"
        await seats.other.slash(channel, "settings", ping=True)
        assert (await seats.moved()).pinged == {seats.mover.user}


@pytest.mark.parametrize(
    "name",
    ["@everyone", "@here", "<@{eva}>", "<@&{role}>", "<#{channel}>", "||x||", "**x**", "[x](https://example.org)"],
)
async def test_a_name_notifies_nobody_and_looks_as_it_is(
    service: DiscordServer, redis_client: Redis, name: str
) -> None:
    eva, bo = service.person("Eva"), service.person("Бо")
    guild = service.guild("Casa", eva, bo)
    channel = service.channel(guild)
    ana = service.person(name.format(eva=eva.id, role=guild.id, channel=channel.id))
    service.join(guild, ana)
    async with house(service, redis_client) as home:
        seats = await seated(home, channel, ana, bo)
        await seats.moved()
        await seats.moved()
        await ana.slash(channel, "challenge", game="volo", size=6, pie=False)
        await home.board(channel, lambda message: "Accept" in message.buttons)
        for message in channel.public:
            assert message.pinged <= {ana.user, bo.user}
            shown = message.content.replace(f"<@{ana.id}>", "").replace(f"<@{bo.id}>", "")
            assert ana.user.name in _UNESCAPE.sub(r"\1", shown) or "<@" in message.content
            assert re.search(r"(?<!\\)" + re.escape(ana.user.name), shown) is None, shown


async def test_every_request_says_whom_it_may_notify(service: DiscordServer, redis_client: Redis) -> None:
    ana, bo = service.person("Ana"), service.person("Бо")
    channel = service.channel(service.guild("Casa", ana, bo))
    async with house(service, redis_client) as home:
        seats = await seated(home, channel, ana, bo)
        await seats.moved()
        await seats.other.press(channel.last, "Move")
        await seats.mover.press(channel.last, "Move")
        await ana.slash(channel, "rules", game="ayu")
        said = ana.say(channel, f"{service.mention} /help")
        await home.board(channel, after=said)
        checked = 0
        for one in service.requests:
            if one.call.operation not in SAYING:
                continue
            body = one.call.body if "content" in one.call.body else one.call.body.get("data") or {}
            if body.get("content"):
                allowed = body["allowed_mentions"]
                assert allowed["parse"] == []
                assert len(allowed.get("users", ())) <= 1
                assert not allowed.get("replied_user")
                checked += 1
        assert checked >= 6
