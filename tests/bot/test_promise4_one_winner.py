"""Promise 4: exactly one move. Two at once, a double tap, an update that comes again, an old button."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Final

import pytest
from redis.asyncio import Redis

from bot.challenges import MAX_LIVE
from bot.messages import Incoming, Outgoing
from rules.match import Status
from storage.base import StoredMatch
from tests.bot.harness import World
from tests.bot.table import again, begun, first_line, moved, payload, pressing, ready, room, said, sentence

CHANGED: Final = sentence("fault.stale")
NOT_YOUR_TURN: Final = sentence("fault.not-your-turn")


async def everything(world: World) -> dict[str, int]:
    """The version of every match of the people here, ended ones too."""
    people = [world.person(name).id for name in ("Ana", "Бо", "Carla")]
    ids = {
        match
        for person in people
        for live in (True, False)
        for match in await world.store.matches_of(person, live=live)
    }
    return {match: (await ready(world, match)).version for match in ids}


# ---- at once ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("processes", [1, 3])
async def test_many_moves_at_once(redis_client: Redis, processes: int) -> None:
    worlds = [World(redis_client) for _ in range(processes)]
    world = worlds[0]
    stored = await begun(world)
    moves = [f"{column}1{column}2" for column in "bdfh"] * 4
    made = [world.incoming("Ana", f"{move} {stored.id}") for move in moves]
    answers = await asyncio.gather(*(worlds[number % processes].core.handle(one) for number, one in enumerate(made)))
    after = await ready(world, stored.id)
    assert (after.version, len(after.match.tokens)) == (stored.version + 1, 1)
    told = [first_line(answer) for answer in answers]
    assert sorted(told) == ["", *[NOT_YOUR_TURN] * (len(made) - 1)]
    assert len(await world.delivered()) == 1


async def test_both_players_act_at_once(redis_client: Redis) -> None:
    """Whatever the order, nothing is lost that was said to be done."""
    world = World(redis_client)
    stored = await moved(world, await begun(world), "b1b2", "a2a3")
    answers = await asyncio.gather(
        world.core.handle(world.incoming("Ana", "d1d2")),
        world.core.handle(world.incoming("Бо", "/draw")),
        world.core.handle(world.incoming("Бо", "/takeback")),
        world.core.handle(world.incoming("Ana", "/draw")),
        world.core.handle(world.incoming("Бо", "/resign yes")),
    )
    after = await ready(world, stored.id)
    assert after.version == stored.version + sum(not answer for answer in answers)
    assert all(said(answer) for answer in answers if answer)
    assert after.match.status is Status.FINISHED


@pytest.mark.parametrize("taps", [2, 5])
async def test_a_double_tap_moves_once(redis_client: Redis, taps: int) -> None:
    world = World(redis_client)
    stored = await begun(world)
    answers = await asyncio.gather(
        *(world.core.handle(world.incoming("Ana", payload=f"m|{stored.id}|0|b1-b2")) for _ in range(taps))
    )
    assert (await ready(world, stored.id)).match.tokens == ("b1-b2",)
    told = Counter(first_line(answer) for answer in answers)
    assert told == {"": 1, CHANGED: taps - 1}


async def test_a_double_tap_challenges_once(redis_client: Redis) -> None:
    world = World(redis_client)
    asked = await world.say("Ana", "/challenge")
    pressed = payload(asked, sentence("game.title.ayu", size="9"))
    await world.press("Ana", pressed)
    (match,) = await world.store.matches_in(world.place)
    (answer,) = await world.press("Ana", pressed)
    assert (answer.match, answer.only_for) == (match, world.person("Ana").id)
    # Another game, another chat or another hour is another challenge.
    await world.say("Ana", "/challenge ayu 9 nopie")
    await world.press("Ana", pressed, place=room("other"))
    world.clock.forward(hours=1)
    await world.press("Ana", pressed)
    assert len(await world.store.matches_of(world.person("Ana").id)) == 4


async def test_one_of_many_takes_the_seat(redis_client: Redis) -> None:
    world = World(redis_client)
    (challenge,) = await world.say("Ana", "/challenge ayu 9")
    pressed = pressing([challenge], "accept")
    names = [f"Guest{number}" for number in range(10)]
    answers = await asyncio.gather(*(world.core.handle(world.incoming(name, payload=pressed)) for name in names))
    told = Counter(first_line(answer) for answer in answers)
    assert told == {"": 1, sentence("notice.challenge-taken", match=f"#{challenge.match}"): 9}
    winner = names[[bool(answer) for answer in answers].index(False)]
    (match,) = await world.store.matches_of(world.person(winner).id)
    assert (await ready(world, match)).match.seats == (world.person("Ana").id, world.person(winner).id)


async def test_rematch_by_both_is_one_match(redis_client: Redis) -> None:
    world = World(redis_client)
    stored = await begun(world)
    over = await world.say("Ana", "/resign yes")
    pressed = pressing(over, "rematch")
    updates = [world.incoming(name, payload=pressed) for name in ("Ana", "Бо")]
    for update in updates:
        await world.handle(update)
    (match,) = await world.store.matches_in(world.place)
    for update in updates:
        assert await _again(world, update) == ()
    before = await everything(world)
    # And again by both: a double tap.
    for name in ("Бо", "Ana"):
        (answer,) = await world.press(name, pressed)
        assert f"#{match}" in said([answer])
        assert answer.only_for == world.person(name).id
    assert await everything(world) == before
    again_played = await ready(world, match)
    assert again_played.match.seats == tuple(reversed(stored.match.seats))
    assert again_played.match.status is Status.PLAYING


# ---- old buttons -----------------------------------------------------------------------------------------------------


async def test_old_buttons_play_nothing(redis_client: Redis) -> None:
    world = World(redis_client)
    first = await begun(world)
    start = world.inbox.sent[-1]
    asked = await world.press("Ana", pressing([start], "move"))
    old_goal = await world.press("Ana", payload(asked, "b1"))
    stored = await moved(world, first, "d1d2", "a2a3")
    for pressed in (
        pressing([start], "move"),
        payload(asked, "b1"),
        payload(old_goal, "b2"),
        f"m|{stored.id}|1|b1-b2",
        f"p|{stored.id}|0|!",
        f"s|{stored.id}|0",
    ):
        (answer,) = await world.press("Ana", pressed)
        assert first_line([answer]) == CHANGED, pressed
        assert pressing([answer], "board") == f"b|{stored.id}"
    assert (await ready(world, stored.id)).version == stored.version


async def test_buttons_of_an_ended_match(redis_client: Redis) -> None:
    world = World(redis_client)
    stored = await moved(world, await begun(world), "d1d2", "a2a3")
    board = world.inbox.sent[-1]
    questions = await world.press("Ana", pressing([board], "resign"))
    await world.say("Бо", f"/resign yes {stored.id}")
    ended = await ready(world, stored.id)
    for pressed in (
        *(button.payload for row in board.buttons for button in row),
        pressing(questions, "yes.resign"),
        f"y|{stored.id}|draw",
        f"a|{stored.id}",
    ):
        (answer,) = await world.press("Ana", pressed)
        assert first_line([answer]) == sentence("fault.over"), pressed
    assert (await ready(world, stored.id)).version == ended.version


# ---- the same update again -------------------------------------------------------------------------------------------

Prepare = Callable[[World], Awaitable[object]]


async def _nothing(world: World) -> None:
    del world


async def _ended_by_resignation(world: World) -> None:
    await begun(world)
    await world.say("Бо", "/resign yes")


async def _challenged_back(world: World) -> None:
    await _ended_by_resignation(world)
    await world.say("Бо", "/rematch")


async def _challenged(world: World, text: str = "/challenge ayu 9 @ana") -> None:
    await world.say("Бо", text)


async def _offered(world: World, what: str = "/draw") -> None:
    await moved(world, await begun(world), "b1b2", "a2a3")
    await world.say("Бо", what)


async def _second_to_move(world: World) -> None:
    stored = await begun(world, "ayu 9", "Бо", "Ana")
    await moved(world, stored, "b1b2")


async def _moved_once(world: World) -> None:
    await moved(world, await begun(world), "b1b2")


SAVED: Final[dict[str, tuple[Prepare, str]]] = {
    "move": (begun, "b1b2"),
    "swap": (_second_to_move, "/swap"),
    "resign": (begun, "/resign yes"),
    "abort": (begun, "/abort yes"),
    "draw": (begun, "/draw"),
    "draw-agreed": (_offered, "/draw"),
    "takeback": (_moved_once, "/takeback"),
    "takeback-granted": (lambda world: _offered(world, "/takeback"), "/takeback"),
    "challenge": (_nothing, "/challenge ayu 9"),
    "challenge-by-name": (_nothing, "/challenge volo @carla"),
    "accept": (_challenged, "/accept"),
    "decline": (_challenged, "/decline"),
    "withdraw": (lambda world: world.say("Ana", "/challenge ayu"), "/cancel"),
    "rematch": (_ended_by_resignation, "/rematch"),
    "rematch-accepted": (_challenged_back, "/rematch"),
}


async def _new_matches(world: World) -> None:
    """Afterwards there is more than one match in which the same text would fit."""
    world.clock.forward(hours=1)
    for first, second in (("Ana", "Бо"), ("Бо", "Ana")):
        stored = await begun(world, "ayu 9", first, second)
        await moved(world, stored, "d1d2", "a2a3")
        await world.say("Бо", f"/draw {stored.id}")
    stored = await begun(world, "ayu 9", "Ana", "Бо")
    stored = await begun(world, "ayu 9", "Бо", "Ana")
    await moved(world, stored, "d1d2")
    await begun(world, "volo 7", "Ana", "Бо")
    await world.say("Бо", "/challenge ayu 11 @ana")
    await world.say("Ana", "/challenge volo 8 @diego")


@pytest.mark.parametrize("form", ["private", "group", "named"])
@pytest.mark.parametrize("name", SAVED)
async def test_an_update_that_comes_again_changes_nothing(redis_client: Redis, name: str, form: str) -> None:
    world = World(redis_client)
    prepare, text = SAVED[name]
    await prepare(world)
    before = await everything(world)
    if form == "named" and before:
        text += f" {next(iter(before)) if len(before) == 1 else await _ended(world)}"
    update = world.incoming("Ana", text, private=form == "private")
    first = await world.core.handle(update)
    assert await everything(world) != before, said(first)
    await world.delivered()

    assert await _again(world, update) == first
    assert await world.delivered() == []
    await _new_matches(world)
    assert await _again(world, update) == first


async def _ended(world: World) -> str:
    """The one match of Ana's that has ended."""
    (match,) = await world.store.matches_of(world.person("Ana").id, live=False)
    return match


