"""Which fonts there are, which characters they cover, and the loaded faces.

Bundled: Inter and Noto Sans for a dozen scripts. From the system, if found: Chinese, Japanese, Korean and colour emoji.
"""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fontTools.ttLib import TTFont
from PIL import ImageFont, features

from renderers.cache import ByteCache

BUNDLED: Final = Path(__file__).parent / "fonts"
EMOJI_SIZE: Final = 109  # pixels: the one size of Noto Color Emoji's bitmaps
_FACE_COST: Final = 200_000  # bytes: a loaded face beside the file's own pages, measured, rounded up
_FACE_PAGES: Final = 500_000  # bytes: at most so much of a file is held for a face


@dataclass(frozen=True, slots=True)
class Font:
    """One font file. *shaped*: its script needs a shaping engine (joined letters, marks that move)."""

    path: Path
    index: int = 0
    shaped: bool = False
    emoji: bool = False


_CHAIN: Final = (
    ("Inter-600.ttf", False),
    ("NotoSans-600.ttf", False),
    ("NotoSansArabic-600.ttf", True),
    ("NotoSansHebrew-600.ttf", True),
    ("NotoSansDevanagari-600.ttf", True),
    ("NotoSansBengali-600.ttf", True),
    ("NotoSansTamil-600.ttf", True),
    ("NotoSansThai-600.ttf", True),
    ("NotoSansGeorgian-600.ttf", False),
    ("NotoSansArmenian-600.ttf", False),
)
_SYMBOLS: Final = "NotoSansSymbols-600.ttf"

_DIRECTORIES: Final = {
    "linux": ("/usr/share/fonts", "/usr/local/share/fonts", "~/.local/share/fonts"),
    "darwin": ("/System/Library/Fonts", "/Library/Fonts", "~/Library/Fonts"),
    "win32": ("C:/Windows/Fonts",),
}
_CJK_FILES: Final = (
    "opentype/noto/NotoSansCJK-Bold.ttc",
    "noto-cjk/NotoSansCJK-Bold.ttc",
    "google-noto-sans-cjk-vf-fonts/NotoSansCJK-VF.ttc",
    "opentype/noto/NotoSansCJK-Regular.ttc",
    "noto-cjk/NotoSansCJK-Regular.ttc",
    "NotoSansCJK-Bold.ttc",
    "NotoSansCJK-Regular.ttc",
    "ヒラギノ角ゴシック W6.ttc",
    "AppleSDGothicNeo.ttc",
    "YuGothB.ttc",
    "msyhbd.ttc",
    "malgunbd.ttf",
)
_EMOJI_FILES: Final = (
    "truetype/noto/NotoColorEmoji.ttf",
    "noto/NotoColorEmoji.ttf",
    "google-noto-emoji/NotoColorEmoji.ttf",
    "NotoColorEmoji.ttf",
)


def system_directories() -> tuple[Path, ...]:
    """Where this platform keeps its fonts."""
    names = _DIRECTORIES.get(sys.platform, _DIRECTORIES["linux"])
    return tuple(Path(name).expanduser() for name in names)


class FontBook:
    """The fonts in order of preference. Looks for system fonts once, when it is built."""

    def __init__(self, cache: ByteCache, directories: Sequence[Path] | None = None) -> None:
        places = system_directories() if directories is None else tuple(directories)
        self.can_shape = bool(features.check("raqm"))
        self.cjk = _found(places, _CJK_FILES)
        emoji = [path for path in _found(places, _EMOJI_FILES) if _has_bitmaps(path)]
        self.emoji = Font(emoji[0], shaped=True, emoji=True) if emoji else None
        self.ui = Font(BUNDLED / _CHAIN[0][0])
        self.chain = (
            *(Font(BUNDLED / name, shaped=shaped) for name, shaped in _CHAIN),
            *(Font(path) for path in self.cjk),
            Font(BUNDLED / _SYMBOLS),
        )
        self._cache = cache

    def covers(self, font: Font, character: str) -> bool:
        """True if *font* has a glyph for *character*."""
        ranges = self._cache.get(("coverage", font), lambda: _ranges(font), lambda found: 36 * len(found))
        return bisect_right(ranges, ord(character)) % 2 == 1

    def face(self, font: Font, size: int) -> ImageFont.FreeTypeFont:
        """*font* loaded at *size* pixels (emoji: always `EMOJI_SIZE`)."""
        if font.emoji:
            size = EMOJI_SIZE
        shaped = font.shaped and self.can_shape
        engine = ImageFont.Layout.RAQM if shaped else ImageFont.Layout.BASIC
        return self._cache.get(
            ("face", font, size),
            lambda: ImageFont.truetype(str(font.path), size, font.index, layout_engine=engine),
            lambda _: _FACE_COST + min(_FACE_PAGES, font.path.stat().st_size),
        )

    def ui_face(self, size: int) -> ImageFont.FreeTypeFont:
        """The face for numbers and coordinates."""
        return self.face(self.ui, size)


def _found(directories: Sequence[Path], names: Sequence[str]) -> list[Path]:
    return [path for name in names for directory in directories if (path := directory / name).is_file()]


def _has_bitmaps(path: Path) -> bool:
    """True if FreeType can draw the emoji font: the newer vector format (COLRv1) is beyond it."""
    with TTFont(path, lazy=True) as font:
        return "CBDT" in font


def _ranges(font: Font) -> tuple[int, ...]:
    """The covered code points as a flat sequence: first covered, first uncovered, and so on."""
    with TTFont(font.path, fontNumber=font.index, lazy=True) as file:
        points = sorted(file.getBestCmap())
    flat: list[int] = []
    for point in points:
        if flat and flat[-1] == point:
            flat[-1] = point + 1
        else:
            flat += (point, point + 1)
    return tuple(flat)
