"""Anybody does anything to a match, in any order: what holds all the same."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Final

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from rules import GAMES
from rules.actions import (
    Abort,
    Accept,
    Action,
    AnswerOffer,
    Decline,
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
from rules.core import MoveError, Side
from rules.match import Match, Status, apply, challenge, replay_tokens
from tests.rules.matches import ANA, BO, BO_BY_NAME, EVA, START

PEOPLE: Final = (ANA, BO, EVA)
SIZES: Final = {"ayu": 5, "volo": 6}

people = st.sampled_from(PEOPLE)
kinds = st.sampled_from(OfferKind)


class AnybodyDoesAnything(RuleBasedStateMachine):
    """One match, three people, a clock, and a model: the people at the board and the tokens of the game."""

    match: Match
    now: int
    tokens: list[str]

    @initialize(
        game=st.sampled_from(sorted(SIZES)),
        invited=st.sampled_from([None, BO, BO_BY_NAME]),
        pie=st.sampled_from([None, False]),
        side=st.sampled_from(Side),
        begun=st.booleans(),
    )
    def challenged(self, game: str, invited: PersonId | None, pie: bool | None, side: Side, begun: bool) -> None:
        self.now = START
        self.tokens = []
        self.match = challenge(GAMES[game], SIZES[game], ANA, self.now, invited=invited, pie=pie, challenger_side=side)
        if begun:
            self.act(Accept(BO, BO_BY_NAME))

    def act(self, action: Action) -> bool:
        """True if *action* was carried out; what was refused has changed nothing."""
        self.now += 1
        before = copy.deepcopy(self.match)
        try:
            after, events = apply(self.match, action, self.now)
        except (MatchError, MoveError):
            assert self.match == before
            return False
        assert self.match == before
        assert (after, events) == apply(before, action, self.now)
        assert before.live
        assert events
        assert after.changed == self.now
        assert {one.by for one in events} <= {getattr(action, "by", None), None}
        assert (after.game, after.size, after.pie, after.created) == (before.game, before.size, before.pie, START)
        self.match = after
        return True

    # ---- what people do ----------------------------------------------------------------------------------------------

    @precondition(lambda self: self.match.status is Status.CHALLENGE)
    @rule(by=people, known_as=st.sampled_from([None, BO_BY_NAME]))
    def accept(self, by: PersonId, known_as: PersonId | None) -> None:
        invited = self.match.invited
        may = by != ANA and (invited is None or invited in (by, known_as))
        assert self.act(Accept(by, known_as)) == may

    @precondition(lambda self: self.match.status is Status.PLAYING)
    @rule(by=people, choice=st.integers(0, 10_000), ply=st.sampled_from([None, 0, 1]), as_text=st.booleans())
    def play(self, by: PersonId, choice: int, ply: int | None, as_text: bool) -> None:
        self.move(by, choice, None if ply is None else self.match.ply - ply, as_text=as_text)

    @precondition(lambda self: self.match.status is Status.PLAYING)
    @rule(choices=st.lists(st.integers(0, 10_000), min_size=1, max_size=4))
    def go_on(self, choices: Sequence[int]) -> None:
        for choice in choices:
            if self.match.may_swap and choice % 2:
                self.swap(None)
            elif (person := self.match.person_to_move) is not None:
                self.move(person, choice, self.match.ply, as_text=False)

    def move(self, by: PersonId, choice: int, ply: int | None, *, as_text: bool) -> None:
        position = self.match.record.position
        moves = position.legal_moves()
        move = moves[choice % len(moves)]
        text = position.write(move)
        may = self.match.person_to_move == by and ply in (None, self.match.ply)
        assert self.act(Play(by, text if as_text else move, ply)) == may
        if may:
            self.tokens.append(text)

    @precondition(lambda self: self.match.status is Status.PLAYING and self.match.ply < 4)
    @rule(somebody=st.sampled_from([None, *PEOPLE]))
    def swap(self, somebody: PersonId | None) -> None:
        before = self.match
        by = somebody or before.person_to_move or ANA
        may = before.pie and len(self.tokens) == 1 and before.person_to_move == by
        assert self.act(Swap(by)) == may
        if may:
            self.tokens.append("swap")
            assert self.match.record == before.record
            assert self.match.person_to_move == before.opponent_of(by)

    @rule(by=people, kind=kinds)
    def make_offer(self, by: PersonId, kind: OfferKind) -> None:
        standing = self.match.offer
        agrees = standing is not None and standing.kind is kind and standing.by != by
        if self.act(MakeOffer(by, kind)):
            self.settled(standing.by if agrees and standing else None, kind)

    @rule(by=people, wanted=st.sampled_from([None, *OfferKind]), agree=st.booleans())
    def answer_offer(self, by: PersonId, wanted: OfferKind | None, agree: bool) -> None:
        standing = self.match.offer
        kind = wanted or (OfferKind.DRAW if standing is None else standing.kind)
        if self.act(AnswerOffer(by, kind, agree)):
            assert standing is not None
            assert self.match.offer is None
            assert standing.by != by or not agree
            self.settled(standing.by if agree else None, kind)

    def settled(self, asker: PersonId | None, kind: OfferKind) -> None:
        """After the offer of *asker* was agreed to (None: it was not): a draw ends, a takeback shortens the tokens."""
        if asker is None:
            return
        if kind is OfferKind.DRAW:
            assert self.match.status is Status.FINISHED
            return
        assert len(self.match.tokens) < len(self.tokens)
        assert list(self.match.tokens) == self.tokens[: len(self.match.tokens)]
        assert self.match.person_to_move == asker
        self.tokens = list(self.match.tokens)

    @rule(by=people, what=st.integers(0, 14))
    def end(self, by: PersonId, what: int) -> None:
        """Seldom, or there is nothing left to do."""
        before = self.match
        match what:
            case 0:
                self.act(Decline(by))
            case 1:
                self.act(Withdraw(by))
            case 2:
                self.act(Abort(by))
            case 3 if self.act(Resign(by)):
                result = self.match.result
                assert result is not None
                assert result.winner is not None
                assert self.match.person_at(result.winner) == before.opponent_of(by)
            case 4 | 5 | 6:
                if what > 4 and before.deadline is not None:
                    self.now = before.deadline
                assert self.act(Expire()) == (before.deadline is not None and self.now >= before.deadline)

    # ---- what always holds -------------------------------------------------------------------------------------------

    @invariant()
    def the_status_tells_what_there_is(self) -> None:
        match = self.match
        assert (match.result is not None) == (match.status is Status.FINISHED)
        assert (match.deadline is not None) == (match.status is Status.CHALLENGE)
        assert match.live == (match.status in (Status.CHALLENGE, Status.PLAYING))
        assert (match.person_to_move is not None) == (match.status is Status.PLAYING)
        assert match.may_swap <= (match.status is Status.PLAYING)
        if match.status in (Status.PLAYING, Status.FINISHED):
            assert None not in match.seats
        on_the_board = match.record.outcome
        if on_the_board is not None:
            assert match.result is not None
            assert (match.result.how, match.result.winner) == (on_the_board.ending, on_the_board.winner)

    @invariant()
    def an_offer_stands_for_this_ply_alone(self) -> None:
        match = self.match
        for offer in (match.offer, match.declined_offer):
            if offer is not None:
                assert match.side_of(offer.by) is not None
        if match.offer is not None:
            assert match.status is Status.PLAYING
            assert match.offer.ply == match.ply
            assert match.offer != match.declined_offer

    @invariant()
    def the_seats_are_taken_by_two(self) -> None:
        match = self.match
        there = tuple(match.person_at(side) for side in Side)
        assert there == (match.seats[::-1] if match.swapped else match.seats)
        assert ANA in there
        assert there[0] != there[1]
        for side, person in zip(Side, there, strict=True):
            if person is not None:
                assert match.side_of(person) is side
                assert match.opponent_of(person) == match.person_at(side.other)

    @invariant()
    def the_tokens_are_the_match(self) -> None:
        match = self.match
        assert list(match.tokens) == self.tokens
        assert match.ply == len(self.tokens)
        assert replay_tokens(match.game, match.size, self.tokens) == (match.record, match.swapped)


TestAnybodyDoesAnything = AnybodyDoesAnything.TestCase
TestAnybodyDoesAnything.settings = settings(max_examples=2 * settings().max_examples, stateful_step_count=40)