async def _again(world: World, update: Incoming) -> tuple[Outgoing, ...]:
    before = await everything(world)
    answers = tuple(await world.core.handle(again(update)))
    assert await everything(world) == before
    return answers


@pytest.mark.parametrize("private", [True, False], ids=["private", "group"])
async def test_a_move_comes_again_after_the_opponents(redis_client: Redis, private: bool) -> None:
    world = World(redis_client)
    stored = await begun(world)
    update = world.incoming("Ana", "b1b2", private=private)
    await world.handle(update)
    stored = await moved(world, await ready(world, stored.id), "a2a3")
    assert stored.match.person_to_move == update.person.id
    assert await _again(world, update) == ()
    assert (await moved(world, stored, "d1d2")).match.tokens == ("b1-b2", "a2-a3", "d1-d2")


async def test_a_move_from_a_private_chat_comes_again(redis_client: Redis) -> None:
    """The move found its match in another chat; meanwhile it is Ana's turn in a second one."""
    world = World(redis_client)
    mine, waiting = await begun(world), await begun(world, "ayu 9 nopie", "Бо", "Ana")
    update = world.incoming("Ana", "b1b2", place=room("ana"))
    (board,) = await world.core.handle(update)
    assert first_line([board]) == sentence("event.moved", name="Ana", move="b1-b2")
    await moved(world, waiting, "b1b2")
    await _again(world, update)
    assert (await ready(world, mine.id)).match.tokens == ("b1-b2",)
    ended = world.incoming("Ana", f"/resign yes {mine.id}", place=room("ana"))
    await world.handle(ended)
    await _again(world, update)


