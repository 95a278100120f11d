"""Names as people write them, made fit to be drawn: cleaned, cut into clusters and into runs of one font."""

from __future__ import annotations

import enum
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from types import MappingProxyType
from typing import Final

from renderers.fontbook import Font, FontBook

MAX_CHARACTERS: Final = 200  # of a name that are looked at: more than any card can hold
_MAX_MARKS: Final = 4  # combining marks on one letter; real scripts need three

_ZWJ: Final = "\u200d"
_JOINERS: Final = "\u200c\u200d"
_EMOJI_STYLE: Final = "\ufe0f"
_TEXT_STYLE: Final = "\ufe0e"
_KEYCAP: Final = "\u20e3"
# Letters and marks that show nothing: fillers of Hangul, the blank of Braille, the combining grapheme joiner.
_BLANKS: Final = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5\u180b\u180c\u180d\u180e\u180f")
_MIRROR: Final[Mapping[str, str]] = MappingProxyType(dict(zip("()[]{}<>«»", ")(][}{><»«", strict=True)))
_NEUTRAL: Final = frozenset(" -_.,:;!?'()[]0123456789")


@dataclass(frozen=True, slots=True)
class Run:
    """A piece of a name in one font, in logical order."""

    font: Font
    text: str
    rtl: bool = False


def clean(name: str) -> str:
    """*name* without controls, direction overrides and invisible characters; at most `MAX_CHARACTERS`."""
    kept: list[str] = []
    for c in name[: 2 * MAX_CHARACTERS]:
        category = unicodedata.category(c)
        if category in ("Zs", "Zl", "Zp") or c in "\t\n\r":
            kept.append(" ")
        elif c in _BLANKS or _is_supplementary_selector(c):
            continue
        elif category not in ("Cc", "Cf", "Cs", "Co", "Cn") or c in _JOINERS or _is_tag(c):
            kept.append(c)
    return unicodedata.normalize("NFC", " ".join("".join(kept).split()))[:MAX_CHARACTERS].rstrip()


def clusters(text: str) -> list[str]:
    """*text* cut where a reader sees one character end and the next begin; orphaned marks are dropped."""
    found: list[str] = []
    marks = 0
    for c in text:
        if _is_mark(c):
            marks += 1
            if found and marks <= _MAX_MARKS:
                found[-1] += c
        elif found and _continues(found[-1], c):
            found[-1] += c
        else:
            found.append(c)
            marks = 0
    return [cluster for cluster in found if not _is_tag(cluster) and cluster not in _JOINERS]


def runs(text: str, book: FontBook) -> list[Run]:
    """The runs of the clean *text*, in logical order. What no font can draw is left out, and the space beside it."""
    found: list[Run] = []
    mixed = _is_rtl(text)
    for cluster in clusters(text):
        font, drawn = _font_for(cluster, found[-1].font if found else None, book)
        if font is None or (drawn == " " and (not found or found[-1].text.endswith(" "))):
            continue
        last = found[-1] if found else None
        # Where both directions meet, spaces, signs and digits are runs of their own: their place depends on both sides.
        if last and last.font == font and not font.emoji and (not mixed or _class_of(last.text) == _class_of(drawn)):
            found[-1] = Run(font, last.text + drawn, last.rtl)
        else:
            found.append(Run(font, drawn, _is_rtl(drawn)))
    if found and found[-1].text.endswith(" "):
        last = found.pop()
        found += [Run(last.font, last.text.rstrip(), last.rtl)] if last.text.strip() else []
    return found


def drawable_share(text: str, book: FontBook) -> float:
    """How much of *text* (clean or not) can be drawn: 0.0 to 1.0, by clusters other than spaces."""
    wanted = [cluster for cluster in clusters(text) if not cluster.isspace()]
    drawn = sum(_font_for(cluster, None, book)[0] is not None for cluster in wanted)
    return drawn / len(wanted) if wanted else 0.0


def visual_order(found: Sequence[Run]) -> list[Run]:
    """The runs from left to right: two levels of the Unicode bidirectional algorithm, based on the first letter."""
    base = next((run.rtl for run in found if _class_of(run.text) is _Class.LETTERS), False)
    levels: list[bool | None] = []
    for run in found:
        kind = _class_of(run.text)
        levels.append(run.rtl if kind is _Class.LETTERS else base if kind is _Class.DIGITS else None)
    placed = [(_resolved(levels, i, base=base), run) for i, run in enumerate(found)]
    ordered: list[Run] = []
    groups = [(rtl, [run for _, run in group]) for rtl, group in groupby(placed, lambda pair: pair[0])]
    for rtl, group in reversed(groups) if base else groups:
        ordered += [_mirrored(run) for run in reversed(group)] if rtl else group
    return ordered


