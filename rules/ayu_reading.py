"""Ayu's texts: what a typed move means, and why a move is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules import notation
from rules.ayu_units import AyuMove, cut_off, grid
from rules.core import AmbiguousMoveError, IllegalMoveError, InvalidMoveError, Reason, Refusal

if TYPE_CHECKING:
    from rules.ayu import AyuPosition
    from rules.board import Board


def refusal(position: AyuPosition, move: AyuMove) -> Refusal | None:
    """Why *move* is not legal in *position*, None if it is."""
    board = position.board
    origin, goal = move.origin, move.goal
    own, empty = position.pieces(position.to_move), position.empty
    if not grid(position.size).can_move(own, empty):
        return Refusal(Reason.GAME_OVER)
    if not _is_cell(origin, board.full) or not _is_cell(goal, board.full):
        return Refusal(Reason.OFF_BOARD)
    if refused := _not_own(position, origin):
        return refused
    # "put it on an empty point"
    if not goal & empty:
        return Refusal(Reason.OCCUPIED, (board.name(goal),))
    return _wrong_way(position, move)


def _is_cell(bits: int, full: int) -> bool:
    return bits & -bits == bits and bool(bits & full)


def _not_own(position: AyuPosition, origin: int) -> Refusal | None:
    """Why no stone of the side to move stands on *origin*, None if one does."""
    if origin & position.pieces(position.to_move):
        return None
    is_taken = origin & position.pieces(position.to_move.other)
    return Refusal(Reason.NOT_YOURS if is_taken else Reason.EMPTY, (position.board.name(origin),))


def _wrong_way(position: AyuPosition, move: AyuMove) -> Refusal | None:
    """Why an own stone must not go to the empty point that *move* names, None if it may."""
    board = position.board
    tables = grid(position.size)
    origin, goal = move.origin, move.goal
    own, empty = position.pieces(position.to_move), position.empty
    unit = tables.unit_of(origin, own)
    approach = tables.approach(unit, own ^ unit, empty)
    # "A unit that no friendly unit can be reached from has no move."
    if approach is None:
        return Refusal(Reason.UNREACHABLE, board.names(unit))
    # "adjacent to that same unit (for a singleton: one step)"
    if not goal & board.border(unit):
        return Refusal(Reason.NOT_ADJACENT, (board.name(origin), board.name(goal)))
    # "All stones that were one unit before the move must be one unit after it."
    if refused := _split(board, unit, move):
        return refused
    # "The move must reduce the distance between the moved unit and its nearest friendly unit." A shorter way can only
    # begin at the goal: the origin, now empty, is no nearer to anybody than the unit was.
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


def _split(board: Board, unit: int, move: AyuMove) -> Refusal | None:
    """Why *unit* would not be one any more after *move*, None if it would be."""
    rest = unit ^ move.origin
    if rest and not board.border(rest) & move.goal:
        return Refusal(Reason.LOSES_UNIT, board.names(move.goal))
    lost = cut_off(board, unit, move)
    return Refusal(Reason.SPLITS_GROUP, board.names(lost & ~move.goal)) if lost else None


def read(position: AyuPosition, text: str) -> AyuMove:
    """The legal move that *text* means in *position*.

    :raises InvalidMoveError: if it is no move of Ayu, or names points that the board does not have.
    :raises IllegalMoveError: if that move is not legal now.
    :raises AmbiguousMoveError: if it names a stone alone.
    """
    text = notation.clean(text)
    own = position.pieces(position.to_move)
    if not grid(position.size).can_move(own, position.empty):
        raise IllegalMoveError(Refusal(Reason.GAME_OVER))
    if text == notation.SWAP_WORD:
        raise IllegalMoveError(Refusal(Reason.SWAP_IS_NO_MOVE))
    # "Nothing is captured, there is no pass."
    if text in notation.PASS_WORDS:
        raise IllegalMoveError(Refusal(Reason.NO_PASS_IN_GAME))
    cells = [word.cell for word in notation.words(text)]
    names = [name for name in cells if name is not None]
    if len(names) < len(cells) or len(names) > 2:
        raise InvalidMoveError(Refusal(Reason.NOT_NOTATION))
    board = position.board
    if off := tuple(dict.fromkeys(name for name in names if name not in board)):
        raise InvalidMoveError(Refusal(Reason.OFF_BOARD, off))
    bits = [board.bit(name) for name in names]
    if refused := _not_own(position, bits[0]):
        raise IllegalMoveError(refused)
    if len(bits) == 1:
        raise _goal_missing(position, bits[0])
    move = AyuMove(bits[0], bits[1])
    if refused := refusal(position, move):
        raise IllegalMoveError(notation.with_moves(refused, _moves_of(position, bits[0])))
    return move


def _moves_of(position: AyuPosition, stone: int) -> list[str]:
    """The legal moves of *stone*, written, by their goal's place."""
    moves = [move for move in position.legal_moves() if move.origin == stone]
    return [position.write(move) for move in sorted(moves, key=lambda move: move.goal)]


def _goal_missing(position: AyuPosition, stone: int) -> AmbiguousMoveError | IllegalMoveError:
    """The answer to an own *stone* named alone: its moves, or why it has none."""
    if moves := _moves_of(position, stone):
        return AmbiguousMoveError(notation.with_moves(Refusal(Reason.GOAL_MISSING), moves))
    tables = grid(position.size)
    own = position.pieces(position.to_move)
    unit = tables.unit_of(stone, own)
    approach = tables.approach(unit, own ^ unit, position.empty)
    if approach is None:
        return IllegalMoveError(Refusal(Reason.UNREACHABLE, position.board.names(unit)))
    # Its unit can come nearer, but not by this stone: the unit would fall apart, whatever the goal.
    goal = approach.goals & -approach.goals
    return IllegalMoveError(_split(position.board, unit, AyuMove(stone, goal)) or Refusal(Reason.UNREACHABLE))
