"""What the computer sees in an Ayu position: both sides' forests, valued."""

from __future__ import annotations

from typing import Final

from computer.ayu_forest import Forests
from computer.ayu_weights import ayu_weights, place_kinds
from computer.search import CHECKED, WIN, Branch, Expired
from rules.ayu import AyuPosition
from rules.ayu_units import AyuMove, grid
from rules.board import each_bit
from rules.core import Move, Position

State = tuple[int, int]
"""The stones of the side to move and of the other."""

How = tuple[int, int]
"""Origin and goal."""


class AyuMind:
    """Values Ayu's moves on one board."""

    step: Final = 0.33
    scale: Final = 1.0

    def __init__(self, size: int) -> None:
        self._grid = grid(size)
        self._weights = ayu_weights(size)
        self._forests = Forests(self._grid, self._weights)
        self._full = self._grid.board.full
        kinds = place_kinds(size)
        board = self._grid.board
        worths = self._weights.places or (0.0,) * (max(kinds.values()) + 1)
        self._worth = [0.0] * board.full.bit_length()
        for bit in each_bit(board.full):
            name = board.name(bit)
            self._worth[bit.bit_length() - 1] = worths[kinds[ord(name[0]) - ord("a"), int(name[1:]) - 1]]

    def state(self, position: Position) -> State:
        """The stones of the side to move, and the other's."""
        if not isinstance(position, AyuPosition):
            raise TypeError("not a position of Ayu")
        return position.pieces(position.to_move), position.pieces(position.to_move.other)

    def forget(self) -> None:
        """Forget what was remembered for the last search."""
        self._forests.forget()

    def width(self, seconds: float) -> int:
        """6 for fast moves, 12 from two seconds on: more time wants more width, not more depth."""
        return max(6, min(12, round(5 + 3.5 * seconds)))

    def move(self, how: How) -> Move:
        """The rules' move."""
        return AyuMove(*how)

    def branches(self, state: State, width: int, expired: Expired) -> list[Branch]:
        """The best *width* moves; a move that leaves the other without one loses."""
        own, opponent = state
        forests, worth, weights = self._forests, self._worth, self._weights
        stride = self._grid.board.stride
        empty = self._full & ~(own | opponent)
        known, paths, ball, one, his_cost, his_open, _ = forests.forest(opponent, empty)
        if known == empty:
            ball = one
        beside = (opponent << 1 | opponent >> 1 | opponent << stride | opponent >> stride) & self._full
        base = self._places(opponent) - self._places(own) - weights.bias
        border = weights.border
        branches = []
        for number, (after, origin, goal) in enumerate(forests.moves(own, empty), 1):
            if not number % CHECKED and expired():
                break
            left = empty ^ goal | origin
            if goal & paths or origin & ball:
                _, _, _, _, cost, is_open, _ = forests.forest(opponent, left)
            else:
                cost, is_open = his_cost, his_open
            how = origin, goal
            if not is_open:
                # "If you cannot move on your turn, you win."
                branches.append(Branch(1 - WIN, (opponent, after), over=True, how=how))
                continue
            _, _, _, _, mine, _, i_am_whole = forests.forest(after, left)
            if i_am_whole:
                # He has to move, and nothing he does takes the united stones apart.
                branches.append(Branch(WIN - 2, (opponent, after), over=True, how=how))
                continue
            around = (after << 1 | after >> 1 | after << stride | after >> stride) & left
            value = (
                base + cost - mine + border * ((beside & left).bit_count() - around.bit_count())
                + worth[origin.bit_length() - 1] - worth[goal.bit_length() - 1]
            )  # fmt: skip
            branches.append(Branch(value, (opponent, after), over=False, how=how))
        branches.sort(key=_value, reverse=True)
        return branches[:width]

    def _places(self, stones: int) -> float:
        if not self._weights.places:
            return 0.0
        worth = self._worth
        return sum(worth[bit.bit_length() - 1] for bit in each_bit(stones))


def _value(branch: Branch) -> float:
    return branch[0]
