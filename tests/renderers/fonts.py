"""Fonts made for tests: stand-ins for those that a system may or may not have."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Final

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont, newTable
from fontTools.ttLib.tables.BitmapGlyphMetrics import SmallGlyphMetrics
from fontTools.ttLib.tables.C_B_D_T_ import cbdt_bitmap_format_17
from fontTools.ttLib.tables.E_B_L_C_ import BitmapSizeTable, SbitLineMetrics, Strike, eblc_index_sub_table_1
from PIL import Image

EMOJI_COLOUR: Final = (240, 40, 140)
_UNITS: Final = 1000


def make_cjk(directory: Path, characters: str) -> Path:
    """A font directory with a "Noto Sans CJK" that draws each of *characters* as a full square."""
    path = directory / "opentype/noto/NotoSansCJK-Bold.ttc"
    path.parent.mkdir(parents=True)
    _builder(characters, 900).save(path)
    return directory


def make_emoji(directory: Path, characters: str) -> Path:
    """A font directory with a "Noto Color Emoji" whose bitmaps are squares of `EMOJI_COLOUR`."""
    path = directory / "truetype/noto/NotoColorEmoji.ttf"
    path.parent.mkdir(parents=True)
    builder = _builder(characters, 0, advance=1248)
    font = builder.font
    names = [_glyph(c) for c in characters]
    _add_bitmaps(font, names)
    del font["glyf"], font["loca"]
    font.save(path)
    return directory


def make_vector_emoji(directory: Path, characters: str) -> Path:
    """A font directory with a "Noto Color Emoji" without bitmaps, as newer systems have it."""
    path = directory / "truetype/noto/NotoColorEmoji.ttf"
    path.parent.mkdir(parents=True)
    _builder(characters, 900).save(path)
    return directory


def _glyph(character: str) -> str:
    return f"u{ord(character):04X}"


def _builder(characters: str, side: int, advance: int = _UNITS) -> FontBuilder:
    names = [_glyph(c) for c in characters]
    builder = FontBuilder(_UNITS, isTTF=True)
    builder.setupGlyphOrder([".notdef", *names])
    builder.setupCharacterMap(dict(zip(map(ord, characters), names, strict=True)))
    pen = TTGlyphPen(None)
    if side:
        pen.moveTo((50, 0))
        for point in ((50, side), (50 + side, side), (50 + side, 0)):
            pen.lineTo(point)
        pen.closePath()
    square = pen.glyph()
    builder.setupGlyf(dict.fromkeys((".notdef", *names), square))
    builder.setupHorizontalMetrics(dict.fromkeys([".notdef", *names], (advance, 50)))
    builder.setupHorizontalHeader(ascent=880, descent=-120)
    builder.setupNameTable({"familyName": "Stand-in", "styleName": "Regular"})
    builder.setupOS2(sTypoAscender=880, sTypoDescender=-120)
    builder.setupPost()
    return builder


def _add_bitmaps(font: TTFont, names: list[str]) -> None:
    """Bitmaps of 136 x 128 pixels at 109 pixels a size, as Noto Color Emoji has them."""
    picture = BytesIO()
    Image.new("RGBA", (136, 128), (*EMOJI_COLOUR, 255)).save(picture, "PNG")
    glyphs = {}
    for name in names:
        metrics = SmallGlyphMetrics()
        metrics.height, metrics.width, metrics.BearingX, metrics.BearingY, metrics.Advance = 128, 136, 0, 101, 136
        glyph = cbdt_bitmap_format_17(b"", font)
        glyph.metrics, glyph.imageData = metrics, picture.getvalue()
        glyphs[name] = glyph
    data = newTable("CBDT")
    data.version, data.strikeData = 3.0, [glyphs]
    index = eblc_index_sub_table_1(b"", font)
    index.names, index.indexFormat, index.imageFormat = names, 1, 17
    index.firstGlyphIndex, index.lastGlyphIndex, index.imageDataOffset = 1, len(names), 4
    index.locations = [(0, 0)] * len(names)
    line = SbitLineMetrics()
    line.ascender, line.descender, line.widthMax = 101, -27, 136
    for field in (
        "caretSlopeNumerator",
        "caretSlopeDenominator",
        "caretOffset",
        "minOriginSB",
        "minAdvanceSB",
        "maxBeforeBL",
        "minAfterBL",
        "pad1",
        "pad2",
    ):
        setattr(line, field, 0)
    size = BitmapSizeTable()
    size.hori = size.vert = line
    size.colorRef, size.startGlyphIndex, size.endGlyphIndex = 0, 1, len(names)
    size.ppemX = size.ppemY = 109
    size.bitDepth, size.flags = 32, 1
    strike = Strike()
    strike.bitmapSizeTable, strike.indexSubTables = size, [index]
    table = newTable("CBLC")
    table.version, table.strikes = 3.0, [strike]
    font["CBDT"], font["CBLC"] = data, table
