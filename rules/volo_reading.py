"""Volo's texts: how a move is written, what a typed move means, and why a move is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.board import Board
from rules.core import IllegalMoveError, Reason, Refusal
from rules.volo_flights import sky
from rules.volo_moves import Addition, Flight, Pass, VoloMove

if TYPE_CHECKING:
    from rules.volo import VoloPosition


def piece(board: Board, birds: int) -> str:
    """The canonical text of what flies: ``a3``, ``a2:a4``."""
    first = birds & -birds
    last = 1 << birds.bit_length() - 1
    return board.name(first) if first == last else f"{board.name(first)}:{board.name(last)}"


def write(size: int, move: VoloMove) -> str:
    """The canonical text of *move* on the board of *size*."""
    tables = sky(size)
    board = tables.board
    match move:
        case Addition(cell):
            return board.name(cell)
        case Pass():
            return "pass"
        case Flight(birds, goal, stays):
            direction = tables.headings[birds & -birds, goal & -goal]
            choice = f"/{board.name(stays)}" if stays else ""
            return f"{piece(board, birds)}-{direction}{choice}"


def read(position: VoloPosition, text: str) -> VoloMove:
    """The legal move that *text* means in *position*."""
    for move in position.legal_moves():
        if position.write(move) == text:
            return move
    raise IllegalMoveError(Refusal(Reason.NOT_NOTATION))
