"""Ayu's texts: what a typed move means, and why a move is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.ayu_units import AyuMove, cut_off, grid
from rules.core import IllegalMoveError, Reason, Refusal

if TYPE_CHECKING:
    from rules.ayu import AyuPosition


def refusal(position: AyuPosition, move: AyuMove) -> Refusal | None:
    """Why *move* is not legal in *position*, None if it is."""
    board = position.board
    tables = grid(position.size)
    origin, goal = move.origin, move.goal
    own, other, empty = position.pieces(position.to_move), position.pieces(position.to_move.other), position.empty
    if not tables.can_move(own, empty):
        return Refusal(Reason.GAME_OVER)
    if origin & -origin != origin or goal & -goal != goal or not origin & board.full or not goal & board.full:
        return Refusal(Reason.OFF_BOARD)
    if not origin & own:
        return Refusal(Reason.NOT_YOURS if origin & other else Reason.EMPTY, (board.name(origin),))
    # "put it on an empty point adjacent to that same unit (for a singleton: one step)"
    if not goal & empty:
        return Refusal(Reason.OCCUPIED, (board.name(goal),))
    unit = tables.unit_of(origin, own)
    approach = tables.approach(unit, own ^ unit, empty)
    # "A unit that no friendly unit can be reached from has no move."
    if approach is None:
        return Refusal(Reason.UNREACHABLE, board.names(unit))
    if not goal & board.border(unit):
        return Refusal(Reason.NOT_ADJACENT, (board.name(origin), board.name(goal)))
    # "All stones that were one unit before the move must be one unit after it."
    if lost := cut_off(board, unit, move):
        return Refusal(Reason.SPLITS_GROUP, board.names(lost ^ goal if lost & goal and lost != goal else lost))
    # "The move must reduce the distance between the moved unit and its nearest friendly unit."
    if goal & approach.goals:
        return None
    after = tables.approach(unit ^ origin | goal, own ^ unit, empty ^ goal | origin)
    nearest = tables.unit_of(approach.met & -approach.met, own)
    return Refusal(
        Reason.NOT_NEARER,
        board.names(nearest),
        before=approach.distance,
        after=None if after is None else after.distance,
    )


def read(position: AyuPosition, text: str) -> AyuMove:
    """The legal move that *text* means in *position*."""
    for move in position.legal_moves():
        if position.write(move) == text:
            return move
    raise IllegalMoveError(Refusal(Reason.NOT_NOTATION))
