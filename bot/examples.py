"""Pictures under a game's rules: what may be played there and what may not, marked by the rules themselves.

An example names a few moves from the opening and a piece; everything that its picture marks is computed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from bot.boards import ALT_LENGTH, Boards, Marks, marked
from bot.guided import region_marks
from bot.messages import Picture, Span
from bot.texts import Texts
from rules import GAMES
from rules.actions import PersonId
from rules.core import AmbiguousMoveError, MoveError, Position, Reason, Side
from rules.match import Status, challenge
from rules.record import Record
from storage.base import MatchId, StoredMatch


@dataclass(frozen=True, slots=True)
class Example:
    """One picture: the position of *game* after *moves*, with the marks that *mark* finds for *piece*.

    Its caption is the text ``example.<game>.<name>``.
    """

    game: str
    name: str
    size: int
    moves: str
    mark: Callable[[Position, str], Marks]
    piece: str = ""


class Examples:
    """Makes the pictures and their captions."""

    def __init__(self, texts: Texts, boards: Boards) -> None:
        self._texts = texts
        self._boards = boards

    def shown(self, game: str, language: str, theme: str) -> Iterator[tuple[tuple[Span, ...], Picture]]:
        """Caption and picture of each example of *game*, in the order in which they are told."""
        for example in EXAMPLES:
            if example.game == game:
                record, marks = found(example)
                stored = _stored(example, record)
                scene = self._boards.scene(language, stored, theme, record)
                # How the game came here says nothing about the rules.
                scene = replace(scene, mover=0, moved=(), added=(), removed=())
                scene = marked(scene, marks, record.to_move)
                caption = self._texts.say(language, f"example.{example.game}.{example.name}")
                yield caption, Picture(scene, self._alt(language, stored, marks))

    def _alt(self, language: str, stored: StoredMatch, marks: Marks) -> str:
        """The picture in words: the pieces, then what is marked."""
        say, match = self._texts.plain, stored.match
        position = match.record.position
        parts = [say(language, "alt.board", title=self._boards.title(language, match))]
        for side in Side:
            cells = " ".join(position.board.names(position.pieces(side)))
            parts.append(say(language, "alt.pieces", side=self._boards.side(language, match, side), cells=cells))
        parts += [say(language, "alt.flight", start=start, goal=goal) for start, goal in marks.moved]
        if marks.selected:
            parts.append(say(language, "alt.chosen", cells=" ".join(marks.selected)))
        if marks.dots:
            parts.append(say(language, "alt.allowed", cells=" ".join(marks.dots)))
        if marks.barred:
            parts.append(say(language, "alt.barred", cells=" ".join(marks.barred)))
        for number, region in enumerate(marks.regions, start=1):
            parts.append(say(language, "alt.region", number=number, cells=" ".join(region)))
        return " ".join(parts)[:ALT_LENGTH]


@cache
def found(example: Example) -> tuple[Record, Marks]:
    """The game so far, and what the picture marks."""
    record = Record.replay(GAMES[example.game], example.size, example.moves.split())
    return record, example.mark(record.position, example.piece)


def _stored(example: Example, record: Record) -> StoredMatch:
    """The example as a match of two people without names: the cards then name the sides."""
    seats = PersonId("example:1"), PersonId("example:2")
    match = challenge(GAMES[example.game], example.size, seats[0], 0)
    playing = replace(match, seats=seats, record=record, status=Status.PLAYING, pie=False)
    return StoredMatch(MatchId("example"), 1, playing, (), ())


def _movable(position: Position, piece: str) -> Marks:
    """Ayu: the stones of the unit of *piece* that may move, and those that may not."""
    stones = position.board.names(_unit(position, piece))
    return _split(stones, {origin for origin, _ in _single_moves(position)})


def _stone_goals(position: Position, piece: str) -> Marks:
    """Ayu: of the empty points next to the unit of the stone *piece* those it may go to, and those it may not."""
    board = position.board
    around = board.names(board.border(_unit(position, piece)) & _empty(position))
    goals = {goal for origin, goal in _single_moves(position) if origin == piece}
    return replace(_split(around, goals), selected=(piece,))


def _bird_goals(position: Position, piece: str) -> Marks:
    """Volo: of the spaces to which the bird *piece* has a free way those it may fly to, and those it may not."""
    goals = {goal for origin, goal in _single_moves(position) if origin == piece}
    in_vain: list[str] = []
    for direction in ("E", "W", "NE", "NW", "SE", "SW"):
        for steps in range(1, 2 * position.size):
            try:
                position.read(f"{piece}-{direction}{steps}")
            except MoveError as error:
                if error.refusal.reason is Reason.JOINS_NO_FLOCK:
                    in_vain.extend(error.refusal.cells)
    return replace(_split((*sorted(goals), *in_vain), goals), selected=(piece,))


def _additions(position: Position, piece: str) -> Marks:
    """Volo: of the empty spaces those on which a bird may be added, and those on which it may not."""
    del piece
    added = {cell for move in position.legal_moves() for cell in position.change(move).added}
    return _split(position.board.names(_empty(position)), added)


def _clearing(position: Position, flight: str) -> Marks:
    """Volo: the regions of which one stays after the *flight*."""
    try:
        moves = [position.read(flight)]
    except AmbiguousMoveError as error:
        moves = [position.read(text) for text in error.refusal.moves]
    return region_marks(position, moves)


def _split(cells: Collection[str], allowed: Collection[str]) -> Marks:
    dots = tuple(cell for cell in cells if cell in allowed)
    return Marks(dots=dots, barred=tuple(cell for cell in cells if cell not in allowed))


def _single_moves(position: Position) -> set[tuple[str, str]]:
    """From where and to where one piece may move alone."""
    moved = (position.change(move).moved for move in position.legal_moves())
    return {steps[0] for steps in moved if len(steps) == 1}


def _unit(position: Position, piece: str) -> int:
    bit = position.board.bit(piece)
    return next(group for group in position.groups(position.to_move) if group & bit)


def _empty(position: Position) -> int:
    return position.board.full & ~position.pieces(Side.FIRST) & ~position.pieces(Side.SECOND)


_CORNER: Final = "b3-b2 e4-d4 d1-c1 a2-a3 c1-b3 c2-d2 d3-c3 a6-b6 b5-b4 c4-d3"
"""Ayu: a black unit in the corner, all others at its upper right."""

_WALL: Final = "c1 d1 e3 h1 g3 h7 i1 d7 k4 f9 b2-NW2 c4 k4-SW5 j4"
"""Volo: an orange wall that one more bird closes, blue birds on both sides of it."""

EXAMPLES: Final = (
    Example("ayu", "stones", 7, _CORNER, _movable, "b3"),
    Example("ayu", "goals", 7, _CORNER, _stone_goals, "c3"),
    Example("volo", "flight", 6, _WALL, _bird_goals, "j2"),
    Example("volo", "clearing", 6, _WALL, _clearing, "j2-SW2"),
    Example("volo", "addition", 6, f"{_WALL} j2-SW2/a2", _additions),
)
"""In the order in which they are shown. Volo's tell one story: a flight, what it clears, what is left to add."""
