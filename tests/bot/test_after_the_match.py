"""Once more, lists, records and replays; and private chats, which find a match wherever it is played."""

from __future__ import annotations

import json

import pytest
from redis.asyncio import Redis

from bot.messages import Outgoing
from bot.texts import LANGUAGES, plain
from rules import GAMES
from rules.core import Side
from rules.match import Status, replay_tokens
from storage.base import StoredMatch
from tests.bot.harness import World
from tests.bot.table import begun, first_line, labels, moved, payload, pressing, ready, room, said, sentence


async def newest(world: World, name: str = "Ana") -> StoredMatch:
    """The person's live match that changed last."""
    match, *_ = await world.store.matches_of(world.person(name).id)
    return await ready(world, match)


# ---- rematch ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("by", ["Ana", "Бо"])
async def test_a_rematch_swaps_the_seats(redis_client: Redis, by: str) -> None:
    world = World(redis_client)
    ana, bo = world.person("Ana").id, world.person("Бо").id
    stored = await begun(world, "ayu 13 nopie")
    (answer,) = await world.say("Ana", f"/rematch {stored.id}")
    assert first_line([answer]) == sentence("notice.rematch-too-early")
    over = await world.say("Ana", "/resign yes")
    (told,) = await world.press(by, pressing(over, "rematch"))
    again = await newest(world)
    assert (again.match.status, again.match.challenger) == (Status.CHALLENGE, world.person(by).id)
    assert (again.match.size, again.match.pie, again.match.game.key) == (13, False, "ayu")
    assert told.ping == ({ana, bo} - {world.person(by).id}).pop()
    other = "Бо" if by == "Ana" else "Ana"
    await world.press(other, pressing(over, "rematch"))
    again = await ready(world, again.id)
    assert (again.match.status, again.match.seats) == (Status.PLAYING, (bo, ana))
    # And the one after that, back again.
    await world.say("Ana", "/resign yes")
    await world.say("Ana", "/rematch")
    await world.say("Бо", "/accept")
    assert (await newest(world)).match.seats == (ana, bo)


async def test_a_rematch_after_a_swap(redis_client: Redis) -> None:
    """The seats are swapped against how the match was played, not against how it began."""
    world = World(redis_client)
    stored = await moved(world, await begun(world, "ayu 9"), "b1b2")
    await world.say("Бо", "/swap")
    await world.say("Бо", "/resign yes")
    await world.say("Ana", f"/rematch {stored.id}")
    await world.say("Бо", "/accept")
    again = await newest(world)
    assert again.match.person_at(Side.FIRST) == world.person("Ana").id


async def test_no_rematch_without_a_match(redis_client: Redis) -> None:
    world = World(redis_client)
    (answer,) = await world.say("Ana", "/rematch")
    assert first_line([answer]) == sentence("notice.nothing-to-repeat")
    await world.say("Ana", "/challenge ayu @bo")
    stored = await newest(world)
    await world.say("Бо", "/decline")
    (answer,) = await world.say("Ana", f"/rematch {stored.id}")
    assert first_line([answer]) == sentence("notice.nothing-to-repeat")


async def test_a_match_that_was_ended_without_a_result_is_begun_once_more(redis_client: Redis) -> None:
    world = World(redis_client)
    stored = await begun(world, "ayu 9 nopie")
    told = await world.say("Бо", f"/abort yes {stored.id}")
    assert labels(told[-1]) == [sentence("button.rematch")]
    # What came to nothing since hides no match.
    await world.say("Ana", "/challenge volo")
    await world.say("Ana", "/cancel")
    await world.say("Ana", "/rematch")
    await world.press("Бо", pressing(told, "rematch"))
    again = (await newest(world)).match
    assert (again.status, again.seats) == (Status.PLAYING, (stored.match.seats[1], stored.match.seats[0]))


async def test_a_challenge_that_an_admin_has_ended_has_nothing_to_repeat(redis_client: Redis) -> None:
    world = World(redis_client)
    await world.say("Ana", "/challenge ayu 9")
    told = await world.say("Carla", "/abort yes", admin=True)
    assert first_line(told) == sentence("event.aborted", name="Carla")
    assert labels(told[-1]) == []
    (answer,) = await world.say("Ana", "/rematch")
    assert first_line([answer]) == sentence("notice.nothing-to-repeat")


async def test_with_somebody_who_has_left_nothing_is_begun_once_more(redis_client: Redis) -> None:
    world = World(redis_client)
    bare = await begun(world)
    await world.say("Ana", "/resign yes")
    stored = await moved(world, await begun(world), "b1b2")
    await world.say("Ana", "/resign yes")
    (question,) = await world.say("Бо", "/forget")
    await world.press("Бо", pressing([question], "yes.forget"))
    (board,) = await world.say("Ana", f"/board {stored.id}")
    assert labels(board)[0] == sentence("button.replay")
    (board,) = await world.say("Ana", f"/board {bare.id}")
    assert labels(board) == []
    (answer,) = await world.say("Ana", "/rematch")
    assert first_line([answer]) == sentence("notice.opponent-left")


