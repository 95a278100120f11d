"""What a game's art has to offer, and the marks that all games share.

A game's look is one subclass of `Art`: its board, its pieces, its colours for each theme. A picture is put together
from *parts*, small sprites of one cell each, painted one over the other; each kind of part has one method.
"""

from __future__ import annotations

import enum
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, NamedTuple

from PIL import Image

from renderers.canvas import Fonts, Pen
from renderers.cells import CellLook, Last
from renderers.geometry import Geometry, Point
from renderers.palette import Ramp
from renderers.theme import Colour, Theme, mix
from rules import GAMES
from rules.board import Board


class Kind(enum.IntEnum):
    """The kinds of parts."""

    TINT = enum.auto()
    GHOST = enum.auto()
    REMOVED = enum.auto()
    CONTOUR_BAR = enum.auto()
    CONTOUR = enum.auto()
    BAR = enum.auto()
    PIECE = enum.auto()
    FADED = enum.auto()
    SELECTED = enum.auto()
    REACHED = enum.auto()
    ADDED = enum.auto()
    DOT = enum.auto()
    PICK = enum.auto()
    NUMBER = enum.auto()
    BADGE = enum.auto()
    BARRED = enum.auto()


FADED: Final = 0.4  # what is left of the beaten side's pieces
# Angle and distance of the lines that tell regions apart without colour.
_HATCHES: Final = ((45, 0.24), (-45, 0.24), (0, 0.2), (90, 0.2), (45, 0.13), (-45, 0.13))


class Framing(enum.IntEnum):
    """What lies under a piece, which is drawn smaller to show it."""

    NONE = 0
    OUTLINED = 1
    SELECTED = 2
    FADED = 3  # nothing: pieces of the beaten side are small, so that no eye needs colour to tell them


class Part(NamedTuple):
    """One sprite: *side* whose it is or lies on (0: nobody's), *arg* a direction or a number."""

    kind: Kind
    side: int = 0
    arg: int = 0


@dataclass(frozen=True, slots=True)
class MarkStyle:
    """The colours of the marks on one game's board: *last* the last move, *halo* the outline of what is small."""

    last: Colour
    hint: Colour
    hint_ink: Colour
    barred: Colour
    halo: Colour
    win: Colour
    ground: Colour  # under the pieces
    removed: tuple[Colour, Colour]  # what a side's ghosts and removed pieces are tinted with


