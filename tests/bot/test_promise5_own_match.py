"""Promise 5: nobody moves, reads or ends for somebody else, whatever he types and whatever button he gets hold of."""

from __future__ import annotations

from typing import Final

import pytest
from redis.asyncio import Redis

from bot.messages import Person
from rules.actions import PersonId
from rules.core import Side
from rules.match import Agreement, Result, Status
from storage.base import StoredMatch
from tests.bot.harness import World
from tests.bot.table import begun, first_line, labels, moved, payload, pressing, ready, room, said, sentence

NO_SUCH_MATCH: Final = sentence("notice.no-such-match")
NO_PLAYER: Final = sentence("fault.not-a-player")
NOT_FOR_YOU: Final = sentence("fault.not-invited")
TOO_LATE: Final = sentence("fault.too-late-to-abort")

TYPED: Final = (
    "/accept {id}",
    "/decline {id}",
    "/cancel {id}",
    "/move b1b2 {id}",
    "/m {id}",
    "b1b2 {id}",
    "/moves {id}",
    "/pass {id}",
    "/swap {id}",
    "/resign {id}",
    "/resign yes {id}",
    "/draw {id}",
    "/takeback {id}",
    "/abort {id}",
    "/abort yes {id}",
    "/rematch {id}",
    "/board {id}",
    "/replay {id}",
    "/export {id}",
    "/start {id}",
)
PRESSED: Final = (
    "a|{id}",
    "d|{id}",
    "w|{id}",
    "m|{id}|{ply}|b1-b2",
    "m|{id}|{ply}|b1-b2|!",
    "m|{id}||b1-b2",
    "g|{id}|{ply}",
    "g|{id}|{ply}|b1",
    "g|{id}|{ply}|b1|b2",
    "l|{id}",
    "p|{id}|{ply}|!",
    "s|{id}|{ply}",
    "r|{id}",
    "r|{id}|!",
    "x|{id}",
    "x|{id}|!",
    "o|{id}|draw",
    "o|{id}|takeback",
    "y|{id}|draw",
    "y|{id}|takeback",
    "n|{id}|draw",
    "n|{id}|takeback",
    "R|{id}",
    "b|{id}",
    "v|{id}",
    "e|{id}",
)
READING: Final = ("/board", "/replay", "/export", "/start", "b|", "v|", "e|")
COMING: Final = ("/accept", "/start", "a|")
"""Whoever comes so may hold the link to a challenge that was open to all."""

STAGES: Final = ("challenge", "first move", "offer", "finished", "aborted")


async def at(world: World, stage: str) -> StoredMatch:
    """A match of Ana's and Бо's that stands at *stage*."""
    if stage == "challenge":
        await world.say("Ana", "/challenge ayu 9 @bo")
        (match,) = await world.store.matches_in(world.place)
        return await ready(world, match)
    stored = await begun(world, "ayu 9")
    if stage == "offer":
        stored = await moved(world, stored, "b1b2", "a2a3")
        await world.say("Бо", "/draw")
    elif stage == "finished":
        await world.say("Бо", "/resign yes")
    elif stage == "aborted":
        await world.say("Бо", "/abort yes")
    return await ready(world, stored.id)


def commands(stored: StoredMatch) -> list[tuple[str, str]]:
    """All that can be said about a match, typed or pressed, as (text, payload)."""
    filled = {"id": stored.id, "ply": stored.match.ply}
    return [(text.format(**filled), "") for text in TYPED] + [("", pressed.format(**filled)) for pressed in PRESSED]


@pytest.mark.parametrize("private", [True, False])
@pytest.mark.parametrize("stage", STAGES)
async def test_an_outsider_elsewhere_finds_nothing(redis_client: Redis, stage: str, private: bool) -> None:
    world = World(redis_client)
    stored = await at(world, stage)
    for text, pressed in commands(stored):
        (answer,) = await world.handle(
            world.incoming("Carla", text, pressed, place=room("elsewhere"), private=private, admin=True)
        )
        came_late = stored.match.invited is None and (text or pressed).startswith(COMING)
        expected = sentence("notice.challenge-taken", match=f"#{stored.id}") if came_late else NO_SUCH_MATCH
        assert said([answer]).replace("`", "") == expected, (text, pressed)
        assert answer.only_for == world.person("Carla").id
        assert (answer.picture, answer.document, answer.replay) == (None, None, ())
    assert await ready(world, stored.id) == stored


@pytest.mark.parametrize("topic", ["", "other"])
@pytest.mark.parametrize("stage", STAGES)
async def test_an_outsider_in_the_chat_only_looks(redis_client: Redis, stage: str, topic: str) -> None:
    world = World(redis_client)
    stored = await at(world, stage)
    for text, pressed in commands(stored):
        update = world.incoming("Carla", text, pressed, private=False, place=room("room", topic))
        (answer,) = await world.handle(update)
        assert answer.only_for == world.person("Carla").id
        if (text or pressed).startswith(READING):
            assert f"#{stored.id}" in said([answer]), (text, pressed)
        else:
            assert first_line([answer]) in {
                NO_PLAYER,
                NOT_FOR_YOU,
                sentence("fault.already-started"),
                sentence("fault.not-started"),
                sentence("fault.over"),
                sentence("notice.challenge-taken", match=f"#{stored.id}"),
            }, (text, pressed)
    assert await ready(world, stored.id) == stored


async def test_participants_read_anywhere_and_others_where_it_is_played(redis_client: Redis) -> None:
    world = World(redis_client)
    stored = await moved(world, await begun(world), "b1b2")
    for name, place, may in [
        ("Ana", room("elsewhere"), True),
        ("Бо", room("elsewhere"), True),
        ("Carla", room("elsewhere"), False),
        ("Carla", world.place, True),
    ]:
        for command in ("/board", "/replay", "/export"):
            (answer,) = await world.say(name, f"{command} {stored.id}", place=place, private=False)
            shown = answer.picture is not None or bool(answer.replay) or answer.document is not None
            assert shown is may, (name, command)
            assert (first_line([answer]) == NO_SUCH_MATCH) is not may