async def test_a_blocked_person_gets_no_rematch(redis_client: Redis) -> None:
    world = World(redis_client)
    await begun(world)
    await world.say("Ana", "/resign yes")
    await world.say("Бо", "/settings block @ana", mentions=(world.person("Ana"),))
    (answer,) = await world.say("Ana", "/rematch")
    assert first_line([answer]) == sentence("notice.blocked")


# ---- lists -----------------------------------------------------------------------------------------------------------


async def test_next_is_what_waits_longest(redis_client: Redis) -> None:
    world = World(redis_client)
    (answer,) = await world.say("Ana", "/next")
    assert first_line([answer]) == sentence("notice.nothing-waits")
    waiting = []
    for number, (first, second) in enumerate([("Бо", "Ana"), ("Ana", "Бо"), ("Ana", "Carla"), ("Carla", "Бо")]):
        waiting.append(await begun(world, "ayu 9 nopie", first, second, room(f"room{number}")))
        world.clock.forward(hours=1)
    await world.say("Бо", f"b1b2 {waiting[0].id}")  # now the newest that waits for Ana
    for place in (room("ana"), room("room2")):
        (board,) = await world.say("Ana", "/next", place=place, private=False)
        assert (board.match, board.only_for) == (waiting[1].id, world.person("Ana").id)
    await world.say("Ana", f"b1b2 {waiting[1].id}")
    (board,) = await world.say("Ana", "/next")
    assert board.match == waiting[2].id
    await world.say("Ana", f"b1b2 {waiting[2].id}")
    (board,) = await world.say("Ana", "/next")
    assert board.match == waiting[0].id


async def test_the_list_of_games(redis_client: Redis) -> None:
    world = World(redis_client)
    (answer,) = await world.say("Ana", "/games")
    assert first_line([answer]) == sentence("games.none")
    mine = await begun(world, "ayu 9 nopie", "Ana", "Бо")
    theirs = await begun(world, "volo 6", "Бо", "Ana", room("other"))
    await world.say("Ana", "/challenge ayu 11")
    await world.say("Carla", "/challenge volo 8", mentions=(world.person("Ana"),))
    own, asked = (await world.store.matches_of(world.person("Ana").id))[1::-1]
    (by_name,) = await world.say("Diego", "/challenge volo 7 @ana")
    (answer,) = await world.say("Ana", "/games", place=room("elsewhere"))
    anybody = sentence("person.anybody")
    # What waits for her comes first.
    expected = [
        sentence(f"games.{key}", title=sentence(f"game.title.{game}", size=size), opponent=other, match=f"#{match}")
        for key, game, size, other, match in [
            ("challenge", "volo", "7", "Diego", by_name.match),
            ("challenge", "volo", "8", "Carla", asked),
            ("my-turn", "ayu", "9", "Бо", mine.id),
            ("own-challenge", "ayu", "11", anybody, own),
            ("their-turn", "volo", "6", "Бо", theirs.id),
        ]
    ]
    assert plain(answer.text).split("\n") == [sentence("games.title"), *expected]
    # A button leads to the board of each match that waits for her.
    assert [button.payload for row in answer.buttons for button in row] == [f"b|{mine.id}"]
    (board,) = await world.press("Ana", f"b|{mine.id}", place=room("elsewhere"))
    assert board.picture is not None


async def test_a_long_list_of_games_ends_somewhere(redis_client: Redis) -> None:
    world = World(redis_client)
    for number in range(25):
        await world.core.handle(world.incoming("Ana", "/challenge volo 6", place=room(f"room{number}")))
    (answer,) = await world.core.handle(world.incoming("Ana", "/games"))
    assert plain(answer.text).split("\n")[-1] == sentence("games.more", n=5)
    assert len(labels(answer)) == 10


# ---- records ---------------------------------------------------------------------------------------------------------


async def test_an_exported_record_replays(redis_client: Redis) -> None:
    world = World(redis_client)
    stored = await moved(world, await begun(world, "ayu 9"), "b1b2")
    await world.say("Бо", "/swap")
    stored = await moved(world, await ready(world, stored.id), "a2a3", "d1d2")
    await world.say("Ana", "/resign yes")
    (answer,) = await world.say("Бо", "/export")
    assert answer.document is not None
    assert answer.document.name == f"bandada-{stored.id}.json"
    record = json.loads(answer.document.content)
    # Black first: after the swap that is Бо.
    assert record["players"] == ["Бо", "Ana"]
    assert record["moves"] == ["b1-b2", "swap", "a2-a3", "d1-d2"]
    assert record["result"] == {"reason": "resignation", "winner": 1}
    assert (record["game"], record["size"], record["pie"], record["status"]) == ("ayu", 9, True, "finished")
    replayed, swapped = replay_tokens(GAMES[record["game"]], record["size"], record["moves"])
    assert swapped
    assert replayed.position.diagram() == record["board"]


