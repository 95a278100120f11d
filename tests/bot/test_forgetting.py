"""`/mydata` and `/forget`: everything about somebody is his to have, and nothing of it stays; others keep theirs."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from redis.asyncio import Redis

from bot.core import build
from bot.messages import Bold, Code, Mention, Outgoing
from rules.actions import PersonId
from rules.core import Side
from rules.match import CHALLENGE_SECONDS, Agreement, Result, Status
from storage import keys
from storage.base import ChatSettings, MatchId, Place, StoredMatch, StoreUnavailableError
from storage.redis_store import RedisStore
from tests.bot.harness import PLATFORM, NoRender, World
from tests.bot.table import begun, first_line, labels, moved, pressing, ready, room, said, sentence

ANONYMOUS = sentence("person.forgotten")
DONE = sentence("notice.forgotten")


async def everything(client: Redis) -> bytes:
    """All that the server holds, keys and values, one after the other."""
    parts: list[Any] = []
    async for key in client.scan_iter(count=1000):
        kind = await client.type(key)
        parts.append(key)
        match kind:
            case b"string":
                parts.append(await client.get(key))
            case b"hash":
                parts += [part for pair in (await client.hgetall(key)).items() for part in pair]
            case b"zset":
                parts += await client.zrange(key, 0, -1)
            case b"set":
                parts += await client.smembers(key)
            case _:
                raise AssertionError(kind)
    return b"\n".join(parts)


def file_of(messages: Sequence[Outgoing]) -> dict[str, Any]:
    """What is in the file of the one message."""
    (message,) = messages
    assert message.document is not None
    assert (message.document.name, message.document.media_type) == ("bandada-mydata.json", "application/json")
    content: dict[str, Any] = json.loads(message.document.content)
    return content


async def forget(world: World, name: str, **more: object) -> list[Outgoing]:
    return await world.say(name, "/forget yes", **more)


async def lived(world: World) -> dict[str, MatchId]:
    """Matches in which Ana has every part that somebody can have; their ids by what she is in them."""
    found: dict[str, MatchId] = {}

    async def remember(part: str) -> None:
        ids = (world.person("Ana").id, PersonId(f"{PLATFORM}:@ana"))
        named = {match for person in ids for match in await world.store.naming(person)}
        (found[part],) = named - set(found.values())

    await world.say("Ana", "/settings file on")
    await world.say("Ana", "/settings block @diego")
    await world.say("Diego", "/settings block @ana")
    await begun(world)
    await remember("won")
    await world.say("Бо", f"/resign yes {found['won']}")
    stored = await begun(world, "ayu 9 @bo nopie")
    await remember("playing")
    await moved(world, stored, "b1b2", "a2a3", "d1d2")
    offered = await world.say("Ana", f"/draw {stored.id}")
    await world.press("Бо", pressing(offered, "refuse.draw"))
    await begun(world, "volo", "Бо", "Ana")
    await remember("hardly begun")
    await world.say("Ana", "/challenge ayu 11")
    await remember("open challenge")
    await world.say("Бо", "/challenge volo 7 @ana")
    await remember("invited by name")
    await world.say("Eva", "/challenge volo 8 @ana")
    await remember("declined")
    await world.say("Ana", f"/decline {found['declined']}")
    other = await begun(world, "volo 6", "Eva", "Бо")
    await world.say("Ana", f"/abort yes {other.id}", admin=True)
    await remember("ended for others")
    return found


# ---- /mydata ---------------------------------------------------------------------------------------------------------


async def test_everything_is_in_the_file(redis_client: Redis) -> None:
    world = World(redis_client)
    found = await lived(world)
    answer = await world.say("Ana", "/mydata")
    assert answer[0].only_for == world.person("Ana").id
    data = file_of(answer)
    assert (data["person"], data["known_as"]) == ("test:ana", "test:@ana")
    assert data["settings"] == {
        "name": "Ana", "language": "", "ping": True, "confirm": False, "file": True,
        "blocked": ["test:@diego"], "matches_begun": 3,
    }  # fmt: skip
    matches = {match["id"]: match for match in data["matches"]}
    assert set(matches) == set(found.values())
    for part, challenger, invited, side, name in (
        ("won", True, False, 1, "Ana"),
        ("playing", True, False, 1, "Ana"),
        ("hardly begun", False, False, 2, "Ana"),
        ("open challenge", True, False, 1, "Ana"),
        ("invited by name", False, True, None, "@ana"),
        ("declined", False, True, None, "@ana"),
        ("ended for others", False, False, None, "Ana"),
    ):
        match = matches[found[part]]
        assert (match["challenger"], match["invited"], match["side"]) == (challenger, invited, side), part
        assert match["name"] == name, part
    assert matches[found["playing"]]["moves"] == ["b1-b2", "a2-a3", "d1-d2"]
    assert matches[found["won"]]["result"] == {"reason": "resignation", "winner": 1}
    for others in ("Бо", "test:бо", "Eva", 'Diego"'):
        assert others not in json.dumps(data, ensure_ascii=False), "that is somebody else's"


async def test_somebody_who_is_not_known(redis_client: Redis) -> None:
    world = World(redis_client)
    await lived(world)
    data = file_of(await world.say("Fay", "/mydata"))
    assert (data["matches"], data["settings"]["name"]) == ([], "")


async def test_a_match_that_cannot_be_read_is_named(redis_client: Redis) -> None:
    world = World(redis_client)
    found = await lived(world)
    await redis_client.hset(keys.match_key(found["won"]), "s", b"x")
    data = file_of(await world.say("Ana", "/mydata"))
    assert data["unreadable_matches"] == [found["won"]]
    assert len(data["matches"]) == len(found) - 1


# ---- /forget ---------------------------------------------------------------------------------------------------------


async def test_it_is_asked_first(redis_client: Redis) -> None:
    world = World(redis_client)
    await lived(world)
    before = await everything(redis_client)
    asked = await world.say("Ana", "/forget")
    assert first_line(asked) == sentence("forget.question")
    assert sentence("forget.playing", n=2) in said(asked)
    assert labels(asked[0]) == [sentence("button.yes.forget"), sentence("button.no")]
    assert first_line(await world.press("Ana", pressing(asked, "no"))) == sentence("notice.kept")
    assert await everything(redis_client) == before
    told = await world.press("Ana", pressing(asked, "yes.forget"))
    assert first_line(told) == DONE
    asked = await world.say("Fay", "/forget")
    assert said(asked).count("\n") == 0, "she plays nothing"


async def test_nothing_stays(redis_client: Redis) -> None:
    world = World(redis_client)
    found = await lived(world)
    await world.store.change_chat(Place(PLATFORM, "ana"), lambda _: ChatSettings("es"))
    assert b"Ana" in await everything(redis_client)
    answers = await forget(world, "Ana")
    assert answers[0].only_for == world.person("Ana").id
    left = await everything(redis_client)
    assert b"Ana" not in left
    assert b"test:ana" not in left
    assert left.count(b"@ana") == 2, "whom Diego has blocked, by his id and by his user name"
    assert (await world.store.profile(world.person("Diego").id)).blocked == ("test:@ana",)
    # What was sent after it names nobody either.
    assert "Ana" not in said(answers)
    data = file_of(await world.say("Ana", "/mydata"))
    assert (data["matches"], data["settings"]["file"]) == ([], False)
    for part, status in {
        "won": Status.FINISHED,
        "playing": Status.FINISHED,
        "hardly begun": Status.ABORTED,
        "open challenge": Status.WITHDRAWN,
        "invited by name": Status.DECLINED,
        "declined": Status.DECLINED,
        "ended for others": Status.ABORTED,
    }.items():
        assert (await ready(world, found[part])).match.status is status, part


async def test_others_keep_their_results_and_are_told(redis_client: Redis) -> None:
    world = World(redis_client)
    found = await lived(world)
    version = (await ready(world, found["won"])).version
    order = await world.store.matches_of(world.person("Бо").id, live=False)
    answers = await forget(world, "Ana")
    assert first_line(answers[:1]) == DONE
    told = {outgoing.match: outgoing for outgoing in answers[1:]}
    assert set(told) == {found[part] for part in ("playing", "hardly begun", "open challenge", "invited by name")}
    bo = world.person("Бо")
    won = told[found["playing"]]
    assert first_line([won]) == sentence("result.resignation", loser=ANONYMOUS, name="Бо", side=sentence("side.ayu.2"))
    assert Bold(ANONYMOUS) in won.text
    assert [span.person for span in won.text if isinstance(span, Mention)] == [bo.id]
    assert won.picture is not None
    assert won.picture.scene.cards[0].name == ANONYMOUS
    assert (await ready(world, found["playing"])).match.result == Result(Agreement.RESIGNATION, Side.SECOND)
    # What had ended is as it was, and nobody is told of it again.
    ended = await ready(world, found["won"])
    assert (ended.match.result, ended.version) == (Result(Agreement.RESIGNATION, Side.FIRST), version + 1)
    assert (await world.store.shown(ended.id, world.place)).version == ended.version
    assert [match for match in await world.store.matches_of(bo.id, live=False) if match in order] == order
    (record,) = await world.say("Бо", f"/export {ended.id}")
    assert record.document is not None
    assert json.loads(record.document.content)["players"] == [ANONYMOUS, "Бо"]
    (refused,) = await world.say("Бо", f"/rematch {ended.id}")
    assert first_line([refused]) == sentence("notice.opponent-left")


async def test_both_are_forgotten(redis_client: Redis) -> None:
    world = World(redis_client)
    stored = await moved(world, await begun(world), "b1b2", "a2a3")
    await forget(world, "Ana")
    await forget(world, "Бо")
    seats = (await ready(world, stored.id)).match.seats
    assert seats == ("forgotten:1", "forgotten:2")
    left = await everything(redis_client)
    assert b"test:ana" not in left
    assert "Бо".encode() not in left
    assert [key async for key in redis_client.scan_iter() if b"forgotten" in key] == [], "nobody is found by that"
    (board,) = await world.say("Eva", f"/board {stored.id}")
    assert said([board]).count(ANONYMOUS) == 2


async def test_whoever_comes_back_is_somebody_new(redis_client: Redis) -> None:
    world = World(redis_client)
    stored = await begun(world)
    await world.say("Бо", "/resign yes")
    await forget(world, "Ana")
    (refused,) = await world.say("Ana", f"/board {stored.id}", place=room("elsewhere"))
    assert first_line([refused]) == sentence("notice.no-such-match")
    assert (await begun(world)).name_of(world.person("Ana").id) == "Ana"
    (seat,) = (await ready(world, stored.id)).match.seats[:1]
    assert seat == "forgotten:1"


async def test_the_chat_with_the_bot_alone_is_taken_out(redis_client: Redis) -> None:
    world = World(redis_client)
    own, group = room("ana"), room("group")
    stored = await begun(world, place=group)
    await world.store.save(replace(stored, places=(own, Place(PLATFORM, "ana", "7"), group)), "places")
    await forget(world, "Ana", place=own)
    assert (await ready(world, stored.id)).places == (group,)
    assert b":ana" not in await everything(redis_client)


async def test_a_user_name_that_changed_hands(redis_client: Redis) -> None:
    """Nothing that was done under the name before belongs to who has it now."""
    world = World(redis_client)
    await world.say("Eva", "/challenge volo 7 @ana")
    (match,) = await world.store.matches_in(world.place)
    await world.say("Ana", f"/accept {match}")
    thief = replace(world.person("Fay"), username="ana")
    data = file_of(await world.say("Fay", "/mydata", person=thief))
    assert data["matches"] == []
    await world.say("Fay", "/forget yes", person=thief)
    stored = await ready(world, match)
    assert (stored.match.status, stored.name_of(world.person("Ana").id)) == (Status.PLAYING, "Ana")
    # Who answered the invitation takes the name along, also when it is another one by now.
    renamed = replace(world.person("Ana"), username="anita")
    await world.say("Ana", "/forget yes", person=renamed)
    assert b"@ana" not in await everything(redis_client)


async def test_an_invitation_declined_under_an_earlier_user_name(redis_client: Redis) -> None:
    world = World(redis_client)
    await world.say("Eva", "/challenge volo 7 @ana")
    await world.say("Ana", "/decline")
    renamed = replace(world.person("Ana"), username="anita")
    assert len(file_of(await world.say("Ana", "/mydata", person=renamed))["matches"]) == 1
    await world.say("Ana", "/forget yes", person=renamed)
    assert b"ana" not in await everything(redis_client)


async def test_a_challenge_whose_time_is_over(redis_client: Redis) -> None:
    world = World(redis_client)
    await world.say("Ana", "/challenge ayu 11")
    await world.say("Бо", "/challenge volo 7 @ana")
    ids = await world.store.matches_in(world.place)
    world.clock.forward(seconds=CHALLENGE_SECONDS)
    await forget(world, "Ana")
    assert [(await ready(world, match)).match.status for match in ids] == [Status.EXPIRED] * 2
    assert b"ana" not in await everything(redis_client)


async def test_many_matches(redis_client: Redis) -> None:
    """More than the lists keep."""
    world = World(redis_client)
    for _ in range(55):
        await begun(world)
        await world.say("Бо", "/resign yes")
    assert len(file_of(await world.say("Ana", "/mydata"))["matches"]) == 55
    answers = await forget(world, "Ana")
    assert len(answers) == 1
    assert b"test:ana" not in await everything(redis_client)
    assert len(await world.store.matches_of(world.person("Бо").id, live=False)) == 50


# ---- when something goes wrong ---------------------------------------------------------------------------------------


class Failing(RedisStore):
    """A store that is away after so many *writes*."""

    writes = 0

    def _write(self) -> None:
        self.writes -= 1
        if self.writes < 0:
            raise StoreUnavailableError("planted")

    async def save(self, stored: StoredMatch, operation: str) -> StoredMatch:
        """See `Store.save`."""
        self._write()
        return await super().save(stored, operation)

    async def rewrite(self, stored: StoredMatch) -> StoredMatch:
        """See `Store.rewrite`."""
        self._write()
        return await super().rewrite(stored)

    async def delete_profile(self, person: PersonId) -> None:
        """See `Store.delete_profile`."""
        self._write()
        await super().delete_profile(person)


@pytest.mark.parametrize("writes", range(9))
async def test_the_store_goes_away_at_any_moment(redis_client: Redis, writes: int) -> None:
    """The update comes again, and then nothing stays."""
    world = World(redis_client)
    found = await lived(world)
    store = Failing(redis_client)
    core = build(store, world.core.transcript, NoRender(), language="en", clock=world.clock)
    update = world.incoming("Ana", "/forget yes")
    store.writes = writes
    with pytest.raises(StoreUnavailableError):
        await core.handle(update)
    store.writes = len(found) + 2
    (answer,) = await core.handle(update)
    assert store.writes == min(writes, len(found)), "nothing is done twice but the deletion of what is deleted"
    assert first_line([answer]) == DONE
    left = await everything(redis_client)
    assert (b"Ana" in left, b"test:ana" in left) == (False, False)
    assert (await ready(world, found["playing"])).match.status is Status.FINISHED


async def test_a_damaged_match_is_told_and_all_else_is_done(redis_client: Redis) -> None:
    world = World(redis_client)
    found = await lived(world)
    await redis_client.hset(keys.match_key(found["won"]), "s", b"x")
    answers = await forget(world, "Ana")
    (incident,) = (span.text for span in answers[0].text if isinstance(span, Code))
    assert first_line(answers) == sentence("error.damaged", incident=incident)
    assert b"Ana" not in await everything(redis_client)
    assert await world.store.naming(world.person("Ana").id) == [found["won"]]


class Raced(RedisStore):
    """A store in which somebody else writes each match anew just before it is written."""

    raced: frozenset[MatchId] = frozenset()

    async def rewrite(self, stored: StoredMatch) -> StoredMatch:
        """See `Store.rewrite`."""
        if stored.id not in self.raced:
            self.raced |= {stored.id}
            before = await self.load(stored.id)
            assert before is not None
            await super().rewrite(before)
        return await super().rewrite(stored)


async def test_somebody_else_is_forgotten_first(redis_client: Redis) -> None:
    world = World(redis_client)
    await lived(world)
    store = Raced(redis_client)
    core = build(store, world.core.transcript, NoRender(), language="en", clock=world.clock)
    assert first_line(await core.handle(world.incoming("Ana", "/forget yes"))) == DONE
    assert len(store.raced) == 3
    assert b"test:ana" not in await everything(redis_client)


async def test_both_and_a_move_at_once(redis_client: Redis) -> None:
    world = World(redis_client)
    for _ in range(3):
        await begun(world)
        await world.say("Бо", "/resign yes")
    ids = [(await moved(world, await begun(world), "b1b2", "a2a3")).id for _ in range(3)]
    texts = [("Ana", "/forget yes"), ("Бо", "/forget yes"), *(("Ana", f"/move d1d2 {match}") for match in ids)]
    await asyncio.gather(*(world.core.handle(world.incoming(name, text)) for name, text in texts))
    # Who moved after he was forgotten, if anybody could, would be found here.
    await world.delivered()
    left = await everything(redis_client)
    assert (b"test:ana" in left, "test:бо".encode() in left) == (False, False)
    for match in ids:
        assert (await ready(world, match)).match.status is Status.FINISHED


@pytest.mark.parametrize("language", ["en", "es", "ru"])
async def test_the_words(redis_client: Redis, language: str) -> None:
    world = World(redis_client, language=language)
    await begun(world)
    (asked,) = await world.say("Ana", "/forget")
    assert said([asked]).count("/mydata") == 1
    answers = await world.press("Ana", pressing([asked], "yes.forget", language))
    assert first_line(answers) == sentence("notice.forgotten", language)
    assert sentence("person.forgotten", language) in said(answers[1:])
