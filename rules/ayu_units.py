"""Ayu's arithmetic: units, distances and legal moves on sets of points as bits. Knows no position, no text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from rules.board import Board, square


@dataclass(frozen=True, slots=True)
class AyuMove:
    """One stone from *origin* to *goal*, both as bits of the board."""

    origin: int
    goal: int


@dataclass(frozen=True, slots=True)
class Approach:
    """How a unit comes nearer: the *distance* to its nearest friendly units, *goals* beside it on a shortest path."""

    distance: int
    goals: int
    met: int
    """The stones of the nearest units that the shortest paths end at."""


class Grid:
    """What is the same for all positions of one size: the board and tables of its geometry. Never changed."""

    __slots__ = ("around", "board", "joined", "near")

    def __init__(self, board: Board) -> None:
        self.board: Final = board
        self.near: Final = tuple(board.border(1 << index & board.full) for index in range(board.full.bit_length()))
        """The points adjacent to the point whose bit has the index."""
        column = 0b111
        self.around: Final = column | column << board.stride | column << 2 * board.stride
        """The 3x3 points around the point with index stride + 1."""
        self.joined: Final = _ring_table(board)
        """3x3 patterns (as cut out by `around`) -> True if the stones beside the middle hang together around it."""

    def unit_of(self, stone: int, own: int) -> int:
        """The unit of *own* that *stone* belongs to."""
        return self.board.flood(stone, own)

    def approach(self, unit: int, others: int, empty: int) -> Approach | None:
        """How *unit* comes nearer to the nearest of the *others*; None if it can reach none of them."""
        # "The distance of two units is the length of the shortest path of empty points between them = how many
        # consecutive moves would join them."
        stride = self.board.stride
        unseen = empty | others
        front = unit
        layers: list[int] = []
        while True:
            front = (front << 1 | front >> 1 | front << stride | front >> stride) & unseen
            met = front & others
            if met:
                break
            if not front:
                return None
            layers.append(front)
            unseen ^= front
        back = met
        for layer in reversed(layers):
            back = (back << 1 | back >> 1 | back << stride | back >> stride) & layer
        return Approach(len(layers), back, met)

    def can_move(self, own: int, empty: int) -> bool:
        """True if the side with the stones *own* has a legal move.

        A unit has one exactly when it can reach a friendly unit: with a goal added, the unit is connected and has at
        least two stones whose removal leaves it connected, so one of them may go to the goal.
        """
        stride = self.board.stride
        rest = own
        while rest:
            unit = self.board.flood(rest & -rest, rest)
            rest ^= unit
            unseen = empty | own ^ unit
            front = unit
            while front:
                front = (front << 1 | front >> 1 | front << stride | front >> stride) & unseen
                if front & own:
                    return True
                unseen ^= front
        return False

    def moves(self, own: int, empty: int) -> list[AyuMove]:
        """All legal moves of the side with the stones *own*, none twice."""
        stride = self.board.stride
        near = self.near
        moves: list[AyuMove] = []
        rest = own
        while rest:
            unit = rest & -rest
            while True:
                wider = (unit | unit << 1 | unit >> 1 | unit << stride | unit >> stride) & rest
                if wider == unit:
                    break
                unit = wider
            rest ^= unit
            # As `approach`, written out: half of the time goes here.
            others = own ^ unit
            unseen = empty | others
            front = unit
            layers: list[int] = []
            while True:
                front = (front << 1 | front >> 1 | front << stride | front >> stride) & unseen
                met = front & others
                if met or not front:
                    break
                layers.append(front)
                unseen ^= front
            if not met:
                continue
            for layer in reversed(layers):
                met = (met << 1 | met >> 1 | met << stride | met >> stride) & layer
            goals: list[tuple[int, int]] = []
            while met:
                goal = met & -met
                met ^= goal
                goals.append((goal, near[goal.bit_length() - 1] & unit))
            if not unit & (unit - 1):
                for goal, _ in goals:
                    moves.append(AyuMove(unit, goal))
                continue
            stones = unit
            while stones:
                stone = stones & -stones
                stones ^= stone
                # "All stones that were one unit before the move must be one unit after it."
                if self.holds_without(unit, stone):
                    for goal, touched in goals:
                        if touched != stone:
                            moves.append(AyuMove(stone, goal))
                else:
                    parts = self.board.components(unit ^ stone)
                    for goal, touched in goals:
                        for part in parts:
                            if not part & touched:
                                break
                        else:
                            moves.append(AyuMove(stone, goal))
        return moves

    def holds_without(self, unit: int, stone: int) -> bool:
        """True if *unit* (two stones or more) is connected without *stone*."""
        pattern = unit >> stone.bit_length() - self.board.stride - 2 & self.around
        if self.joined[pattern]:
            return True
        rest = unit ^ stone
        return self.board.flood(rest & -rest, rest) == rest


def _ring_table(board: Board) -> dict[int, bool]:
    """See `Grid.joined`; the middle point is a stone in every pattern."""
    stride = board.stride
    middle = 1 << stride + 1
    beside = middle << 1 | middle >> 1 | middle << stride | middle >> stride
    ring = [1 << column * stride + row for column in range(3) for row in range(3) if (column, row) != (1, 1)]
    table = {}
    for number in range(1 << len(ring)):
        stones = sum(bit for index, bit in enumerate(ring) if number >> index & 1)
        seeds = stones & beside
        reached = seeds & -seeds
        while True:
            wider = reached | (reached << 1 | reached >> 1 | reached << stride | reached >> stride) & stones
            if wider == reached:
                break
            reached = wider
        table[stones | middle] = not seeds & ~reached
    return table


@lru_cache(maxsize=32)
def grid(size: int) -> Grid:
    """The tables of the *size* x *size* board."""
    return Grid(square(size))


def cut_off(board: Board, unit: int, move: AyuMove) -> int:
    """The stones of *unit* that *move* would cut off from its largest part; 0 if it holds together.

    The moved stone counts where it goes.
    """
    after = unit ^ move.origin | move.goal
    # Of equally large parts the one without the moved stone counts as the larger.
    largest = max(board.components(after), key=lambda part: (part.bit_count(), not part & move.goal))
    return after ^ largest


def first_stones(size: int) -> tuple[int, int]:
    """The opening's stones, first side and second side."""
    # "Opening: Black on even columns and odd rows (b1, d1, … b3 …), White on odd columns and even rows (a2, c2, …
    # a4 …)."
    board = square(size)
    columns = {name: ord(name[0]) - ord("a") + 1 for name in board.cells}
    rows = {name: int(name[1:]) for name in board.cells}
    black = board.bits(name for name in board.cells if columns[name] % 2 == 0 and rows[name] % 2 == 1)
    white = board.bits(name for name in board.cells if columns[name] % 2 == 1 and rows[name] % 2 == 0)
    return black, white
