"""Which places are behind, who sends to them, and what is remembered of what was shown."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Final

import pytest

from rules.actions import Accept, Decline, Resign, Withdraw
from storage import keys
from storage.base import Behind, ChatSettings, DamagedRecordError, MatchId, Place, Shown, StoredMatch
from storage.redis_store import RedisStore
from storage.server import Client
from tests.storage.matches import ANA, BO, CHANNEL, EVA, GROUP, PLACES, ROOM, START, TOPIC, after, any_move, draft

PLATFORMS = ("telegram", "discord", "web")
NOW = START * 1000
LATER = NOW + 10**9


async def two_places(store: RedisStore) -> StoredMatch:
    """A saved match that is played in the group and in the channel."""
    return await store.create(draft(GROUP, CHANNEL), "op")


async def places_behind(store: RedisStore, now_ms: int = LATER) -> list[Place]:
    return [behind.place for behind in await store.behind(PLATFORMS, now_ms)]


async def test_a_saved_match_is_behind_in_all_its_places(store: RedisStore) -> None:
    stored = await store.create(draft(*PLACES), "op")
    behind = await store.behind(PLATFORMS, NOW)
    assert sorted(behind, key=lambda entry: entry.place) == [Behind(place, stored.id) for place in sorted(PLACES)]


async def test_only_the_wanted_platforms_are_looked_at(store: RedisStore) -> None:
    stored = await two_places(store)
    assert await store.behind(("discord",), NOW) == [Behind(CHANNEL, stored.id)]
    assert await store.behind((), NOW) == []
    assert await store.behind(("irc",), NOW) == []


async def test_what_was_shown_is_not_behind_until_the_next_save(store: RedisStore) -> None:
    stored = await two_places(store)
    await store.mark_shown(stored.id, GROUP, 1, "message 7")
    assert await places_behind(store) == [CHANNEL]
    assert await store.shown(stored.id, GROUP) == Shown(1, "message 7", 0)
    assert await store.shown(stored.id, CHANNEL) == Shown()

    await store.save(after(stored, Accept(BO)), "accept")
    assert sorted(await places_behind(store)) == sorted([GROUP, CHANNEL])
    assert await store.shown(stored.id, GROUP) == Shown(1, "message 7", 0)


async def test_an_older_version_was_shown_and_the_place_stays_behind(store: RedisStore) -> None:
    stored = await two_places(store)
    await store.save(after(stored, Accept(BO)), "accept")
    await store.mark_shown(stored.id, GROUP, 1, "a")
    assert sorted(await places_behind(store)) == sorted([GROUP, CHANNEL])
    assert await store.shown(stored.id, GROUP) == Shown(1, "a", 0)
    await store.mark_shown(stored.id, GROUP, 2, "b")
    assert await places_behind(store) == [CHANNEL]


async def test_a_sender_who_lost_his_lease_does_not_set_the_place_back(store: RedisStore) -> None:
    stored = await two_places(store)
    await store.save(after(stored, Accept(BO)), "accept")
    await store.mark_shown(stored.id, GROUP, 2, "new")
    await store.mark_shown(stored.id, GROUP, 1, "old")
    assert await store.shown(stored.id, GROUP) == Shown(2, "new", 0)
    assert await places_behind(store) == [CHANNEL]


async def test_a_version_that_is_shown_again_is_remembered_with_the_newer_message(store: RedisStore) -> None:
    stored = await two_places(store)
    await store.mark_shown(stored.id, GROUP, 1, "first")
    await store.mark_shown(stored.id, GROUP, 1, "repeat")
    assert await store.shown(stored.id, GROUP) == Shown(1, "repeat", 0)


async def test_an_ended_match_is_behind_too(store: RedisStore) -> None:
    stored = await two_places(store)
    stored = await store.save(after(stored, Accept(BO)), "accept")
    for place in (GROUP, CHANNEL):
        await store.mark_shown(stored.id, place, 2, "")
    await store.save(after(stored, Resign(BO)), "resign")
    assert sorted(await places_behind(store)) == sorted([GROUP, CHANNEL])


@pytest.mark.parametrize("message", ["", "7", "two words", "1 2 3", "a\nb", "Ñ"])
async def test_any_message_id_is_kept(store: RedisStore, message: str) -> None:
    stored = await two_places(store)
    await store.mark_shown(stored.id, GROUP, 1, message)
    assert await store.mark_pinged(stored.id, GROUP, 1)
    assert await store.shown(stored.id, GROUP) == Shown(1, message, 1)


async def test_a_ping_is_marked_once_for_each_version(store: RedisStore) -> None:
    stored = await two_places(store)
    assert await store.mark_pinged(stored.id, GROUP, 2)
    assert not await store.mark_pinged(stored.id, GROUP, 2)
    assert not await store.mark_pinged(stored.id, GROUP, 1)
    assert await store.mark_pinged(stored.id, CHANNEL, 2)
    assert await store.mark_pinged(stored.id, GROUP, 3)
    assert await store.shown(stored.id, GROUP) == Shown(0, "", 3)


async def test_a_ping_that_was_not_sent_may_be_sent_later(store: RedisStore) -> None:
    stored = await two_places(store)
    await store.mark_shown(stored.id, GROUP, 1, "a message\n")
    assert await store.mark_pinged(stored.id, GROUP, 10)
    for other in (9, 11):
        await store.unmark_pinged(stored.id, GROUP, other)
        assert not await store.mark_pinged(stored.id, GROUP, 10)
    await store.unmark_pinged(stored.id, GROUP, 10)
    assert not await store.mark_pinged(stored.id, GROUP, 9)
    assert await store.mark_pinged(stored.id, GROUP, 10)
    assert await store.shown(stored.id, GROUP) == Shown(1, "a message\n", 10)
    await store.unmark_pinged(stored.id, Place("nowhere", "at all"), 10)
    await store.unmark_pinged(MatchId("zzzz"), GROUP, 10)
    assert await store.load(MatchId("zzzz")) is None


async def test_of_many_senders_one_may_ping(store: RedisStore) -> None:
    stored = await two_places(store)
    assert sum(await asyncio.gather(*(store.mark_pinged(stored.id, GROUP, 1) for _ in range(20)))) == 1


async def test_a_postponed_place_is_due_later(store: RedisStore) -> None:
    stored = await two_places(store)
    await store.postpone(stored.id, GROUP, NOW + 30_000)
    assert await places_behind(store, NOW + 29_999) == [CHANNEL]
    assert await places_behind(store, NOW + 30_000) == [CHANNEL, GROUP]


async def test_a_postponed_place_is_due_at_once_when_the_match_goes_on(store: RedisStore) -> None:
    stored = await two_places(store)
    await store.postpone(stored.id, GROUP, LATER)
    await store.save(after(stored, Accept(BO), START + 5), "accept")
    assert sorted(await places_behind(store, NOW + 5_000)) == sorted([GROUP, CHANNEL])


async def test_a_place_that_is_not_behind_cannot_be_postponed(store: RedisStore) -> None:
    stored = await two_places(store)
    await store.mark_shown(stored.id, GROUP, 1, "")
    await store.postpone(stored.id, GROUP, NOW)
    assert await places_behind(store) == [CHANNEL]


async def test_who_has_waited_longest_comes_first_and_keeps_his_turn(store: RedisStore) -> None:
    early = await store.create(draft(GROUP), "early")
    middle = draft(CHANNEL)
    await store.create(replace(middle, match=replace(middle.match, changed=START + 10)), "middle")
    late = draft(ROOM)
    await store.create(replace(late, match=replace(late.match, changed=START + 20)), "late")
    assert await places_behind(store) == [GROUP, CHANNEL, ROOM]
    # Whose match goes on while he waits is not sent to the end of the queue.
    await store.save(after(early, Accept(BO), START + 100), "accept")
    assert await places_behind(store) == [GROUP, CHANNEL, ROOM]


async def test_at_most_100_places_are_returned_and_the_longest_due_of_all_platforms(store: RedisStore) -> None:
    for number in range(60):
        for place in (GROUP, CHANNEL):
            new = draft(place)
            changed = START + number + (1000 if place == CHANNEL else 0)
            await store.create(replace(new, match=replace(new.match, changed=changed)), f"{place} {number}")
    assert await places_behind(store) == [GROUP] * 60 + [CHANNEL] * 40


async def test_where_a_match_is_not_played_nothing_is_marked(store: RedisStore) -> None:
    stored = await two_places(store)
    for match, place in ((stored.id, TOPIC), (MatchId("zzzz"), GROUP)):
        await store.mark_shown(match, place, 1, "m")
        assert not await store.mark_pinged(match, place, 1)
        await store.postpone(match, place, NOW)
        assert await store.shown(match, place) == Shown()
    assert await store.load(MatchId("zzzz")) is None
    assert sorted(await places_behind(store)) == sorted([GROUP, CHANNEL])


async def test_a_place_that_a_match_has_left_is_not_behind(store: RedisStore) -> None:
    stored = await two_places(store)
    await store.save(replace(stored, places=(CHANNEL,)), "left")
    assert await places_behind(store) == [CHANNEL]
    assert await store.shown(stored.id, GROUP) == Shown()


async def test_damaged_marks_are_noticed(store: RedisStore, client: Client) -> None:
    stored = await two_places(store)
    await client.hset(keys.match_key(stored.id), keys.place_field(GROUP), "x")
    with pytest.raises(DamagedRecordError, match=f"match:{stored.id}"):
        await store.shown(stored.id, GROUP)


async def test_a_place_is_leased_to_one_holder(store: RedisStore) -> None:
    assert await store.lease(GROUP, "one", 60_000)
    assert await store.lease(GROUP, "one", 60_000)
    assert not await store.lease(GROUP, "two", 60_000)
    assert await store.lease(TOPIC, "two", 60_000)
    await store.release(GROUP, "two")
    assert not await store.lease(GROUP, "two", 60_000)
    await store.release(GROUP, "one")
    assert await store.lease(GROUP, "two", 60_000)


async def test_a_lease_runs_out(store: RedisStore, client: Client) -> None:
    assert await store.lease(GROUP, "one", 1)
    while await client.exists(keys.lease_key(GROUP)):
        pass
    assert await store.lease(GROUP, "two", 60_000)
    await store.release(GROUP, "one")
    assert not await store.lease(GROUP, "one", 60_000)


async def test_a_lease_that_is_taken_again_lasts_longer(store: RedisStore, client: Client) -> None:
    await store.lease(GROUP, "one", 1_000)
    await store.lease(GROUP, "one", 60_000)
    assert await client.pttl(keys.lease_key(GROUP)) > 50_000


async def test_of_many_holders_one_has_the_place(store: RedisStore) -> None:
    assert sum(await asyncio.gather(*(store.lease(GROUP, f"{number}", 60_000) for number in range(20)))) == 1


async def test_marks_survive_moves(store: RedisStore) -> None:
    stored = await two_places(store)
    stored = await store.save(after(stored, Accept(BO)), "accept")
    await store.mark_shown(stored.id, GROUP, 2, "m")
    await store.mark_pinged(stored.id, GROUP, 2)
    for number in range(3):
        stored = await store.save(after(stored, any_move(stored)), f"move {number}")
    assert await store.shown(stored.id, GROUP) == Shown(2, "m", 2)


# ---- a chat that goes on under another id ----------------------------------------------------------------------------

OLD: Final = Place("telegram", "-4021")
NEW: Final = Place("telegram", "-1004021")


async def test_a_moved_chat_keeps_its_matches_its_settings_and_what_was_shown(store: RedisStore) -> None:
    behind = await store.create(draft(OLD, GROUP), "one")
    shown = await store.create(draft(OLD, invited=EVA), "two")
    await store.mark_pinged(shown.id, OLD, 1)
    await store.mark_shown(shown.id, OLD, 1, "77")
    await store.change_chat(OLD, lambda _: ChatSettings("es", "dark"))

    await store.move_chat(OLD, NEW)

    assert await store.matches_in(OLD) == []
    assert await store.matches_in(NEW) == [shown.id, behind.id]
    moved = await store.load(behind.id)
    assert moved == replace(behind, version=2, places=(NEW, GROUP))
    assert await store.shown(shown.id, NEW) == Shown(2, "77", 1)
    assert await store.shown(shown.id, OLD) == Shown()
    due = await store.behind(["telegram"], LATER)
    assert {(one.place, one.match) for one in due} == {(NEW, behind.id), (GROUP, behind.id)}
    assert (await store.chat(NEW), await store.chat(OLD)) == (ChatSettings("es", "dark"), ChatSettings())


async def test_a_chat_that_is_moved_twice_is_moved_once(store: RedisStore) -> None:
    created = await store.create(draft(OLD), "one")
    await store.move_chat(OLD, NEW)
    after_once = await store.load(created.id), await store.behind(["telegram"], LATER)
    await store.change_chat(NEW, lambda _: ChatSettings("ru"))
    await store.change_chat(OLD, lambda _: ChatSettings("es"))
    await store.move_chat(OLD, NEW)
    assert (await store.load(created.id), await store.behind(["telegram"], LATER)) == after_once
    assert await store.chat(NEW) == ChatSettings("ru")


async def test_a_chat_moves_with_matches_that_have_ended_and_others_that_are_saved_meanwhile(store: RedisStore) -> None:
    over = await store.create(draft(OLD), "over")
    await store.save(after(over, Decline(BO)), "declined")
    live = await store.create(draft(OLD, invited=EVA), "live")
    await asyncio.gather(
        store.move_chat(OLD, NEW),
        store.move_chat(OLD, NEW),
        store.save(after(live, Withdraw(ANA)), "withdrawn"),
        return_exceptions=True,
    )
    await store.move_chat(OLD, NEW)
    assert await store.matches_in(OLD, live=False) == []
    assert {over.id, live.id} == {*await store.matches_in(NEW, live=False), *await store.matches_in(NEW)}


async def test_an_answer_is_remembered_for_two_days(store: RedisStore, client: Client) -> None:
    assert not await store.answered("17:0")
    await store.mark_answered("17:0")
    assert await store.answered("17:0")
    assert not await store.answered("17:1")
    assert 47 * 3600 < await client.ttl(keys.answer_key("17:0")) <= 48 * 3600
