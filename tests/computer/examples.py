"""Positions that the computer must understand, and the slow truth about wins that can be forced."""

from __future__ import annotations

from rules import GAMES
from rules.core import Position
from rules.record import Record

# Volo, edge 7. Blue to move; Orange threatens h2:i2-E9, which a bird in the way stops.
THREAT = "h2 d8 f2 d8-SW2 b2-NW3 c5 l2-SW3 b6:b7-W2 e2:f2-E9"
THREAT_MOVE = "h2:i2-E9"

# Volo, edge 7. Orange may shut in the bird a2; /a2 would leave Blue one flock, which wins for Blue.
REGION_CHOICE = "i1 a2 l2-SW4 g10"
REGION_LOSES = "h2:i1-SE7/a2"

BUDGET = 4_000


def volo(moves: str) -> Record:
    return Record.replay(GAMES["volo"], 7, moves.split())


class TooManyError(Exception):
    """The exhaustive search has looked at more positions than it was allowed."""


class Exhaustive:
    """Looks at everything, by the rules alone."""

    def __init__(self, budget: int = BUDGET) -> None:
        self._left = budget

    def wins(self, position: Position, plies: int) -> bool:
        """True if the side to move can force a win within so many plies."""
        outcome = position.outcome()
        if outcome is not None:
            return outcome.winner is position.to_move
        if not plies:
            return False
        return any(self.loses(self._after(position, move), plies - 1) for move in position.legal_moves())

    def loses(self, position: Position, plies: int) -> bool:
        """True if the side to move has lost within so many plies, whatever it does."""
        outcome = position.outcome()
        if outcome is not None:
            return outcome.winner is position.to_move.other
        if not plies:
            return False
        return all(self.wins(self._after(position, move), plies - 1) for move in position.legal_moves())

    def _after(self, position: Position, move: object) -> Position:
        self._left -= 1
        if self._left < 0:
            raise TooManyError
        return position.play(move)
