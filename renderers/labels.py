"""Texts as pictures: one line of any script as a mask, with the colour emoji beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from PIL import Image, ImageChops, ImageDraw

from renderers.cache import ByteCache
from renderers.fontbook import FontBook
from renderers.kerning import Kerning
from renderers.names import Run, clean, clusters, drawable_share, runs, visual_order

_ELLIPSIS: Final = "…"
_FINE: Final = 4  # drawn so many times larger and reduced: letters keep their shapes and distances at every size
_HEIGHT, _BASELINE = 1.66, 1.08  # of a line, in sizes
_INK: Final = (0, *(255,) * 255)
_EMOJI_SIDE, _EMOJI_RISE = 1.15, 0.93  # its height, and its top above the baseline, in sizes


@dataclass(frozen=True, slots=True)
class Label:
    """A drawn line: *mask* (L), colour emoji *over* it (RGBA, same size) if there are any; *baseline* from the top.

    *above* and *below*: how far its ink reaches from the baseline. All in pixels.
    """

    mask: Image.Image
    over: Image.Image | None
    width: int
    baseline: int
    above: int
    below: int

    @property
    def bytes(self) -> int:
        """What it holds."""
        pixels = self.mask.width * self.mask.height
        return pixels if self.over is None else 5 * pixels

    @property
    def shown(self) -> Image.Image:
        """The pixels (L, 0 or 255) that hold anything."""
        ink = self.mask if self.over is None else ImageChops.lighter(self.mask, self.over.getchannel("A"))
        return ink.point(_INK)


class Labels:
    """Draws labels and keeps them."""

    def __init__(self, book: FontBook, cache: ByteCache) -> None:
        self.book = book
        self._cache = cache
        self._kerning = Kerning()

    def line(self, text: str, sizes: Sequence[int], room: int) -> Label:
        """*text* at the first of *sizes* (pixels) that fits into *room* pixels; shortened if none does."""
        text = text[:1000]
        return self._cache.get(
            ("label", text, tuple(sizes), room), lambda: self._line(text, sizes, room), lambda label: label.bytes
        )

    def name(self, name: str, fallback: str, sizes: Sequence[int], room: int) -> Label:
        """A person's name; *fallback* instead if less than half of the name can be drawn."""
        name, fallback = name[:1000], fallback[:1000]
        return self._cache.get(
            ("name", name, fallback, tuple(sizes), room),
            lambda: self._line(self._readable(name, fallback), sizes, room),
            lambda label: label.bytes,
        )

    def _readable(self, name: str, fallback: str) -> str:
        return name if drawable_share(clean(name), self.book) >= 0.5 or not fallback else fallback

    def _line(self, text: str, sizes: Sequence[int], room: int) -> Label:
        text = clean(text)
        found = runs(text, self.book)
        for size in sizes:
            if self._width(found, size) <= room:
                return self._draw(found, size)
        size, parts = sizes[-1], clusters(text)
        fits = _longest(len(parts), lambda n: self._width(self._shortened(parts, n), size) <= room)
        return self._draw(self._shortened(parts, fits), size)

    def _shortened(self, parts: Sequence[str], count: int) -> list[Run]:
        return runs("".join(parts[:count]).rstrip() + _ELLIPSIS, self.book)

    def _width(self, found: Sequence[Run], size: int) -> float:
        return sum(self._advance(run, size) for run in found)

    def _advance(self, run: Run, size: int) -> float:
        face = self.book.face(run.font, size * _FINE)
        if run.font.emoji:
            return size * 0.02 + face.getlength(run.text) * self._emoji_scale(size)
        if run.font == self.book.ui:
            pieces = self._kerning.pieces(run.text)
            return sum(face.getlength(piece) / _FINE - closer * size for piece, closer in pieces)
        return face.getlength(run.text) / _FINE

    def _emoji_scale(self, size: int) -> float:
        return size * _EMOJI_SIDE / 128  # the bitmaps are 128 pixels high

    def _draw(self, found: Sequence[Run], size: int) -> Label:
        width = max(1, round(self._width(found, size) + size * 0.2))
        height, baseline = round(size * _HEIGHT), round(size * _BASELINE)
        mask = Image.new("L", (width * _FINE, height * _FINE))
        over = Image.new("RGBA", (width, height)) if any(run.font.emoji for run in found) else None
        draw, x = ImageDraw.Draw(mask), 0.0
        for run in visual_order(found):
            if run.font.emoji and over is not None:
                sprite = self._emoji(run, size)
                over.paste(sprite, (round(x), round(baseline - size * _EMOJI_RISE)), sprite)
            else:
                self._text(draw, (x * _FINE, baseline * _FINE), run, size * _FINE)
            x += self._advance(run, size)
        small = mask.reduce(_FINE)
        boxes = [box for image in (small, over) if image is not None and (box := image.getbbox())]
        above = max((baseline - top for _, top, _, _ in boxes), default=0)
        below = max((bottom - baseline for _, _, _, bottom in boxes), default=0)
        return Label(small, over, width, baseline, above, below)

    def _text(self, draw: ImageDraw.ImageDraw, at: tuple[float, float], run: Run, size: int) -> None:
        """Draw *run* with *at* as the left end of its baseline."""
        face = self.book.face(run.font, size)
        if run.font.shaped and self.book.can_shape:
            draw.text(at, run.text, fill=255, font=face, anchor="ls", direction="rtl" if run.rtl else "ltr")
        elif run.font == self.book.ui:
            x = at[0]
            for piece, closer in self._kerning.pieces(run.text):
                x -= closer * size
                draw.text((x, at[1]), piece, fill=255, font=face, anchor="ls")
                x += face.getlength(piece)
        else:
            text = "".join(reversed(clusters(run.text))) if run.rtl else run.text
            draw.text(at, text, fill=255, font=face, anchor="ls")

    def _emoji(self, run: Run, size: int) -> Image.Image:
        face, scale = self.book.face(run.font, size), self._emoji_scale(size)
        sprite = Image.new("RGBA", (max(1, round(face.getlength(run.text))), 128))
        ImageDraw.Draw(sprite).text((0, 0), run.text, font=face, embedded_color=True)
        side = max(1, round(sprite.width * scale)), max(1, round(sprite.height * scale))
        return sprite.resize(side, Image.Resampling.LANCZOS)


def _longest(limit: int, fits: Callable[[int], bool]) -> int:
    """The largest number up to *limit* that *fits*, 0 if none does: halving."""
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(middle) else (low, middle - 1)
    return low
