"""Buttons of every age, pressed by many, delivered twice, across restarts and lost connections."""

from __future__ import annotations

import asyncio

from redis.asyncio import Redis

from rules.match import Status
from tests.bot.table import sentence
from tests.discord.calls import slow
from tests.discord.house import first_move, house, place_of, whose_turn
from tests.discord.server import DiscordServer


async def test_of_twenty_who_press_at_once_one_is_accepted(service: DiscordServer, redis_client: Redis) -> None:
    people = [service.person(f"P{number}") for number in range(21)]
    channel = service.channel(service.guild("Casa", *people))
    async with house(service, redis_client) as home:
        await people[0].slash(channel, "challenge", game="ayu", size=9, pie=False)
        challenge = await home.board(channel)
        seen = await asyncio.gather(*(one.press(challenge, "Accept") for one in people[1:]))
        assert not any(one.failed for one in seen)
        refused = [one for one in seen if one.answers]
        assert len(refused) == 19
        assert all(one.is_private for one in refused)
        await home.board(channel, after=challenge)
        stored = await home.stored(channel)
        taken = sentence("notice.challenge-taken", match=f"`#{stored.id}`")
        assert {one.text for one in refused} == {taken}
        assert stored.match.status is Status.PLAYING
        assert stored.version == 2
        assert len(channel.public) == 2
        # Whoever came too late begins a game of his own.
        late = next(one for one, answer in zip(people[1:], seen, strict=True) if answer.answers)
        told = refused[0].first
        await late.press(told, sentence("button.start"))
        assert told.content == sentence("ask.game")


async def test_an_interaction_that_comes_twice_is_one_move(service: DiscordServer, redis_client: Redis) -> None:
    ana, bo = service.person("Ana"), service.person("Бо")
    channel = service.channel(service.guild("Casa", ana, bo))
    async with house(service, redis_client) as home:
        stored = await home.begun(channel, ana, bo)
        mover = whose_turn(stored, ana, bo)
        before = channel.last
        interaction = await mover.slash(channel, "move", move=first_move(stored))
        await home.board(channel, after=before)
        posts = service.sent("create_message")
        service.deliver(interaction)
        service.deliver(interaction)
        await service.until(lambda: service.sent("create_interaction_response") >= 5)
        await home.drained()
        assert (await home.match(stored.id)).match.ply == 1
        assert service.sent("create_message") == posts


async def test_buttons_of_every_age_work_after_a_restart(service: DiscordServer, redis_client: Redis) -> None:
    ana, bo = service.person("Ana"), service.person("Бо")
    channel = service.channel(service.guild("Casa", ana, bo))
    async with house(service, redis_client) as home:
        await ana.slash(channel, "challenge", game="ayu", size=9, pie=False, opponent=bo)
        challenge = await home.board(channel)
    async with house(service, redis_client) as home:
        await bo.press(challenge, "Accept")
        board = await home.board(channel, after=challenge)
        old = [one.custom_id for one in board.pressables]
        stored = await home.stored(channel)
        mover = whose_turn(stored, ana, bo)
        step = (await mover.press(board, "Move")).first
    async with house(service, redis_client) as home:
        await mover.select(step, "menu:0", step.pressables[0].options[0][1])
        await service.until(lambda: step.edits > 1)
        await home.played(channel, mover, first_move(stored))
        await home.played(channel, ana if mover is bo else bo, first_move(await home.stored(channel)))
    async with house(service, redis_client) as home:
        for custom_id in old:
            seen = await mover.press_custom_id(board, custom_id)
            assert not seen.failed
            assert not seen.answers or seen.is_private, custom_id
        assert (await home.match(stored.id)).match.live
        seen = await mover.press_custom_id(board, "from another life")
        assert seen.text.startswith(sentence("notice.unknown-button")[:20])
        seen = await mover.press_custom_id(board, "menu:3")
        assert seen.is_private


async def test_a_press_while_the_gateway_is_away_is_not_lost(service: DiscordServer, redis_client: Redis) -> None:
    ana, bo = service.person("Ana"), service.person("Бо")
    channel = service.channel(service.guild("Casa", ana, bo))
    service.world.acknowledge_within = 15.0
    async with house(service, redis_client) as home:
        stored = await home.begun(channel, ana, bo)
        service.gateway.drop()
        before = channel.last
        seen = await whose_turn(stored, ana, bo).slash(channel, "move", move=first_move(stored))
        assert not seen.failed
        await home.board(channel, after=before)
        assert (await home.match(stored.id)).match.ply == 1
        assert len(service.gateway.identified) == 1, "resumed, not begun anew"


