"""What to draw: one board picture as plain values, without Pillow and without words of its own.

All strings in a scene are finished (names, "To move · 14 units"); cells are the notation's names. A scene can be
stored as JSON and drawn again later.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class CardState(StrEnum):
    """How a player's card stands out."""

    WAITS = "waits"
    TO_MOVE = "to-move"
    WON = "won"


@dataclass(frozen=True, slots=True)
class Card:
    """One player's card above the board: *name* as the person wrote it, *line* the finished second line.

    *fallback* (a user name, the side's name) is drawn instead of a name of which less than half can be drawn.
    """

    name: str
    line: str
    state: CardState = CardState.WAITS
    fallback: str = ""


@dataclass(frozen=True, slots=True)
class CourseTurn:
    """A turning point: the board before the move at *ply* (0: the first) with the best move marked, and its *label*."""

    ply: int
    label: str
    scene: Scene


@dataclass(frozen=True, slots=True)
class Course:
    """How a game went: *chances* of the first side (0 to 1) before each move and at the end, and where it turned.

    *title* is a finished string.
    """

    chances: tuple[float, ...]
    title: str
    turns: tuple[CourseTurn, ...] = ()


@dataclass(frozen=True, slots=True)
class Scene:
    """One picture of one position.

    *first* and *second* hold the two sides' pieces. *moved*, *added* and *removed* mark the last move (as in
    `rules.core.Change`), made by *mover* (1 or 2; 0 for none). *dots* are goals or pieces that may be chosen,
    *numbered* the same with a number to type, *barred* what may not (unless it is one of those), *selected* the chosen
    piece or line, *regions* areas to choose from (tinted and numbered from 1), *winners* the pieces to outline at the
    end; *beaten* (1, 2 or 0) is the side shown pale. *flipped* turns the board by half a turn, so that the second side
    sits below. With *course* no board is drawn but the course of the game that *cards* played.
    """

    game: str
    size: int
    cards: tuple[Card, Card]
    first: tuple[str, ...] = ()
    second: tuple[str, ...] = ()
    mover: int = 0
    moved: tuple[tuple[str, str], ...] = ()
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    dots: tuple[str, ...] = ()
    numbered: tuple[str, ...] = ()
    barred: tuple[str, ...] = ()
    selected: tuple[str, ...] = ()
    regions: tuple[tuple[str, ...], ...] = ()
    winners: tuple[str, ...] = ()
    beaten: int = 0
    flipped: bool = False
    theme: str = "light"
    course: Course | None = None
