"""Nothing is played that the player was not shown: a piece with one move left leads to a question with a picture."""

from __future__ import annotations

from redis.asyncio import Redis

from bot.messages import Move, Outgoing
from bot.payload import decode
from tests.bot.harness import World


def payload_of(said: list[Outgoing], label: str) -> str:
    return next(b.payload for one in said for row in one.buttons for b in row if b.label == label)


async def begun(client: Redis, game: str) -> World:
    world = World(client)
    said = await world.say("Ana", f"/challenge {game} no-pie" if "ayu" in game else f"/challenge {game}")
    await world.press("Bo", payload_of(said, "Accept"))
    return world


async def test_a_stone_with_one_move_is_asked_about_when_it_is_tapped_and_when_it_is_typed(redis_client: Redis) -> None:
    world = await begun(redis_client, "ayu 9")
    for ply, move in enumerate(("b1b2", "a2a3", "b5b4")):  # b3 now holds its unit together; b2 and b4 may leave it
        await world.say("Ana" if ply % 2 == 0 else "Bo", move)
    match = (await world.store.matches_in(world.place))[0]
    stored = await world.store.load(match)
    assert stored is not None
    position = stored.match.record.position
    moves = [position.write(move) for move in position.legal_moves()]
    single = next(origin for move in moves if sum(m.startswith(f"{(origin := move[:2])}-") for m in moves) == 1)
    (only,) = (move for move in moves if move.startswith(f"{single}-"))
    guided = await world.say("Bo", "/move")
    for said in (await world.press("Bo", payload_of(guided, single)), await world.say("Bo", single)):
        (asked,) = said
        assert asked.picture is not None
        assert asked.picture.scene.selected == (single,)
        assert decode(asked.buttons[0][0].payload) == Move(only, match, stored.match.ply, confirmed=True)
    after = await world.store.load(match)
    assert after is not None
    assert after.match.ply == stored.match.ply, "nothing was played"
