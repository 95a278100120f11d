"""A match as a state machine: who may do what when, and what then happens."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import FrozenInstanceError
from typing import Final

import pytest

from rules import GAMES
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
    OfferKind,
    PersonId,
    Play,
    Resign,
    Swap,
    Withdraw,
)
from rules.core import BadSizeError, Side
from rules.match import CHALLENGE_SECONDS, LIVE, Match, Status, apply, challenge
from tests.rules.matches import (
    ANA,
    BO,
    BO_BY_NAME,
    EVA,
    START,
    begun,
    done,
    played,
    refused,
)

AYU, VOLO = GAMES["ayu"], GAMES["volo"]
PEOPLE: Final = {"ana": ANA, "bo": BO, "eva": EVA}

CHALLENGE: Final = challenge(AYU, 5, ANA, START, invited=BO)
OPEN: Final = challenge(AYU, 5, ANA, START)
DEADLINE: Final = START + CHALLENGE_SECONDS

LIVE_MATCHES: Final = {
    "challenge": CHALLENGE,
    "open": OPEN,
    "begun": done(CHALLENGE, Accept(BO)),
    "one ply": played(done(CHALLENGE, Accept(BO)), "b1-b2"),
    "two plies": played(done(CHALLENGE, Accept(BO)), "b1-b2 a2-a3"),
}
ENDED_MATCHES: Final = {
    Status.DECLINED: done(CHALLENGE, Decline(BO)),
    Status.WITHDRAWN: done(CHALLENGE, Withdraw(ANA)),
    Status.EXPIRED: done(CHALLENGE, Expire(), now=DEADLINE),
    Status.ABORTED: done(CHALLENGE, Accept(BO), Abort(ANA)),
    Status.FINISHED: done(CHALLENGE, Accept(BO), Resign(ANA)),
}


def first_move(match: Match, by: PersonId) -> Play:
    return Play(by, match.record.position.legal_moves()[0])


ACTIONS: Final[dict[str, Callable[[Match, PersonId], Action]]] = {
    "accept": lambda _, by: Accept(by),
    "decline": lambda _, by: Decline(by),
    "withdraw": lambda _, by: Withdraw(by),
    "expire": lambda _match, _by: Expire(),
    "play": first_move,
    "swap": lambda _, by: Swap(by),
    "resign": lambda _, by: Resign(by),
    "draw": lambda _, by: MakeOffer(by, OfferKind.DRAW),
    "takeback": lambda _, by: MakeOffer(by, OfferKind.TAKEBACK),
    "agree": lambda _, by: AnswerOffer(by, OfferKind.DRAW, agree=True),
    "refuse": lambda _, by: AnswerOffer(by, OfferKind.TAKEBACK, agree=False),
    "abort": lambda _, by: Abort(by),
    "abort as admin": lambda _, by: Abort(by, admin=True),
}

# What becomes of it when Ana (the challenger), Bo (invited, then the opponent) and Eva (an outsider) do it.
TABLE: Final = """
accept         | challenge | self                 | ok                   | not-invited
accept         | open      | self                 | ok                   | ok
accept         | begun     | already-started      | already-started      | already-started
accept         | one ply   | already-started      | already-started      | already-started
accept         | two plies | already-started      | already-started      | already-started
decline        | challenge | not-invited          | ok                   | not-invited
decline        | open      | not-invited          | not-invited          | not-invited
decline        | begun     | already-started      | already-started      | already-started
decline        | one ply   | already-started      | already-started      | already-started
decline        | two plies | already-started      | already-started      | already-started
withdraw       | challenge | ok                   | not-a-player         | not-a-player
withdraw       | open      | ok                   | not-a-player         | not-a-player
withdraw       | begun     | already-started      | already-started      | already-started
withdraw       | one ply   | already-started      | already-started      | already-started
withdraw       | two plies | already-started      | already-started      | already-started
expire         | challenge | not-expired          | not-expired          | not-expired
expire         | open      | not-expired          | not-expired          | not-expired
expire         | begun     | already-started      | already-started      | already-started
expire         | one ply   | already-started      | already-started      | already-started
expire         | two plies | already-started      | already-started      | already-started
play           | challenge | not-started          | not-started          | not-started
play           | open      | not-started          | not-started          | not-started
play           | begun     | ok                   | not-your-turn        | not-a-player
play           | one ply   | not-your-turn        | ok                   | not-a-player
play           | two plies | ok                   | not-your-turn        | not-a-player
swap           | challenge | not-started          | not-started          | not-started
swap           | open      | not-started          | not-started          | not-started
swap           | begun     | no-swap              | not-your-turn        | not-a-player
swap           | one ply   | not-your-turn        | ok                   | not-a-player
swap           | two plies | no-swap              | not-your-turn        | not-a-player
resign         | challenge | not-started          | not-started          | not-started
resign         | open      | not-started          | not-started          | not-started
resign         | begun     | ok                   | ok                   | not-a-player
resign         | one ply   | ok                   | ok                   | not-a-player
resign         | two plies | ok                   | ok                   | not-a-player
draw           | challenge | not-started          | not-started          | not-started
draw           | open      | not-started          | not-started          | not-started
draw           | begun     | ok                   | ok                   | not-a-player
draw           | one ply   | ok                   | ok                   | not-a-player
draw           | two plies | ok                   | ok                   | not-a-player
takeback       | challenge | not-started          | not-started          | not-started
takeback       | open      | not-started          | not-started          | not-started
takeback       | begun     | nothing-to-take-back | nothing-to-take-back | not-a-player
takeback       | one ply   | ok                   | nothing-to-take-back | not-a-player
takeback       | two plies | ok                   | ok                   | not-a-player
agree          | challenge | not-started          | not-started          | not-started
agree          | open      | not-started          | not-started          | not-started
agree          | begun     | no-offer             | no-offer             | not-a-player
agree          | one ply   | no-offer             | no-offer             | not-a-player
agree          | two plies | no-offer             | no-offer             | not-a-player
refuse         | challenge | not-started          | not-started          | not-started
refuse         | open      | not-started          | not-started          | not-started
refuse         | begun     | no-offer             | no-offer             | not-a-player
refuse         | one ply   | no-offer             | no-offer             | not-a-player
refuse         | two plies | no-offer             | no-offer             | not-a-player
abort          | challenge | ok                   | not-a-player         | not-a-player
abort          | open      | ok                   | not-a-player         | not-a-player
abort          | begun     | ok                   | ok                   | not-a-player
abort          | one ply   | ok                   | ok                   | not-a-player
abort          | two plies | too-late-to-abort    | too-late-to-abort    | not-a-player
abort as admin | challenge | ok                   | ok                   | ok
abort as admin | open      | ok                   | ok                   | ok
abort as admin | begun     | ok                   | ok                   | ok
abort as admin | one ply   | ok                   | ok                   | ok
abort as admin | two plies | ok                   | ok                   | ok
"""
ROWS: Final = [[cell.strip() for cell in line.split("|")] for line in TABLE.strip().splitlines()]


@pytest.mark.parametrize(("action", "stage", "expected"), [(row[0], row[1], row[2:]) for row in ROWS])
def test_who_may_do_what(action: str, stage: str, expected: list[str]) -> None:
    match = LIVE_MATCHES[stage]
    found = []
    for person in PEOPLE.values():
        try:
            apply(match, ACTIONS[action](match, person), START + 60)
        except MatchError as error:
            found.append(error.fault.value)
        else:
            found.append("ok")
    assert found == expected


def test_the_table_is_complete() -> None:
    assert [(row[0], row[1]) for row in ROWS] == [(action, stage) for action in ACTIONS for stage in LIVE_MATCHES]
    assert {match.status for match in LIVE_MATCHES.values()} | set(ENDED_MATCHES) == set(Status)


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("status", ENDED_MATCHES)
def test_nothing_can_be_done_to_what_is_over(status: Status, action: str) -> None:
    match = ENDED_MATCHES[status]
    assert match.status is status
    for person in PEOPLE.values():
        assert refused(match, ACTIONS[action](match, person), DEADLINE) is Fault.OVER


# ---- challenges ------------------------------------------------------------------------------------------------------


def test_a_new_challenge() -> None:
    match = challenge(AYU, 9, ANA, START, invited=BO)
    assert (match.status, match.live, match.seats) == (Status.CHALLENGE, True, (ANA, None))
    assert (match.created, match.changed, match.deadline) == (START, START, DEADLINE)
    assert (match.pie, match.ply, match.tokens, match.may_swap) == (True, 0, (), False)
    assert (match.person_to_move, match.side_of(ANA), match.side_of(BO)) == (None, Side.FIRST, None)
    assert (match.opponent_of(ANA), match.opponent_of(BO)) == (None, None)


@pytest.mark.parametrize(
    ("game", "pie", "expected"),
    [("ayu", None, True), ("ayu", True, True), ("ayu", False, False), ("volo", None, False)],
)
def test_the_pie_rule_is_the_games_unless_chosen(game: str, pie: bool | None, expected: bool) -> None:
    assert begun(game, GAMES[game].default_size, pie=pie).pie is expected


def test_challenges_that_cannot_be() -> None:
    with pytest.raises(MatchError, match="self"):
        challenge(AYU, 9, ANA, START, invited=ANA)
    with pytest.raises(MatchError, match="no-pie"):
        challenge(VOLO, 7, ANA, START, pie=True)
    with pytest.raises(BadSizeError):
        challenge(AYU, 10, ANA, START)


@pytest.mark.parametrize(("side", "seats"), [(Side.FIRST, (ANA, BO)), (Side.SECOND, (BO, ANA))])
def test_accepting_fills_the_free_seat(side: Side, seats: tuple[PersonId, PersonId]) -> None:
    waiting = challenge(AYU, 5, ANA, START, challenger_side=side)
    assert waiting.side_of(ANA) is side
    match, events = apply(waiting, Accept(BO), START + 5)
    assert (match.status, match.seats, match.deadline, match.changed) == (Status.PLAYING, seats, None, START + 5)
    assert events == (Event(EventKind.ACCEPTED, BO),)
    assert (match.person_to_move, match.opponent_of(ANA), match.opponent_of(BO)) == (seats[0], BO, ANA)


def test_anybody_may_take_an_open_challenge() -> None:
    assert done(OPEN, Accept(EVA, PersonId("telegram:@eva"))).seats == (ANA, EVA)


def test_somebody_invited_by_user_name() -> None:
    waiting = challenge(AYU, 5, ANA, START, invited=BO_BY_NAME)
    assert refused(waiting, Accept(BO)) is Fault.NOT_INVITED
    assert refused(waiting, Accept(EVA, PersonId("telegram:@eva"))) is Fault.NOT_INVITED
    assert refused(waiting, Decline(EVA, PersonId("telegram:@eva"))) is Fault.NOT_INVITED
    assert refused(waiting, Accept(ANA, BO_BY_NAME)) is Fault.SELF
    assert done(waiting, Accept(BO, BO_BY_NAME)).seats == (ANA, BO)
    match, events = apply(waiting, Decline(BO, BO_BY_NAME), START)
    assert (match.status, match.seats, events) == (Status.DECLINED, (ANA, None), (Event(EventKind.DECLINED, BO),))


@pytest.mark.parametrize(
    ("action", "status", "event"),
    [
        (Decline(BO), Status.DECLINED, Event(EventKind.DECLINED, BO)),
        (Withdraw(ANA), Status.WITHDRAWN, Event(EventKind.WITHDRAWN, ANA)),
        (Abort(EVA, admin=True), Status.ABORTED, Event(EventKind.ABORTED, EVA)),
    ],
)
def test_a_challenge_comes_to_nothing(action: Action, status: Status, event: Event) -> None:
    match, events = apply(CHALLENGE, action, START + 7)
    assert (match.status, match.live, match.deadline, match.changed) == (status, False, None, START + 7)
    assert (match.result, events) == (None, (event,))


def test_the_deadline() -> None:
    assert CHALLENGE_SECONDS == 72 * 60 * 60
    before = DEADLINE - 1
    assert refused(CHALLENGE, Expire(), before) is Fault.NOT_EXPIRED
    assert done(CHALLENGE, Accept(BO), now=before).status is Status.PLAYING
    for late in (Accept(BO), Decline(BO), Withdraw(ANA)):
        assert refused(CHALLENGE, late, DEADLINE) is Fault.OVER, "the clock is only late"
    match, events = apply(CHALLENGE, Expire(), DEADLINE)
    assert (match.status, match.deadline, events) == (Status.EXPIRED, None, (Event(EventKind.EXPIRED),))


def test_what_has_begun_does_not_expire() -> None:
    assert refused(begun(), Expire(), DEADLINE + 10**9) is Fault.ALREADY_STARTED


# ---- values ----------------------------------------------------------------------------------------------------------


def test_a_match_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        begun().status = Status.ABORTED  # type: ignore[misc]  # what must not work


def test_live_is_what_goes_on() -> None:
    assert set(Status) - LIVE == set(ENDED_MATCHES)


@pytest.mark.parametrize("stage", LIVE_MATCHES)
def test_apply_is_pure(stage: str) -> None:
    match = LIVE_MATCHES[stage]
    before = copy.deepcopy(match)
    for make in ACTIONS.values():
        for person in PEOPLE.values():
            try:
                first = apply(match, make(match, person), START + 60)
            except MatchError:
                continue
            assert first == apply(before, make(before, person), START + 60)
    assert match == before
