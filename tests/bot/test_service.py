"""Challenges and what comes of them: who plays whom, several matches in a chat, rematches, lists."""

from __future__ import annotations

from itertools import product

import pytest
from redis.asyncio import Redis

from bot.challenges import DECLINED_SECONDS, MAX_LIVE
from bot.messages import Mention, Person
from bot.texts import LANGUAGES, plain
from rules import GAMES
from rules.actions import PersonId
from rules.match import CHALLENGE_SECONDS, Match, Status
from storage.base import StoredMatch
from tests.bot.harness import World
from tests.bot.table import begun, first_line, labels, moved, payload, ready, room, said, sentence, typed
from tests.bot.thinkers import QuickThinker


async def only(world: World) -> StoredMatch:
    """The one live match of the chat."""
    (match,) = await world.store.matches_in(world.place)
    return await ready(world, match)


async def challenged(world: World, text: str, name: str = "Ana", **more: object) -> Match:
    """The match that the challenge made."""
    await world.say(name, f"/challenge {text}", **more)
    return (await only(world)).match


# ---- challenges ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "game", "size", "pie"),
    [
        ("ayu", "ayu", 11, True),
        ("ayu 9", "ayu", 9, True),
        ("9 ayu nopie", "ayu", 9, False),
        ("аю 13х13 безпирога", "ayu", 13, False),
        ("volo", "volo", 7, False),
        ("Volo 8 open", "volo", 8, False),
    ],
)
async def test_an_open_challenge(redis_client: Redis, text: str, game: str, size: int, pie: bool) -> None:
    world = World(redis_client)
    match = await challenged(world, text)
    assert (match.game.key, match.size, match.pie, match.invited) == (game, size, pie, None)
    (told,) = world.inbox.sent
    title = sentence(f"game.title.{game}", size=str(size))
    assert first_line([told]) == sentence("event.challenged-open", name="Ana", title=title)
    assert labels(told) == [sentence(f"button.{key}") for key in ("accept", "withdraw", "rules")]
    assert told.ping is None


async def test_a_challenge_by_mention(redis_client: Redis) -> None:
    world = World(redis_client)
    match = await challenged(world, "ayu 9 @bo", mentions=(world.person("Бо"),))
    assert match.invited == world.person("Бо").id
    (told,) = world.inbox.sent
    title = sentence("game.title.ayu", size="9")
    assert first_line([told]) == sentence("event.challenged", name="Ana", opponent="Бо", title=title)
    assert told.ping == world.person("Бо").id
    assert labels(told) == [sentence(f"button.{key}") for key in ("accept", "decline", "withdraw", "rules")]


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_command_that_there_is_not_is_named(redis_client: Redis, language: str) -> None:
    world = World(redis_client)
    for name, near in (
        ("foo", ""),
        ("chalenge", "/challenge"),
        ("language", "/settings language"),
        ("resing", "/resign"),
    ):
        (answer,) = await world.say("Ana", f"/{name} volo", language=language)
        key = "notice.unknown-command-near" if near else "notice.unknown-command"
        assert plain(answer.text) == sentence(key, language, command=f"/{name}", **({"near": near} if near else {}))
        assert await world.say("Ana", f"/{name} volo", private=False, addressed=False) == []


async def test_a_challenge_by_name_is_held_for_that_name(redis_client: Redis) -> None:
    world = World(redis_client)
    match = await challenged(world, "volo @Bo")
    assert match.invited == "test:@bo"
    title = sentence("game.title.volo", size="7")
    assert first_line(world.inbox.sent) == sentence("event.challenged", name="Ana", opponent="@bo", title=title)
    (answer,) = await world.say("Carla", "/accept")
    assert first_line([answer]) == sentence("fault.not-invited")
    await world.say("Бо", "/accept")
    match = (await only(world)).match
    assert match.seats == (world.person("Ana").id, world.person("Бо").id)
    # The player now has his own name.
    assert "Бо" in said(world.inbox.sent[-1:])
    assert "@bo" not in said(world.inbox.sent[-1:])


async def test_asking_for_the_game_keeps_the_rest(redis_client: Redis) -> None:
    world = World(redis_client)
    asked = await world.say("Ana", "/challenge nopie", mentions=(Person(PersonId("test:77"), "Бо", "bo"),))
    assert first_line(asked) == sentence("ask.game")
    # A small Ayu first, for somebody who has not played yet.
    assert labels(asked[0])[0] == sentence("game.title.ayu", size="9")
    assert len(labels(asked[0])) == sum(len(game.sizes) for game in GAMES.values())
    await world.press("Ana", payload(asked, sentence("game.title.ayu", size="13")))
    match = (await only(world)).match
    assert (match.size, match.pie, match.invited) == (13, False, "test:77")


