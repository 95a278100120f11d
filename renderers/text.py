"""The board in plain characters, for screen readers, terminals and chats without pictures; to be shown monospaced."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from renderers.art import ARTS
from renderers.cells import CellLook, Last, looks
from renderers.geometry import POSTED_WIDTH, Geometry
from renderers.names import clean
from renderers.png import SceneError
from renderers.scene import Card, CardState, Scene

_EMPTY: Final = "."
_NO_CELL: Final = "#"
_LEFT: Final = "'"
_REMOVED: Final = "x"
_DOT: Final = "*"
_STATES: Final = {CardState.WAITS: " ", CardState.TO_MOVE: ">", CardState.WON: "#"}
_BLANK: Final = CellLook()


def board_text(scene: Scene) -> str:
    """The lines of *scene*, ended by no newline: the two players, then the board.

    A cell is a side's letter, ``.`` if empty, ``*`` if it may be chosen, a number to type, ``'`` if the last move left
    it, ``x`` if that took a piece off. Around it ``( )``: reached or added by the last move, ``[ ]``: selected,
    ``{ }``: a piece that may be chosen. ``>`` before a name: to move, ``#``: the winner; ``#`` on the board: no cell.

    :raises SceneError: as `Renderer.draw`.
    """
    art = ARTS.get(scene.game)
    if art is None:
        raise SceneError(f"no game {scene.game!r}")
    try:
        geometry = art.geometry(scene.size, POSTED_WIDTH, flipped=scene.flipped)
        found = looks(scene, geometry)
    except (KeyError, ValueError) as error:
        raise SceneError(f"{scene.game} of size {scene.size}: {error}") from error
    cards = [_card(card, symbol) for card, symbol in zip(scene.cards, art.symbols, strict=True)]
    return "\n".join([*cards, "", *_rows(geometry, found, art.symbols)])


def _card(card: Card, symbol: str) -> str:
    name, line = clean(card.name) or clean(card.fallback), clean(card.line)
    return f"{_STATES[card.state]} {symbol}  {name}" + (f" - {line}" if line else "")


def _rows(geometry: Geometry, found: Mapping[str, CellLook], symbols: Sequence[str]) -> list[str]:
    """The board's rows with their names: a cell's column is its distance from the left in half pitches."""
    lefts = [x for x, _ in geometry.tiles.values()]
    rows: defaultdict[int, dict[int, str]] = defaultdict(dict)
    for name, (x, y) in geometry.tiles.items():
        rows[y][round(2 * (x - min(lefts)) / geometry.pitch)] = name
    lines = []
    for y in sorted(rows):
        cells = rows[y]
        line = _Line()
        for column, name in cells.items():
            line.put(column, *_symbol(found.get(name, _BLANK), symbols))
        for column in _missing(cells):
            line.put(column, _NO_CELL)
        name = next(iter(cells.values()))
        lines.append(f"{name[0] if geometry.hexagonal else name[1:]:>2} {line}".rstrip())
    if not geometry.hexagonal:
        line = _Line()
        for column, name in rows[max(rows)].items():
            line.put(column, name[0])
        lines.append(f"   {line}".rstrip())
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


def _missing(cells: Mapping[int, str]) -> list[int]:
    """The columns of numbers that are no cells (corners and centre of a hexagon), so that counting stays right."""
    numbers = {int(name[1:]): column for column, name in cells.items()}
    (low, at_low), (high, at_high) = min(numbers.items()), max(numbers.items())
    if high == low or len(numbers) == high:
        return []
    step = (at_high - at_low) // (high - low)
    return [at_low + (n - low) * step for n in range(1, high) if n not in numbers]


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
    return (_DOT if look.hint else str(look.badge) if look.badge else _EMPTY), ""


def _brackets(look: CellLook) -> str:
    if look.selected:
        return "[]"
    if look.hint:
        return "{}"
    return "()" if look.last in (Last.REACHED, Last.ADDED) else ""
