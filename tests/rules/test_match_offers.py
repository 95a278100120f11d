"""Draws by agreement and takebacks: who may offer, what stands, what is removed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.actions import (
    Abort,
    AnswerOffer,
    Event,
    EventKind,
    Fault,
    MakeOffer,
    Offer,
    OfferKind,
    PersonId,
    Play,
    Resign,
    Swap,
)
from rules.match import Agreement, Match, Result, Status, apply
from tests.rules.matches import ANA, BO, EVA, START, begun, done, played, refused

DRAW, TAKEBACK = OfferKind.DRAW, OfferKind.TAKEBACK


def at(tokens: str) -> Match:
    """A match after *tokens*; the pie move is written as ``swap``."""
    match = begun()
    for token in tokens.split():
        assert match.person_to_move is not None
        match = done(match, Swap(BO)) if token == "swap" else played(match, token)
    return match


MIDDLE = at("b1-b2 a2-a3 d3-d4")


def agree(by: PersonId, kind: OfferKind) -> AnswerOffer:
    return AnswerOffer(by, kind, agree=True)


def decline(by: PersonId, kind: OfferKind) -> AnswerOffer:
    return AnswerOffer(by, kind, agree=False)


@pytest.mark.parametrize("person", [ANA, BO])
@pytest.mark.parametrize(("kind", "event"), [(DRAW, EventKind.DRAW_OFFERED), (TAKEBACK, EventKind.TAKEBACK_ASKED)])
def test_either_may_ask_whoever_is_to_move(person: PersonId, kind: OfferKind, event: EventKind) -> None:
    match, events = apply(MIDDLE, MakeOffer(person, kind), START + 1)
    assert events == (Event(event, person),)
    assert match.offer == Offer(kind, person, 3)
    assert (match.tokens, match.status) == (MIDDLE.tokens, Status.PLAYING)


# ---- draws -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", [agree(BO, DRAW), MakeOffer(BO, DRAW)])
@pytest.mark.parametrize("tokens", ["", "b1-b2", "b1-b2 swap", "b1-b2 a2-a3 d3-d4"])
def test_a_draw_by_agreement(answer: AnswerOffer | MakeOffer, tokens: str) -> None:
    match, events = apply(done(at(tokens), MakeOffer(ANA, DRAW)), answer, START + 1)
    assert events == (Event(EventKind.DRAW_AGREED, BO), Event(EventKind.FINISHED))
    assert (match.status, match.result, match.offer) == (
        Status.FINISHED,
        Result(Agreement.DRAW_AGREED, None),
        None,
    )
    assert match.tokens == tuple(tokens.split())


# ---- takebacks -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tokens", "asker", "left"),
    [
        ("b1-b2", ANA, ""),
        ("b1-b2 a2-a3", ANA, ""),
        ("b1-b2 a2-a3", BO, "b1-b2"),
        ("b1-b2 a2-a3 d3-d4", ANA, "b1-b2 a2-a3"),
        ("b1-b2 a2-a3 d3-d4", BO, "b1-b2"),
        ("b1-b2 swap", ANA, ""),
        ("b1-b2 swap", BO, "b1-b2"),
        ("b1-b2 swap a2-a3", ANA, "b1-b2 swap"),
        ("b1-b2 swap a2-a3", BO, "b1-b2"),
        ("b1-b2 swap a2-a3 d3-d4", ANA, "b1-b2 swap"),
        ("b1-b2 swap a2-a3 d3-d4", BO, "b1-b2 swap a2-a3"),
    ],
)
@pytest.mark.parametrize("asks_too", [False, True])
def test_what_is_taken_back(tokens: str, asker: PersonId, left: str, asks_too: bool) -> None:
    """The asker's last own move goes, and what was played after it: then it is the asker's turn."""
    asked = done(at(tokens), MakeOffer(asker, TAKEBACK))
    other = asked.opponent_of(asker)
    assert other is not None
    answer = MakeOffer(other, TAKEBACK) if asks_too else agree(other, TAKEBACK)
    match, events = apply(asked, answer, START + 1)
    assert events == (Event(EventKind.TAKEBACK_GRANTED, other),)
    assert (match.person_to_move, match.offer, match.status) == (asker, None, Status.PLAYING)
    assert match == replace(at(left), changed=START + 1), "as if it had never been played"
    assert match.may_swap == (left == "b1-b2")


@pytest.mark.parametrize(("tokens", "person"), [("", ANA), ("", BO), ("b1-b2", BO)])
def test_nothing_to_take_back(tokens: str, person: PersonId) -> None:
    assert refused(at(tokens), MakeOffer(person, TAKEBACK)) is Fault.NOTHING_TO_TAKE_BACK


def test_the_swap_again_after_it_was_taken_back() -> None:
    match = done(at("b1-b2 swap a2-a3"), MakeOffer(BO, TAKEBACK), agree(ANA, TAKEBACK))
    assert match.person_to_move == BO
    assert done(match, Swap(BO)).tokens == ("b1-b2", "swap")
    assert played(match, "c2-c3").tokens == ("b1-b2", "c2-c3")


# ---- offers that stand -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("asker", [ANA, BO])
@pytest.mark.parametrize("kind", OfferKind)
def test_what_a_standing_offer_allows(asker: PersonId, kind: OfferKind) -> None:
    match = done(MIDDLE, MakeOffer(asker, kind))
    other = match.opponent_of(asker)
    assert other is not None
    assert refused(match, MakeOffer(asker, kind)) is Fault.OFFERED_ALREADY
    assert refused(match, agree(asker, kind)) is Fault.OWN_OFFER
    wrong = TAKEBACK if kind is DRAW else DRAW
    for person in (ANA, BO):
        assert refused(match, agree(person, wrong)) is Fault.NO_OFFER
        assert refused(match, decline(person, wrong)) is Fault.NO_OFFER
    for action in (MakeOffer(EVA, kind), agree(EVA, kind), decline(EVA, kind)):
        assert refused(match, action) is Fault.NOT_A_PLAYER
    # Another kind of offer takes the place of the first, whoever makes it.
    for person in (asker, other):
        assert done(match, MakeOffer(person, wrong)).offer == Offer(wrong, person, 3)


@pytest.mark.parametrize(("kind", "event"), [(DRAW, EventKind.DRAW_DECLINED), (TAKEBACK, EventKind.TAKEBACK_DECLINED)])
def test_declining(kind: OfferKind, event: EventKind) -> None:
    asked = done(MIDDLE, MakeOffer(ANA, kind))
    match, events = apply(asked, decline(BO, kind), START + 1)
    assert events == (Event(event, BO),)
    assert (match.offer, match.declined_offer) == (None, Offer(kind, ANA, 3))
    assert refused(match, MakeOffer(ANA, kind)) is Fault.DECLINED_ALREADY
    assert refused(match, agree(BO, kind)) is Fault.NO_OFFER
    assert done(match, MakeOffer(BO, kind)).offer == Offer(kind, BO, 3), "the other one may ask"
    assert done(match, Play(BO, "c2-c3"), MakeOffer(ANA, kind)).offer == Offer(kind, ANA, 4), "after another move"


def test_declining_does_not_outlive_a_takeback() -> None:
    match = done(MIDDLE, MakeOffer(ANA, DRAW), decline(BO, DRAW), MakeOffer(ANA, TAKEBACK), agree(BO, TAKEBACK))
    assert (match.ply, match.declined_offer) == (2, None)
    assert played(match, "d3-d4").ply == 3
    assert done(played(match, "d3-d4"), MakeOffer(ANA, DRAW)).offer == Offer(DRAW, ANA, 3)


@pytest.mark.parametrize("kind", OfferKind)
def test_withdrawing_ones_own_offer(kind: OfferKind) -> None:
    asked = done(MIDDLE, MakeOffer(ANA, kind))
    match, events = apply(asked, decline(ANA, kind), START + 1)
    assert events == (Event(EventKind.OFFER_WITHDRAWN, ANA),)
    assert (match.offer, match.declined_offer) == (None, None)
    assert refused(match, agree(BO, kind)) is Fault.NO_OFFER
    assert done(match, MakeOffer(ANA, kind)).offer == Offer(kind, ANA, 3)


@pytest.mark.parametrize("asker", [ANA, BO])
@pytest.mark.parametrize("kind", OfferKind)
def test_a_move_clears_the_offer(asker: PersonId, kind: OfferKind) -> None:
    match = played(done(MIDDLE, MakeOffer(asker, kind)), "c2-c3")
    assert match.offer is None
    assert refused(match, agree(ANA if asker == BO else BO, kind)) is Fault.NO_OFFER


def test_the_swap_clears_the_offer() -> None:
    match = done(at("b1-b2"), MakeOffer(ANA, TAKEBACK), Swap(BO))
    assert (match.offer, match.tokens) == (None, ("b1-b2", "swap"))


def test_a_refused_move_keeps_the_offer() -> None:
    match = done(MIDDLE, MakeOffer(ANA, DRAW))
    assert refused(match, Play(ANA, "b3-b4")) is Fault.NOT_YOUR_TURN
    assert match.offer == Offer(DRAW, ANA, 3)


@pytest.mark.parametrize("end", [Resign(ANA), Resign(BO), Abort(EVA, admin=True)])
def test_the_end_clears_the_offer(end: Resign | Abort) -> None:
    match = done(MIDDLE, MakeOffer(ANA, DRAW), end)
    assert (match.offer, match.live) == (None, False)
    assert refused(match, agree(BO, DRAW)) is Fault.OVER
