"""GIF files by hand: one palette, and for each picture only the box that changed, unchanged pixels left transparent."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from typing import Final

from PIL import Image, ImageChops

from renderers.palette import UNCHANGED

_HEADER: Final = b"GIF89a"
_PALETTE_OF_256: Final = 0b1_111_0_111
_LOOP_FOREVER: Final = b"!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
_KEEP: Final = 0b000_001_0_0  # the next picture is laid over this one
_KEEP_TRANSPARENT: Final = 0b000_001_0_1
_BITS: Final = 8
_TRAILER: Final = b";"


def encode(frames: Iterable[tuple[Image.Image, int]], palette: bytes) -> bytes:
    """The GIF file that shows *frames* for ever: pictures of palette indexes (mode L, one size) and milliseconds.

    A picture equal to the one before it lengthens that one's time.

    :raises ValueError: if there is no frame.
    """
    blocks: list[bytes] = []
    size = None
    for picture, left, top, shown, masked in _changes(frames):
        size = size or picture.size
        control = _KEEP_TRANSPARENT if masked else _KEEP
        blocks += (
            struct.pack("<BBBBHBB", 0x21, 0xF9, 4, control, round(shown / 10), UNCHANGED, 0),
            struct.pack("<BHHHHB", 0x2C, left, top, *picture.size, 0),
            bytes([_BITS]),
            picture.tobytes("gif", "L", _BITS, 0),
            b"\0",
        )
    if size is None:
        raise ValueError("no frames")
    screen = struct.pack("<HHBBB", *size, _PALETTE_OF_256, 0, 0)
    return b"".join((_HEADER, screen, palette[:768], _LOOP_FOREVER, *blocks, _TRAILER))


def _changes(frames: Iterable[tuple[Image.Image, int]]) -> Iterator[tuple[Image.Image, int, int, int, bool]]:
    """For each new picture what changed, its place, its time, and whether pixels in it stand for "unchanged"."""
    before: Image.Image | None = None
    waiting: tuple[Image.Image, int, int, int, bool] | None = None
    for frame, shown in frames:
        if before is None:
            waiting = frame, 0, 0, shown, False
        elif waiting is not None:
            difference = ImageChops.difference(frame, before)
            box = difference.getbbox()
            if box is None:
                waiting = *waiting[:3], waiting[3] + shown, waiting[4]
            else:
                yield waiting
                changed = difference.crop(box).point([255, *[0] * 255])
                part = frame.crop(box)
                part.paste(UNCHANGED, (0, 0), changed)
                waiting = part, box[0], box[1], shown, True
        before = frame
    if waiting is not None:
        yield waiting
