"""What can still be typed: legal moves, one's own matches, sizes; and that nothing is saved by asking."""

from __future__ import annotations

import re

import pytest
from redis.asyncio import Redis

from bot.parse import parse
from bot.ports import Choice
from rules import GAMES
from storage.base import MatchId
from tests.bot.harness import World
from tests.bot.table import begun, placed, ready

_CELLS = re.compile(r"([a-z])(\d+)")


def values(choices: object) -> list[str]:
    assert isinstance(choices, tuple)
    return [choice.value for choice in choices if isinstance(choice, Choice)]


async def table(redis_client: Redis, wanted: str = "ayu 11 nopie") -> tuple[World, MatchId]:
    """A match that Ana and Бо have begun, Ana to move; its id."""
    world = World(redis_client)
    return world, (await begun(world, wanted)).id


async def asked(world: World, typed: str, match: str = "", name: str = "Ana", limit: int = 25) -> list[str]:
    return values(await world.core.complete.moves(world.incoming(name, typed), match, limit))


async def test_nothing_typed_offers_the_first_moves_in_cell_order(redis_client: Redis) -> None:
    world, _ = await table(redis_client)
    offered = await asked(world, "")
    assert len(offered) == 25
    cells = [[(letter, int(number)) for letter, number in _CELLS.findall(move)] for move in offered]
    assert cells == sorted(cells)
    assert len({letter for ((letter, _), _) in cells}) > 1


@pytest.mark.parametrize("typed", ["b1", "B1", " b1 ", "b1-", "b1 →", "В1"])
async def test_what_begins_so_comes_first_however_it_is_typed(redis_client: Redis, typed: str) -> None:
    world, _ = await table(redis_client)
    offered = await asked(world, typed)
    assert "b1-b2" in offered
    begins = [move.startswith("b1") for move in offered]
    assert begins == sorted(begins, reverse=True)
    assert begins[0]


async def test_the_move_that_is_typed_comes_before_all(redis_client: Redis) -> None:
    world, _ = await table(redis_client)
    assert (await asked(world, "d5 d6"))[0] == "d5-d6"


async def test_flights_are_found_by_their_goal_as_well(redis_client: Redis) -> None:
    world = World(redis_client)
    await placed(world, "volo", 7, ["a3", "a2"])
    assert "a3-NW1" in await asked(world, "a3 b")
    assert await asked(world, "a3 → c3") == ["a3-NW2"]


async def test_every_offer_is_a_legal_move_of_its_match(redis_client: Redis) -> None:
    world, match = await table(redis_client, "volo 7")
    stored = await ready(world, match)
    for typed in ("", "a", "g1", "12"):
        for move in await asked(world, typed):
            stored.match.record.read(move)


async def test_nobody_is_offered_moves_when_it_is_not_his_turn(redis_client: Redis) -> None:
    world, match = await table(redis_client)
    assert await asked(world, "", name="Бо") == []
    assert await asked(world, "", match, name="Бо") == []
    assert await asked(world, "", match, name="Eva") == []


async def test_of_several_matches_each_move_names_its_own(redis_client: Redis) -> None:
    world, first = await table(redis_client)
    second = (await begun(world, "ayu 9 nopie")).id
    offered = await asked(world, "b1")
    assert {move.split()[1] for move in offered} == {first, second}
    command = parse(world.incoming("Ana", f"/move {offered[0]}"))
    assert getattr(command, "match", None) == offered[0].split()[1]
    assert all(" " not in move for move in await asked(world, "b1", second))


async def test_what_is_no_match_of_his_offers_nothing(redis_client: Redis) -> None:
    world, _ = await table(redis_client)
    assert await asked(world, "", "zzzzzz") == []
    assert await asked(world, "", "!") == []
    assert await asked(world, "b" * 5000) == []


async def test_own_matches_are_offered_by_id_or_by_words(redis_client: Redis) -> None:
    world, first = await table(redis_client)
    second = (await begun(world, "volo 7")).id
    complete = world.core.complete
    assert set(values(await complete.matches(world.incoming("Ana", "")))) == {first, second}
    assert values(await complete.matches(world.incoming("Ana", f"#{first}"))) == [first]
    assert values(await complete.matches(world.incoming("Ana", "volo"))) == [second]
    assert values(await complete.matches(world.incoming("Eva", ""))) == []


def sizes_of(world: World, game: str, typed: str = "") -> tuple[int, ...]:
    return tuple(world.core.complete.sizes(game, typed))


async def test_sizes_are_those_of_the_game(redis_client: Redis) -> None:
    world = World(redis_client)
    for game in GAMES.values():
        assert sizes_of(world, game.key) == game.sizes
    assert sizes_of(world, "ayu", "1") == (11, 13, 15, 17, 19)
    assert set(sizes_of(world, "")) == {size for game in GAMES.values() for size in game.sizes}
    assert sizes_of(world, "chess") == ()


async def test_asking_saves_nothing(redis_client: Redis) -> None:
    world, match = await table(redis_client)
    before = await redis_client.keys("*")
    await asked(world, "b1", match)
    await world.core.complete.matches(world.incoming("Ana", ""))
    assert sorted(await redis_client.keys("*")) == sorted(before)
