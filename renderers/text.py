"""The board in plain characters, for screen readers, terminals and chats without pictures; to be shown monospaced."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from renderers.art import ARTS
from renderers.art.base import Art
from renderers.cells import CellLook, Last, looks
from renderers.geometry import POSTED_WIDTH
from renderers.names import clean
from renderers.png import SceneError
from renderers.scene import Card, CardState, Scene
from rules.board import Board

_EMPTY: Final = "."
_NO_CELL: Final = "#"
_LEFT: Final = "'"
_REMOVED: Final = "x"
_DOT: Final = "*"
_BARRED: Final = "-"
_STATES: Final = {CardState.WAITS: " ", CardState.TO_MOVE: ">", CardState.WON: "#"}
_BLANK: Final = CellLook()


def board_text(scene: Scene, arts: Mapping[str, Art] = ARTS) -> str:
    """The lines of *scene*, ended by no newline: the two players, then the board.

    A cell is a side's letter, ``.`` if empty, ``*`` if it may be chosen, a number to type, ``'`` if the last move left
    it, ``x`` if that took a piece off, ``-`` if it may not be chosen. Around it ``( )``: reached or added by the last
    move, ``[ ]``: selected, ``{ }``: a piece that may be chosen, ``> <``: one that may not. ``>`` before a name: to
    move, ``#``: the winner; ``#`` on the board: no cell.

    :raises SceneError: as `Renderer.draw`.
    """
    art = arts.get(scene.game)
    if art is None:
        raise SceneError(f"no game {scene.game!r}")
    try:
        geometry = art.geometry(scene.size, POSTED_WIDTH, flipped=scene.flipped)
        found, board = looks(scene, geometry), art.board(scene.size)
    except (KeyError, ValueError) as error:
        raise SceneError(f"{scene.game} of size {scene.size}: {error}") from error
    cards = [_card(card, symbol) for card, symbol in zip(scene.cards, art.symbols, strict=True)]
    rows = _rows(board, found, art, hexagonal=geometry.hexagonal, flipped=scene.flipped)
    return "\n".join([*cards, "", *rows])


def _card(card: Card, symbol: str) -> str:
    name, line = clean(card.name) or clean(card.fallback), clean(card.line)
    return f"{_STATES[card.state]} {symbol}  {name}" + (f" - {line}" if line else "")


def _rows(board: Board, looks_of: Mapping[str, CellLook], art: Art, *, hexagonal: bool, flipped: bool) -> list[str]:
    """The board's rows with their names, each row centred."""
    turn = -1 if flipped else 1
    rows = [row[::turn] for row in board.rows[::turn]]
    widest = max(len(row) for row in rows)
    lines = []
    for row in rows:
        line = _Line()
        for i, name in enumerate(row):
            column = widest - len(row) + 2 * i
            if name is None:
                line.put(column, _NO_CELL)
            else:
                line.put(column, *_symbol(looks_of.get(name, _BLANK), art.symbols))
        name = next(filter(None, row))
        lines.append(f"{name[0] if hexagonal else name[1:]:>2} {line}")
    if not hexagonal:
        letters = " ".join(str(name)[0] for name in rows[-1])
        lines.append(f"    {letters}")
    return lines


class _Line:
    """A row of characters; the cells stand in every second one, brackets between them."""

    def __init__(self) -> None:
        self._characters: dict[int, str] = {}

    def put(self, column: int, text: str, brackets: str = "") -> None:
        """Write *text* (one or two characters) at *column*, *brackets* (none or two) around it."""
        for i, character in enumerate(text):
            self._characters[column + i] = character
        for place, bracket in zip((column - 1, column + 1), brackets, strict=False):
            # Between two marked cells there is room for one sign.
            self._characters[place] = "|" if place in self._characters else bracket

    def __str__(self) -> str:
        last = max(self._characters)
        return "".join(self._characters.get(i, " ") for i in range(-1, last + 1))


def _symbol(look: CellLook, symbols: Sequence[str]) -> tuple[str, str]:
    """The characters of a cell and the brackets around it."""
    if look.hint > 0:
        return str(look.hint), ""
    if look.side:
        return symbols[look.side - 1], _brackets(look)
    if look.last is Last.LEFT:
        return _LEFT, ""
    if look.last is Last.REMOVED:
        return _REMOVED, ""
    if look.barred:
        return _BARRED, ""
    return (_DOT if look.hint else str(look.badge) if look.badge else _EMPTY), ""


def _brackets(look: CellLook) -> str:
    if look.selected:
        return "[]"
    if look.hint:
        return "{}"
    if look.barred:
        return "><"
    return "()" if look.last in (Last.REACHED, Last.ADDED) else ""