async def test_an_open_challenge_is_a_door_for_anybody(redis_client: Redis) -> None:
    world = World(redis_client)
    await world.say("Ana", "/challenge ayu 9")
    (match,) = await world.store.matches_in(world.place)
    (answer,) = await world.say("Carla", f"/board {match}", place=room("elsewhere"))
    assert pressing([answer], "accept") == f"a|{match}"
    # Once it has begun, the door is closed.
    await world.say("Бо", f"/accept {match}")
    (answer,) = await world.say("Carla", f"/board {match}", place=room("elsewhere"))
    assert first_line([answer]) == NO_SUCH_MATCH


async def test_a_seat_is_held_for_who_was_invited(redis_client: Redis) -> None:
    world = World(redis_client)
    stored = await at(world, "challenge")
    for text in ("/accept", f"/accept {stored.id}", "/decline", f"/decline {stored.id}"):
        (answer,) = await world.say("Carla", text)
        assert first_line([answer]) == NOT_FOR_YOU, text
    (answer,) = await world.say("Бо", f"/cancel {stored.id}")
    assert first_line([answer]) == NO_PLAYER
    (answer,) = await world.say("Ana", f"/decline {stored.id}")
    assert first_line([answer]) == NOT_FOR_YOU
    await world.say("Бо", "/accept")
    assert (await ready(world, stored.id)).match.status is Status.PLAYING


async def test_a_user_name_that_changed_hands_opens_nothing(redis_client: Redis) -> None:
    world = World(redis_client)
    stored = await at(world, "challenge")
    await world.say("Бо", "/accept")
    await moved(world, await ready(world, stored.id), "b1b2")
    thief = Person(PersonId("test:999"), "Somebody", "bo")
    for text in (f"/board {stored.id}", f"/export {stored.id}", f"/resign yes {stored.id}"):
        (answer,) = await world.say("Somebody", text, person=thief, place=room("elsewhere"))
        assert first_line([answer]) == NO_SUCH_MATCH, text


async def test_ending_without_a_result(redis_client: Redis) -> None:
    """A player before the second move, a chat's admin always, wherever in the chat he says it."""
    world = World(redis_client)
    stored = await moved(world, await begun(world), "b1b2", "a2a3")
    for update in (
        world.incoming("Ana", f"/abort yes {stored.id}"),
        world.incoming("Бо", f"/abort yes {stored.id}", private=False),
        world.incoming("Ana", f"/abort yes {stored.id}", admin=True, place=room("elsewhere")),
    ):
        (answer,) = await world.handle(update)
        assert first_line([answer]) == TOO_LATE, update
    (answer,) = await world.say("Carla", f"/abort yes {stored.id}", private=False)
    assert first_line([answer]) == NO_PLAYER
    assert (await ready(world, stored.id)).match.status is Status.PLAYING

    asked = await world.say("Carla", f"/abort {stored.id}", private=False, admin=True, place=room("room", "7"))
    assert labels(asked[0]) == [sentence("button.yes.abort"), sentence("button.no")]
    # Somebody else presses the admin's button.
    (answer,) = await world.press("Diego", pressing(asked, "yes.abort"), private=False)
    assert first_line([answer]) == NO_PLAYER
    told = await world.press("Carla", pressing(asked, "yes.abort"), private=False, admin=True)
    assert first_line(told) == sentence("event.aborted", name="Carla")
    assert (await ready(world, stored.id)).match.status is Status.ABORTED


async def test_buttons_made_for_others(redis_client: Redis) -> None:
    world = World(redis_client)
    stored = await moved(world, await begun(world), "b1b2", "a2a3")
    board = world.inbox.sent[-1]
    guided = await world.press("Ana", pressing([board], "move"))
    goals = await world.press("Ana", payload(guided, "d1"))
    resigning = await world.press("Ana", pressing([board], "resign"))
    # It is Ana's turn: what was shown to her moves nobody's stones but hers.
    for pressed in (payload(guided, "d1"), payload(goals, "d2"), pressing([board], "move"), f"m|{stored.id}|2|d1-d2|!"):
        (answer,) = await world.press("Бо", pressed)
        assert first_line([answer]) == sentence("fault.not-your-turn"), pressed
    (answer,) = await world.press("Carla", pressing(resigning, "yes.resign"))
    assert first_line([answer]) == NO_PLAYER
    await world.press("Ana", pressing([board], "draw"))
    offer = world.inbox.sent[-1]
    (answer,) = await world.press("Ana", pressing([offer], "agree.draw"))
    assert first_line([answer]) == sentence("fault.own-offer")
    for key in ("agree.draw", "refuse.draw"):
        (answer,) = await world.press("Carla", pressing([offer], key))
        assert first_line([answer]) == NO_PLAYER
    assert (await ready(world, stored.id)).match.status is Status.PLAYING
    # Бо presses what was shown to Ana: he resigns his own seat, not hers.
    await world.press("Бо", pressing(resigning, "yes.resign"))
    result = (await ready(world, stored.id)).match.result
    assert result == Result(Agreement.RESIGNATION, Side.FIRST)


async def test_settings_are_everybodys_own(redis_client: Redis) -> None:
    world = World(redis_client)
    page = await world.say("Ana", "/settings")
    await world.press("Бо", pressing(page, "ping.off"))
    assert (await world.store.profile(world.person("Ana").id)).ping
    assert not (await world.store.profile(world.person("Бо").id)).ping
