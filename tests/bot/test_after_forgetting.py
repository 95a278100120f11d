"""After `/forget` the old messages still stand in the private chat: their buttons do no harm and bring nothing back."""

from __future__ import annotations

import pytest
from redis.asyncio import Redis

from bot import payload
from bot.messages import Challenge, Outgoing, Settings
from rules.match import Status
from tests.bot.harness import World
from tests.bot.table import begun, first_line, labels, moved, pressing, ready, room, said, sentence
from tests.bot.test_forgetting import everything, forget

STARTS_ANEW = (Challenge, Settings)
"""Buttons that say what is wanted now, whoever presses them and whatever was before."""


def pressable(messages: list[Outgoing]) -> set[str]:
    """What all the buttons of the *messages* send back."""
    return {button.payload for one in messages for row in one.buttons for button in row}


async def lived(world: World) -> set[str]:
    """Every kind of message with buttons that Ana can have in her private chat; what these send back."""
    own, shown = room("ana"), list[Outgoing]()

    async def say(text: str, name: str = "Ana") -> list[Outgoing]:
        answers = await world.say(name, text, place=own if name == "Ana" else room("bo"))
        shown.extend(one for one in answers if one.place == own)
        return answers

    await say("/challenge ayu 9")
    await say("/cancel")
    over = await begun(world, "ayu 9 nopie", place=own)
    await say(f"/resign yes {over.id}")
    stored = await begun(world, "ayu 9", place=own)
    shown += world.inbox.sent
    for text in (
        "/m",
        "/moves",
        "/resign",
        "/games",
        "/settings",
        "/challenge",
        "/start",
        "/forget",
        "/abort",
        "/board",
    ):
        await say(text)
    shown += await world.press("Ana", f"g|{stored.id}|0|b1", place=own)
    shown += await world.press("Ana", f"m|{stored.id}|0|b1-b2", place=own)
    await moved(world, stored, "a2a3", place=own)
    await say("/takeback")
    await say(f"/draw {stored.id}", "Бо")
    shown += await world.delivered()
    volo = await begun(world, "volo 6", place=own)
    shown += world.inbox.sent
    await say(f"/m {volo.id}")
    await say("/m zz")
    return pressable(shown)


@pytest.mark.parametrize("private", [True, False])
async def test_old_buttons_bring_nothing_back(redis_client: Redis, private: bool) -> None:
    world = World(redis_client)
    buttons = await lived(world)
    own = room("ana")
    assert len({pressed[0] for pressed in buttons}) > 15, "of all kinds"
    live = [await ready(world, match) for match in await world.store.matches_of(world.person("Ana").id)]
    await forget(world, "Ana", place=own)
    before = await everything(redis_client)
    assert b"test:ana" not in before
    for pressed in sorted(buttons):
        if isinstance(payload.decode(pressed), STARTS_ANEW):
            continue
        answers = await world.press("Ana", pressed, place=own, private=private)
        assert answers, pressed
        assert sentence("error.unexpected", incident="")[:12] not in said(answers), pressed
        assert all(one.only_for == world.person("Ana").id for one in answers), pressed
        assert await everything(redis_client) == before, pressed
        if any(one.id in pressed for one in live):
            assert first_line(answers) == sentence("notice.no-such-match"), pressed
            assert labels(answers[0]) == [sentence("button.start")]


async def test_a_game_that_is_begun_by_an_old_button_is_a_new_person_s(redis_client: Redis) -> None:
    world = World(redis_client)
    own = room("ana")
    await world.say("Ana", "/settings language ru", place=own)
    question = await world.say("Ana", "/challenge", place=own)
    old = await world.say("Ana", "/settings", place=own)
    await forget(world, "Ana", place=own)
    pressed = next(button.payload for row in question[0].buttons for button in row)
    told = await world.press("Ana", pressed, place=own, language="es")
    (match,) = await world.store.matches_of(world.person("Ana").id)
    assert (await ready(world, match)).match.status is Status.CHALLENGE
    title = sentence("game.title.ayu", "es", size="9")
    assert first_line(told) == sentence("event.challenged-open", "es", name="Ana", title=title), (
        "the language is forgotten"
    )
    # A switch does what it says, and what was set before it stays forgotten.
    (page,) = await world.press("Ana", pressing(old, "confirm.on", "ru"), place=own, language="es")
    assert first_line([page]) == sentence("settings.saved", "es")
    profile = await world.store.profile(world.person("Ana").id)
    assert (profile.language, profile.confirm, profile.played) == ("", True, 0)
