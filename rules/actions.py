"""What can be done to a match, what then happened, and why something is refused: values of `rules.match`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

from rules.core import Move

PersonId = NewType("PersonId", str)
"""Somebody who plays, as ``platform:id``; ``platform:@name`` for a user known by name alone."""


class OfferKind(StrEnum):
    """What one player asks of the other."""

    DRAW = "draw"
    TAKEBACK = "takeback"


@dataclass(frozen=True, slots=True)
class Offer:
    """A standing (or declined) offer: who made it, and after how many plies."""

    kind: OfferKind
    by: PersonId
    ply: int


# ---- actions: what people (and the clock) do -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Accept:
    """*by* takes the free seat; *known_as* is another id (a user name) under which the person may have been invited."""

    by: PersonId
    known_as: PersonId | None = None


@dataclass(frozen=True, slots=True)
class Decline:
    """*by*, who was invited, does not want to play."""

    by: PersonId
    known_as: PersonId | None = None


@dataclass(frozen=True, slots=True)
class Withdraw:
    """The challenger takes the challenge back."""

    by: PersonId


@dataclass(frozen=True, slots=True)
class Expire:
    """The clock says that the challenge's time is over."""


@dataclass(frozen=True, slots=True)
class Play:
    """*by* makes a move given as text or value; *ply*, if given, is the ply it was meant for."""

    by: PersonId
    move: str | Move
    ply: int | None = None


@dataclass(frozen=True, slots=True)
class Swap:
    """*by* takes the other seat instead of moving (pie rule)."""

    by: PersonId
    ply: int | None = None


@dataclass(frozen=True, slots=True)
class Resign:
    """*by* gives the match up."""

    by: PersonId


@dataclass(frozen=True, slots=True)
class MakeOffer:
    """*by* offers a draw or asks for a takeback; doing so while the other's stands agrees to it."""

    by: PersonId
    kind: OfferKind


@dataclass(frozen=True, slots=True)
class AnswerOffer:
    """*by* agrees to the other's offer or declines it (or takes back his own, with *agree* False)."""

    by: PersonId
    kind: OfferKind
    agree: bool


@dataclass(frozen=True, slots=True)
class Abort:
    """*by* ends the match without a result: a player before the second move, an *admin* of the chat always."""

    by: PersonId
    admin: bool = False


Action = Accept | Decline | Withdraw | Expire | Play | Swap | Resign | MakeOffer | AnswerOffer | Abort


class EventKind(StrEnum):
    """What happened to a match."""

    CHALLENGED = "challenged"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"
    MOVED = "moved"
    SWAPPED = "swapped"
    RESIGNED = "resigned"
    DRAW_OFFERED = "draw-offered"
    DRAW_AGREED = "draw-agreed"
    DRAW_DECLINED = "draw-declined"
    TAKEBACK_ASKED = "takeback-asked"
    TAKEBACK_GRANTED = "takeback-granted"
    TAKEBACK_DECLINED = "takeback-declined"
    OFFER_WITHDRAWN = "offer-withdrawn"
    ABORTED = "aborted"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened: *by* whom (None: the clock or the board), and the move's canonical text."""

    kind: EventKind
    by: PersonId | None = None
    text: str = ""


class Fault(StrEnum):
    """Why an action is refused."""

    SELF = "self"  # nobody plays against himself
    NO_PIE = "no-pie"  # the game has no pie rule
    NOT_A_PLAYER = "not-a-player"
    NOT_INVITED = "not-invited"
    NOT_STARTED = "not-started"  # still a challenge
    ALREADY_STARTED = "already-started"  # no challenge any more
    OVER = "over"
    NOT_YOUR_TURN = "not-your-turn"
    STALE = "stale"  # meant for another ply
    NO_SWAP = "no-swap"
    NO_OFFER = "no-offer"
    OWN_OFFER = "own-offer"  # nobody agrees to his own offer
    OFFERED_ALREADY = "offered-already"
    DECLINED_ALREADY = "declined-already"  # ask again after another move
    NOTHING_TO_TAKE_BACK = "nothing-to-take-back"
    TOO_LATE_TO_ABORT = "too-late-to-abort"
    NOT_EXPIRED = "not-expired"


class MatchError(Exception):
    """An action that this match does not allow now: the fault of whoever asked for it."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.value)
        self.fault = fault
