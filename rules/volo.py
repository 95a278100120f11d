"""Volo (Dieter Stein, 2010): positions and moves. How texts are read is in `rules.volo_reading`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from rules import volo_reading, volo_refusals, volo_text
from rules.board import Board, hexagon
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
from rules.volo_flights import sky
from rules.volo_moves import Addition, Flight, Pass, VoloMove

# "Opening, edge 7: Orange l2 g12 b2; Blue l7 b7 g2 (the spaces next to the missing corners, colours alternating)."
_OPENINGS: Final[Mapping[int, tuple[str, str]]] = MappingProxyType(
    {
        6: ("j2 f10 b2", "j6 b6 f2"),
        7: ("l2 g12 b2", "l7 b7 g2"),
        8: ("n2 h14 b2", "n8 b8 h2"),
    }
)


@dataclass(frozen=True, slots=True)
class VoloPosition:
    """The birds of both sides, as bits of the board, whose turn it is, and how many passes led here (0, 1, 2)."""

    size: int
    first: int
    second: int
    to_move: Side
    passes: int = 0

    @property
    def game(self) -> Game:
        """Volo."""
        return VOLO

    @property
    def board(self) -> Board:
        """The hexagonal board of this size."""
        return hexagon(self.size)

    def pieces(self, side: Side) -> int:
        """The birds of *side*."""
        return self.first if side is Side.FIRST else self.second

    def groups(self, side: Side) -> tuple[int, ...]:
        """The flocks of *side*."""
        return sky(self.size).flocks(self.pieces(side))

    def regions(self, side: Side) -> tuple[int, ...]:
        """The regions of *side*."""
        return sky(self.size).regions(self.pieces(side), self.pieces(side.other))

    def in_hand(self, side: Side) -> int:
        """How many birds *side* may still add."""
        # "Supply: as many birds per player as half the spaces (60 at edge 7), on the board or in hand; cleared birds go
        # back to the hand"
        return sky(self.size).half - self.pieces(side).bit_count()

    def legal_moves(self) -> list[VoloMove]:
        """All legal moves; none when the game is over."""
        if self.outcome() is not None:
            return []
        return sky(self.size).moves(self.pieces(self.to_move), self.pieces(self.to_move.other))

    def is_legal(self, move: Move) -> bool:
        """True if *move* is in `legal_moves()`."""
        return isinstance(move, Addition | Flight | Pass) and volo_refusals.refusal(self, move) is None

    def play(self, move: Move) -> VoloPosition:
        """The position after *move*.

        :raises IllegalMoveError: if it is not legal.
        """
        if not isinstance(move, Addition | Flight | Pass):
            raise IllegalMoveError(Refusal(Reason.NOT_NOTATION))
        if refusal := volo_refusals.refusal(self, move):
            raise IllegalMoveError(refusal)
        return self._after(move)

    def _after(self, move: VoloMove) -> VoloPosition:
        """The position after the legal *move*."""
        own, opponent = self.pieces(self.to_move), self.pieces(self.to_move.other)
        passes = 0
        match move:
            case Addition(cell):
                own |= cell
            case Flight(birds, goal, stays):
                own = own ^ birds | goal
                if stays:
                    # "the opponent's birds in all others are taken off"
                    opponent &= self.board.flood(stays, self.board.full & ~own)
            case Pass():
                passes = self.passes + 1
        if self.to_move is Side.FIRST:
            return VoloPosition(self.size, own, opponent, Side.SECOND, passes)
        return VoloPosition(self.size, opponent, own, Side.FIRST, passes)

    def outcome(self) -> Outcome | None:
        """How the game ended here, or None."""
        # "End, checked in this order after each move: the mover's birds are one flock: the mover wins. The opponent's
        # birds are one flock (also a single bird, also by a clearing): the opponent wins. Two passes in a row: a draw."
        tables = sky(self.size)
        mover = self.to_move.other
        if tables.is_one_flock(self.pieces(mover)):
            return Outcome(Ending.ONE_FLOCK, mover)
        if tables.is_one_flock(self.pieces(self.to_move)):
            return Outcome(Ending.ONE_FLOCK_BY_CLEARING, self.to_move)
        if self.passes >= 2:
            return Outcome(Ending.DOUBLE_PASS, None)
        return None

    def change(self, move: Move) -> Change:
        """The birds that the legal *move* moves, adds and takes off."""
        names = self.board.names
        match _volo(move):
            case Addition(cell):
                return Change(added=names(cell))
            case Flight(birds, goal) as flight:
                opponent = self.to_move.other
                removed = self.pieces(opponent) & ~self._after(flight).pieces(opponent)
                return Change(moved=tuple(zip(names(birds), names(goal), strict=True)), removed=names(removed))
            case Pass():
                return Change()

    def write(self, move: Move) -> str:
        """The canonical text: ``c7``, ``a3-NE2``, ``a2:a4-NE3``, ``d9:e10-NW1/a5``, ``pass``."""
        return volo_text.write(self.size, _volo(move))

    def read(self, text: str) -> VoloMove:
        """The legal move that *text* means here; see `rules.volo_reading.read`."""
        return volo_reading.read(self, text)

    def steps(self, move: Move) -> tuple[Step, ...]:
        """What is done; then the space, or the first bird, the birds that fly, the goal of the first, the region."""
        board = self.board
        match _volo(move):
            case Addition(cell):
                return Step(StepKind.ACTION, "add"), Step(StepKind.CELL, board.name(cell))
            case Flight(birds, goal, stays):
                steps = (
                    Step(StepKind.ACTION, "fly"),
                    Step(StepKind.CELL, board.name(birds & -birds)),
                    Step(StepKind.PIECE, volo_text.piece(board, birds)),
                    Step(StepKind.GOAL, board.name(goal & -goal)),
                )
                return (*steps, Step(StepKind.REGION, board.name(stays))) if stays else steps
            case Pass():
                return (Step(StepKind.ACTION, "pass"),)

    def diagram(self) -> str:
        """Rows from the top joined by ``/``: 1 Orange, 2 Blue, ``.`` empty, ``#`` no space."""
        return self.board.diagram(self.first, self.second)


def _volo(move: Move) -> VoloMove:
    """*move* itself, known to be Volo's.

    :raises TypeError: if it is another game's: the caller's bug.
    """
    if not isinstance(move, Addition | Flight | Pass):
        raise TypeError(f"not a move of Volo: {move!r}")
    return move


@dataclass(frozen=True, slots=True)
class VoloGame:
    """Volo's constants and opening."""

    key: str = "volo"
    aliases: tuple[str, ...] = ("воло",)
    sizes: tuple[int, ...] = (6, 7, 8)
    all_sizes: tuple[int, ...] = (6, 7, 8)
    default_size: int = 7
    has_pie: bool = False
    repetition_draws: bool = False

    def opening(self, size: int) -> VoloPosition:
        """The opening position; Orange (the first side) starts.

        :raises BadSizeError: if *size* is not in `all_sizes`.
        """
        if size not in _OPENINGS:
            raise BadSizeError(f"Volo has no board of edge {size}")
        board = hexagon(size)
        orange, blue = (board.bits(names.split()) for names in _OPENINGS[size])
        return VoloPosition(size, orange, blue, Side.FIRST)


VOLO: Final[Game] = VoloGame()
