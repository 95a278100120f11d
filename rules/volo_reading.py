"""What a typed move of Volo means in a position.

A text is tried in every reading; what a reading comes to is a `Finding`: the legal moves that it means, or why there is
none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from rules import notation
from rules.core import AmbiguousMoveError, IllegalMoveError, Reason, Refusal
from rules.volo_flights import Heading, shift, sky
from rules.volo_moves import Addition, Flight, Pass, VoloMove
from rules.volo_refusals import addition_refusal, flight_refusal, line, may_pass, must_pass, piece_refusal, sides
from rules.volo_text import Typed, readings

if TYPE_CHECKING:
    from rules.volo import VoloPosition

# The further a reading comes, the better its refusal says what is wrong.
_PROGRESS: Final[Sequence[frozenset[Reason]]] = (
    frozenset({Reason.NOT_NOTATION}),
    frozenset({Reason.OFF_BOARD}),
    frozenset({Reason.EMPTY, Reason.NOT_YOURS}),
    frozenset({Reason.NOT_A_LINE}),
    frozenset({Reason.NOT_STRAIGHT}),
    frozenset({Reason.OCCUPIED, Reason.JUMPS, Reason.LEAVES_BOARD}),
)


@dataclass(frozen=True, slots=True)
class Finding:
    """What one reading comes to: the legal *moves* that it means, or a *refusal* if it means none.

    *is_open* tells that the goal is still to be chosen.
    """

    moves: tuple[VoloMove, ...] = ()
    refusal: Refusal = field(default=Refusal(Reason.NOT_NOTATION))
    is_open: bool = False


def read(position: VoloPosition, text: str) -> VoloMove:
    """The legal move that *text* means in *position*.

    :raises InvalidMoveError: if it is no move of Volo, or names cells that the board does not have.
    :raises IllegalMoveError: if no reading of it is legal now.
    :raises AmbiguousMoveError: if several are, or the goal or the region that stays is missing.
    """
    word = notation.clean(text)
    if position.outcome() is not None:
        raise IllegalMoveError(Refusal(Reason.GAME_OVER))
    if word == notation.SWAP_WORD:
        raise IllegalMoveError(Refusal(Reason.SWAP_IS_NO_MOVE))
    if word in notation.PASS_WORDS:
        if may_pass(position):
            return Pass()
        moves = [position.write(move) for move in position.legal_moves()]
        raise IllegalMoveError(notation.with_moves(Refusal(Reason.PASS_NOT_ALLOWED), moves))
    return _settle(position, [_find(position, typed) for typed in readings(text)])


def _settle(position: VoloPosition, findings: list[Finding]) -> VoloMove:
    """The one move that all readings together mean."""
    moves = tuple(dict.fromkeys(move for finding in findings if not finding.is_open for move in finding.moves))
    if len(moves) == 1:
        return moves[0]
    if moves:
        flights = {(move.birds, move.goal) for move in moves if isinstance(move, Flight)}
        reason = Reason.CHOICE_MISSING if len(flights) == 1 else Reason.SEVERAL_READINGS
        raise AmbiguousMoveError(notation.with_moves(Refusal(reason), [position.write(move) for move in moves]))
    if unfinished := [position.write(move) for finding in findings for move in finding.moves]:
        raise AmbiguousMoveError(notation.with_moves(Refusal(Reason.GOAL_MISSING), unfinished))
    refused = max((finding.refusal for finding in findings), key=_progress)
    if refused.reason is not Reason.OFF_BOARD and must_pass(position):
        refused = Refusal(Reason.MUST_PASS, moves=("pass",))
    raise notation.error(refused)


def _progress(refused: Refusal) -> int:
    return next((index for index, reasons in enumerate(_PROGRESS) if refused.reason in reasons), len(_PROGRESS))


def _find(position: VoloPosition, typed: Typed) -> Finding:
    """What *typed* means in *position*."""
    board = position.board
    named = (*typed.cells, typed.stays) if typed.stays else typed.cells
    if off := tuple(dict.fromkeys(name for name in named if name not in board)):
        return Finding(refusal=Refusal(Reason.OFF_BOARD, off))
    bits = [board.bit(name) for name in typed.cells]
    stays = board.bit(typed.stays) if typed.stays else 0
    if typed.direction:
        # No flight is longer than the longest row, however many steps were typed.
        longest = 2 * position.size
        counts = [min(typed.count, longest)] if typed.count else range(1, longest)
        step = sky(position.size).directions[typed.direction]
        return _fly(position, bits[0], bits[-1], [Heading(typed.direction, step, count) for count in counts], stays)
    match bits:
        case [cell]:
            return _cell_alone(position, cell, stays)
        case [first, second]:
            # "`a3-c5` (from–to)", or the two ends of a line whose goal is still missing.
            own, _ = sides(position)
            if first != second and second & own and piece_refusal(position, first, second) is None:
                return _goal_missing(position, first, second)
            return _fly_to(position, (first, first), (second, second), stays)
        case [first, last, goal]:
            # "`a2:a4-d5` (the first end's goal)"
            return _fly_to(position, (first, last), (goal,), stays)
        case [first, last, goal, other]:
            # "`a2:a4-d5:d7` (line–line)"
            return _fly_to(position, (first, last), (goal, other), stays)
        case _:
            return Finding()


def _cell_alone(position: VoloPosition, cell: int, stays: int) -> Finding:
    """What a cell alone means."""
    # "In Volo a free cell alone is the addition; a bird's cell alone … starts the guided choice."
    own, opponent = sides(position)
    if cell & (own | opponent):
        return _goal_missing(position, cell, cell)
    if refused := addition_refusal(position, cell):
        return Finding(refusal=refused)
    if stays:
        return Finding(refusal=Refusal(Reason.NO_CHOICE, position.board.names(stays)))
    return Finding((Addition(cell),))


def _goal_missing(position: VoloPosition, first: int, last: int) -> Finding:
    """A bird or a line of birds without its goal: its flights; of one bird also those in which it flies with others."""
    if refused := piece_refusal(position, first, last):
        return Finding(refusal=refused)
    birds = line(position, first, last)
    moves = _flights_of(position, birds)
    if first == last:
        moves += [flight for flight in _flights(position) if flight.birds & first and flight.birds != first]
    return Finding(tuple(moves), _why_stuck(position, birds), is_open=True)


def _flights(position: VoloPosition) -> list[Flight]:
    """All legal flights, by what flies and its goal."""
    flights = [move for move in position.legal_moves() if isinstance(move, Flight)]
    return sorted(flights, key=lambda flight: (flight.birds, flight.goal, flight.stays))


def _flights_of(position: VoloPosition, birds: int) -> list[Flight]:
    return [flight for flight in _flights(position) if flight.birds == birds]


def _why_stuck(position: VoloPosition, birds: int) -> Refusal:
    """Why the own *birds* have no legal flight: the reason of the flights that come closest to being one."""
    board = position.board
    blockers: list[str] = []
    left_behind = None
    for step in sky(position.size).directions.values():
        for count in range(1, 2 * position.size):
            refused = flight_refusal(position, birds, step, count)
            if refused is None:
                continue
            if refused.reason is Reason.JOINS_NO_FLOCK:
                return Refusal(Reason.NO_FLIGHT, board.names(birds))
            if refused.reason is Reason.LEAVES_BIRDS_BEHIND:
                left_behind = left_behind or refused
                continue
            if refused.reason is not Reason.LEAVES_BOARD:
                blockers.extend(refused.cells)
            break
    return left_behind or Refusal(Reason.JUMPS, tuple(dict.fromkeys(blockers)))


def _fly_to(position: VoloPosition, ends: tuple[int, int], goals: tuple[int, ...], stays: int) -> Finding:
    """The flight of the birds between two *ends* to *goals*: that of the first end, or those of both in any order."""
    first, last = ends
    goal, other = goals[0], goals[-1]
    if refused := piece_refusal(position, first, last):
        return Finding(refusal=refused)
    board = position.board
    if goal == first:
        return Finding(refusal=Refusal(Reason.OCCUPIED, board.names(goal)))
    headings = sky(position.size).headings
    heading = headings.get((first, goal))
    if len(goals) == 2 and (heading is None or headings.get((last, other)) != heading):
        heading = headings.get((first, other))
        if headings.get((last, goal)) != heading:
            heading = None
    if heading is None:
        return Finding(refusal=Refusal(Reason.NOT_STRAIGHT, (board.name(first), board.name(goal))))
    return _fly(position, first, last, [heading], stays)


def _fly(position: VoloPosition, first: int, last: int, headings: Sequence[Heading], stays: int) -> Finding:
    """The flights of the birds from *first* to *last* along any of *headings*; *stays* as in `_choose`."""
    if refused := piece_refusal(position, first, last):
        return Finding(refusal=refused)
    birds = line(position, first, last)
    moves: list[VoloMove] = []
    refusals: list[Refusal] = []
    for heading in headings:
        found = _fly_along(position, birds, heading, stays)
        if isinstance(found, Refusal):
            refusals.append(found)
        else:
            moves.extend(found)
    if moves:
        return Finding(tuple(moves))
    legal = [position.write(flight) for flight in _flights_of(position, birds)]
    return Finding(refusal=notation.with_moves(max(refusals, key=_progress), legal))


def _fly_along(position: VoloPosition, birds: int, heading: Heading, stays: int) -> list[Flight] | Refusal:
    """The flights of *birds* along *heading*, one for each region that may stay; or why there is none.

    *stays* is any cell of the region that stays, 0 if none was named.
    """
    if refused := flight_refusal(position, birds, heading.step, heading.count):
        return refused
    own, opponent = sides(position)
    goal = shift(birds, heading.step * heading.count)
    regions = sky(position.size).choices(own ^ birds | goal, opponent)
    if not regions:
        if stays:
            return Refusal(Reason.NO_CHOICE, position.board.names(stays))
        return [Flight(birds, goal)]
    chosen = [region for region in regions if stays & region] if stays else regions
    if not chosen:
        return Refusal(Reason.NOT_A_REGION, position.board.names(stays))
    return [Flight(birds, goal, region & -region) for region in chosen]
