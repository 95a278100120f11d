"""Positions that the computer must understand, and the slow truth about wins that can be forced."""

from __future__ import annotations

from computer.player import make_mind
from rules import GAMES
from rules.core import Move, Position
from rules.record import Record

# Volo, edge 7. Blue to move; Orange threatens h2:i2-E9, which a bird in the way stops.
THREAT = "h2 d8 f2 d8-SW2 b2-NW3 c5 l2-SW3 b6:b7-W2 e2:f2-E9"
THREAT_MOVE = "h2:i2-E9"

# Volo, edge 7. Orange may shut in the bird a2; /a2 would leave Blue one flock, which wins for Blue.
REGION_CHOICE = "i1 a2 l2-SW4 g10"
REGION_LOSES = "h2:i1-SE7/a2"


def volo(moves: str) -> Record:
    return Record.replay(GAMES["volo"], 7, moves.split())


class TooManyError(Exception):
    """The exhaustive search has looked at more positions than it was allowed."""


class Exhaustive:
    """Looks at everything, by the rules alone; only the order in which it looks is the computer's.

    *budget* is how many positions it may look at, in all its searches together.
    """

    def __init__(self, budget: int = 4_000) -> None:
        self._left = budget
        self._known: dict[tuple[Position, int], bool] = {}

    def forced(self, position: Position, deepest: int) -> int | None:
        """In how many plies, *deepest* at most, the side to move can force a win; None if it cannot."""
        return next((plies for plies in range(1, deepest + 1) if self.wins(position, plies)), None)

    def wins(self, position: Position, plies: int) -> bool:
        """True if the side to move can force a win within so many plies.

        :raises TooManyError: if that cannot be told with the budget.
        """
        outcome = position.outcome()
        if outcome is not None:
            return outcome.winner is position.to_move
        if not plies:
            return False
        key = (position, plies)
        if key not in self._known:
            moves = promising(position) if plies > 1 else position.legal_moves()
            self._known[key] = any(self.loses(self._after(position, move), plies - 1) for move in moves)
        return self._known[key]

    def loses(self, position: Position, plies: int) -> bool:
        """True if the side to move has lost within so many plies, whatever it does.

        :raises TooManyError: as `wins`.
        """
        outcome = position.outcome()
        if outcome is not None:
            return outcome.winner is position.to_move.other
        if not plies:
            return False
        return all(self.wins(self._after(position, move), plies - 1) for move in position.legal_moves())

    def _after(self, position: Position, move: Move) -> Position:
        self._left -= 1
        if self._left < 0:
            raise TooManyError
        return position.play(move)


def promising(position: Position) -> list[Move]:
    """All legal moves, first those that the computer likes at first sight."""
    mind = make_mind(position.game.key, position.size)
    liked = [mind.move(branch.how) for branch in mind.branches(mind.state(position), 12, lambda: False)]
    return list(dict.fromkeys((*liked, *position.legal_moves())))