async def test_after_a_first_match_the_usual_size_comes_first(redis_client: Redis) -> None:
    world = World(redis_client)
    await begun(world)
    for name in ("Ana", "Бо"):
        (asked,) = await world.say(name, "/challenge")
        assert labels(asked)[0] == sentence("game.title.ayu", size="11")


async def test_challenges_that_cannot_be(redis_client: Redis) -> None:
    world = World(redis_client)
    bot = Person(PersonId("test:1"), "Helper", "helper_bot", is_bot=True)
    sizes = "9, 11, 13, 15, 17, or 19"
    for text, mentions, expected in [
        ("ayu @ana", (), sentence("fault.self")),
        ("ayu", (world.person("Ana"),), sentence("fault.self")),
        ("ayu @helper_bot", (bot,), sentence("notice.bot-opponent")),
        ("@helper_bot", (bot,), sentence("notice.bot-opponent")),
        ("@ana", (), sentence("fault.self")),
        ("", (world.person("Ana"),), sentence("fault.self")),
        ("thread", (), sentence("notice.no-thread")),
        ("ayu 10", (), sentence("notice.bad-size", game="Ayu", size=10, sizes=sizes)),
        ("volo 11", (), sentence("notice.bad-size", game="Volo", size=11, sizes="6, 7, or 8")),
        ("volo pie", (), sentence("fault.no-pie")),
        ("ayu computer 3", (), sentence("notice.computer-away")),
        ("chess", (), sentence("notice.unknown-word", command="/challenge", word="chess")),
        ("ayu 9 11", (), sentence("notice.unknown-word", command="/challenge", word="11")),
        ("10", (), sentence("notice.unknown-word", command="/challenge", word="10")),
    ]:
        (answer,) = await world.say("Ana", f"/challenge {text}", mentions=mentions)
        assert first_line([answer]) == expected, text
    assert await world.store.matches_in(world.place) == []


@pytest.mark.parametrize(("size", "game"), [(9, "ayu"), (19, "ayu"), (6, "volo"), (8, "volo")])
async def test_a_size_that_one_game_has_names_the_game(redis_client: Redis, size: int, game: str) -> None:
    world = World(redis_client)
    await world.say("Ana", f"/challenge {size}")
    match = (await only(world)).match
    assert (match.game.key, match.size) == (game, size)


async def test_a_button_for_an_unknown_game_asks_which(redis_client: Redis) -> None:
    world = World(redis_client)
    (asked,) = await world.press("Ana", "c|chess|8")
    assert first_line([asked]) == sentence("ask.game")


async def test_too_many_matches(redis_client: Redis) -> None:
    world = World(redis_client, thinker=QuickThinker())
    for number in range(MAX_LIVE):
        assert await world.core.handle(world.incoming("Ana", "/challenge volo 6", place=room(f"room{number}"))) == ()
    for wanted in ("", " ayu", " computer", " ayu computer"):
        (answer,) = await world.core.handle(world.incoming("Ana", f"/challenge{wanted}"))
        assert said([answer]) == sentence("notice.too-many-matches", limit=MAX_LIVE)
    # Those of others are no matter, and what is withdrawn makes room.
    assert await world.core.handle(world.incoming("Бо", "/challenge ayu")) == ()
    await world.core.handle(world.incoming("Ana", "/cancel", place=room("room0")))
    assert await world.core.handle(world.incoming("Ana", "/challenge ayu")) == ()


async def test_the_same_person_is_not_challenged_twice(redis_client: Redis) -> None:
    world = World(redis_client)
    match = await challenged(world, "ayu 9 @bo")
    assert match.invited == "test:@bo"
    (waiting,) = await world.store.matches_in(world.place)
    (answer,) = await world.say("Ana", "/challenge volo @bo")
    assert plain(answer.text) == sentence("notice.already-challenged", match=f"#{waiting}")
    (answer,) = await world.say("Ana", "/challenge @bo")
    assert plain(answer.text) == sentence("notice.already-challenged", match=f"#{waiting}"), "before the game is asked"
    # Others may challenge him, and Ana again after his answer.
    await world.say("Carla", "/challenge ayu 9 @bo")
    await world.say("Бо", f"/decline {waiting}")
    await has_to_wait(world, 30)
    world.clock.forward(seconds=DECLINED_SECONDS - 60)
    await has_to_wait(world, 1)
    world.clock.forward(seconds=60)
    await world.say("Ana", "/challenge volo @bo")
    assert len(await world.store.matches_in(world.place)) == 2


