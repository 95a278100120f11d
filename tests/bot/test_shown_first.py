"""Nothing is played that the player was not shown: a piece with one move left leads to a question with a picture."""

from __future__ import annotations

from itertools import islice

from redis.asyncio import Redis

from bot.messages import Guide, Move, Outgoing, Pass
from bot.payload import decode, encode
from tests.bot.harness import World
from tests.bot.table import placed, ready
from tests.rules.games import recorded


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


async def test_a_pass_is_asked_about_however_it_is_chosen(redis_client: Redis) -> None:
    """By its own button, by `/pass`, as a typed move, as a step of the guided move: nothing is passed by one tap."""
    game = next(islice(recorded("volo_literal.ndjson.gz"), 13, None))
    moves = game["moves"][: game["moves"].index("pass")]
    world = World(redis_client)
    stored = await placed(world, "volo", game["size"], moves)
    assert len(stored.match.record.position.legal_moves()) > 1
    mover = "Ana" if len(moves) % 2 == 0 else "Бо"
    guided = await world.press(mover, encode(Guide(stored.id, stored.match.ply)))
    asked = [
        await world.say(mover, "/pass"),
        await world.say(mover, "/move pass"),
        await world.press(mover, encode(Move("pass", stored.id, stored.match.ply))),
        await world.press(mover, payload_of(guided, "Pass")),
    ]
    for said in asked:
        (question,) = said
        meant = decode(question.buttons[0][0].payload)
        assert meant == Pass(stored.id, stored.match.ply, confirmed=True)
    assert (await ready(world, stored.id)).match.ply == stored.match.ply, "nothing was played"
    await world.press(mover, asked[-1][0].buttons[0][0].payload)
    assert (await ready(world, stored.id)).match.tokens[-1] == "pass"
