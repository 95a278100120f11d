"""The computer as an opponent in a chat: it accepts, moves, swaps, answers offers, and thinks again after a restart."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

import pytest
from redis.asyncio import Redis

from bot.computers import LEVELS, computer_id, computer_level
from bot.core import build
from bot.messages import Outgoing
from renderers.scene import Course
from rules.actions import PersonId
from rules.core import Side
from rules.match import Status
from storage.base import MatchId, StoredMatch
from storage.transcript import RedisTranscript
from tests.bot.harness import NoRender, World
from tests.bot.table import first_line, labels, pressing, ready, said, sentence
from tests.bot.thinkers import BrokenThinker, QuickThinker, SlowThinker, playing


async def until(world: World, match: MatchId, holds: Callable[[StoredMatch], bool]) -> StoredMatch:
    """The match once something holds of it."""
    async with asyncio.timeout(20):
        while True:
            stored = await ready(world, match)
            if holds(stored):
                return stored
            await asyncio.sleep(0.01)


async def against(world: World, wanted: str = "ayu 9 nopie computer 3") -> StoredMatch:
    """A new match of Ana's against the computer."""
    before = set(await world.store.matches_in(world.place))
    await world.say("Ana", f"/challenge {wanted}")
    (match,) = set(await world.store.matches_in(world.place)) - before
    return await ready(world, match)


def bird(level: int, language: str = "en") -> str:
    return sentence("computer", language, bird=sentence(f"computer.{level}", language), level=str(level))


def card(level: int, language: str) -> str:
    return sentence("computer.card", language, bird=sentence(f"computer.{level}", language), level=str(level))


def test_ids_of_the_levels() -> None:
    assert [computer_level(computer_id(level)) for level in LEVELS] == list(LEVELS)
    for nobody in (None, "computer:0", "computer:6", "computer:33", "web:computer:3", "computer:3x"):
        assert computer_level(None if nobody is None else PersonId(nobody)) == 0


@pytest.mark.parametrize(("language", "level"), [("en", 1), ("es", 5), ("ru", 2)])
async def test_it_accepts_at_once_and_has_a_birds_name(redis_client: Redis, language: str, level: int) -> None:
    world = World(redis_client, thinker=QuickThinker())
    world.language = language
    (board,) = await world.say("Ana", f"/challenge ayu 9 computer {level}")
    begun = sentence("event.challenged-computer", language, name="Ana", title="Ayu 9×9", opponent=bird(level, language))
    assert first_line([board]) == begun
    assert board.picture is not None
    assert [card.name for card in board.picture.scene.cards] == ["Ana", card(level, language)]
    assert board.ping is None
    (match,) = await world.store.matches_of(computer_id(level))
    stored = await ready(world, match)
    assert (stored.match.status, stored.version) == (Status.PLAYING, 1)


async def test_level_and_game_are_asked_for(redis_client: Redis) -> None:
    world = World(redis_client, thinker=QuickThinker())
    answers = await world.say("Ana", "/challenge")
    answers = await world.press("Ana", pressing(answers, "computer"))
    assert first_line(answers) == sentence("ask.game")
    game = next(b.payload for row in answers[0].buttons for b in row if b.label == "Volo 7")
    answers = await world.press("Ana", game)
    assert first_line(answers) == sentence("ask.level")
    assert len(labels(answers[0])) == len(LEVELS)
    await world.press("Ana", answers[0].buttons[0][1].payload)
    (match,) = await world.store.matches_of(computer_id(2))
    assert (await ready(world, match)).match.game.key == "volo"


async def test_a_button_pressed_twice_begins_one_match(redis_client: Redis) -> None:
    world = World(redis_client, thinker=QuickThinker())
    for _ in range(2):
        await world.say("Ana", "/challenge volo computer 2")
    assert len(await world.store.matches_of(computer_id(2))) == 1


@pytest.mark.parametrize("wanted", ["ayu 9 nopie computer 1", "volo 6 computer 5"])
async def test_a_whole_game_is_played(redis_client: Redis, wanted: str) -> None:
    world = World(redis_client, thinker=QuickThinker())
    stored = await against(world, wanted)
    me = world.person("Ana").id
    async with playing(world):
        for _ in range(60):
            stored = await until(world, stored.id, lambda s: s.match.person_to_move == me or not s.match.live)
            if not stored.match.live or stored.match.ply >= 30:
                break
            position = stored.match.record.position
            await world.say("Ana", f"/move {position.write(position.legal_moves()[0])} {stored.id}")
    assert stored.match.ply >= 6
    told = said(world.inbox.sent)
    assert bird(1 if "ayu" in wanted else 5) in told


