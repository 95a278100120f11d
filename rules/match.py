"""One match as a state machine without I/O: challenge, seats, moves, swap, offers, resignation, deadline.

`apply` is the only way a match changes. It is pure: the time is an argument, people are opaque ids, and what
happened comes back as events, which somebody else puts into words. Two rules of this file:

1. Whatever `apply` returns is valid; whatever is refused raises `MatchError` and changes nothing.
2. A match is its record: everything about the board is derived from the moves, so a takeback is a shorter record.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Final, assert_never

from rules.actions import (
    Abort,
    Accept,
    Action,
    AnswerOffer,
    Decline,
    Event,
    EventKind,
    Expire,
    Fault,
    MakeOffer,
    MatchError,
    Offer,
    OfferKind,
    PersonId,
    Play,
    Resign,
    Swap,
    Withdraw,
)
from rules.core import Ending, Game, MoveError, Side
from rules.record import Record

SWAP: Final = "swap"
"""The token of the pie move in a record."""

CHALLENGE_SECONDS: Final = 72 * 3600
"""How long a challenge stays open."""


class Status(StrEnum):
    """Where a match stands. All but the first two are final."""

    CHALLENGE = "challenge"
    PLAYING = "playing"
    FINISHED = "finished"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"
    ABORTED = "aborted"


LIVE: Final = frozenset({Status.CHALLENGE, Status.PLAYING})


class Agreement(StrEnum):
    """How people end a match without the board."""

    RESIGNATION = "resignation"
    DRAW_AGREED = "draw-agreed"


@dataclass(frozen=True, slots=True)
class Result:
    """How a finished match ended; *winner* is None for a draw."""

    how: Ending | Agreement
    winner: Side | None


@dataclass(frozen=True, slots=True)
class Match:
    """One match of two people.

    *seats* are the people of `Side.FIRST` and `Side.SECOND` as the match began (None: still free); `person_at` tells
    who sits there now, after a swap. *invited* is who may accept (None: anybody). *deadline* is when the challenge
    expires, in seconds since the epoch; *created* and *changed* likewise.
    """

    game: Game
    size: int
    pie: bool
    challenger: PersonId
    invited: PersonId | None
    seats: tuple[PersonId | None, PersonId | None]
    record: Record
    created: int
    changed: int
    status: Status = Status.CHALLENGE
    swapped: bool = False
    result: Result | None = None
    offer: Offer | None = None
    declined_offer: Offer | None = None
    deadline: int | None = None

    @property
    def live(self) -> bool:
        """True while the match is a challenge or being played."""
        return self.status in LIVE

    @property
    def tokens(self) -> tuple[str, ...]:
        """The moves in canonical writing, with `SWAP` at ply 1 if the seats were swapped."""
        texts = self.record.texts
        return (*texts[:1], SWAP, *texts[1:]) if self.swapped else texts

    @property
    def ply(self) -> int:
        """How many tokens the record holds; a button or a typed move may say for which ply it is meant."""
        return len(self.record.moves) + self.swapped

    @property
    def to_move(self) -> Side:
        """The side whose turn it is on the board."""
        return self.record.to_move

    @property
    def may_swap(self) -> bool:
        """True if the person to move may swap seats instead of moving."""
        # "on White's first turn only, White may swap instead of moving"
        return self.status is Status.PLAYING and self.pie and not self.swapped and len(self.record.moves) == 1

    @property
    def may_pass(self) -> bool:
        """True if the person to move may pass instead of moving."""
        if self.status is not Status.PLAYING:
            return False
        try:
            self.record.read("pass")
        except MoveError:
            return False
        return True

    def person_at(self, side: Side) -> PersonId | None:
        """Who plays *side* now."""
        seat = side.other if self.swapped else side
        return self.seats[seat - 1]

    def side_of(self, person: PersonId) -> Side | None:
        """The side *person* plays now, or None for somebody who is no player of this match."""
        for side in Side:
            if self.person_at(side) == person:
                return side
        return None

    @property
    def person_to_move(self) -> PersonId | None:
        """Whose turn it is; None while the match is not being played."""
        return self.person_at(self.to_move) if self.status is Status.PLAYING else None

    def opponent_of(self, person: PersonId) -> PersonId | None:
        """The other player, or None."""
        side = self.side_of(person)
        return None if side is None else self.person_at(side.other)


def challenge(
    game: Game,
    size: int,
    challenger: PersonId,
    now: int,
    *,
    invited: PersonId | None = None,
    pie: bool | None = None,
    challenger_side: Side = Side.FIRST,
) -> Match:
    """A new match that waits for its second player; *pie* None means the game's default.

    :raises BadSizeError: if the game has no board of that size.
    :raises MatchError: `Fault.SELF` if somebody challenges himself, `Fault.NO_PIE` if the game has no pie rule.
    """
    if invited == challenger:
        raise MatchError(Fault.SELF)
    if pie and not game.has_pie:
        raise MatchError(Fault.NO_PIE)
    seats = (challenger, None) if challenger_side is Side.FIRST else (None, challenger)
    return Match(
        game=game,
        size=size,
        pie=game.has_pie if pie is None else pie,
        challenger=challenger,
        invited=invited,
        seats=seats,
        record=Record.opening(game, size),
        created=now,
        changed=now,
        deadline=now + CHALLENGE_SECONDS,
    )


def replay_tokens(game: Game, size: int, tokens: Iterable[str]) -> tuple[Record, bool]:
    """The record of *tokens* and whether one of them was the swap.

    :raises BadSizeError: if the game has no board of that size.
    :raises MoveError: for the first token that is no move in its place.
    """
    moves = list(tokens)
    swapped = game.has_pie and moves[1:2] == [SWAP]
    if swapped:
        del moves[1]
    return Record.replay(game, size, moves), swapped


Applied = tuple[Match, tuple[Event, ...]]


def apply(match: Match, action: Action, now: int) -> Applied:
    """The match after *action* at time *now* (seconds since the epoch), and what happened.

    :raises MatchError: if the match does not allow the action now.
    :raises MoveError: if what is played is no legal move.
    """
    after, events = _apply(match, action, now)
    return replace(after, changed=now), events


def _apply(match: Match, action: Action, now: int) -> Applied:
    match action:
        case Accept():
            return _accept(match, action, now)
        case Decline():
            _require_challenge(match, now)
            if match.invited is None or match.invited not in (action.by, action.known_as):
                raise MatchError(Fault.NOT_INVITED)
            return _closed(match, Status.DECLINED, Event(EventKind.DECLINED, action.by))
        case Withdraw():
            _require_challenge(match, now)
            if action.by != match.challenger:
                raise MatchError(Fault.NOT_A_PLAYER)
            return _closed(match, Status.WITHDRAWN, Event(EventKind.WITHDRAWN, action.by))
        case Expire():
            _require(match, Status.CHALLENGE)
            if match.deadline is None or now < match.deadline:
                raise MatchError(Fault.NOT_EXPIRED)
            return _closed(match, Status.EXPIRED, Event(EventKind.EXPIRED))
        case Play():
            return _play(match, action)
        case Swap():
            return _swap(match, action)
        case Resign():
            side = _player(match, action.by)
            return _finished(match, Result(Agreement.RESIGNATION, side.other), Event(EventKind.RESIGNED, action.by))
        case MakeOffer():
            return _make_offer(match, action)
        case AnswerOffer():
            return _answer_offer(match, action)
        case Abort():
            return _abort(match, action)
    assert_never(action)


# ---- what must hold first --------------------------------------------------------------------------------------------


def _require(match: Match, status: Status) -> None:
    if match.status is status:
        return
    if not match.live:
        raise MatchError(Fault.OVER)
    raise MatchError(Fault.NOT_STARTED if status is Status.PLAYING else Fault.ALREADY_STARTED)


def _require_challenge(match: Match, now: int) -> None:
    _require(match, Status.CHALLENGE)
    if match.deadline is not None and now >= match.deadline:
        raise MatchError(Fault.OVER)


def _player(match: Match, person: PersonId) -> Side:
    _require(match, Status.PLAYING)
    side = match.side_of(person)
    if side is None:
        raise MatchError(Fault.NOT_A_PLAYER)
    return side


def _mover(match: Match, person: PersonId, ply: int | None) -> None:
    side = _player(match, person)
    if ply is not None and ply != match.ply:
        raise MatchError(Fault.STALE)
    if side is not match.to_move:
        raise MatchError(Fault.NOT_YOUR_TURN)


# ---- what the actions do ---------------------------------------------------------------------------------------------


def _accept(match: Match, action: Accept, now: int) -> Applied:
    _require_challenge(match, now)
    if action.by == match.challenger:
        raise MatchError(Fault.SELF)
    if match.invited is not None and match.invited not in (action.by, action.known_as):
        raise MatchError(Fault.NOT_INVITED)
    first, second = match.seats
    seats = (first or action.by, second or action.by)
    return (
        replace(match, seats=seats, status=Status.PLAYING, deadline=None),
        (Event(EventKind.ACCEPTED, action.by),),
    )


def _play(match: Match, action: Play) -> Applied:
    _mover(match, action.by, action.ply)
    move = match.record.read(action.move) if isinstance(action.move, str) else action.move
    record = match.record.play(move)
    moved = replace(match, record=record, offer=None)
    event = Event(EventKind.MOVED, action.by, match.record.position.write(move))
    if record.outcome is None:
        return moved, (event,)
    return _finished(moved, Result(record.outcome.ending, record.outcome.winner), event)


def _swap(match: Match, action: Swap) -> Applied:
    _mover(match, action.by, action.ply)
    if not match.may_swap:
        raise MatchError(Fault.NO_SWAP)
    # "The seats change hands and nothing else: it is still White's turn, now played by the person who made the
    # first move."
    return replace(match, swapped=True, offer=None), (Event(EventKind.SWAPPED, action.by),)


_ASKED: Final[Mapping[OfferKind, EventKind]] = MappingProxyType(
    {OfferKind.DRAW: EventKind.DRAW_OFFERED, OfferKind.TAKEBACK: EventKind.TAKEBACK_ASKED}
)
_DECLINED: Final[Mapping[OfferKind, EventKind]] = MappingProxyType(
    {OfferKind.DRAW: EventKind.DRAW_DECLINED, OfferKind.TAKEBACK: EventKind.TAKEBACK_DECLINED}
)


def _make_offer(match: Match, action: MakeOffer) -> Applied:
    _player(match, action.by)
    standing = match.offer
    if standing is not None and standing.kind is action.kind:
        if standing.by == action.by:
            raise MatchError(Fault.OFFERED_ALREADY)
        return _agreed(match, standing, action.by)
    made = Offer(action.kind, action.by, match.ply)
    if made == match.declined_offer:
        raise MatchError(Fault.DECLINED_ALREADY)
    if action.kind is OfferKind.TAKEBACK and _plies_to_take_back(match, action.by) is None:
        raise MatchError(Fault.NOTHING_TO_TAKE_BACK)
    return replace(match, offer=made), (Event(_ASKED[action.kind], action.by),)


def _answer_offer(match: Match, action: AnswerOffer) -> Applied:
    _player(match, action.by)
    standing = match.offer
    if standing is None or standing.kind is not action.kind:
        raise MatchError(Fault.NO_OFFER)
    if action.agree:
        if standing.by == action.by:
            raise MatchError(Fault.OWN_OFFER)
        return _agreed(match, standing, action.by)
    if standing.by == action.by:
        return replace(match, offer=None), (Event(EventKind.OFFER_WITHDRAWN, action.by),)
    return (
        replace(match, offer=None, declined_offer=standing),
        (Event(_DECLINED[action.kind], action.by),),
    )


def _agreed(match: Match, offer: Offer, by: PersonId) -> Applied:
    if offer.kind is OfferKind.DRAW:
        return _finished(match, Result(Agreement.DRAW_AGREED, None), Event(EventKind.DRAW_AGREED, by))
    plies = _plies_to_take_back(match, offer.by)
    if plies is None:
        raise MatchError(Fault.NOTHING_TO_TAKE_BACK)
    return _taken_back(match, plies), (Event(EventKind.TAKEBACK_GRANTED, by),)


def _plies_to_take_back(match: Match, person: PersonId) -> int | None:
    """How many plies go back so that *person*'s last own move is gone, or None if there is none."""
    for back in range(1, match.ply + 1):
        before = _taken_back(match, back)
        if before.person_to_move == person:
            return back
    return None


def _taken_back(match: Match, plies: int) -> Match:
    keep = match.ply - plies
    swapped = match.swapped and keep > 1
    record = match.record.upto(keep - swapped)
    return replace(match, record=record, swapped=swapped, offer=None, declined_offer=None)


def _abort(match: Match, action: Abort) -> Applied:
    if not match.live:
        raise MatchError(Fault.OVER)
    if not action.admin:
        if match.side_of(action.by) is None:
            raise MatchError(Fault.NOT_A_PLAYER)
        if match.ply >= 2:
            raise MatchError(Fault.TOO_LATE_TO_ABORT)
    return _closed(match, Status.ABORTED, Event(EventKind.ABORTED, action.by))


def _closed(match: Match, status: Status, event: Event) -> Applied:
    return replace(match, status=status, deadline=None, offer=None), (event,)


def _finished(match: Match, result: Result, event: Event) -> Applied:
    finished = replace(match, status=Status.FINISHED, result=result, deadline=None, offer=None)
    return finished, (event, Event(EventKind.FINISHED))