async def has_to_wait(world: World, minutes: int) -> None:
    """Ana may not challenge Бо again, by his user name or pointing at him; he may challenge her, and she others."""
    for game, mentions in product(("", "volo "), ((), (world.person("Бо"),))):
        (answer,) = await world.say("Ana", f"/challenge {game}@bo", mentions=mentions)
        assert plain(answer.text) == sentence("notice.declined-recently", n=minutes)
    for who, whom in (("Бо", "@ana"), ("Ana", "@diego")):
        told = await world.say(who, f"/challenge volo 6 {whom}")
        (challenge,) = {one.match for one in told}
        await world.say(who, f"/cancel {challenge}")


@pytest.mark.parametrize("known_by", ["mention", "name"])
@pytest.mark.parametrize("blocked_by", ["mention", "name"])
async def test_a_blocked_person_challenges_in_vain(redis_client: Redis, known_by: str, blocked_by: str) -> None:
    world = World(redis_client)
    mentions = (world.person("Ana"),) if blocked_by == "mention" else ()
    await world.say("Бо", "/settings block @ana", mentions=mentions)
    mentions = (world.person("Бо"),) if known_by == "mention" else ()
    for game in ("", "ayu "):
        (answer,) = await world.say("Ana", f"/challenge {game}@bo", mentions=mentions)
        assert said([answer]) == sentence("notice.blocked")
    await world.say("Бо", "/settings unblock @ana", mentions=(world.person("Ana"),) if blocked_by == "mention" else ())
    await world.say("Ana", "/challenge ayu @bo", mentions=mentions)
    assert len(await world.store.matches_in(world.place)) == 1


# ---- answers to a challenge ------------------------------------------------------------------------------------------


async def test_accepting_begins_the_match(redis_client: Redis) -> None:
    world = World(redis_client)
    await world.say("Ana", "/challenge ayu 9")
    told = await world.say("Бо", "/accept")
    match = (await only(world)).match
    assert (match.status, match.seats) == (Status.PLAYING, (world.person("Ana").id, world.person("Бо").id))
    assert first_line(told) == sentence("event.accepted", name="Бо")
    assert told[0].ping == world.person("Ana").id
    assert [(await world.store.profile(world.person(name).id)).played for name in ("Ana", "Бо")] == [1, 1]


async def test_declining_and_withdrawing(redis_client: Redis) -> None:
    world = World(redis_client)
    for who, text, status, event in [
        ("Бо", "/decline", Status.DECLINED, "declined"),
        ("Ana", "/cancel", Status.WITHDRAWN, "withdrawn"),
    ]:
        world.clock.forward(seconds=DECLINED_SECONDS)
        await world.say("Ana", "/challenge ayu 9 @bo")
        stored = await only(world)
        told = await world.say(who, text)
        assert first_line(told) == sentence(f"event.{event}", name=who)
        assert (await ready(world, stored.id)).match.status is status
        assert told[0].buttons == ()
        assert told[0].picture is None
        assert await world.store.matches_in(world.place) == []
        for name in ("Ana", "Бо"):
            assert await world.store.matches_of(world.person(name).id) == []
    for text, key in (("/accept", "no-challenge"), ("/decline", "no-challenge"), ("/cancel", "no-own-challenge")):
        (answer,) = await world.say("Бо", text)
        assert first_line([answer]) == sentence(f"notice.{key}")


async def test_an_open_challenge_is_not_declined(redis_client: Redis) -> None:
    world = World(redis_client)
    await world.say("Ana", "/challenge ayu 9")
    (answer,) = await world.say("Бо", "/decline")
    assert first_line([answer]) == sentence("notice.no-challenge")


