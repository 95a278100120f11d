"""Why a move of Volo is not legal. Works on moves as values; texts are `rules.volo_reading`'s."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.board import each_bit
from rules.core import Reason, Refusal
from rules.volo_flights import shift, sky
from rules.volo_moves import Addition, Flight, Pass, VoloMove

if TYPE_CHECKING:
    from rules.volo import VoloPosition


def refusal(position: VoloPosition, move: VoloMove) -> Refusal | None:
    """Why *move* is not legal in *position*, None if it is."""
    if position.outcome() is not None:
        return Refusal(Reason.GAME_OVER)
    match move:
        case Addition(cell):
            return addition_refusal(position, cell)
        case Flight(birds, goal, stays):
            return _flight_value_refusal(position, birds, goal) or _stay_refusal(position, birds, goal, stays)
        case Pass():
            return None if may_pass(position) else Refusal(Reason.PASS_NOT_ALLOWED)


def may_pass(position: VoloPosition) -> bool:
    """True if the side to move may pass."""
    tables = sky(position.size)
    own, opponent = sides(position)
    to_add = tables.spaces_to_add(own, opponent) if position.in_hand(position.to_move) else 0
    # "Pass, only if (a) there is no other move (then it is compulsory), or (b) there is at least one addition, and
    # every addition is in your own region alone, that is in no space that the opponent could reach."
    if not to_add and not tables.flights(own, opponent):
        return True
    return tables.may_pass(to_add, own, opponent)


def must_pass(position: VoloPosition) -> bool:
    """True if the side to move has no other move than to pass."""
    tables = sky(position.size)
    own, opponent = sides(position)
    has_addition = position.in_hand(position.to_move) and tables.spaces_to_add(own, opponent)
    return not has_addition and not tables.flights(own, opponent)


def sides(position: VoloPosition) -> tuple[int, int]:
    """The birds of the side to move, and the opponent's."""
    return position.pieces(position.to_move), position.pieces(position.to_move.other)


def addition_refusal(position: VoloPosition, cell: int) -> Refusal | None:
    """Why the side to move must not add a bird on *cell*, None if it may."""
    board = position.board
    own, opponent = sides(position)
    if cell & -cell != cell or not cell & board.full:
        return Refusal(Reason.OFF_BOARD)
    if cell & (own | opponent):
        return Refusal(Reason.OCCUPIED, board.names(cell))
    # "with an empty hand nothing can be added"
    if not position.in_hand(position.to_move):
        return Refusal(Reason.NO_BIRDS_LEFT)
    # "an empty space that is not adjacent to a friendly bird"
    if friends := board.border(cell) & own:
        return Refusal(Reason.NEXT_TO_FRIEND, (board.name(cell), *board.names(friends)))
    # "and not in a region controlled by the opponent"; "A space is controlled by the opponent when it is in no region
    # of yours."
    if not cell & board.flood(own, board.full & ~opponent):
        return Refusal(Reason.OPPONENT_REGION, board.names(cell))
    return None


def piece_refusal(position: VoloPosition, first: int, last: int) -> Refusal | None:
    """Why there is no bird, or no line of birds, of the side to move from *first* to *last*; None if there is."""
    board = position.board
    own, opponent = sides(position)
    ends = first | last
    if empty := ends & ~(own | opponent):
        return Refusal(Reason.EMPTY, board.names(empty))
    if foreign := ends & opponent:
        return Refusal(Reason.NOT_YOURS, board.names(foreign))
    # "one bird, or a straight unbroken line of two or more of your birds"
    if line(position, first, last) & ~own or not line(position, first, last):
        return Refusal(Reason.NOT_A_LINE, board.names(ends))
    return None


def line(position: VoloPosition, first: int, last: int) -> int:
    """The places from *first* to *last*, 0 if they are not on one line."""
    if first == last:
        return first
    tables = sky(position.size)
    heading = tables.headings.get((first, last))
    if heading is None:
        return 0
    places = bit = first
    while bit != last:
        bit = shift(bit, heading.step)
        places |= bit
    return places


def flight_refusal(position: VoloPosition, birds: int, step: int, count: int) -> Refusal | None:
    """Why the own *birds*, one or a line, must not fly *count* (at least 1) times by *step*; None if they may.

    The region that stays is not looked at.
    """
    board = position.board
    own, opponent = sides(position)
    others = own & ~birds | opponent
    goal = birds
    for index in range(count):
        before, goal = goal, shift(goal, step)
        if goal & ~board.full or goal & others:
            return _in_the_way(position, before, step, others, is_goal=index == count - 1)
    flock = board.flood(birds & -birds, own)
    after = own ^ birds | goal
    flown = board.flood(goal & -goal, after)
    # "After the flight all birds of the flock it left must still be one flock"
    if left := flock & ~birds & ~flown:
        return Refusal(Reason.LEAVES_BIRDS_BEHIND, board.names(left))
    # "and that flock must have joined at least one other flock"
    if not flown & own & ~flock:
        return Refusal(Reason.JOINS_NO_FLOCK, board.names(goal))
    return None


def _in_the_way(position: VoloPosition, before: int, step: int, others: int, *, is_goal: bool) -> Refusal:
    """What stops a flight that has reached the spaces *before* and goes on by *step*, among the *others*."""
    # "Every space passed and reached must be empty (the flying birds do not block each other); nothing is jumped, the
    # centre stops a flight."
    board = position.board
    holes = {bit: name for name, bit in board.holes.items()}
    taken: list[str] = []
    stopped: list[str] = []
    outside: list[str] = []
    for bird in each_bit(before):
        place = shift(bird, step)
        if place & board.full:
            if place & others:
                taken.append(board.name(place))
        elif place in holes:
            stopped.append(holes[place])
        else:
            outside.append(board.name(bird))
    if outside and not taken and not stopped:
        return Refusal(Reason.LEAVES_BOARD, tuple(outside))
    reason = Reason.OCCUPIED if is_goal and not stopped and not outside else Reason.JUMPS
    return Refusal(reason, (*taken, *stopped))


def _flight_value_refusal(position: VoloPosition, birds: int, goal: int) -> Refusal | None:
    """As `flight_refusal`, for a flight that may be made of any bits."""
    board = position.board
    if birds <= 0 or goal <= 0 or birds & ~board.full or goal & ~board.full:
        return Refusal(Reason.OFF_BOARD)
    first, last = birds & -birds, 1 << birds.bit_length() - 1
    if refused := piece_refusal(position, first, last):
        return refused
    if line(position, first, last) != birds:
        return Refusal(Reason.NOT_A_LINE, board.names(birds))
    heading = sky(position.size).headings.get((first, goal & -goal))
    if heading is None or shift(birds, heading.step * heading.count) != goal:
        return Refusal(Reason.NOT_STRAIGHT, board.names(first) + board.names(goal & -goal))
    return flight_refusal(position, birds, heading.step, heading.count)


def _stay_refusal(position: VoloPosition, birds: int, goal: int, stays: int) -> Refusal | None:
    """Why *stays* is no right choice for a flight that is legal otherwise, None if it is."""
    own, opponent = sides(position)
    choices = [region & -region for region in sky(position.size).choices(own ^ birds | goal, opponent)]
    if stays in choices or (not stays and not choices):
        return None
    if not stays:
        return Refusal(Reason.CHOICE_MISSING)
    named = position.board.names(stays & position.board.full) if stays > 0 else ()
    return Refusal(Reason.NOT_A_REGION if choices else Reason.NO_CHOICE, named)
