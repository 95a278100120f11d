"""What every game has in common: sides, endings, moves, positions and the three errors.

Knows no game by name, no clock, no language and no colour. A refusal is a code with cells and numbers; the words for it
are made elsewhere.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from rules.board import Board


class Side(IntEnum):
    """The two sides of a match; FIRST moves first (Black in Ayu, Orange in Volo)."""

    FIRST = 1
    SECOND = 2

    @property
    def other(self) -> Side:
        """The opposite side."""
        return Side.SECOND if self is Side.FIRST else Side.FIRST


class Ending(StrEnum):
    """Why a game on the board is over."""

    NO_MOVES = "no-moves"
    ONE_FLOCK = "one-flock"
    ONE_FLOCK_BY_CLEARING = "one-flock-by-clearing"
    DOUBLE_PASS = "double-pass"
    REPETITION = "repetition"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game on the board ended; *winner* is None for a draw."""

    ending: Ending
    winner: Side | None


class Reason(StrEnum):
    """Why a text is no move here. The comment says what a `Refusal` of this reason carries beside the code."""

    NOT_NOTATION = "not-notation"  # the text cannot be a move of this game
    OFF_BOARD = "off-board"  # cells: the names that are no cells of this board
    EMPTY = "empty"  # cells: the empty origin
    NOT_YOURS = "not-yours"  # cells: the opponent's piece
    OCCUPIED = "occupied"  # cells: the goal that is taken
    NOT_ADJACENT = "not-adjacent"  # Ayu; cells: origin, goal: the goal does not touch the unit
    LOSES_UNIT = "loses-unit"  # Ayu; cells: the goal, which touches none of the unit's stones that stay
    SPLITS_GROUP = "splits-group"  # Ayu; cells: the stones that would be cut off from the largest part
    NOT_NEARER = "not-nearer"  # Ayu; cells: the nearest unit; before, after: the distances
    UNREACHABLE = "unreachable"  # Ayu; cells: the unit: no friendly unit can be reached from it
    NEXT_TO_FRIEND = "next-to-friend"  # Volo; cells: the goal and the friendly birds beside it
    OPPONENT_REGION = "opponent-region"  # Volo; cells: the goal
    NO_BIRDS_LEFT = "no-birds-left"  # Volo; the hand is empty
    NOT_A_LINE = "not-a-line"  # Volo; cells: the ends of what is no straight unbroken line of own birds
    NOT_STRAIGHT = "not-straight"  # Volo; cells: origin and goal, not on one line of flight
    JUMPS = "jumps"  # Volo; cells: what is in the way (birds, the centre, corners)
    LEAVES_BOARD = "leaves-board"  # Volo; cells: the last spaces before the edge
    NO_FLIGHT = "no-flight"  # Volo; cells: the birds, named without a goal, that no flight would join to another flock
    JOINS_NO_FLOCK = "joins-no-flock"  # Volo; cells: the goal cells; of birds named without a goal, the birds
    LEAVES_BIRDS_BEHIND = "leaves-birds-behind"  # Volo; cells: the birds that would be left behind
    NO_CHOICE = "no-choice"  # Volo; a region was named where there is none to choose; cells: that cell
    NOT_A_REGION = "not-a-region"  # Volo; cells: the named cell that lies in none of the opponent's regions
    PASS_NOT_ALLOWED = "pass-not-allowed"  # moves: what can be played
    MUST_PASS = "must-pass"  # pass is the only move
    NO_PASS_IN_GAME = "no-pass-in-game"
    SWAP_IS_NO_MOVE = "swap-is-no-move"  # it changes seats, not the board
    GAME_OVER = "game-over"
    GOAL_MISSING = "goal-missing"  # ambiguous: a piece alone; moves: all its moves
    CHOICE_MISSING = "choice-missing"  # ambiguous: the region that stays is missing; moves: one for each region
    SEVERAL_READINGS = "several-readings"  # ambiguous: moves: the legal moves that fit


@dataclass(frozen=True, slots=True)
class Refusal:
    """Everything a sentence about a refused text needs.

    *cells* are cell names (see `Reason` for which), *moves* canonical legal moves that fit what was typed (at most 60),
    *before* and *after* distances in moves.
    """

    reason: Reason
    cells: tuple[str, ...] = ()
    moves: tuple[str, ...] = ()
    before: int | None = None
    after: int | None = None


class MoveError(ValueError):
    """A text that is no move here: always the fault of whoever typed it.

    ::

        MoveError
        ├── InvalidMoveError    not the notation, or cells that the board does not have
        ├── IllegalMoveError    a move, but not now
        └── AmbiguousMoveError  more than one legal move fits, or a part of it is still to be chosen
    """

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"{refusal.reason.value} {' '.join(refusal.cells)}".rstrip())
        self.refusal = refusal


