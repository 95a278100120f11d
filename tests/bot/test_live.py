"""The board to tap as the page is told it: what may be played, why not, whose it is to see."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from redis.asyncio import Redis

from bot import payload
from bot.live_view import LiveBoard, LiveView
from bot.messages import Accept, Cancel, Move
from bot.texts import LANGUAGES
from rules import GAMES
from rules.record import Record
from storage.base import Place
from tests.bot.harness import World
from tests.bot.table import begun, sentence

VECTORS = Path(__file__).parents[1] / "data" / "vectors"


async def seen(world: World, name: str = "Ana", match: str = "", shown: int | None = None) -> LiveView:
    """What the page of *name* shows."""
    return await world.core.live.view(world.place, world.person(name).id, world.language, match, shown)


async def board(world: World, name: str = "Ana", match: str = "", shown: int | None = None) -> LiveBoard:
    """The board on it."""
    view = await seen(world, name, match, shown)
    assert view.board is not None
    return view.board


async def why(world: World, name: str, text: str, ply: int | None = None) -> str:
    """What is said of a tap."""
    now = await board(world, name)
    answer = await world.core.live.weigh(
        world.place, world.person(name).id, world.language, now.match, now.ply if ply is None else ply, text
    )
    return answer.said


def texts(shown: LiveBoard) -> list[str]:
    """The moves that taps lead to; those with a region to choose without it."""
    assert shown.turn is not None
    return sorted([*shown.turn.adds, *(way.text for piece in shown.turn.pieces for way in piece.ways)])


def positions(file: str, seed: int) -> list[Record]:
    """A recorded game, after each of its moves."""
    with gzip.open(VECTORS / file, "rt", encoding="utf-8") as lines:
        found: dict[str, Any] = next(record for line in lines if (record := json.loads(line))["seed"] == seed)
    game = GAMES[file.partition(".")[0]]
    record = Record.opening(game, found["size"])
    records = [record]
    for move in found["moves"]:
        record = record.play(record.read(move))
        records.append(record)
    return records


async def play(world: World, moves: Sequence[str]) -> None:
    """Ana and Бо in turn."""
    for number, move in enumerate(moves):
        await world.say(("Ana", "Бо")[number % 2], move)


@pytest.mark.parametrize(("game", "size", "seed"), [("ayu", 9, 10053), ("volo", 6, 7015)])
async def test_taps_lead_to_all_legal_moves_and_no_others(redis_client: Redis, game: str, size: int, seed: int) -> None:
    world = World(redis_client)
    await begun(world, f"{game} {size}" + (" nopie" if game == "ayu" else ""))
    records = positions(f"{game}.ndjson.gz", seed)
    for number, record in enumerate(records):
        name, other = ("Ana", "Бо") if number % 2 == 0 else ("Бо", "Ana")
        shown = await board(world, name)
        assert (await board(world, other)).turn is None
        assert (shown.moves, shown.shown) == (record.texts, number)
        if record.outcome is not None:
            assert (shown.turn, shown.live, shown.beaten != 0) == (None, False, True)
            break
        legal = [record.position.write(move) for move in record.position.legal_moves()]
        passes = ["pass"] if "pass" in legal else []
        assert texts(shown) + passes == sorted({text.partition("/")[0] for text in legal} - {"pass"}) + passes
        assert shown.turn is not None
        for piece in shown.turn.pieces:
            for way in piece.ways:
                moves = [move for move in record.position.legal_moves() if record.position.write(move) == way.text]
                moved = [record.position.change(move).moved for move in moves]
                assert way.choose or moved == [tuple(zip(piece.cells, way.to, strict=True))]
        await play_one(world, name, records[number + 1].texts[-1], shown)


async def play_one(world: World, name: str, move: str, shown: LiveBoard) -> None:
    """Play *move* by the payload that the board gives."""
    assert shown.turn is not None
    before, after, confirmed = shown.turn.play
    match = payload.match_id(shown.match)
    assert payload.decode(before + move + after) == Move(move, match, shown.ply)
    assert payload.decode(before + move + confirmed) == Move(move, match, shown.ply, confirmed=True)
    await world.press(name, before + move + after)


async def test_a_region_is_chosen_among_those_that_there_are(redis_client: Redis) -> None:
    world = World(redis_client)
    await begun(world, "volo 6")
    records = positions("volo.ndjson.gz", 7015)
    number = next(number for number, text in enumerate(records[-1].texts) if "/" in text)
    await play(world, records[number].texts)
    name, move = ("Ana", "Бо")[number % 2], records[-1].texts[number]
    now = await board(world, name)
    assert now.turn is not None
    flight = move.partition("/")[0]
    (way,) = [way for piece in now.turn.pieces for way in piece.ways if way.text == flight]
    assert way.choose
    answer = await world.core.live.weigh(world.place, world.person(name).id, "", now.match, now.ply, flight)
    assert answer.said == sentence("guide.volo.region")
    assert move in [region.text for region in answer.regions]
    cells = [cell for region in answer.regions for cell in region.cells]
    assert len(set(cells)) == len(cells), "regions do not overlap"


async def test_a_tap_that_is_no_move_is_told_why(redis_client: Redis) -> None:
    for language in LANGUAGES:
        world = World(redis_client)
        world.language = language
        await redis_client.flushdb()
        await begun(world)
        taken = sentence("refusal.not-adjacent", language, cells="b1, h6")
        assert await why(world, "Ana", "b1-h6") == taken
        assert await why(world, "Ana", "a2") == sentence("refusal.not-yours", language, cells="a2")
        assert await why(world, "Бо", "a2-a3") == sentence("fault.not-your-turn", language)
        assert await why(world, "Carla", "a2-a3") == sentence("fault.not-a-player", language)
        assert await why(world, "Ana", "b1-b2", ply=7) == sentence("fault.stale", language)
        assert await why(world, "Ana", "b1-b2") == ""


async def test_what_cannot_be_seen_is_not_told(redis_client: Redis) -> None:
    world = World(redis_client)
    stored = await begun(world)
    world.place = Place("test", "elsewhere")
    assert (await seen(world, "Carla", stored.id)).board is None
    answer = await world.core.live.weigh(world.place, world.person("Carla").id, "en", stored.id, 0, "b1-b2")
    assert answer.said == sentence("notice.no-such-match")
    answer = await world.core.live.weigh(world.place, world.person("Carla").id, "en", "0", 0, "b1-b2")
    assert answer.said == sentence("notice.no-such-match")


async def test_the_newest_match_where_it_is_ones_turn_comes_first(redis_client: Redis) -> None:
    world = World(redis_client)
    assert (await seen(world)).board is None
    first = await begun(world)
    second = await begun(world, "volo 6")
    assert (await board(world)).match == second.id
    await world.say("Ana", f"{second.id} e5")
    assert (await board(world)).match == first.id
    view = await seen(world, "Бо")
    assert view.board is not None
    assert view.board.match == second.id
    assert {(one.match, one.waits, one.live) for one in view.matches} == {
        (second.id, True, True),
        (first.id, False, True),
    }
    assert (await board(world, "Бо", first.id)).match == first.id


async def test_ones_own_match_comes_before_those_of_others(redis_client: Redis) -> None:
    world = World(redis_client)
    stored = await begun(world)
    await world.say("Ana", "b1b2")
    await world.say("Carla", "/challenge volo 6")
    await world.say("Ева", "/accept")
    view = await seen(world)
    assert view.board is not None
    assert view.board.match == stored.id
    assert [(one.match == stored.id, one.mine, one.begun) for one in view.matches] == [
        (False, False, False),
        (True, True, True),
    ]
    assert [one.begun for one in (await seen(world, "Бо")).matches] == [False, False]
    view = await seen(world, "Дана")
    assert view.board is not None
    assert view.board.match == view.matches[0].match


async def test_earlier_moves_are_shown_and_cannot_be_changed(redis_client: Redis) -> None:
    world = World(redis_client)
    await begun(world)
    await play(world, ["b1-b2", "a2-a3", "d1-d2"])
    past = await board(world, "Бо", shown=1)
    assert (past.shown, past.moves, past.turn, past.moved) == (1, ("b1-b2", "a2-a3", "d1-d2"), None, (("b1", "b2"),))
    assert past.said == sentence("alt.moved", side=sentence("side.ayu.1"), move="b1-b2")
    assert ("b2", "b3") in past.groups[0]
    assert (await board(world, "Бо", shown=0)).moved == ()
    now = await board(world, "Бо", shown=99)
    assert (now.shown, now.turn is not None) == (3, True)


async def test_the_largest_board_is_a_small_answer(redis_client: Redis) -> None:
    world = World(redis_client)
    await begun(world, "ayu 19 nopie")
    assert len(gzip.compress(msgspec.json.encode(await seen(world)))) < 10_000


async def test_a_challenge_waits_for_the_other(redis_client: Redis) -> None:
    world = World(redis_client)
    await world.say("Ana", "/challenge ayu 9")
    mine, other = await board(world), await board(world, "Бо")
    assert [type(payload.decode(button.payload)) for button in mine.buttons] == [Cancel]
    assert [type(payload.decode(button.payload)) for button in other.buttons] == [Accept]
    assert (mine.turn, other.turn, mine.live) == (None, None, True)
    assert [card.state for card in mine.cards] == ["waits", "waits"]


async def test_the_language_is_the_persons_own(redis_client: Redis) -> None:
    world = World(redis_client)
    await begun(world)
    await world.say("Ana", "/settings my-language ru")
    # The page guesses Spanish: what the person has chosen counts.
    view = await world.core.live.view(world.place, world.person("Ana").id, "es")
    assert (view.language, view.own) == ("ru", True)
    assert view.board is not None
    assert sentence("side.ayu.1", "ru") in view.board.status
    assert (await world.store.chat(world.place)).language in ("", "en")
    view = await world.core.live.view(world.place, world.person("Бо").id, "es")
    assert (view.language, view.own) == ("es", False)
    await world.say("Ana", "/settings confirm on")
    shown = await board(world)
    assert shown.turn is not None
    assert shown.turn.confirm


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("command", ["/draw", "/takeback"])
async def test_an_offer_is_told_once(redis_client: Redis, language: str, command: str) -> None:
    world = World(redis_client, language=language)
    await begun(world)
    await world.say("Ana", "b1-b2")
    await world.say("Бо", "a2-a3")
    await world.say("Ana", command)
    offer = (await board(world)).said
    assert "Ana" in offer
    for name in ("Ana", "Бо"):
        shown = await board(world, name)
        assert shown.said == offer
        assert shown.status
        assert offer not in shown.status
    # Of an earlier position the move is told: what is offered stands in the status.
    assert offer in (await board(world, shown=1)).status