async def test_the_same_update_twice_at_once(redis_client: Redis) -> None:
    world, other = World(redis_client), World(redis_client)
    stored = await begun(world)
    update = world.incoming("Ana", "b1b2")
    answers = await asyncio.gather(*(one.core.handle(again(update)) for one in (world, other, world, other)))
    assert answers == [()] * 4
    assert (await ready(world, stored.id)).match.tokens == ("b1-b2",)

    update = world.incoming("Ana", "/challenge volo 6")
    answers = await asyncio.gather(*(one.core.handle(again(update)) for one in (world, other, world, other)))
    assert answers == [()] * 4
    assert len(await world.store.matches_in(world.place)) == 2


async def test_a_challenge_comes_again_when_it_could_not_be_made_any_more(redis_client: Redis) -> None:
    world = World(redis_client)
    update = world.incoming("Ana", "/challenge ayu 9 @bo")
    await world.handle(update)
    await world.say("Бо", "/settings block @ana")
    assert await _again(world, update) == ()
    for number in range(MAX_LIVE - 1):
        await world.core.handle(world.incoming("Ana", f"/challenge volo @guest{number}"))
    (refused,) = await world.core.handle(world.incoming("Ana", "/challenge ayu 11"))
    assert said([refused]) == sentence("notice.too-many-matches", limit=MAX_LIVE)
    assert await _again(world, update) == ()


async def test_only_what_was_saved_is_remembered(redis_client: Redis) -> None:
    """A refused move may be sent again under the same id when it has become legal."""
    world = World(redis_client)
    stored: StoredMatch = await begun(world, "ayu 9 nopie", "Бо", "Ana")
    update = world.incoming("Ana", "a2a3")
    (refused,) = await world.core.handle(update)
    assert first_line([refused]) == NOT_YOUR_TURN
    await moved(world, stored, "b1b2")
    assert await world.core.handle(update) == ()
    assert (await ready(world, stored.id)).match.tokens == ("b1-b2", "a2-a3")
