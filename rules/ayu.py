"""Ayu (Luis Bolaños Mures, 2011): positions and moves. How texts are read is in `rules.ayu_reading`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rules import ayu_reading
from rules.ayu_units import AyuMove, first_stones, grid
from rules.board import Board, square
from rules.core import (
    BadSizeError,
    Change,
    Ending,
    Game,
    IllegalMoveError,
    Move,
    Outcome,
    Reason,
    Refusal,
    Side,
    Step,
    StepKind,
)


@dataclass(frozen=True, slots=True)
class AyuPosition:
    """The stones of both sides, as bits of the board, and whose turn it is."""

    size: int
    first: int
    second: int
    to_move: Side

    @property
    def game(self) -> Game:
        """Ayu."""
        return AYU

    @property
    def board(self) -> Board:
        """The square board of this size."""
        return square(self.size)

    def pieces(self, side: Side) -> int:
        """The stones of *side*."""
        return self.first if side is Side.FIRST else self.second

    def groups(self, side: Side) -> tuple[int, ...]:
        """The units of *side*."""
        # "A unit is a maximal set of orthogonally connected stones of one colour; a single stone counts."
        return self.board.components(self.pieces(side))

    def regions(self, side: Side) -> tuple[int, ...]:  # noqa: ARG002 - the protocol's argument
        """Nothing: Ayu has no regions."""
        return ()

    def in_hand(self, side: Side) -> int | None:  # noqa: ARG002 - the protocol's argument
        """None: nothing is added in Ayu."""
        return None

    @property
    def empty(self) -> int:
        """The empty points."""
        return self.board.full & ~(self.first | self.second)

    def legal_moves(self) -> list[AyuMove]:
        """All legal moves, by their origin's unit; none for the side that has won."""
        return grid(self.size).moves(self.pieces(self.to_move), self.empty)

    def is_legal(self, move: Move) -> bool:
        """True if *move* is in `legal_moves()`."""
        return isinstance(move, AyuMove) and ayu_reading.refusal(self, move) is None

    def play(self, move: Move) -> AyuPosition:
        """The position after *move*.

        :raises IllegalMoveError: if it is not legal.
        """
        if not isinstance(move, AyuMove):
            raise IllegalMoveError(Refusal(Reason.NOT_NOTATION))
        if refusal := ayu_reading.refusal(self, move):
            raise IllegalMoveError(refusal)
        moved = move.origin | move.goal
        if self.to_move is Side.FIRST:
            return AyuPosition(self.size, self.first ^ moved, self.second, Side.SECOND)
        return AyuPosition(self.size, self.first, self.second ^ moved, Side.FIRST)

    def outcome(self) -> Outcome | None:
        """The win of the side to move if it has no move, else None."""
        # "If you cannot move on your turn, you win."
        if grid(self.size).can_move(self.pieces(self.to_move), self.empty):
            return None
        return Outcome(Ending.NO_MOVES, self.to_move)

    def change(self, move: Move) -> Change:
        """The stone that moves."""
        move = _ayu(move)
        return Change(moved=((self.board.name(move.origin), self.board.name(move.goal)),))

    def write(self, move: Move) -> str:
        """The canonical text: ``b9-c9``."""
        move = _ayu(move)
        return f"{self.board.name(move.origin)}-{self.board.name(move.goal)}"

    def read(self, text: str) -> AyuMove:
        """The legal move that *text* means here; see `rules.ayu_reading.read`."""
        return ayu_reading.read(self, text)

    def steps(self, move: Move) -> tuple[Step, ...]:
        """The stone, then its goal."""
        move = _ayu(move)
        return (
            Step(StepKind.CELL, self.board.name(move.origin)),
            Step(StepKind.GOAL, self.board.name(move.goal)),
        )

    def diagram(self) -> str:
        """Rows from the top joined by ``/``: 1 Black, 2 White, ``.`` empty."""
        return self.board.diagram(self.first, self.second)


def _ayu(move: Move) -> AyuMove:
    """*move* itself, known to be Ayu's.

    :raises TypeError: if it is another game's: the caller's bug.
    """
    if not isinstance(move, AyuMove):
        raise TypeError(f"not a move of Ayu: {move!r}")
    return move


@dataclass(frozen=True, slots=True)
class AyuGame:
    """Ayu's constants and opening."""

    key: str = "ayu"
    aliases: tuple[str, ...] = ("аю",)
    sizes: tuple[int, ...] = (9, 11, 13, 15, 17, 19)
    all_sizes: tuple[int, ...] = (5, 7, 9, 11, 13, 15, 17, 19)
    default_size: int = 11
    has_pie: bool = True
    repetition_draws: bool = True

    def opening(self, size: int) -> AyuPosition:
        """The opening position; Black (the first side) moves first.

        :raises BadSizeError: if *size* is not in `all_sizes`.
        """
        if size not in self.all_sizes:
            raise BadSizeError(f"Ayu has no board of size {size}")
        return AyuPosition(size, *first_stones(size), Side.FIRST)


AYU: Final[Game] = AyuGame()