@pytest.mark.parametrize("how", ["taken", "played", "aborted", "withdrawn", "expired"])
@pytest.mark.parametrize("came_by", ["/start {}", "/accept {}", "a|{}"])
async def test_whoever_comes_too_late_to_an_open_challenge_is_told_so(
    redis_client: Redis, how: str, came_by: str
) -> None:
    world = World(redis_client)
    own, elsewhere = room("ana"), room("carla")
    await world.say("Ana", "/challenge ayu 9", place=own)
    (match,) = await world.store.matches_in(own)
    if how in ("taken", "played", "aborted"):
        await world.say("Бо", f"/accept {match}", place=room("bo"))
    if how in ("played", "aborted"):
        await world.say("Ana", "/resign yes" if how == "played" else "/abort yes", place=own)
    elif how == "withdrawn":
        await world.say("Ana", "/cancel", place=own)
    elif how == "expired":
        world.clock.forward(seconds=CHALLENGE_SECONDS)
        await world.core.service.expire(world.clock.now_ms() // 1000)
        await world.delivered()
    key = "notice.challenge-over" if how in ("withdrawn", "expired") else "notice.challenge-taken"
    for place in (elsewhere, own):
        if place == own and came_by.startswith("/start"):
            continue  # where it was played all may look
        came = came_by.format(match)
        text, pressed = (came, "") if came.startswith("/") else ("", came)
        (answer,) = await world.handle(world.incoming("Carla", text, pressed, place=place))
        assert first_line([answer]) == sentence(key, match=f"#{match}")
        assert labels(answer) == [sentence("button.start")]
        (asked,) = await world.press("Carla", payload([answer], sentence("button.start")), place=place)
        assert first_line([asked]) == sentence("ask.game")


async def test_a_challenge_that_was_never_open_to_all_stays_unknown(redis_client: Redis) -> None:
    world = World(redis_client)
    await world.say("Ana", "/challenge ayu 9 @bo")
    (match,) = await world.store.matches_in(world.place)
    for _ in ("waits", "is played"):
        for text in (f"/start {match}", f"/accept {match}"):
            (answer,) = await world.say("Carla", text, place=room("carla"))
            assert first_line([answer]) == sentence("notice.no-such-match")
            assert labels(answer) == [sentence("button.start")]
        if (await ready(world, match)).match.status is Status.CHALLENGE:
            await world.say("Бо", "/accept")


async def test_who_accepts_twice_is_shown_the_way_to_the_board(redis_client: Redis) -> None:
    world = World(redis_client)
    stored = await begun(world)
    (answer,) = await world.say("Бо", f"/accept {stored.id}")
    assert first_line([answer]) == sentence("fault.already-started")
    assert labels(answer) == [sentence("button.board")]


async def test_a_challenge_expires(redis_client: Redis) -> None:
    world = World(redis_client)
    match = await challenged(world, "ayu 9 @bo")
    seconds = world.clock.now_ms() // 1000
    assert match.deadline == seconds + CHALLENGE_SECONDS
    assert await world.core.service.expire(match.deadline - 1) == 0
    world.clock.forward(seconds=CHALLENGE_SECONDS)
    # Even before the clock has come by, nobody gets in any more.
    (answer,) = await world.say("Бо", "/accept")
    (challenge,) = await world.store.matches_in(world.place)
    assert first_line([answer]) == sentence("notice.challenge-over", match=f"#{challenge}")
    assert await world.core.service.expire(match.deadline) == 1
    assert await world.core.service.expire(match.deadline) == 0
    (told,) = await world.delivered()
    assert first_line([told]) == sentence("event.expired")
    assert told.ping is None


# ---- several matches in one chat -------------------------------------------------------------------------------------


async def test_a_move_goes_to_the_match_where_it_is_due(redis_client: Redis) -> None:
    world = World(redis_client)
    mine = await begun(world, "ayu 9 nopie", "Ana", "Бо")
    theirs = await begun(world, "ayu 9 nopie", "Бо", "Ana")
    await begun(world, "ayu 9 nopie", "Carla", "Бо")
    assert await world.core.handle(world.incoming("Ana", "b1b2")) == ()
    assert (await ready(world, mine.id)).match.tokens == ("b1-b2",)
    (answer,) = await world.core.handle(world.incoming("Ana", "a2a3"))
    assert first_line([answer]) == sentence("fault.not-your-turn")
    assert (await ready(world, theirs.id)).match.tokens == ()


@pytest.mark.parametrize("text", ["b1b2", "b1 b2", "Б1 Б2", "/move b1 → b2"])
async def test_the_question_which_match(redis_client: Redis, text: str) -> None:
    world = World(redis_client)
    first, second = await begun(world), await begun(world)
    asked = await world.say("Ana", text)
    assert first_line(asked) == sentence("ask.match")
    label = sentence("match.label", title=sentence("game.title.ayu", size="9"), opponent="Бо", match=second.id)
    pressed = payload(asked, label)
    await world.press("Ana", pressed)
    assert (await ready(world, second.id)).match.tokens == ("b1-b2",)
    assert (await ready(world, first.id)).match.tokens == ()
    # The button was made for that ply: later it plays nothing.
    await typed(world, await ready(world, second.id), "a2a3", "d1d2", "c2c3")
    (answer, *_) = await world.press("Ana", pressed)
    assert first_line([answer]) == sentence("fault.stale")


@pytest.mark.parametrize("text", ["/pass", "/swap", "/moves", "/resign", "/draw", "/move", "b1", "b1 b9", "z9 z9"])
async def test_the_question_for_other_commands(redis_client: Redis, text: str) -> None:
    world = World(redis_client)
    matches = [await begun(world, "ayu 9", "Бо", "Ana") for _ in range(2)]
    for stored in matches:
        await moved(world, stored, "b1b2")
    (asked,) = await world.say("Ana", text)
    assert first_line([asked]) == sentence("ask.match")
    assert len(labels(asked)) == 2
    for button in (row[0] for row in asked.buttons):
        answers = await world.press("Ana", button.payload)
        assert said(answers)
        assert first_line(answers) not in (sentence("ask.match"), sentence("notice.unknown-button"))


async def test_a_crowded_chat(redis_client: Redis) -> None:
    """More matches than are looked through one by one: a player's own is found all the same."""
    world = World(redis_client)
    mine = await begun(world)
    for number in range(70):
        guest = f"Guest{number}"
        assert await world.core.handle(world.incoming(guest, "/challenge volo 6")) == ()
    await world.core.courier.drain()
    assert await world.core.handle(world.incoming("Ana", "b1b2", private=False)) == ()
    assert (await ready(world, mine.id)).match.tokens == ("b1-b2",)
    (asked,) = await world.core.handle(world.incoming("Ana", "/accept", private=False))
    assert first_line([asked]) == sentence("ask.match")
    assert len(labels(asked)) == 24


async def test_a_match_in_another_topic_is_not_meant(redis_client: Redis) -> None:
    world = World(redis_client)
    stored = await begun(world, place=room("room", "7"))
    (answer,) = await world.say("Ana", "b1b2", private=False)
    assert first_line([answer]) == sentence("notice.no-match")
    await world.say("Ana", f"b1b2 {stored.id}", private=False)
    assert (await ready(world, stored.id)).match.tokens == ("b1-b2",)


async def test_what_only_one_match_allows_is_meant_for_it(redis_client: Redis) -> None:
    """It is Ana's turn in both, but only one may be swapped, and the other is not asked about."""
    world = World(redis_client)
    ayu = await begun(world, "ayu 9", first="Бо", second="Ana")
    volo = await begun(world, "volo 6", first="Бо", second="Ana")
    ayu, volo = await moved(world, ayu, "b1b2"), await moved(world, volo, "i6")
    await world.say("Ana", "/swap")
    assert (await ready(world, ayu.id)).match.swapped
    assert not (await ready(world, volo.id)).match.swapped


async def test_whoever_is_challenged_is_named_though_the_game_is_chosen_later(redis_client: Redis) -> None:
    """The bot has not met him, and the button that chooses the game has room for his id alone."""
    world = World(redis_client)
    question = await world.say("Ana", "/challenge", mentions=(world.person("Carla"),))
    (told,) = await world.press("Ana", payload(question, sentence("game.title.ayu", size="9")))
    assert Mention(world.person("Carla").id, "Carla") in told.text
    view = await world.core.live.view(world.place, world.person("Ana").id, "en")
    assert view.board is not None
    assert {card.name for card in view.board.cards} == {"Ana", "Carla"}


@pytest.mark.parametrize(("answer", "agreed"), [("/accept", True), ("/decline", False)])
@pytest.mark.parametrize("offer", ["/draw", "/takeback"])
async def test_an_offer_is_accepted_and_declined_by_the_words_for_challenges(
    redis_client: Redis, answer: str, agreed: bool, offer: str
) -> None:
    world = World(redis_client)
    stored = await begun(world)
    await world.say("Ana", "b1b2")
    await world.say("Ana", offer)
    # Not by who made it.
    assert first_line(await world.say("Ana", answer)) == sentence("notice.no-challenge")
    await world.say("Бо", answer)
    match = (await ready(world, stored.id)).match
    assert match.offer is None
    if not agreed:
        assert (match.status, match.ply) == (Status.PLAYING, 1)
    else:
        assert (match.status, match.ply) == ((Status.FINISHED, 1) if offer == "/draw" else (Status.PLAYING, 0))
