"""What is kept about a person: given to him as a file, and forgotten when he wants that.

Whoever is forgotten stays in his matches as somebody without a name, so that the results of others stay. What is being
played ends: nobody could move for him, and the other one would wait for ever. What stands in chats already is theirs.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace
from typing import TypeVar

from bot.finding import Finder, known_as, own_place
from bot.messages import Forget
from bot.replies import ForgetQuestion, MyDataFile, Notice, Reply
from bot.request import Request
from bot.saving import ATTEMPTS, Saver
from rules import actions
from rules.actions import EventKind, Fault, MatchError, PersonId
from rules.match import Match, Status
from storage.base import (
    FORGOTTEN,
    Conflict,
    DamagedRecordError,
    MatchId,
    Place,
    Store,
    StoredMatch,
    StoreUnavailableError,
    is_forgotten,
)

_Somebody = TypeVar("_Somebody", PersonId, PersonId | None)


class PersonalDataService:
    """Finds and deletes what is kept about people."""

    def __init__(self, store: Store, finder: Finder, saver: Saver) -> None:
        self._store = store
        self._finder = finder
        self._saver = saver

    async def data(self, request: Request) -> Reply:
        """All that is kept about the asker."""
        ids = await self._matches(request)
        damaged: dict[MatchId, DamagedRecordError] = {}
        matches = await self._finder.load_all(ids, len(ids), damaged=damaged)
        mine = tuple(stored for stored in matches if _is_named(stored, _ids(stored, request)))
        return MyDataFile(request.me, known_as(request.incoming), request.profile, mine, tuple(damaged))

    async def forget(self, command: Forget, request: Request) -> Reply:
        """Done, or the question whether that is meant.

        :raises DamagedRecordError: if a match of his cannot be read; all else is done then.
        """
        if not command.confirmed:
            return ForgetQuestion(await self._playing(request))
        damaged: list[DamagedRecordError] = []
        for match in await self._matches(request):
            try:
                await self._forget_in(match, request)
            except DamagedRecordError as error:
                damaged.append(error)
        await self._store.delete_chat(own_place(request.me))
        # Last of all: an update that could not be finished comes again, and finds what is left.
        for person in (known_as(request.incoming), request.me):
            if person is not None:
                await self._store.delete_profile(person)
        if damaged:
            raise damaged[0]
        return Notice("forgotten")

    async def _matches(self, request: Request) -> Sequence[MatchId]:
        """The matches that may name the asker, by his id or by his user name."""
        name = known_as(request.incoming)
        found = set(await self._store.naming(request.me))
        return sorted(found if name is None else found.union(await self._store.naming(name)))

    async def _playing(self, request: Request) -> int:
        """How many matches the asker is playing."""
        ids = await self._store.matches_of(request.me)
        matches = await self._finder.load_all(ids, len(ids))
        return sum(stored.match.status is Status.PLAYING for stored in matches)

    async def _forget_in(self, match: MatchId, request: Request) -> None:
        """Take the asker out of one match; end it if it is being played."""
        for _ in range(ATTEMPTS):
            stored = await self._store.load(match)
            if stored is None or not _is_named(stored, ids := _ids(stored, request)):
                return
            try:
                if _last_action(stored.match, ids, request) is None:
                    await self._store.rewrite(without(stored, ids))
                else:
                    await self._saver.save_action(
                        match,
                        request.operation,
                        request.now,
                        lambda match: _required(_last_action(match, ids, request)),
                        lambda after: without(after, ids),
                        stored,
                    )
            except (Conflict, MatchError):
                continue  # somebody else saved first, and it may be over by now
            return
        raise StoreUnavailableError(f"match {match}: {ATTEMPTS} others saved first")


def without(stored: StoredMatch, ids: Set[PersonId]) -> StoredMatch:
    """The match with somebody without a name in place of the person known as *ids*, and without his own chat."""
    match = stored.match
    nobody = PersonId(f"{FORGOTTEN}{1 + sum(map(is_forgotten, _named(stored)))}")

    def instead(person: _Somebody) -> _Somebody:
        return nobody if person in ids else person

    def offered(offer: actions.Offer | None) -> actions.Offer | None:
        return None if offer is None else replace(offer, by=instead(offer.by))

    first, second = match.seats
    changed = replace(
        match,
        challenger=instead(match.challenger),
        invited=instead(match.invited),
        seats=(instead(first), instead(second)),
        offer=offered(match.offer),
        declined_offer=offered(match.declined_offer),
    )
    own = {own_place(person) for person in ids}
    return replace(
        stored,
        match=changed,
        places=tuple(place for place in stored.places if Place(place.platform, place.chat) not in own),
        names=tuple((person, name) for person, name in stored.names if person not in ids),
        log=tuple(replace(entry, event=replace(entry.event, by=instead(entry.event.by))) for entry in stored.log),
    )


def _ids(stored: StoredMatch, request: Request) -> frozenset[PersonId]:
    """The ids that stand for the asker in this match.

    A user name stands for him where he answered the invitation, and where nobody did: names change hands.
    """
    match, me = stored.match, request.me
    ids = {me}
    name = known_as(request.incoming)
    if name is not None and match.invited == name and None in match.seats:
        ids.add(name)
    declined = any(entry.event.kind is EventKind.DECLINED and entry.event.by == me for entry in stored.log)
    if match.invited is not None and (declined or (me in match.seats and match.challenger != me)):
        ids.add(match.invited)
    return frozenset(ids)


def _named(stored: StoredMatch) -> frozenset[PersonId]:
    """Everybody whom the match names."""
    match = stored.match
    offers = {offer.by for offer in (match.offer, match.declined_offer) if offer is not None}
    named = {match.challenger, match.invited, *match.seats, *(entry.event.by for entry in stored.log)}
    known = {person for person, _ in stored.names}
    return frozenset(person for person in named | offers | known if person is not None)


def _is_named(stored: StoredMatch, ids: Set[PersonId]) -> bool:
    return not ids.isdisjoint(_named(stored))


def _last_action(match: Match, ids: Set[PersonId], request: Request) -> actions.Action | None:
    """What the person known as *ids* does last in the match; None if there is nothing for him to do."""
    me = request.me
    if match.status is Status.CHALLENGE and (match.challenger == me or match.invited in ids):
        if match.deadline is not None and request.now >= match.deadline:
            return actions.Expire()
        return actions.Withdraw(me) if match.challenger == me else actions.Decline(me, match.invited)
    if match.status is Status.PLAYING and match.side_of(me) is not None:
        # A match that has hardly begun is nobody's victory.
        return actions.Abort(me) if match.ply < 2 else actions.Resign(me)
    return None


def _required(action: actions.Action | None) -> actions.Action:
    if action is None:
        raise MatchError(Fault.OVER)
    return action
