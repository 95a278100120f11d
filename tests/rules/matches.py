"""Matches to test with: three people, and what is done to a match one thing after the other."""

from __future__ import annotations

from typing import Final

import pytest

from rules import GAMES
from rules.actions import Accept, Action, Fault, MatchError, PersonId, Play
from rules.match import Match, apply, challenge

ANA: Final = PersonId("telegram:1")
BO: Final = PersonId("telegram:2")
EVA: Final = PersonId("telegram:3")
BO_BY_NAME: Final = PersonId("telegram:@bo")

START: Final = 1_700_000_000

# Black cannot move: the first such game when all are tried by their length.
SHORT_AYU: Final = "b1-b2 a2-a3 b2-b4 c2-c3 b3-c5 a4-b3 d3-d4 c4-d3"
# White cannot move.
SHORT_AYU_WHITE: Final = "d3-c3 a2-a3 d1-c1 e4-e3 b5-c5 a3-b4 c1-b2 c2-d2 c5-d4"
# Orange joins all its birds.
SHORT_VOLO: Final = "c6 b4 f10-SW3 b6-W1 c6:c7-W3 d2 c7 d2-NW1 c7-W2 d7 j5 d7-W6 j2-E2 e8 j4:j5-SW6"
# Orange clears all of Blue but one flock.
CLEARED_VOLO: Final = (
    "h6 f4 h9 g7 h6-E2 g7-W4 h5 f4:g3-SW1 h8:h9-SW1 j3 c4 j6-W2 h5-SW6 j3:j4-SE7 b1:b2-NE1 a2 i4 h5 i4-NW1 j4 a4 "
    "j4-SW1 c2:c4-SE1/a2"
)


def done(match: Match, *actions: Action, now: int = START + 60) -> Match:
    """The match after all *actions*.

    :raises MatchError: if one of them is refused.
    """
    for action in actions:
        match, _ = apply(match, action, now)
    return match


def refused(match: Match, action: Action, now: int = START + 60) -> Fault:
    """Why *match* refuses the action."""
    with pytest.raises(MatchError) as caught:
        apply(match, action, now)
    return caught.value.fault


def begun(game: str = "ayu", size: int = 5, *, pie: bool | None = None) -> Match:
    """A match that Ana (who plays the first side) and Bo have begun."""
    return done(challenge(GAMES[game], size, ANA, START, pie=pie), Accept(BO), now=START)


def played(match: Match, moves: str) -> Match:
    """The match after *moves* (with a space between them), each made by whoever is to move."""
    for move in moves.split():
        assert match.person_to_move is not None
        match = done(match, Play(match.person_to_move, move))
    return match
