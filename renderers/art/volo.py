"""How Volo looks: a sky of hexagons, swallows on orange discs, songbirds on blue ones, bars between a flock's birds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar, Final

from PIL import Image, ImageDraw

from renderers import geometry as geo
from renderers.art.base import Art, Framing, MarkStyle, Part
from renderers.art.birds import songbird, swallow
from renderers.canvas import Fonts, Pen, circle_points, hexagon_points
from renderers.cells import CellLook, Last
from renderers.geometry import Geometry
from renderers.palette import Ramp
from renderers.theme import BLACK, WHITE, Colour, Theme, rgb

_CELL_RADIUS: Final = 0.955 / 3**0.5  # of a drawn cell; the rest of the pitch shows the plate
_PLATE_RADIUS: Final = 1.20 / 3**0.5  # neighbouring plates overlap into one with a rim
_BIRD_SIZE: Final = 0.66
_SCALES: Final[Mapping[int, float]] = MappingProxyType(
    {Framing.NONE: 1.0, Framing.OUTLINED: 1.0, Framing.SELECTED: 0.84, Framing.FADED: 0.86}
)


@dataclass(frozen=True, slots=True)
class _Disc:
    fill: Colour
    rim: Colour
    bird: Colour
    stripes: Colour | None = None


@dataclass(frozen=True, slots=True)
class _Colours:
    plate: Colour
    cell: Colour
    label: Colour
    strong_label: Colour
    last: Colour
    hint: Colour
    hint_ink: Colour
    barred: Colour
    halo: Colour
    win: Colour
    discs: tuple[_Disc, _Disc]


_ORANGE: Final = _Disc(rgb("#F6A11A"), rgb("#E2860B"), rgb("#4A2500"))
_BLUE: Final = _Disc(rgb("#2F6FD0"), rgb("#1D4F9E"), WHITE)

_COLOURS: Final[Mapping[str, _Colours]] = MappingProxyType(
    {
        "light": _Colours(
            plate=rgb("#C4D7E6"),
            cell=rgb("#E6EFF6"),
            label=rgb("#7D93A7"),
            strong_label=rgb("#24404E"),
            last=rgb("#B5134F"),
            hint=rgb("#087F5B"),
            hint_ink=WHITE,
            barred=rgb("#C3271E"),
            halo=WHITE,
            win=rgb("#1F2328"),
            discs=(_ORANGE, _BLUE),
        ),
        "dark": _Colours(
            plate=rgb("#12161C"),
            cell=rgb("#303A48"),
            label=rgb("#7C8CA7"),
            strong_label=rgb("#E3EBF5"),
            last=rgb("#FF8DB4"),
            hint=rgb("#3DDC97"),
            hint_ink=rgb("#08261A"),
            barred=rgb("#FF6B57"),
            halo=rgb("#1E2127"),
            win=rgb("#F2F3F5"),
            discs=(_ORANGE, _BLUE),
        ),
        "patterns": _Colours(
            plate=rgb("#8C8C8C"),
            cell=WHITE,
            label=rgb("#6A6A6A"),
            strong_label=BLACK,
            last=BLACK,
            hint=rgb("#005F45"),
            hint_ink=WHITE,
            barred=rgb("#B3261E"),
            halo=WHITE,
            win=BLACK,
            discs=(
                _Disc(rgb("#F7C46C"), rgb("#A65E00"), rgb("#2B1400"), stripes=rgb("#D98A14")),
                _Disc(rgb("#0B4A8F"), rgb("#062A52"), WHITE),
            ),
        ),
    }
)


class VoloArt(Art):
    """Birds on a hexagonal sky."""

    key: ClassVar = "volo"
    sample_size: ClassVar = 7
    symbols: ClassVar = ("O", "B")
    directions: ClassVar = geo.HEX_DIRECTIONS
    piece_radius: ClassVar = 0.435
    bar_width: ClassVar = 0.60
    contour_width: ClassVar = 0.06
    faded_radius: ClassVar = 0.435
    trail_start: ClassVar = 0.3  # beside the name
    cross_arms: ClassVar = (0.13, 0.2)

    def geometry(self, size: int, width: int, *, flipped: bool) -> Geometry:
        """A hexagon of edge *size*, without its corners and its centre."""
        return geo.hexagon(self.board(size), width, flipped=flipped)

    def ground(self, geometry: Geometry, theme: Theme, fonts: Fonts) -> Image.Image:
        """The sky; each space carries its name."""
        colours = _COLOURS[theme.key]
        image = Image.new("RGB", (geometry.width, geometry.height), theme.page)
        width, height = geometry.tile
        plate_pen, cell_pen = (Pen(size, geometry.pitch, fonts) for size in ((2 * width, 2 * height), geometry.tile))
        plate_pen.polygon(hexagon_points(_PLATE_RADIUS), colours.plate)
        cell_pen.polygon(hexagon_points(_CELL_RADIUS), colours.cell)
        plate, cell = plate_pen.finish(), cell_pen.finish()
        for left, top in [*geometry.tiles.values(), _centre(geometry)]:
            image.paste(plate, (left - width // 2, top - height // 2), plate)
        for left, top in geometry.tiles.values():
            image.paste(cell, (left, top), cell)
        draw, font = ImageDraw.Draw(image), fonts(round(self.name_size * geometry.pitch))
        for name in geometry.tiles:
            draw.text(geometry.middle(name), name, fill=colours.label, font=font, anchor="mm")
        return image

    def marks(self, theme: Theme) -> MarkStyle:
        """Crimson or pink for the last move, the theme's green for hints."""
        colours = _COLOURS[theme.key]
        return MarkStyle(
            last=colours.last,
            hint=colours.hint,
            hint_ink=colours.hint_ink,
            barred=colours.barred,
            halo=colours.halo,
            win=colours.win,
            ground=colours.cell,
            removed=(colours.discs[0].fill, colours.discs[1].fill),
        )

    def flats(self, theme: Theme) -> Sequence[Colour]:
        """Plate, cells, discs and bars."""
        colours = _COLOURS[theme.key]
        discs = colours.discs
        return colours.plate, colours.cell, *(disc.fill for disc in discs), *(disc.rim for disc in discs)

    def ramps(self, theme: Theme) -> Sequence[Ramp]:
        """The cells' names."""
        colours = _COLOURS[theme.key]
        return Ramp(colours.cell, colours.label), Ramp(colours.cell, colours.strong_label)

    def covers(self, look: CellLook) -> bool:
        """True under a disc and a cross; a ghost, a tint and a ring let the name show."""
        return look.side != 0 or look.last is Last.REMOVED or look.hint > 0 or look.badge != 0 or look.barred

    def name_ink(self, look: CellLook, theme: Theme) -> Colour | None:
        """Stronger where the name is what one types, and on a ghost."""
        if self.covers(look) or not (look.hint or look.region or look.last is Last.LEFT):
            return None
        return _COLOURS[theme.key].strong_label

    def piece(self, pen: Pen, theme: Theme, part: Part) -> None:
        """A disc with its bird."""
        disc, scale = _COLOURS[theme.key].discs[part.side - 1], _SCALES[part.arg]
        radius, size = self.piece_radius * scale, _BIRD_SIZE * scale
        pen.disc(radius, disc.rim)
        pen.disc(radius - 0.032, disc.fill)
        if disc.stripes:
            pen.hatch(circle_points(radius - 0.032), disc.stripes, period=0.12, width=0.035, angle=90)
        bird = (swallow(), songbird())[part.side - 1]
        pen.polygon([(x * size, y * size) for x, y in bird.outline], disc.bird)
        if bird.eye:
            pen.polygon([(x * size, y * size) for x, y in bird.wing], disc.fill)
            x, y = bird.eye
            pen.disc(bird.eye_radius * size, disc.fill, at=(x * size, y * size))

    def bar(self, pen: Pen, theme: Theme, part: Part) -> None:
        """A broad bar in the rim's colour."""
        disc = _COLOURS[theme.key].discs[part.side - 1]
        pen.bar(self.directions[part.arg], 0.7, self.bar_width, disc.rim)

    def tint(self, pen: Pen, theme: Theme, part: Part) -> None:
        """The cell's hexagon in the region's colour."""
        self._fill_region(pen, theme, part, hexagon_points(_CELL_RADIUS))

    def selected(self, pen: Pen, theme: Theme, part: Part) -> None:
        """The whole cell in the hint colour."""
        del part
        pen.polygon(hexagon_points(_CELL_RADIUS), self.marks(theme).hint)

    def dot(self, pen: Pen, theme: Theme, part: Part) -> None:
        """A ring round the cell's name: the name is what one types."""
        del part
        hint = self.marks(theme).hint
        pen.disc(0.40, hint, alpha=0.16)
        pen.ring(0.40, 0.055, hint)

    def barred(self, pen: Pen, theme: Theme, part: Part) -> None:
        """A cross in the place of the name: nobody types it."""
        if not part.side:
            pen.polygon(hexagon_points(_CELL_RADIUS), self.marks(theme).ground)
        Art.barred(self, pen, theme, part)

    def pick(self, pen: Pen, theme: Theme, part: Part) -> None:
        """A ring of dashes round the bird: a whole one has moved."""
        del part
        style = self.marks(theme)
        pen.ring(self.piece_radius + 0.05, 0.13, style.halo)
        pen.dashes(self.piece_radius + 0.035, 0.1, style.hint, 8)


def _centre(geometry: Geometry) -> tuple[int, int]:
    """The place of the missing centre: the middle between the lowest and the highest tile."""
    places = geometry.tiles.values()
    return geometry.width // 2 - geometry.tile[0] // 2, (min(y for _, y in places) + max(y for _, y in places)) // 2
