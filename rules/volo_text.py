"""Volo's notation: how a move is written, and what the words of a typed move may be. Knows no position."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from rules import notation
from rules.board import Board
from rules.core import InvalidMoveError, Reason, Refusal
from rules.volo_flights import sky
from rules.volo_moves import Addition, Flight, Pass, VoloMove

# "Directions also as NO SO O (es) and СВ СЗ ЮВ ЮЗ В З (ru)."
_ENGLISH: Final = {"e": "E", "w": "W", "ne": "NE", "nw": "NW", "se": "SE", "sw": "SW"}
_SPANISH: Final = {"o": "W", "no": "NW", "so": "SW"}
_RUSSIAN: Final = {"в": "E", "з": "W", "св": "NE", "сз": "NW", "юв": "SE", "юз": "SW"}
_DIRECTIONS: Final[Mapping[str, str]] = MappingProxyType(_ENGLISH | _SPANISH | _RUSSIAN)

_CANONICAL: Final = re.compile(
    r"[a-z][1-9]\d?(?::[a-z][1-9]\d?)?-(?:E|W|NE|NW|SE|SW)[1-9]\d?(?:/[a-z][1-9]\d?)?", re.ASCII
)


@dataclass(frozen=True, slots=True)
class Typed:
    """One reading of an addition or a flight: names of cells in their order, none of them looked up on a board yet.

    With a *direction* the flight is so many (*count*, None: any number of) steps in it, and one or two cells name what
    flies; *stays* names a cell of the region that stays.
    """

    cells: tuple[str, ...]
    direction: str | None = None
    count: int | None = None
    stays: str | None = None


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
            heading = tables.headings[birds & -birds, goal & -goal]
            choice = f"/{board.name(stays)}" if stays else ""
            return f"{piece(board, birds)}-{heading.name}{heading.count}{choice}"


def readings(text: str) -> list[Typed]:
    """Everything that *text*, which is not too long, may be, at least one: cells before directions.

    :raises InvalidMoveError: if it can be nothing.
    """
    before, slash, after = text.lower().partition("/")
    stays = _only_cell(after) if slash else None
    *leading, last = notation.words(before)
    names = tuple(word.cell for word in leading if word.cell is not None)
    found = []
    if len(names) == len(leading):
        # "Text in canonical form is that move. Anything else is tried in every reading (`b1-e1` could be one step east
        # or a flight to e1)": canonical cells are lower case, canonical directions upper case.
        if last.cell is not None and not _CANONICAL.fullmatch(text.strip()):
            found.append(Typed((*names, last.cell), stays=stays))
        direction = _DIRECTIONS.get(last.typed) or _DIRECTIONS.get(last.letters)
        if direction and len(names) in (1, 2) and last.number != 0:
            found.append(Typed(names, direction, last.number, stays))
    if not found:
        raise InvalidMoveError(Refusal(Reason.NOT_NOTATION))
    return found


def _only_cell(text: str) -> str:
    """The one cell that *text* names.

    :raises InvalidMoveError: if it is anything else.
    """
    named = notation.words(text)
    if len(named) > 1 or named[0].cell is None:
        raise InvalidMoveError(Refusal(Reason.NOT_NOTATION))
    return named[0].cell
