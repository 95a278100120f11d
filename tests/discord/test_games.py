"""Whole games of each kind over sockets: typed with the slash command, and pressed step by step."""

from __future__ import annotations

import pytest
from redis.asyncio import Redis

from bot.guide import Question, ask
from rules.match import Status
from storage.base import StoredMatch
from tests.discord.house import House, house, whose_turn
from tests.discord.people import Person
from tests.discord.server import DiscordServer
from tests.discord.world import Channel, Interaction, Message
from tests.rules.games import random_record

GAMES = [("ayu", 9), ("volo", 6)]


def moves_of(game: str, size: int) -> list[str]:
    """A whole game."""
    for seed in range(30):
        record = random_record(game, size, seed, 400)
        if record.outcome is not None and len(record.moves) < 90:
            return list(record.texts)
    raise AssertionError("no game came to its end")


@pytest.mark.parametrize(("game", "size"), GAMES)
async def test_a_whole_game_is_typed(service: DiscordServer, redis_client: Redis, game: str, size: int) -> None:
    ana, bo = service.person("Ana"), service.person("Бо", "ru")
    channel = service.channel(service.guild("Casa", ana, bo))
    async with house(service, redis_client) as home:
        stored = await home.begun(channel, ana, bo, game=game, size=size)
        for move in moves_of(game, size):
            stored = await home.match(stored.id)
            if move == "pass":
                await passed(home, channel, whose_turn(stored, ana, bo))
            else:
                await home.played(channel, whose_turn(stored, ana, bo), move)
        await ended(home, channel, stored)


@pytest.mark.parametrize(("game", "size"), GAMES)
async def test_a_whole_game_is_pressed(service: DiscordServer, redis_client: Redis, game: str, size: int) -> None:
    ana, bo = service.person("Ana"), service.person("Бо", "ru")
    channel = service.channel(service.guild("Casa", ana, bo))
    async with house(service, redis_client) as home:
        stored = await home.begun(channel, ana, bo, game=game, size=size)
        for move in moves_of(game, size)[:60]:
            stored = await home.match(stored.id)
            await guided(home, channel, whose_turn(stored, ana, bo), stored, move)
        stored = await home.match(stored.id)
        if stored.match.live:
            assert (await ana.slash(channel, "resign")).is_private
            question = next(message for message in reversed(channel.messages) if message.only_for is ana.user)
            before = channel.last
            await ana.press(question, next(one for one in question.buttons if one != "No"))
            await home.board(channel, after=before)
        await ended(home, channel, stored)


async def ended(home: House, channel: Channel, stored: StoredMatch) -> None:
    """The match has ended; its last board alone has buttons, and no private step is left over."""
    stored = await home.match(stored.id)
    assert stored.match.status is Status.FINISHED
    await home.service.until(lambda: all(not message.pressables for message in channel.public[:-1]))
    assert channel.last.buttons == ["Rematch", "Replay", "Look back", "Record"]
    for message in channel.public[1:]:
        assert message.file.description
        assert len(message.pinged) <= 1


async def passed(home: House, channel: Channel, person: Person) -> None:
    """Pass, which is asked once more."""
    before = channel.last
    question = (await person.slash(channel, "move", move="pass")).first
    assert question.is_private
    await press(home, person, question, question.buttons[0], channel, before)


async def guided(home: House, channel: Channel, person: Person, stored: StoredMatch, move: str) -> None:
    """Play *move* as its steps are asked for."""
    board = channel.last
    asked = await person.press(board, "Move")
    step: Message = asked.first
    position = stored.match.record.position
    wanted = position.read(move)
    chosen: tuple[str, ...] = ()
    while True:
        question = ask(position, chosen)
        if not isinstance(question, Question):
            await press(home, person, step, step.pressables[0].label, channel, board)
            return
        text = next(text for text, moves in question.options if wanted in moves)
        chosen = (*chosen, text)
        if await choose(home, person, step, [text for text, _ in question.options].index(text), channel, board):
            return


async def choose(home: House, person: Person, step: Message, place: int, channel: Channel, board: Message) -> bool:
    """True if the choice made the move: there is a new board; else the step has the next question."""
    edits = step.edits
    first = step.pressables[0]
    if first.options:
        act: Interaction = await person.select(step, first.custom_id, first.options[place][1])
    else:
        act = await person.press(step, step.pressables[place].custom_id)
    assert not act.failed
    await home.service.until(lambda: channel.last is not board or step.edits > edits)
    return channel.last is not board


async def press(home: House, person: Person, step: Message, label: str, channel: Channel, board: Message) -> None:
    await person.press(step, label)
    await home.board(channel, after=board)
    await home.service.until(lambda: step not in channel.messages)