def _resolved(levels: Sequence[bool | None], index: int, *, base: bool) -> bool:
    """True if the run runs from the right. Spaces, signs and emoji between two of one direction go with them."""
    level = levels[index]
    if level is not None:
        return level
    before = next((known for known in reversed(levels[:index]) if known is not None), base)
    after = next((known for known in levels[index + 1 :] if known is not None), base)
    return before if before == after else base


class _Class(enum.Enum):
    LETTERS = enum.auto()
    DIGITS = enum.auto()
    OTHER = enum.auto()


def _class_of(text: str) -> _Class:
    if any(c.isalpha() for c in text):
        return _Class.LETTERS
    return _Class.DIGITS if any(c.isdigit() for c in text) else _Class.OTHER


def _font_for(cluster: str, previous: Font | None, book: FontBook) -> tuple[Font | None, str]:
    """The font for *cluster* and what of it is drawn; no font if none can draw any of it."""
    emoji = book.emoji if book.emoji is not None and _covers(book, book.emoji, cluster[0]) else None
    if emoji is not None and _wants_emoji(cluster):
        # Without a shaping engine a joined emoji falls into its parts: the first stands for all.
        return emoji, cluster if book.can_shape else cluster[0]
    plain = _plain(cluster)
    if not plain:
        return None, ""
    if previous is not None and not previous.emoji and plain in _NEUTRAL and _covers(book, previous, plain):
        return previous, plain
    # Letters from the mathematical alphabets and the like are drawn as the letters they stand for.
    for text in (plain, unicodedata.normalize("NFKC", plain), plain[0]):
        for font in book.chain:
            bare = "".join(c for c in text if c not in _JOINERS)
            if _covers(book, font, bare):
                return font, text if font.shaped and book.can_shape else bare
    return (emoji, plain[0]) if emoji is not None and not plain.isascii() else (None, "")


def _plain(cluster: str) -> str:
    """*cluster* as text: without what makes an emoji of it; empty for flags, which are no text."""
    if _is_indicator(cluster[0]):
        return ""
    text = cluster if cluster[0].isalpha() else cluster.split(_ZWJ, maxsplit=1)[0]
    return "".join(c for c in text if c != _KEYCAP and not (_is_tag(c) or _is_skin(c) or _is_selector(c)))


def _mirrored(run: Run) -> Run:
    """*run* as it looks among letters that run from the right: signs in reverse, brackets the other way round."""
    if run.font.emoji or _class_of(run.text) is not _Class.OTHER:
        return run
    return Run(run.font, "".join(_MIRROR.get(c, c) for c in reversed(run.text)))


def _covers(book: FontBook, font: Font, text: str) -> bool:
    return bool(text) and all(book.covers(font, c) for c in text)


def _continues(cluster: str, c: str) -> bool:
    last = cluster[-1]
    if c in _JOINERS or _is_tag(c) or _is_skin(c):
        return True
    if last == _ZWJ:
        return not c.isascii()
    return _is_indicator(c) and len(cluster) == 1 and _is_indicator(cluster)


def _is_mark(c: str) -> bool:
    return unicodedata.category(c) in ("Mn", "Mc", "Me")


def _is_selector(c: str) -> bool:
    return 0xFE00 <= ord(c) <= 0xFE0F or _is_supplementary_selector(c)


def _is_supplementary_selector(c: str) -> bool:
    return 0xE0100 <= ord(c) <= 0xE01EF or 0xFE00 <= ord(c) <= 0xFE0D


def _is_tag(c: str) -> bool:
    return len(c) == 1 and 0xE0020 <= ord(c) <= 0xE007F


def _is_skin(c: str) -> bool:
    return 0x1F3FB <= ord(c) <= 0x1F3FF


def _is_indicator(c: str) -> bool:
    return 0x1F1E6 <= ord(c) <= 0x1F1FF


def _wants_emoji(cluster: str) -> bool:
    if _TEXT_STYLE in cluster:
        return False
    return _EMOJI_STYLE in cluster or _KEYCAP in cluster or 0x1F000 <= ord(cluster[0]) <= 0x1FAFF


def _is_rtl(text: Iterable[str]) -> bool:
    return any(unicodedata.bidirectional(c) in ("R", "AL", "AN") for c in text)
