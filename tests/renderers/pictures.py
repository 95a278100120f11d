"""What tests do with pictures: read them, compare them with the golden ones."""

from __future__ import annotations

import os
from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image, ImageChops

GOLDEN: Final = Path(__file__).parent / "golden"
RESULTS: Final = Path(__file__).parents[2] / "test-results" / "golden"

# Another processor may round a smooth edge differently. A mark that is missing changes hundreds of pixels by more.
_TOLERANCE: Final = 24  # levels
_STRAY: Final = 25  # pixels


def read(data: bytes) -> Image.Image:
    """The RGB picture of an image file."""
    with Image.open(BytesIO(data)) as image:
        return image.convert("RGB")


def changed_pixels(a: Image.Image, b: Image.Image, tolerance: int = 0) -> int:
    """How many pixels differ by more than *tolerance* levels in any channel; all of them if the sizes differ."""
    if a.size != b.size:
        return max(a.width * a.height, b.width * b.height)
    bands = ImageChops.difference(a, b).split()
    worst = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2])
    return sum(worst.histogram()[tolerance + 1 :])


def assert_golden(name: str, data: bytes) -> None:
    """Compare the image file *data* with ``golden/NAME.png``.

    With ``BANDADA_GOLDEN=1`` the golden picture is drawn anew instead. On failure ``NAME-got.png``, ``NAME-want.png``
    and ``NAME-difference.png`` are left in `RESULTS`.
    """
    path = GOLDEN / f"{name}.png"
    if os.environ.get("BANDADA_GOLDEN") == "1":
        if not path.exists() or changed_pixels(read(data), read(path.read_bytes())):
            path.write_bytes(data)
        return
    got, want = read(data), read(path.read_bytes())
    changed = changed_pixels(got, want, _TOLERANCE)
    if changed > _STRAY:
        RESULTS.mkdir(parents=True, exist_ok=True)
        got.save(RESULTS / f"{name}-got.png")
        want.save(RESULTS / f"{name}-want.png")
        if got.size == want.size:
            ImageChops.difference(got, want).point([min(255, 4 * i) for i in range(256)] * 3).save(
                RESULTS / f"{name}-difference.png"
            )
    assert changed <= _STRAY, f"{changed} pixels of {name} have changed; see {RESULTS}; `make golden` draws it anew"