class Art(ABC):
    """How one game looks.

    Lengths are in pitches. An art holds no state; all methods may be called from any thread.
    """

    key: ClassVar[str]
    sample_size: ClassVar[int]  # of the board whose parts stand for all in the palette
    symbols: ClassVar[tuple[str, str]]  # the sides' pieces on a text board
    directions: ClassVar[tuple[Point, ...]]  # to the neighbours, as in `Geometry.neighbours`
    name_size: ClassVar[float] = 0.345  # of the cells' names
    piece_radius: ClassVar[float]
    bar_width: ClassVar[float]
    contour_width: ClassVar[float]
    trail_start: ClassVar[float] = 0.05  # the least distance of a trail's first dot from the old place's middle
    cross_arms: ClassVar[tuple[float, float]] = (
        0.13,
        0.13,
    )  # of the cross on a cell, on a piece that may not be chosen
    faded_radius: ClassVar[float]  # of the bare ground under a beaten piece; it hides the cell's name

    def board(self, size: int) -> Board:
        """The empty board of *size*.

        :raises ValueError: if the game has no board of that size.
        """
        return GAMES[self.key].opening(size).board

    @abstractmethod
    def geometry(self, size: int, width: int, *, flipped: bool) -> Geometry:
        """The board of *size* at *width* pixels.

        :raises ValueError: if the game has no board of that size, or the width makes no sense.
        """

    @abstractmethod
    def ground(self, geometry: Geometry, theme: Theme, fonts: Fonts) -> Image.Image:
        """The empty board without header and coordinates, RGB, at its full size."""

    @abstractmethod
    def marks(self, theme: Theme) -> MarkStyle:
        """The colours of the marks."""

    @abstractmethod
    def flats(self, theme: Theme) -> Sequence[Colour]:
        """The colours of large areas, to be kept exact."""

    @abstractmethod
    def ramps(self, theme: Theme) -> Sequence[Ramp]:
        """The steps that texts on the board and shaded pieces need."""

    @abstractmethod
    def piece(self, pen: Pen, theme: Theme, part: Part) -> None:
        """A piece of *part.side*; *part.arg* is a `Framing`, which says how large it is."""

    @abstractmethod
    def bar(self, pen: Pen, theme: Theme, part: Part) -> None:
        """The half bar from a piece to its neighbour in the direction *part.arg*."""

    def name_ink(self, look: CellLook, theme: Theme) -> Colour | None:
        """In what colour a cell's name is written once more over everything; None for games without names on cells."""
        del look, theme
        return None

    @abstractmethod
    def covers(self, look: CellLook) -> bool:
        """True if nothing of the cell's own ground (its name) shows through."""

    def parts(self, look: CellLook) -> Iterator[Part]:
        """The parts of one cell, from the lowest."""
        directions = [d for d in range(look.bars.bit_length()) if look.bars >> d & 1]
        if look.region:
            yield Part(Kind.TINT, look.side, look.region)
        if look.last is Last.LEFT:
            yield Part(Kind.GHOST, look.owner)
        elif look.last is Last.REMOVED:
            yield Part(Kind.REMOVED, look.owner)
        if look.side:
            yield from self._piece_parts(look, directions)
        if look.last is Last.REACHED:
            yield Part(Kind.REACHED, look.side)
        elif look.last is Last.ADDED:
            yield Part(Kind.ADDED, look.side)
        if look.hint > 0:
            yield Part(Kind.NUMBER, look.side, look.hint)
        elif look.hint:
            yield Part(Kind.PICK if look.side else Kind.DOT, look.side)
        elif look.barred:
            yield Part(Kind.BARRED, look.side)
        if look.badge:
            yield Part(Kind.BADGE, look.side, look.badge)

    def _piece_parts(self, look: CellLook, directions: list[int]) -> Iterator[Part]:
        if look.outlined:
            yield from (Part(Kind.CONTOUR_BAR, look.side, d) for d in directions)
            yield Part(Kind.CONTOUR, look.side)
        yield from (Part(Kind.BAR, look.side, d) for d in directions)
        framing = Framing.NONE
        if look.faded:
            framing = Framing.FADED
        elif look.selected:
            framing = Framing.SELECTED
        elif look.outlined:
            framing = Framing.OUTLINED
        if look.selected:
            yield Part(Kind.SELECTED, look.side)
        yield Part(Kind.FADED if look.faded else Kind.PIECE, look.side, framing)

    def paint(self, part: Part, geometry: Geometry, theme: Theme, fonts: Fonts) -> Image.Image:
        """The sprite of *part*: RGBA, as large as a tile."""
        pen = Pen(geometry.tile, geometry.pitch, fonts, oversampling=4 if geometry.pitch > 90 else 6)
        self._painters()[part.kind](pen, theme, part)
        return pen.finish()

    def icon(self, side: int, pitch: int, theme: Theme, ground: Colour, fonts: Fonts) -> Image.Image:
        """A piece for a card of the colour *ground*, RGBA, in a square of *pitch* pixels."""
        del ground
        pen = Pen((pitch, pitch), pitch, fonts, oversampling=4)
        self.piece(pen, theme, Part(Kind.PIECE, side))
        return pen.finish()

    def trail_dot(self, pitch: int, radius: float, theme: Theme, fonts: Fonts) -> Image.Image:
        """A dot of a trail, RGBA, in a square."""
        style, side = self.marks(theme), 2 * round(pitch * 0.1) + 1
        pen = Pen((side, side), pitch, fonts)
        pen.disc(radius + 0.022, style.halo)
        pen.disc(radius, style.last)
        return pen.finish()

    def trail_head(self, pitch: int, direction: tuple[float, float], theme: Theme, fonts: Fonts) -> Image.Image:
        """The arrowhead of a trail, RGBA, in a square."""
        style, side = self.marks(theme), 2 * round(pitch * 0.25) + 1
        pen = Pen((side, side), pitch, fonts)
        (x, y) = direction
        for fill, grow in ((style.halo, 0.03), (style.last, 0.0)):
            tip, wing, notch = 0.15 + 2 * grow, 0.14 + 1.6 * grow, 0.06 + grow
            back, out = -0.707 * wing, 0.707 * wing
            pen.polygon(
                [
                    (x * tip, y * tip),
                    (x * back - y * out, y * back + x * out),
                    (-x * notch, -y * notch),
                    (x * back + y * out, y * back - x * out),
                ],
                fill,
            )
        return pen.finish()

    # The shared parts; a game overrides what looks different there.

    def tint(self, pen: Pen, theme: Theme, part: Part) -> None:
        """The ground of a cell of the region *part.arg*."""
        self._fill_region(pen, theme, part, [(-1, -1), (1, -1), (1, 1), (-1, 1)])

    def ghost(self, pen: Pen, theme: Theme, part: Part) -> None:
        """The place that a piece has left."""
        style, radius = self.marks(theme), self.piece_radius * 0.9
        pen.disc(radius, style.removed[part.side - 1] if part.side else style.last, alpha=0.35)
        pen.dashes(radius, 0.062, style.last, 9)

    def removed(self, pen: Pen, theme: Theme, part: Part) -> None:
        """A piece that was taken off, crossed out."""
        style, arm = self.marks(theme), 0.2
        tint = style.removed[part.side - 1] if part.side else style.last
        pen.disc(self.piece_radius * 0.9, mix(style.ground, tint, 0.55 if theme.dark else 0.34))
        pen.stroke((-arm, -arm), (arm, arm), 0.085, style.last)
        pen.stroke((-arm, arm), (arm, -arm), 0.085, style.last)

    def contour(self, pen: Pen, theme: Theme, part: Part) -> None:
        """The outline of a winner's piece, under it."""
        del part
        pen.disc(self.piece_radius + self.contour_width, self.marks(theme).win)

    def contour_bar(self, pen: Pen, theme: Theme, part: Part) -> None:
        """The outline of a bar, under it."""
        width = self.bar_width + 2 * self.contour_width
        pen.bar(self.directions[part.arg], 0.7, width, self.marks(theme).win)

    def faded(self, pen: Pen, theme: Theme, part: Part) -> None:
        """A piece of the beaten side."""
        self.piece(pen, theme, part)
        pen.fade(FADED)
        pen.disc_below(self.faded_radius, self.marks(theme).ground)

    def selected(self, pen: Pen, theme: Theme, part: Part) -> None:
        """What lies under a chosen piece."""
        del part
        style = self.marks(theme)
        pen.disc(0.5, style.halo)
        pen.disc(0.48, style.hint)
        pen.disc(0.375, style.halo)

    def reached(self, pen: Pen, theme: Theme, part: Part) -> None:
        """The mark on a piece that moved."""
        del part
        style = self.marks(theme)
        pen.ring(self.piece_radius + 0.05, 0.135, style.halo)
        pen.ring(self.piece_radius + 0.035, 0.09, style.last)

    def added(self, pen: Pen, theme: Theme, part: Part) -> None:
        """The mark on a piece that is new on the board."""
        self.reached(pen, theme, part)

    def dot(self, pen: Pen, theme: Theme, part: Part) -> None:
        """A free cell that may be chosen."""
        del part
        style = self.marks(theme)
        pen.disc(0.2, style.halo)
        pen.disc(0.165, style.hint)

    def pick(self, pen: Pen, theme: Theme, part: Part) -> None:
        """A piece that may be chosen."""
        self.dot(pen, theme, part)

    def number(self, pen: Pen, theme: Theme, part: Part) -> None:
        """A cell or piece that may be chosen by its number."""
        style, text = self.marks(theme), str(part.arg)
        pen.disc(0.345, style.halo)
        pen.disc(0.315, style.hint)
        pen.text(text, {1: 0.42, 2: 0.36}.get(len(text), 0.26), style.hint_ink)

    def barred(self, pen: Pen, theme: Theme, part: Part) -> None:
        """A cell or piece that may not be chosen: a cross, without the disc of a removed piece."""
        style, arm = self.marks(theme), self.cross_arms[part.side != 0]
        for width, colour in ((0.165, style.halo), (0.085, style.barred)):
            pen.stroke((-arm, -arm), (arm, arm), width, colour)
            pen.stroke((-arm, arm), (arm, -arm), width, colour)

    def badge(self, pen: Pen, theme: Theme, part: Part) -> None:
        """The number of a region."""
        colour = mix(theme.regions[(part.arg - 1) % len(theme.regions)], (0, 0, 0), 0.35)
        pen.disc(0.42, theme.halo)
        pen.disc(0.385, colour)
        pen.text(str(part.arg), 0.5 if part.arg < 10 else 0.42, theme.hint_ink)

    def _fill_region(self, pen: Pen, theme: Theme, part: Part, outline: Sequence[Point]) -> None:
        number = (part.arg - 1) % len(theme.regions)
        if theme.patterned:
            angle, period = _HATCHES[number % len(_HATCHES)]
            pen.hatch(outline, theme.regions[number], period=period, width=0.05, angle=angle, alpha=0.6)
        else:
            pen.polygon(outline, theme.regions[number], alpha=0.3)

    def _painters(self) -> Mapping[Kind, Callable[[Pen, Theme, Part], None]]:
        return {
            Kind.TINT: self.tint,
            Kind.GHOST: self.ghost,
            Kind.REMOVED: self.removed,
            Kind.CONTOUR_BAR: self.contour_bar,
            Kind.CONTOUR: self.contour,
            Kind.BAR: self.bar,
            Kind.PIECE: self.piece,
            Kind.FADED: self.faded,
            Kind.SELECTED: self.selected,
            Kind.REACHED: self.reached,
            Kind.ADDED: self.added,
            Kind.DOT: self.dot,
            Kind.PICK: self.pick,
            Kind.NUMBER: self.number,
            Kind.BADGE: self.badge,
            Kind.BARRED: self.barred,
        }
