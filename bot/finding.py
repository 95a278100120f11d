"""Which match a command is about, when nobody said. Asks the store, decides nothing else."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.computers import computer_level
from bot.messages import (
    Abort,
    Accept,
    AnswerOffer,
    Cancel,
    Decline,
    Export,
    Hint,
    Incoming,
    LookBack,
    MatchCommand,
    Move,
    Moves,
    Offer,
    Pass,
    Rematch,
    Replay,
    Resign,
    ShowBoard,
    Swap,
)
from bot.replies import Done, Faulty, Notice, Reply, WhichMatch
from bot.request import Request
from rules.actions import Fault, PersonId
from rules.core import MoveError
from rules.match import Match, Status
from storage.base import DamagedRecordError, Listing, MatchId, Place, Store, StoredMatch

log = logging.getLogger(__name__)

MAX_CHOICES: Final = 24
"""How many matches are offered as buttons."""

MAX_ENDED: Final = 20
"""How many ended matches of a chat are looked through."""

Fits = Callable[[Match], bool]


@dataclass(frozen=True, slots=True)
class Found:
    """The one match that the command is about; *command* now names it."""

    stored: StoredMatch
    command: MatchCommand


@dataclass(frozen=True, slots=True)
class _Lists:
    """The matches of the person (in front those he is invited to by his user name) and of the chat, live and ended."""

    mine: Sequence[MatchId]
    here: Sequence[MatchId]
    mine_ended: Sequence[MatchId]
    here_ended: Sequence[MatchId]


def known_as(incoming: Incoming) -> PersonId | None:
    """The id under which the person may have been invited by name, or None."""
    person = incoming.person
    return by_name(incoming.place.platform, person.username) if person.username else None


def by_name(platform: str, username: str) -> PersonId:
    """The id of somebody known by user name alone."""
    return PersonId(f"{platform}:@{username.casefold()}")


def own_place(person: PersonId) -> Place:
    """The chat of the bot with *person* alone, on platforms that call it by the person's id."""
    platform, _, number = person.partition(":")
    return Place(platform, number)


def same_chat(one: Place, other: Place) -> bool:
    """True if both are in one chat, whatever the topic."""
    return (one.platform, one.chat) == (other.platform, other.chat)