async def test_it_moves_first_after_a_rematch_and_makes_an_even_first_move(redis_client: Redis) -> None:
    thinker = QuickThinker()
    world = World(redis_client, thinker=thinker)
    stored = await against(world, "ayu 9 computer 2")
    answers = await world.say("Ana", "/resign yes")
    await world.press("Ana", pressing(answers, "rematch"))
    (match,) = await world.store.matches_of(computer_id(2))
    assert match != stored.id
    async with playing(world):
        stored = await until(world, match, lambda s: s.match.ply == 1)
    assert stored.match.person_at(Side.FIRST) == computer_id(2)
    assert thinker.asked[-1].even


async def test_it_decides_about_the_swap(redis_client: Redis) -> None:
    thinker = QuickThinker()
    world = World(redis_client, thinker=thinker)
    stored = await against(world, "ayu 9 computer 5")
    async with playing(world):
        position = stored.match.record.position
        await world.say("Ana", f"/move {position.write(position.legal_moves()[0])} {stored.id}")
        stored = await until(world, stored.id, lambda s: s.match.ply > 1)
    assert stored.match.swapped or len(stored.match.record.moves) == 2


async def test_takebacks_are_granted_and_draws_judged(redis_client: Redis) -> None:
    world = World(redis_client, thinker=QuickThinker())
    stored = await against(world, "volo 6 computer 3")
    me = world.person("Ana").id
    async with playing(world):
        await world.say("Ana", f"/move d3 {stored.id}")
        await until(world, stored.id, lambda s: s.match.ply == 2)
        await world.say("Ana", f"/takeback {stored.id}")
        taken = await until(world, stored.id, lambda s: s.match.offer is None and s.match.ply == 0)
        assert taken.match.person_to_move == me
        await world.say("Ana", f"/draw {stored.id}")
        judged = await until(world, stored.id, lambda s: s.match.offer is None)
    assert judged.match.declined_offer is not None or judged.match.status is Status.FINISHED


async def test_thinking_ends_when_the_match_changes(redis_client: Redis) -> None:
    thinker = SlowThinker()
    world = World(redis_client, thinker=thinker)
    stored = await against(world, "volo 6 computer 4")
    async with playing(world):
        await world.say("Ana", f"/move d3 {stored.id}")
        await asyncio.sleep(0.1)
        await world.say("Ana", f"/resign yes {stored.id}")
        async with asyncio.timeout(10):
            while not thinker.cancelled:  # noqa: ASYNC110 - nothing tells
                await asyncio.sleep(0.01)
        thinker.go.set()
        await asyncio.sleep(0.1)
    assert thinker.cancelled == 1
    assert (await ready(world, stored.id)).match.status is Status.FINISHED
    assert thinker.asked == []


async def test_a_restart_thinks_again_and_moves_once(redis_client: Redis) -> None:
    slow = SlowThinker()
    world = World(redis_client, thinker=slow)
    stored = await against(world, "volo 6 computer 4")
    async with playing(world):
        await world.say("Ana", f"/move d3 {stored.id}")
        await asyncio.sleep(0.1)
    # Another process, which nobody wakes: its first look finds the match.
    other = build(
        world.store, RedisTranscript(redis_client), NoRender(), language="en", clock=world.clock, thinker=QuickThinker()
    )
    assert other.computer is not None
    async with asyncio.TaskGroup() as group:
        task = group.create_task(other.computer.run())
        stored = await until(world, stored.id, lambda s: s.match.ply == 2)
        await asyncio.sleep(0.1)
        task.cancel()
    assert (await ready(world, stored.id)).match.ply == 2


async def test_one_match_does_not_hold_up_another(redis_client: Redis) -> None:
    """While the computer thinks about one match for ever, others are answered, and so is everybody else."""
    thinker = SlowThinker()
    world = World(redis_client, thinker=thinker)
    first = await against(world, "volo 6 computer 4")
    async with playing(world):
        await world.say("Ana", f"/move d3 {first.id}")
        answers = await world.say("Бо", "/rules ayu")
        assert answers
    assert (await ready(world, first.id)).match.ply == 1