async def test_a_replay_has_a_picture_for_each_position(redis_client: Redis) -> None:
    world = World(redis_client)
    stored = await begun(world, "ayu 9")
    await moved(world, stored, "b1b2")
    (answer,) = await world.say("Ana", f"/replay {stored.id}")
    assert len(answer.replay) == 2
    await world.say("Бо", "/swap")
    await moved(world, await ready(world, stored.id), "a2a3", "d1d2")
    over = await world.say("Ana", "/resign yes")
    (answer,) = await world.press("Бо", pressing(over, "replay"))
    # The swap changes no board.
    assert len(answer.replay) == 3 + 1
    assert [scene.moved for scene in answer.replay] == [(), (("b1", "b2"),), (("a2", "a3"),), (("d1", "d2"),)]
    assert first_line([answer]) == sentence("replay.file", n=3)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_where_no_move_was_made_a_sentence_says_that_nothing_can_be_shown(
    redis_client: Redis, language: str
) -> None:
    world = World(redis_client)
    world.language = language
    stored = await begun(world, "volo 6")
    (answer,) = await world.say("Ana", f"/replay {stored.id}")
    assert (first_line([answer]), answer.replay) == (sentence("notice.no-moves", language), ())
    (over,) = await world.say("Ana", "/resign yes")
    assert labels(over) == [sentence("button.rematch", language)]
    for command in ("replay", "lookback"):
        (answer,) = await world.say("Ana", f"/{command} {stored.id}")
        assert first_line([answer]) == sentence("notice.no-moves", language)


# ---- private chats ---------------------------------------------------------------------------------------------------


async def test_in_a_private_chat_the_move_alone_is_enough(redis_client: Redis) -> None:
    world = World(redis_client)
    stored = await begun(world)
    ana, group = room("ana"), world.place
    answers = await world.say("Ana", "b1b2", place=ana)
    # She is shown the board where she is, and the chat is told.
    assert [outgoing.place for outgoing in answers] == [ana, group]
    assert all(first_line([one]) == sentence("event.moved", name="Ana", move="b1-b2") for one in answers)
    assert (await ready(world, stored.id)).places == (group,)
    # In another group it is not enough.
    (answer,) = await world.say("Бо", "a2a3", place=room("cafe"), private=False)
    assert first_line([answer]) == sentence("notice.no-match")
    for text, key in (("/moves", "moves.count"), ("/board", "event.moved")):
        (answer,) = await world.say("Бо", text, place=room("bo"))
        assert answer.match == stored.id
        assert first_line([answer]) == sentence(key, n=60, name="Ana", move="b1-b2")
    await world.say("Бо", "/resign yes", place=room("bo"))
    (answer,) = await world.say("Бо", "/export", place=room("bo"))
    assert answer.document is not None
    answers = await world.say("Бо", "/rematch", place=room("bo"))
    assert first_line(answers) == sentence("event.challenged", name="Бо", opponent="Ana", title="Ayu 9×9")


async def test_a_match_here_comes_before_those_elsewhere(redis_client: Redis) -> None:
    world = World(redis_client)
    elsewhere, here = await begun(world), await begun(world, place=room("ana"))
    await world.say("Ana", "b1b2", place=room("ana"))
    assert (await ready(world, here.id)).match.tokens == ("b1-b2",)
    # Now it is her turn elsewhere alone.
    await world.say("Ana", "d1d2", place=room("ana"))
    assert (await ready(world, elsewhere.id)).match.tokens == ("d1-d2",)


async def test_two_private_chats(redis_client: Redis) -> None:
    """A challenge by a link: accepting it from another place adds that place."""
    world = World(redis_client)
    ana, bo = room("ana"), room("bo")
    (told,) = await world.say("Ana", "/challenge ayu 9", place=ana)
    door = await world.say("Бо", f"/start {told.match}", place=bo)
    told_both = await world.press("Бо", pressing(door, "accept"), place=bo)
    stored = await newest(world)
    assert stored.places == (ana, bo)
    assert sorted(outgoing.place for outgoing in told_both) == [ana, bo]
    for name, place, move in (("Ana", ana, "b1b2"), ("Бо", bo, "a2a3"), ("Ana", ana, "d1d2")):
        answers = await world.say(name, move, place=place)
        assert sorted(outgoing.place for outgoing in answers) == [ana, bo]
        assert {plain(outgoing.text) for outgoing in answers} == {plain(answers[0].text)}
    (answer,) = await world.say("Бо", "/resign", place=bo)
    over = await world.press("Бо", pressing([answer], "yes.resign"), place=bo)
    assert _ended(over) == {ana, bo}


def _ended(messages: list[Outgoing]) -> set[object]:
    loser = sentence("result.resignation", loser="Бо", name="Ana", side=sentence("side.ayu.1"))
    return {outgoing.place for outgoing in messages if first_line([outgoing]) == loser}


async def test_start_with_a_code_that_leads_nowhere(redis_client: Redis) -> None:
    world = World(redis_client)
    for code in ("zzzz", "hello", "кфвт", "\ud800", "x" * 64):
        (answer,) = await world.say("Ana", f"/start {code}")
        assert said([answer]) == sentence("notice.no-such-match")
    (answer,) = await world.say("Ana", "/start")
    assert payload([answer], sentence("button.help")) == "h"
