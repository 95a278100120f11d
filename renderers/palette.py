"""One fixed palette for each game and theme; pictures are handled as palette indexes (mode L) from then on.

A palette holds the colours of the large areas exactly, the steps between texts and their grounds, a coarse cube for
emoji, and for the rest what a sheet with all of the game's parts needs. The last index stays free: GIFs use it for
"unchanged".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from PIL import Image

from renderers.theme import Colour, mix

COLOURS: Final = 255
UNCHANGED: Final = 255
_CUBE: Final = [(r, g, b) for r in (30, 140, 240) for g in (40, 140, 230) for b in (40, 140, 230)]


class Ramp(NamedTuple):
    """The colours from *start* to *end* in *steps*: a text on its ground, a shaded stone."""

    start: Colour
    end: Colour
    steps: int = 5


class Palette:
    """At most `COLOURS` colours and the way from RGB pixels to their indexes."""

    def __init__(self, colours: Sequence[Colour]) -> None:
        self.colours = tuple(colours)
        flat = [channel for colour in colours for channel in colour]
        # Unused entries repeat the first colour, so that nothing is ever mapped to one of them.
        flat += list(colours[0]) * (256 - len(colours))
        self.data = bytes(flat)
        self._image = Image.new("P", (1, 1))
        self._image.putpalette(self.data)
        self._texts: dict[tuple[Colour, Colour], list[int]] = {}

    @property
    def bytes(self) -> int:
        """What it holds, Pillow's table of nearest colours (64 x 64 x 64 numbers of 16 bits) included."""
        return 2 * 64**3 + 40_000

    @classmethod
    def build(cls, flats: Iterable[Colour], ramps: Iterable[Ramp], sheet: Image.Image) -> Palette:
        """The palette for the large areas *flats*, the *ramps*, and what is seen on the RGB *sheet*."""
        areas = list(dict.fromkeys(flats))
        steps = [mix(ramp.start, ramp.end, i / ramp.steps) for ramp in ramps for i in range(ramp.steps + 1)]
        colours = list(dict.fromkeys([*areas, *steps, *_CUBE]))
        if len(colours) > COLOURS:
            raise ValueError(f"{len(colours)} colours are too many for one palette")
        if room := COLOURS - len(colours):
            reduced = sheet.quantize(room, Image.Quantize.MEDIANCUT, kmeans=2, dither=Image.Dither.NONE)
            found = reduced.getpalette("RGB") or []
            colours = list(dict.fromkeys([*colours, *zip(found[0::3], found[1::3], found[2::3], strict=True)]))
        return _with_exact(areas, colours)

    def index(self, image: Image.Image) -> Image.Image:
        """The indexes (L) of the colours nearest to those of the RGB *image*."""
        found = image.quantize(palette=self._image, dither=Image.Dither.NONE)
        return Image.frombytes("L", found.size, found.tobytes())

    def colour(self, image: Image.Image) -> Image.Image:
        """The RGB picture of an image of indexes."""
        found = Image.frombytes("P", image.size, image.tobytes())
        found.putpalette(self.data)
        return found.convert("RGB")

    def text_table(self, ground: Colour, ink: Colour) -> list[int]:
        """For each value of a mask the index of that share of *ink* on *ground*: the argument of `Image.point`."""
        table = self._texts.get((ground, ink))
        if table is None:
            ramp = Image.new("RGB", (256, 1))
            ramp.putdata([mix(ground, ink, value / 255) for value in range(256)])
            table = list(self.index(ramp).tobytes())
            self._texts[ground, ink] = table
        return table


def _with_exact(areas: Sequence[Colour], colours: list[Colour]) -> Palette:
    """The palette of *colours* without those that Pillow, in its steps of 4 levels, takes for one of *areas*."""
    line = Image.new("RGB", (len(areas), 1))
    line.putdata(areas)
    while True:
        palette = Palette(colours)
        taken = {colours[i] for i in palette.index(line).tobytes()} - set(areas)
        if not taken:
            return palette
        colours = [colour for colour in colours if colour not in taken]