async def test_who_cannot_think_is_asked_again_later(redis_client: Redis, caplog: pytest.LogCaptureFixture) -> None:
    thinker = BrokenThinker()
    world = World(redis_client, thinker=thinker)
    stored = await against(world, "volo 6 computer 4")
    with caplog.at_level(logging.WARNING):
        async with playing(world):
            await world.say("Ana", f"/move d3 {stored.id}")
            async with asyncio.timeout(10):
                while not thinker.asked:  # noqa: ASYNC110 - nothing tells
                    await asyncio.sleep(0.01)
            await asyncio.sleep(0.1)
    assert "cannot answer" in caplog.text
    assert len(thinker.asked) == 1  # no busy loop


# ---- advice ----------------------------------------------------------------------------------------------------------


async def test_a_hint_shows_the_move_and_says_why(redis_client: Redis) -> None:
    world = World(redis_client, thinker=QuickThinker())
    stored = await against(world, "ayu 9 nopie computer 1")
    (hint,) = await world.say("Ana", "/hint")
    assert hint.only_for == world.person("Ana").id
    assert hint.picture is not None
    assert hint.picture.scene.dots
    assert hint.picture.scene.selected
    assert "more moves" in said([hint])
    await world.press("Ana", hint.buttons[0][0].payload)
    assert (await ready(world, stored.id)).match.ply == 1


async def test_no_hints_between_people_nor_out_of_turn(redis_client: Redis) -> None:
    world = World(redis_client, thinker=QuickThinker())
    assert first_line(await world.say("Ana", "/hint")) == sentence("notice.hint-only-computer")
    stored = await against(world, "ayu 9 nopie computer 1")
    await world.say("Ana", f"/move b1b2 {stored.id}")
    assert first_line(await world.say("Ana", "/hint")) == sentence("fault.not-your-turn")
    await world.say("Ana", "/challenge ayu 9 nopie @bo")
    (match, *_) = await world.store.matches_of(world.person("Ana").id)
    await world.say("Бо", f"/accept {match}")
    assert first_line(await world.say("Ana", f"/hint {match}")) == sentence("notice.hint-only-computer")


async def test_without_a_computer_a_sentence_says_so(redis_client: Redis) -> None:
    world = World(redis_client, thinker=BrokenThinker())
    await against(world, "ayu 9 nopie computer 1")
    assert first_line(await world.say("Ana", "/hint")) == sentence("notice.computer-away")
    nobody = World(redis_client)
    assert first_line(await nobody.say("Бо", "/challenge ayu computer 1")) == sentence("notice.computer-away")


async def test_looking_back_shows_the_course_and_the_turns(redis_client: Redis) -> None:
    thinker = QuickThinker()
    world = World(redis_client, thinker=thinker)
    assert first_line(await world.say("Ana", "/lookback")) == sentence("notice.lookback-too-early")
    stored = await against(world, "volo 6 computer 3")
    assert first_line(await world.say("Ana", f"/lookback {stored.id}")) == sentence("notice.lookback-too-early")
    me = world.person("Ana").id
    async with playing(world):
        for move in ("d3", "c4", "e5"):
            stored = await until(world, stored.id, lambda s: s.match.person_to_move == me)
            if stored.match.record.position.board.bit(move) & stored.match.record.position.pieces(Side.SECOND):
                continue
            await world.say("Ana", f"/move {move} {stored.id}")
        await until(world, stored.id, lambda s: s.match.person_to_move == me)
    answers = await world.say("Ana", f"/resign yes {stored.id}")
    looked = await world.press("Ana", pressing(answers, "lookback"))
    asked = len(thinker.asked)
    course = course_of(looked)
    stored = await ready(world, stored.id)
    assert len(course.chances) == len(stored.match.record.moves) + 1
    assert course.chances[-1] == 0.0  # the second side has won
    again = await world.say("Бо", f"/lookback {stored.id}")
    assert course_of(again) == course
    assert len(thinker.asked) == asked, "it is remembered"


def course_of(messages: list[Outgoing]) -> Course:
    (message,) = messages
    assert message.picture is not None
    course = message.picture.scene.course
    assert course is not None
    return course