class Finder:
    """Finds the match a command is about."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def find(self, command: MatchCommand, request: Request) -> Found | Reply:
        """The match, or the reply that asks for it or says why there is none.

        A named match is found if the person may know of it: he plays in it or is invited, or it is played in this chat.
        A command that was saved before (the update is delivered again) belongs to the match it was saved in, whoever's
        turn it is by now.

        :raises DamagedRecordError: if nothing fits, but a match of the person's cannot be read.
        """
        incoming, me = request.incoming, request.me
        if command.match is not None:
            stored = await self.visible(command.match, incoming)
            return Found(stored, command) if stored is not None else Notice("no-such-match")
        damaged: dict[MatchId, DamagedRecordError] = {}
        lists = await self._lists(incoming)
        mine, ids = lists.mine, lists.here
        if isinstance(command, _OF_PLAYERS):
            ids = [match for match in ids if match in mine]
        here = await self.load_all(ids, damaged=damaged)
        elsewhere: list[StoredMatch] = []
        everywhere = incoming.private or incoming.guest
        if everywhere:
            elsewhere = await self.load_all([match for match in mine if match not in ids], damaged=damaged)
        if not isinstance(command, Moves | ShowBoard | Export | Replay | Hint | LookBack):
            saved = _saved(here + elsewhere, request) or await self._saved_in_ended(lists, request)
            if saved is not None:
                return Done(saved, repeated=True)
        if isinstance(command, Rematch | Export | Replay | LookBack | ShowBoard):
            here += await self.load_all(lists.here_ended, MAX_ENDED)
            if everywhere:
                elsewhere += await self.load_all(lists.mine_ended, MAX_ENDED)
        wanted, fallback = _wishes(command, incoming)
        fitting = [stored for stored in here if wanted(stored.match)]
        fitting = fitting or [stored for stored in elsewhere if wanted(stored.match)]
        if len(fitting) > 1:
            fitting = [stored for stored in fitting if _is_possible(command, stored.match)] or fitting
        if isinstance(command, Rematch | Export | Replay | LookBack):
            fitting = fitting[:1]
        elif isinstance(command, ShowBoard):
            fitting = _live_first(fitting, me)
        if len(fitting) == 1:
            return Found(fitting[0], replace(command, match=fitting[0].id))
        if fitting:
            return WhichMatch(tuple((stored, _in_button(command, stored)) for stored in fitting[:MAX_CHOICES]))
        for match in mine:
            if match in damaged:
                raise damaged[match]
        return _none(command, [stored for stored in here if fallback(stored.match)], me)

    async def mine(self, incoming: Incoming) -> Sequence[MatchId]:
        """The person's live matches, last changed first; before them those that he is invited to by his user name."""
        return (await self._lists(incoming)).mine

    async def _lists(self, incoming: Incoming) -> _Lists:
        me, place, name = incoming.person.id, incoming.place, known_as(incoming)
        wanted = [Listing(me), Listing(place), Listing(me, live=False), Listing(place, live=False)]
        if name is not None:
            wanted.append(Listing(name))
        mine, here, mine_ended, here_ended, *invited = await self._store.listed(*wanted)
        first = [match for matches in invited for match in matches if match not in mine]
        return _Lists((*first, *mine), here, mine_ended, here_ended)

    async def saved_before(self, request: Request, mine: list[StoredMatch]) -> StoredMatch | None:
        """The match in which *request* was saved before, among *mine* (the live ones) or those that ended since."""
        return _saved(mine, request) or await self._saved_in_ended(await self._lists(request.incoming), request)

    async def visible(self, match: MatchId, incoming: Incoming) -> StoredMatch | None:
        """The match, if the person may know of it; else None.

        :raises DamagedRecordError: if its record cannot be read.
        """
        stored = await self._store.load(match)
        if stored is None:
            return None
        mine = (incoming.person.id, known_as(incoming))
        people = {*stored.match.seats, stored.match.challenger}
        if None in stored.match.seats:
            # Once both seats are taken, the invitation counts no more: user names change hands.
            people.add(stored.match.invited)
        here = any(same_chat(place, incoming.place) for place in stored.places)
        door = stored.match.status is Status.CHALLENGE and stored.match.invited is None
        return stored if here or door or any(person in people for person in mine if person is not None) else None

    async def load_all(
        self, ids: Sequence[MatchId], limit: int = 60, *, damaged: dict[MatchId, DamagedRecordError] | None = None
    ) -> list[StoredMatch]:
        """The matches in the given order; those that are gone or damaged are left out, the latter go to *damaged*."""
        found: list[StoredMatch] = []
        for match, loaded in zip(ids, await self._store.load_many(ids[:limit]), strict=False):
            if isinstance(loaded, DamagedRecordError):
                log.warning("match %s is left out: %s", match, loaded)
                if damaged is not None:
                    damaged[match] = loaded
            elif loaded is not None:
                found.append(loaded)
        return found

    async def _saved_in_ended(self, lists: _Lists, request: Request) -> StoredMatch | None:
        """The match that has ended since *request* was saved in it, or None."""
        ended = (*lists.mine_ended[:MAX_ENDED], *lists.here_ended[:MAX_ENDED])
        match = await self._store.saved_in(tuple(dict.fromkeys(ended)), request.operation)
        return None if match is None else await self._store.load(match)


def _in_button(command: MatchCommand, stored: StoredMatch) -> MatchCommand:
    """The command for this match, and for its present ply alone: the button may be pressed much later."""
    named = replace(command, match=stored.id)
    match named:
        case Pass() | Swap():
            return replace(named, ply=stored.match.ply)
        case Move():
            return replace(named, ply=stored.match.ply, text=_canonical(named.text, stored))
        case _:
            return named


