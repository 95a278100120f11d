"""Real matches for the tests of the store: challenged, played and ended as people do it, at random."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from hypothesis import strategies as st

from rules import GAMES
from rules.actions import (
    Abort,
    Accept,
    Action,
    AnswerOffer,
    Decline,
    Event,
    Expire,
    MakeOffer,
    MatchError,
    OfferKind,
    PersonId,
    Play,
    Resign,
    Swap,
    Withdraw,
)
from rules.core import Side
from rules.match import Match, Status, apply, challenge
from storage.base import LOG_LENGTH, LogEntry, MatchId, Place, StoredMatch

ANA: Final = PersonId("telegram:101")
BO: Final = PersonId("discord:175928847299117063")
EVA: Final = PersonId("web:Eva Ñúñez")
EVA_BY_NAME: Final = PersonId("telegram:@eva")
PEOPLE: Final = (ANA, BO, EVA, EVA_BY_NAME)

GROUP: Final = Place("telegram", "-100123456789")
TOPIC: Final = Place("telegram", "-100123456789", "17")
CHANNEL: Final = Place("discord", "1052961541873750076")
ROOM: Final = Place("web", "a:b %/ö")
PLACES: Final = (GROUP, TOPIC, CHANNEL, ROOM)

START: Final = 1_700_000_000

_SMALL: Final = {"ayu": 5, "volo": 6}


def draft(*places: Place, by: PersonId = ANA, invited: PersonId | None = BO, game: str = "ayu") -> StoredMatch:
    """A challenge that is not saved yet, in *places* (the group)."""
    match = challenge(GAMES[game], _SMALL[game], by, START, invited=invited)
    return StoredMatch(MatchId(""), 0, match, places or (GROUP,), ((by, "Ana"),))


def after(stored: StoredMatch, action: Action, now: int = START + 60) -> StoredMatch:
    """*stored* with *action* applied, not saved yet.

    :raises MatchError: if the match refuses the action.
    """
    match, events = apply(stored.match, action, now)
    entries = tuple(LogEntry(stored.version + 1, event) for event in events)
    return replace(stored, match=match, log=(*stored.log, *entries)[-LOG_LENGTH:])


def any_move(stored: StoredMatch) -> Play:
    """The first legal move of the person to move."""
    person = stored.match.person_to_move
    assert person is not None
    return Play(person, stored.match.record.position.legal_moves()[0])


@st.composite
def challenges(draw: st.DrawFn) -> Match:
    """A new challenge of any game on a small board."""
    game = draw(st.sampled_from(sorted(GAMES)))
    by = draw(st.sampled_from((ANA, BO, EVA)))
    return challenge(
        GAMES[game],
        _SMALL[game],
        by,
        START + draw(st.integers(0, 1000)),
        invited=draw(st.sampled_from([None, *(person for person in PEOPLE if person != by)])),
        pie=draw(st.sampled_from([None, False])),
        challenger_side=draw(st.sampled_from(Side)),
    )


@st.composite
def actions(draw: st.DrawFn, match: Match) -> Action:
    """Something that somebody may want to do; mostly what advances the match."""
    anybody = st.sampled_from(PEOPLE)
    by = draw(anybody)
    kinds = st.sampled_from(OfferKind)
    if match.status is Status.CHALLENGE and draw(st.integers(0, 3)):
        return Accept(draw(st.sampled_from((ANA, BO, EVA))), draw(st.sampled_from((None, EVA_BY_NAME))))
    mover = match.person_to_move
    if mover is not None and draw(st.integers(0, 9)):
        moves = sorted(match.record.position.legal_moves(), key=match.record.position.write)
        if match.may_swap and draw(st.booleans()):
            return Swap(mover)
        return Play(mover, moves[draw(st.integers(0, len(moves) - 1))])
    makers: list[Callable[[], Action]] = [
        lambda: MakeOffer(by, draw(kinds)),
        lambda: MakeOffer(by, draw(kinds)),
        lambda: AnswerOffer(by, draw(kinds), draw(st.booleans())),
        lambda: AnswerOffer(by, draw(kinds), draw(st.booleans())),
        lambda: Decline(by),
        lambda: Withdraw(by),
        Expire,
        lambda: Resign(by),
        lambda: Abort(by, admin=draw(st.booleans())),
    ]
    return draw(st.sampled_from(makers))()


@st.composite
def stored_matches(draw: st.DrawFn, most: int = 30) -> StoredMatch:
    """A match after up to *most* things that somebody did, with everything that is saved beside it."""
    match = draw(challenges())
    log: list[Event] = []
    for number in range(draw(st.integers(0, most))):
        try:
            match, events = apply(match, draw(actions(match)), match.changed + number)
        except MatchError:
            continue
        log += events
    return StoredMatch(
        id=MatchId("kfwt"),
        version=draw(st.integers(1, 10_000)),
        match=match,
        places=tuple(draw(st.lists(st.sampled_from(PLACES), unique=True))),
        names=tuple(draw(st.dictionaries(st.sampled_from(PEOPLE), st.text(max_size=20), max_size=3)).items()),
        log=tuple(LogEntry(version, event) for version, event in enumerate(log, 2))[-LOG_LENGTH:],
        operations=tuple(draw(st.lists(st.text(max_size=30), max_size=5))),
    )
