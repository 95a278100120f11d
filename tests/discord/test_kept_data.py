"""What is kept: no address of a picture (D7), and of a person nothing that he wants deleted (D22)."""

from __future__ import annotations

from redis.asyncio import Redis

from tests.discord.house import house
from tests.discord.seats import seated
from tests.discord.server import DiscordServer


async def kept(client: Redis) -> bytes:
    """Everything in the database, as one text."""
    found = []
    async for key in client.scan_iter():
        found += [key, await client.dump(key) or b""]
        match await client.type(key):
            case b"hash":
                found += [one for pair in (await client.hgetall(key)).items() for one in pair]
            case b"list":
                found += await client.lrange(key, 0, -1)
            case b"set":
                found += await client.smembers(key)
            case b"zset":
                found += await client.zrange(key, 0, -1)
            case b"string":
                found.append(await client.get(key) or b"")
            case b"stream":
                found.append(repr(await client.xrange(key)).encode())
    return b"\n".join(found)


async def test_no_address_of_a_picture_is_kept_and_boards_are_drawn_anew(
    service: DiscordServer, redis_client: Redis
) -> None:
    ana, bo = service.person("Ana"), service.person("Бо")
    channel = service.channel(service.guild("Casa", ana, bo))
    async with house(service, redis_client) as home:
        seats = await seated(home, channel, ana, bo)
        await seats.moved()
        everything = await kept(redis_client)
        assert b"Ana" in everything
        assert b"http" not in everything
        assert b"attachments" not in everything
    # A day later Discord has let the file go, and the bot has been started again.
    channel.last.attachments.clear()
    async with house(service, redis_client):
        seen = await ana.slash(channel, "board")
        assert seen.first.file.content == b"ayu"
        assert seen.first.file.description


async def test_a_changed_message_has_one_picture(service: DiscordServer, redis_client: Redis) -> None:
    ana, bo = service.person("Ana"), service.person("Бо")
    channel = service.channel(service.guild("Casa", ana, bo))
    async with house(service, redis_client) as home:
        seats = await seated(home, channel, ana, bo)
        asked = await seats.mover.press(channel.last, "Move")
        step = asked.first
        assert len(step.attachments) == 1
        edits = step.edits
        first = step.pressables[0]
        if first.options:
            await seats.mover.select(step, first.custom_id, first.options[0][1])
        else:
            await seats.mover.press(step, first.custom_id)
        await service.until(lambda: step.edits > edits)
        assert len(step.attachments) == 1


async def test_my_data_is_a_file_for_my_eyes(service: DiscordServer, redis_client: Redis) -> None:
    ana, bo = service.person("Ana"), service.person("Бо")
    channel = service.channel(service.guild("Casa", ana, bo))
    async with house(service, redis_client) as home:
        seats = await seated(home, channel, ana, bo)
        seen = await ana.slash(channel, "mydata")
        assert seen.is_private
        content = seen.first.file.content.decode()
        assert str(ana.id) in content
        assert seats.match in content
        assert not bo.can_see(seen.first)


async def test_who_is_forgotten_leaves_no_name_and_no_number(service: DiscordServer, redis_client: Redis) -> None:
    ana, bo = service.person("Anastasia"), service.person("Бо")
    channel = service.channel(service.guild("Casa", ana, bo))
    async with house(service, redis_client) as home:
        seats = await seated(home, channel, ana, bo)
        await ana.slash(channel, "settings", theme="dark", ping=False)
        await seats.moved()
        question, board = (await ana.slash(channel, "resign")).first, channel.last
        old = [(one, pressable.custom_id) for one in (question, board) for pressable in one.pressables]
        asked = await ana.slash(channel, "forget")
        assert asked.is_private
        assert b"Anastasia" in await kept(redis_client), "asked once more first"
        before = channel.last
        await ana.press(asked.first, asked.first.buttons[0])
        over = await home.board(channel, after=before)
        await home.drained()
        assert over.pinged <= {bo.user}
        everything = await kept(redis_client)
        for trace in (b"Anastasia", str(ana.id).encode(), ana.user.username.encode()):
            assert trace not in everything
        assert str(bo.id).encode() in everything
        # What still stands there does nothing for her any more, and brings nothing back.
        for message, pressed in old:
            seen = await ana.press_custom_id(message, pressed)
            assert not seen.failed
            assert seen.answers or seen.updated
        assert str(ana.id).encode() not in await kept(redis_client)
        # What comes of her now is somebody new.
        assert not (await ana.slash(channel, "games")).failed


async def test_an_outage_takes_nothing_away(service: DiscordServer, redis_client: Redis) -> None:
    ana, bo = service.person("Ana"), service.person("Бо")
    guild = service.guild("Casa", ana, bo)
    channel = service.channel(guild)
    async with house(service, redis_client) as home:
        seats = await seated(home, channel, ana, bo)
        await home.drained()
        before = await kept_keys(redis_client)
        service.outage(guild)
        seen = home.adapter.client.get_guild(guild.id)
        assert seen is not None
        await service.until(lambda: seen.unavailable)
        await home.drained()
        assert await kept_keys(redis_client) == before
        # Whoever acts all the same is answered as in a server where the bot is at home.
        board = await seats.moved()
        assert board.pinged == {seats.mover.user}
        service.recover(guild)
        assert (await seats.moved()).pinged == {seats.mover.user}


async def kept_keys(client: Redis) -> set[bytes]:
    """The names of everything in the database that is to stay."""
    return {key async for key in client.scan_iter() if b":lease:" not in key}
