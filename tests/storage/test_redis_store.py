"""What the store promises, one promise a test."""

from __future__ import annotations

from rules import GAMES
from rules.actions import Accept, PersonId
from rules.match import apply, challenge
from storage.base import MatchId, Place, StoredMatch
from storage.redis_store import RedisStore

ANA = PersonId("web:ana")
BO = PersonId("web:бо")
ROOM = Place("web", "room")


def draft() -> StoredMatch:
    match = challenge(GAMES["ayu"], 9, ANA, 1_000, invited=BO)
    return StoredMatch(MatchId(""), 0, match, (ROOM,), ((ANA, "Ana"),))


async def test_a_saved_match_is_loaded_as_it_was(store: RedisStore) -> None:
    created = await store.create(draft(), "a")
    assert await store.load(created.id) == created
    match, _ = apply(created.match, Accept(BO), 1_001)
    saved = await store.save(StoredMatch(created.id, 1, match, (ROOM,), created.names, (), created.operations), "b")
    assert await store.load(created.id) == saved
    assert saved.operations == ("a", "b")
