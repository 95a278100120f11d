"""What people write: by mentioning the bot, as a reply to a board, in private; and nothing else is heard."""

from __future__ import annotations

from redis.asyncio import Redis

from bot.adapters.discord_adapter.client import intents
from rules.match import Status
from tests.bot.table import sentence
from tests.discord.house import first_move, house, whose_turn
from tests.discord.server import DiscordServer


def test_no_privileged_intent_is_asked_for() -> None:
    asked = intents()
    assert {name for name, wanted in asked if wanted} == {"guilds", "guild_messages", "dm_messages"}


async def test_a_mention_and_a_reply_make_moves(service: DiscordServer, redis_client: Redis) -> None:
    ana, bo = service.person("Ana"), service.person("Бо")
    channel = service.channel(service.guild("Casa", ana, bo))
    async with house(service, redis_client) as home:
        stored = await home.begun(channel, ana, bo)
        board = channel.last
        whose_turn(stored, ana, bo).say(channel, f"{service.mention} {first_move(stored)}")
        second = await home.board(channel, lambda message: bool(message.attachments), after=board)
        stored = await home.match(stored.id)
        assert stored.match.ply == 1
        whose_turn(stored, ana, bo).say(channel, first_move(stored), reply_to=second)
        await home.board(channel, lambda message: bool(message.attachments), after=second)
        assert (await home.match(stored.id)).match.ply == 2
        assert len(channel.public) == 6, "a challenge, three boards, two messages of people"


async def test_a_wrong_move_is_answered_beside_it(service: DiscordServer, redis_client: Redis) -> None:
    ana, bo = service.person("Ana"), service.person("Бо")
    channel = service.channel(service.guild("Casa", ana, bo))
    async with house(service, redis_client) as home:
        stored = await home.begun(channel, ana, bo)
        said = whose_turn(stored, ana, bo).say(channel, f"{service.mention} a1a1")
        answer = await home.board(channel, after=said)
        assert answer.reference == said.id
        assert answer.pinged == frozenset()


async def test_what_is_not_meant_for_the_bot_has_no_answer(service: DiscordServer, redis_client: Redis) -> None:
    ana, bo = service.person("Ana"), service.person("Бо")
    robot = service.person("Robot", is_bot=True)
    channel = service.channel(service.guild("Casa", ana, bo, robot))
    async with house(service, redis_client) as home:
        stored = await home.begun(channel, ana, bo)
        whose_turn(stored, ana, bo).say(channel, first_move(stored))
        robot.say(channel, f"{service.mention} {first_move(stored)}")
        said = ana.say(channel, f"{service.mention} /help")
        answer = await home.board(channel, after=said)
        assert answer.content.startswith("**Bandada**")
        assert (await home.match(stored.id)).match.ply == 0


async def test_a_whole_match_in_private(service: DiscordServer, redis_client: Redis) -> None:
    ana, bo = service.person("Ana"), service.person("Бо", "ru")
    async with house(service, redis_client) as home:
        await ana.slash(service.dm(ana), "challenge", game="ayu", size=9, pie=False)
        challenge = await home.board(service.dm(ana))
        (match,) = await home.core.store.matches_of(f"discord:{ana.id}")  # type: ignore[arg-type]  # a person's id
        assert match in challenge.content
        await bo.slash(service.dm(bo), "accept", code=match)
        await home.board(service.dm(bo))
        await home.board(service.dm(ana), after=challenge)
        stored = await home.match(match)
        assert stored.match.status is Status.PLAYING
        mover = whose_turn(stored, ana, bo)
        mover.say(service.dm(mover), first_move(stored))
        await service.until(lambda: all(first_move(stored) in service.dm(one).last.content for one in (ana, bo)))


async def test_names_change_nothing_around_them(service: DiscordServer, redis_client: Redis) -> None:
    ana, bo = service.person("**Ana** @everyone `x` [a](https://example.org)"), service.person("1. ~~Бо~~ <@1>")
    channel = service.channel(service.guild("Casa", ana, bo))
    async with house(service, redis_client) as home:
        stored = await home.begun(channel, ana, bo)
        mover = whose_turn(stored, ana, bo)
        await home.played(channel, mover, first_move(stored))
        for message in channel.public:
            assert message.pinged <= {ana.user, bo.user}
            assert len(message.pinged) <= 1
        assert r"\*\*Ana\*\* \@everyone \`x\` \[a\](https\://example.org)" in channel.public[0].content
        assert sentence("event.accepted", name=r"1\. \~\~Бо\~\~ \<@1>") in channel.public[1].content