class InvalidMoveError(MoveError):
    """The text is not the game's notation, or names cells that the board does not have."""


class IllegalMoveError(MoveError):
    """The text is a move, but the rules do not allow it now."""


class AmbiguousMoveError(MoveError):
    """More than one legal move fits; `refusal.moves` lists them."""


class UnknownGameError(LookupError):
    """There is no game of that name."""


class BadSizeError(ValueError):
    """The game is not played on a board of that size."""


class StepKind(StrEnum):
    """What a player chooses in one step of a guided move."""

    ACTION = "action"  # Volo: "add", "fly", "pass"
    CELL = "cell"  # a piece (or the empty space of an addition)
    PIECE = "piece"  # Volo: the bird alone, or a line that begins at it: "a2", "a2:a4"
    GOAL = "goal"  # where to: a cell; for a line of birds the goal of its first end
    REGION = "region"  # Volo: the region that stays, by its first cell


@dataclass(frozen=True, slots=True)
class Step:
    """One choice on the way to a move: *text* as a person would type that part of it."""

    kind: StepKind
    text: str


@dataclass(frozen=True, slots=True)
class Change:
    """What a move did to the board, in cell names; what a picture marks as the last move."""

    moved: tuple[tuple[str, str], ...] = ()  # (left, reached) for each piece that moved
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()  # pieces of the opponent that were taken off


class Move(Hashable, Protocol):
    """A move as a value: immutable, equal and hashable by content. Each game has its own class."""


class Position(Protocol):
    """One position of one game: immutable, equal by stones and side to move (and what else the rules make count).

    Methods raise nothing but what they name. Cell names are the notation's, canonical, lower case.
    """

    @property
    def game(self) -> Game:
        """The game this is a position of."""

    @property
    def size(self) -> int:
        """Ayu: points a side; Volo: cells of an edge."""

    @property
    def board(self) -> Board:
        """The empty board: names, neighbours, coordinates."""

    @property
    def to_move(self) -> Side:
        """The side whose turn it is."""

    def pieces(self, side: Side) -> int:
        """The bitboard of *side*'s pieces."""

    def groups(self, side: Side) -> tuple[int, ...]:
        """The bitboards of *side*'s units or flocks, by their first cell."""

    def regions(self, side: Side) -> tuple[int, ...]:
        """Volo: the bitboards of *side*'s regions, by their first cell; empty for games without regions."""

    def in_hand(self, side: Side) -> int | None:
        """How many pieces *side* may still add; None for games without a supply."""

    def legal_moves(self) -> Sequence[Move]:
        """All legal moves, none twice, in no promised order; empty when the game is over."""

    def is_legal(self, move: Move) -> bool:
        """True if *move* is in `legal_moves()`."""

    def play(self, move: Move) -> Position:
        """The position after *move*, which must be legal.

        :raises IllegalMoveError: if it is not.
        """

    def outcome(self) -> Outcome | None:
        """How the game ended here, or None while it goes on. Repetition is `rules.record`'s to see."""

    def change(self, move: Move) -> Change:
        """What the legal *move* does to the board."""

    def write(self, move: Move) -> str:
        """The canonical text of *move*."""

    def read(self, text: str) -> Move:
        """The legal move that *text*, leniently read, means here.

        :raises MoveError: one of the three, with the reason; nothing else, whatever the text.
        """

    def steps(self, move: Move) -> tuple[Step, ...]:
        """The choices that lead to *move* one after the other (for the guided move), at least one.

        Distinct moves have distinct steps.
        """

    def diagram(self) -> str:
        """Rows from the top joined by ``/``: 1, 2 the sides' pieces, ``.`` empty, ``#`` no space."""


class Game(Protocol):
    """A game's constants and its opening."""

    @property
    def key(self) -> str:
        """The name in records and commands: ``ayu``, ``volo``."""

    @property
    def aliases(self) -> tuple[str, ...]:
        """Other names that people may type, lower case."""

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes that are offered to people, ascending."""

    @property
    def all_sizes(self) -> tuple[int, ...]:
        """The sizes that the core can play, ascending."""

    @property
    def default_size(self) -> int:
        """The size that is played when nobody says another."""

    @property
    def has_pie(self) -> bool:
        """True if the pie rule may be an option of a match."""

    @property
    def repetition_draws(self) -> bool:
        """True if a position that recurs with the same side to move ends the game as a draw."""

    def opening(self, size: int) -> Position:
        """The opening position.

        :raises BadSizeError: if *size* is not in `all_sizes`.
        """