async def test_outsiders_and_the_wrong_player_are_told_in_private(service: DiscordServer, redis_client: Redis) -> None:
    ana, bo, eva = service.person("Ana"), service.person("Бо", "ru"), service.person("Eva", "es-419")
    channel = service.channel(service.guild("Casa", ana, bo, eva))
    async with house(service, redis_client) as home:
        stored = await home.begun(channel, ana, bo)
        mover = whose_turn(stored, ana, bo)
        other = bo if mover is ana else ana
        language = "ru" if other is bo else "en"
        for person, key, spoken in ((other, "fault.not-your-turn", language), (eva, "fault.not-a-player", "es")):
            seen = await person.press(channel.last, "Move")
            assert seen.is_private
            assert seen.text.startswith(sentence(key, spoken)[:15]), seen.text
        seen = await eva.slash(channel, "challenge", opponent=eva)
        assert seen.is_private


async def test_another_bot_and_oneself_are_refused_with_a_reason(service: DiscordServer, redis_client: Redis) -> None:
    ana, robot = service.person("Ana"), service.person("Robot", is_bot=True)
    channel = service.channel(service.guild("Casa", ana, robot))
    async with house(service, redis_client):
        seen = await ana.slash(channel, "challenge", opponent=robot, game="ayu")
        assert (seen.text, seen.is_private) == (sentence("notice.bot-opponent"), True)
        for wanted in ({"game": "ayu"}, {}):
            seen = await ana.slash(channel, "challenge", opponent=ana, **wanted)
            assert (seen.text, seen.is_private) == (sentence("fault.self"), True)
        assert channel.public == []


async def test_several_matches_in_a_channel_each_by_its_id(service: DiscordServer, redis_client: Redis) -> None:
    ana, bo = service.person("Ana"), service.person("Бо")
    channel = service.channel(service.guild("Casa", ana, bo))
    async with house(service, redis_client) as home:
        first = await home.begun(channel, ana, bo)
        await ana.slash(channel, "challenge", game="volo", size=6)
        challenge = await home.board(channel, lambda message: "Accept" in message.buttons)
        await bo.press(challenge, "Accept")
        await home.board(channel, lambda message: bool(message.attachments), after=challenge)
        await service.until(lambda: len(channel.public) == 4)
        ids = await home.core.store.matches_in(place_of(channel))
        assert len(ids) == 2
        asked = await ana.slash(channel, "draw")
        assert asked.is_private
        assert len(asked.first.pressables) == 2
        seen = await whose_turn(first, ana, bo).slash(channel, "move", move=first_move(first), match=first.id)
        assert not seen.answers or seen.first not in channel.messages
        await service.until(lambda: len(channel.public) == 5)
        assert (await home.match(first.id)).match.ply == 1


async def test_rematch_swaps_the_seats(service: DiscordServer, redis_client: Redis) -> None:
    ana, bo = service.person("Ana"), service.person("Бо")
    channel = service.channel(service.guild("Casa", ana, bo))
    async with house(service, redis_client) as home:
        stored = await home.begun(channel, ana, bo)
        question = (await bo.slash(channel, "resign")).first
        before = channel.last
        await bo.press(question, question.buttons[0])
        over = await home.board(channel, after=before)
        await bo.press(over, "Rematch")
        challenge = await home.board(channel, after=over)
        await ana.press(challenge, "Accept")
        await home.board(channel, after=challenge)
        again = await home.stored(channel)
        assert again.match.seats == stored.match.seats[::-1]


async def test_what_came_before_the_end_is_answered(service: DiscordServer, redis_client: Redis) -> None:
    ana, bo = service.person("Ana"), service.person("Бо")
    channel = service.channel(service.guild("Casa", ana, bo))
    async with house(service, redis_client) as home:
        stored = await home.begun(channel, ana, bo)
        mover = whose_turn(stored, ana, bo)
        sent = service.sent("create_interaction_response")
        service.faults.plant("create_interaction_response", slow(0.5))
        moving = asyncio.ensure_future(mover.slash(channel, "move", move=first_move(stored)))
        await service.until(lambda: service.sent("create_interaction_response") > sent)
    seen = await moving
    assert not seen.failed
    assert seen.first not in channel.messages, "nobody is left before an answer that never comes"
