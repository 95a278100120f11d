"""One fixed palette for each game and theme; pictures are handled as palette indexes (mode L) from then on.

A palette holds the colours of the large areas exactly, the steps between texts and their grounds, a coarse cube for
emoji, and for the rest what a sheet with all of the game's parts needs. The last index stays free: GIFs use it for
"unchanged".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from PIL import Image

from renderers.theme import Colour, mix

COLOURS: Final = 255
UNCHANGED: Final = 255
_RAMP_STEPS: Final = 6
_CUBE: Final = [(r, g, b) for r in (30, 140, 240) for g in (40, 140, 230) for b in (40, 140, 230)]


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
    def build(cls, flats: Iterable[Colour], ramps: Iterable[tuple[Colour, Colour]], sheet: Image.Image) -> Palette:
        """The palette for *flats*, the texts of *ramps* (ground, ink), and what is seen on the RGB *sheet*."""
        colours: list[Colour] = list(dict.fromkeys(flats))
        for ground, ink in ramps:
            _extend(colours, (mix(ground, ink, i / _RAMP_STEPS) for i in range(_RAMP_STEPS, -1, -1)))
        _extend(colours, _CUBE)
        reduced = sheet.quantize(COLOURS - len(colours), Image.Quantize.MEDIANCUT, kmeans=2, dither=Image.Dither.NONE)
        found = reduced.getpalette("RGB") or []
        fixed = list(colours)
        for rest in zip(found[0::3], found[1::3], found[2::3], strict=True):
            if rest not in colours and not _near_any(rest, fixed):
                colours.append(rest)
        return cls(colours)

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


def _extend(colours: list[Colour], more: Iterable[Colour]) -> None:
    for colour in more:
        if not _near_any(colour, colours):
            colours.append(colour)


def _near_any(colour: Colour, others: Iterable[Colour]) -> bool:
    """True if Pillow, which looks colours up in steps of 4 levels, might take *colour* for one of *others*."""
    return any(max(abs(a - b) for a, b in zip(colour, other, strict=True)) <= 6 for other in others)
