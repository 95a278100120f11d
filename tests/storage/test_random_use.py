"""Random use of the store, compared with a model of dictionaries: indexes are exact after every step."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from rules.actions import MatchError, PersonId
from rules.match import CHALLENGE_SECONDS, Match
from storage.base import FORGOTTEN, Behind, Conflict, MatchId, Place, Shown, StoredMatch, is_forgotten
from storage.connect import connect
from storage.redis_store import RedisStore
from tests.storage.matches import EVA_BY_NAME, PEOPLE, PLACES, START, actions, after, challenges

PLATFORMS = ("discord", "telegram", "web")
FAR = (START + 10**8) * 1000


def people_of(match: Match) -> set[PersonId]:
    """Who finds the match in his list: the players and, while a seat is free, who is invited."""
    seated = {match.challenger, *(seat for seat in match.seats if seat is not None)}
    return seated | {match.invited} if match.invited is not None and None in match.seats else seated


def named_in(stored: StoredMatch) -> set[PersonId]:
    """Everybody whom the record names."""
    match = stored.match
    offers = {offer.by for offer in (match.offer, match.declined_offer) if offer is not None}
    logged = {entry.event.by for entry in stored.log}
    found = {match.challenger, match.invited, *match.seats, *offers, *logged, *(person for person, _ in stored.names)}
    return {person for person in found if person is not None and not is_forgotten(person)}


@dataclass
class Model:
    """What the store should hold."""

    matches: dict[MatchId, StoredMatch] = field(default_factory=dict)  # last changed last
    shown: dict[tuple[MatchId, Place], Shown] = field(default_factory=dict)
    due: dict[Behind, int] = field(default_factory=dict)
    created_by: dict[str, MatchId] = field(default_factory=dict)

    def saved(self, stored: StoredMatch) -> None:
        """*stored* was saved just now."""
        self.matches.pop(stored.id, None)
        self.matches[stored.id] = stored
        self.shown = {key: shown for key, shown in self.shown.items() if key[0] != stored.id or key[1] in stored.places}
        self.due = {key: due for key, due in self.due.items() if key.match != stored.id or key.place in stored.places}
        now = stored.match.changed * 1000
        for place in stored.places:
            self.shown.setdefault((stored.id, place), Shown())
            behind = Behind(place, stored.id)
            self.due[behind] = min(now, self.due.get(behind, now))

    def rewritten(self, stored: StoredMatch) -> None:
        """*stored* was written anew, and nobody is to be told."""
        self.matches[stored.id] = stored
        self.shown = {key: shown for key, shown in self.shown.items() if key[0] != stored.id or key[1] in stored.places}
        self.due = {key: due for key, due in self.due.items() if key.match != stored.id or key.place in stored.places}
        for place in stored.places:
            shown = self.shown[stored.id, place]
            if shown.version == stored.version - 1:
                self.shown[stored.id, place] = replace(shown, version=stored.version)


class RandomUse(RuleBasedStateMachine):
    """Does what the bot does, in any order."""

    url: str

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.client = connect(self.url)
        self.store = RedisStore(self.client)
        self.model = Model()
        self.operations = 0
        self.clock = START
        self.runner.run(self.empty())

    async def empty(self) -> None:
        await self.client.flushdb()

    def teardown(self) -> None:
        self.runner.run(self.client.aclose())
        self.runner.close()

    def operation(self) -> str:
        self.operations += 1
        return f"op {self.operations}"

    def pick(self, data: st.DataObject) -> StoredMatch:
        return data.draw(st.sampled_from(list(self.model.matches.values())))

    @contextmanager
    def any_of(self, data: st.DataObject) -> Iterator[tuple[StoredMatch, Place]]:
        stored = self.pick(data)
        yield stored, data.draw(st.sampled_from(PLACES))

    def save(self, changed: StoredMatch) -> None:
        saved = self.runner.run(self.store.save(changed, self.operation()))
        assert saved.version == changed.version + 1
        self.model.saved(saved)

    @initialize(data=st.data())
    def begin(self, data: st.DataObject) -> None:
        self.create(data)

    @rule(data=st.data())
    def create(self, data: st.DataObject) -> None:
        match = data.draw(challenges())
        places = tuple(data.draw(st.lists(st.sampled_from(PLACES), unique=True, min_size=1)))
        operation = self.operation()
        stored = self.runner.run(self.store.create(StoredMatch(MatchId(""), 0, match, places), operation))
        self.model.saved(stored)
        self.model.created_by[operation] = stored.id

    @rule(data=st.data())
    def create_again(self, data: st.DataObject) -> None:
        operation = data.draw(st.sampled_from(sorted(self.model.created_by)))
        draft = StoredMatch(MatchId(""), 0, data.draw(challenges()), PLACES)
        stored = self.runner.run(self.store.create(draft, operation))
        assert stored == self.model.matches[self.model.created_by[operation]]

    @rule(data=st.data(), passed=st.sampled_from([0, 1, 60, CHALLENGE_SECONDS // 2]))
    def act(self, data: st.DataObject, passed: int) -> None:
        stored = self.pick(data)
        self.clock += passed
        try:
            changed = after(stored, data.draw(actions(stored.match)), self.clock)
        except MatchError:
            return
        self.save(changed)

    @rule(data=st.data())
    def act_much(self, data: st.DataObject) -> None:
        for _ in range(5):
            self.act(data, 1)

    @rule(data=st.data())
    def change_places(self, data: st.DataObject) -> None:
        places = data.draw(st.lists(st.sampled_from(PLACES), unique=True))
        self.save(replace(self.pick(data), places=tuple(places)))

    @rule(data=st.data())
    def rewrite(self, data: st.DataObject) -> None:
        """Somebody is forgotten: nothing but the people, the places and the version changes."""
        stored = self.pick(data)
        invited = PersonId(f"{FORGOTTEN}1") if stored.match.invited == EVA_BY_NAME else stored.match.invited
        places = stored.places[: data.draw(st.integers(1, len(PLACES)))]
        changed = replace(stored, match=replace(stored.match, invited=invited), places=places, names=())
        with pytest.raises(Conflict):
            self.runner.run(self.store.rewrite(replace(changed, version=stored.version - 1)))
        saved = self.runner.run(self.store.rewrite(changed))
        assert saved == replace(changed, version=stored.version + 1)
        self.model.rewritten(saved)

    @rule(data=st.data())
    def save_an_old_version(self, data: st.DataObject) -> None:
        stored = self.pick(data)
        with pytest.raises(Conflict):
            self.runner.run(self.store.save(replace(stored, version=stored.version - 1), self.operation()))

    @rule(data=st.data())
    def save_again(self, data: st.DataObject) -> None:
        stored = self.pick(data)
        operation = data.draw(st.sampled_from(stored.operations))
        old = replace(stored, version=data.draw(st.integers(0, stored.version)), places=PLACES)
        assert self.runner.run(self.store.save(old, operation)) == stored

    @rule(data=st.data())
    def show(self, data: st.DataObject) -> None:
        with self.any_of(data) as (stored, place):
            version = data.draw(st.sampled_from([stored.version, stored.version, max(1, stored.version - 1)]))
            message = f"message {self.operation()}"
            self.runner.run(self.store.mark_shown(stored.id, place, version, message))
            before = self.model.shown.get((stored.id, place))
            if before is None or version < before.version:
                return
            self.model.shown[stored.id, place] = replace(before, version=version, message=message)
            if version == stored.version:
                self.model.due.pop(Behind(place, stored.id), None)

    @rule(data=st.data())
    def ping(self, data: st.DataObject) -> None:
        with self.any_of(data) as (stored, place):
            version = data.draw(st.integers(1, stored.version))
            marked = self.runner.run(self.store.mark_pinged(stored.id, place, version))
            before = self.model.shown.get((stored.id, place))
            assert marked == (before is not None and before.pinged < version)
            if marked and before is not None:
                self.model.shown[stored.id, place] = replace(before, pinged=version)

    @rule(data=st.data())
    def take_ping_back(self, data: st.DataObject) -> None:
        with self.any_of(data) as (stored, place):
            version = data.draw(st.integers(1, stored.version))
            self.runner.run(self.store.unmark_pinged(stored.id, place, version))
            before = self.model.shown.get((stored.id, place))
            if before is not None and before.pinged == version:
                self.model.shown[stored.id, place] = replace(before, pinged=version - 1)

    @rule(data=st.data(), seconds=st.integers(-10, 100))
    def postpone(self, data: st.DataObject, seconds: int) -> None:
        with self.any_of(data) as (stored, place):
            until = (self.clock + seconds) * 1000
            self.runner.run(self.store.postpone(stored.id, place, until))
            if Behind(place, stored.id) in self.model.due:
                self.model.due[Behind(place, stored.id)] = until

    @invariant()
    @precondition(lambda self: self.model.matches)
    def the_store_is_as_the_model(self) -> None:
        self.runner.run(self.compare())

    async def compare(self) -> None:
        newest_first = list(reversed(self.model.matches.values()))
        for stored in newest_first[:3]:
            assert await self.store.load(stored.id) == stored
        for live in (True, False):
            wanted = [stored for stored in newest_first if stored.match.live is live]
            for person in PEOPLE:
                theirs = [stored.id for stored in wanted if person in people_of(stored.match)]
                assert await self.store.matches_of(person, live=live) == theirs[: None if live else 50]
            for place in PLACES:
                there = [stored.id for stored in wanted if place in stored.places]
                assert await self.store.matches_in(place, live=live) == there[: None if live else 50]
        for person in PEOPLE:
            found = await self.store.naming(person)
            assert found == sorted(stored.id for stored in newest_first if person in named_in(stored))
        deadlines = {
            stored.id: stored.match.deadline for stored in newest_first if stored.match.live and stored.match.deadline
        }
        passed = {match for match, deadline in deadlines.items() if deadline <= self.clock}
        assert set(await self.store.expired(self.clock)) == passed
        assert set(await self.store.expired(FAR)) == set(deadlines)
        for now in (self.clock * 1000, FAR):
            behind = await self.store.behind(PLATFORMS, now)
            assert set(behind) == {entry for entry, due in self.model.due.items() if due <= now}
            due = [self.model.due[entry] for entry in behind]
            assert due == sorted(due)
        for stored in newest_first[:2]:
            for place in PLACES:
                assert await self.store.shown(stored.id, place) == self.model.shown.get((stored.id, place), Shown())


def test_indexes_are_exact_whatever_is_done(redis_url: str) -> None:
    class Here(RandomUse):
        url = redis_url

    few = settings(max_examples=max(10, settings().max_examples // 4), stateful_step_count=30)
    run_state_machine_as_test(Here, settings=few)