def _canonical(text: str, stored: StoredMatch) -> str:
    """The move in canonical writing; the text itself, if it is none in this match."""
    record = stored.match.record
    try:
        return record.position.write(record.read(text))
    except MoveError:
        return text


_OF_PLAYERS: Final = (Move, Moves, Hint, Pass, Swap, Resign, Offer, AnswerOffer)
"""The commands that are about a match in which the asker plays."""


def _saved(matches: list[StoredMatch], request: Request) -> StoredMatch | None:
    return next((stored for stored in matches if request.operation in stored.operations), None)


def _wishes(command: MatchCommand, incoming: Incoming) -> tuple[Fits, Fits]:
    """What the match must be like, and what it is like where the command only comes at the wrong time."""
    me = incoming.person.id
    names = (me, known_as(incoming))

    def plays(match: Match) -> bool:
        return match.status is Status.PLAYING and match.side_of(me) is not None

    def waits(match: Match) -> bool:
        return match.status is Status.CHALLENGE

    match command:
        case Accept():
            return (lambda m: waits(m) and m.challenger != me and (m.invited is None or m.invited in names)), waits
        case Decline():
            return (lambda m: waits(m) and m.invited is not None and m.invited in names), waits
        case Cancel():
            return (lambda m: waits(m) and m.challenger == me), waits
        case Move() | Moves() | Pass() | Swap():
            return (lambda m: m.person_to_move == me), plays
        case Hint():
            return (lambda m: m.person_to_move == me and computer_level(m.opponent_of(me)) > 0), plays
        case LookBack():
            return (lambda m: m.status is Status.FINISHED), plays
        case Resign() | Offer():
            return plays, plays
        case AnswerOffer():
            return (lambda m: plays(m) and m.offer is not None and m.offer.kind is command.kind), plays
        case Abort():
            return (lambda m: m.live and (incoming.admin or (m.side_of(me) is not None and m.ply < 2))), plays
        case Rematch():
            # However it ended; a challenge that came to nothing was no match.
            return (lambda m: not m.live and m.opponent_of(me) is not None), plays
        case ShowBoard() | Export() | Replay():
            return (lambda m: m.status in (Status.PLAYING, Status.FINISHED)), waits


def _is_possible(command: MatchCommand, match: Match) -> bool:
    """False if the rules do not allow that now: then nobody means this match, where he might mean another."""
    match command:
        case Pass():
            return match.may_pass
        case Swap():
            return match.may_swap
        case _:
            return True


def _live_first(matches: list[StoredMatch], person: PersonId) -> list[StoredMatch]:
    """The person's own live matches, else all live ones, else the one that ended last."""
    live = [stored for stored in matches if stored.match.live]
    mine = [stored for stored in live if stored.match.side_of(person) is not None]
    return mine or live or matches[:1]


def _none(command: MatchCommand, almost: list[StoredMatch], me: PersonId) -> Reply:
    stored = almost[0] if len(almost) == 1 else None
    match command:
        case Accept() | Decline():
            if stored is not None and (isinstance(command, Accept) or stored.match.invited is not None):
                own = isinstance(command, Accept) and stored.match.challenger == me
                return Faulty(Fault.SELF if own else Fault.NOT_INVITED, stored)
            return Notice("no-challenge")
        case Cancel():
            return Notice("no-own-challenge")
        case Move() | Moves() | Pass() | Swap():
            return Faulty(Fault.NOT_YOUR_TURN, stored) if almost else Notice("no-match")
        case Hint():
            mine = [one for one in almost if computer_level(one.match.opponent_of(me))]
            return Faulty(Fault.NOT_YOUR_TURN, mine[0]) if mine else Notice("hint-only-computer")
        case LookBack():
            return Notice("lookback-too-early")
        case AnswerOffer():
            return Faulty(Fault.NO_OFFER, stored) if almost else Notice("no-match")
        case Abort():
            return Faulty(Fault.TOO_LATE_TO_ABORT, stored) if almost else Notice("no-match")
        case Rematch():
            return Notice("nothing-to-repeat")
        case _:
            return Notice("no-match")
