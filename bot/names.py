"""People's names as they may appear in sentences and on cards: nothing in them can disturb a line."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Final

MAX_LENGTH: Final = 64
MAX_MARKS: Final = 3
"""Combining marks in a row that are kept; scripts that need more than this are not known to us."""

_DROPPED: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_PILING: Final = frozenset({"Mn", "Me"})
_JOINERS: Final = frozenset("\u200c\u200d")
"""Needed inside words of some scripts and inside emoji."""

_BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0\U0001d159")
"""Letters and symbols that nobody sees: Hangul fillers, the empty Braille pattern, the empty note head."""

_UNSEEN: Final = frozenset("\u034f\u17b4\u17b5")
"""Marks that nobody sees: the grapheme joiner, two inherent vowels of Khmer."""


def shown_name(name: str) -> str:
    """The name without controls, direction overrides, piled-up marks and surplus space, at most 64 characters.

    Empty if nothing that can be seen is left.
    """
    readable = unicodedata.normalize("NFC", "".join(_readable(name[: 16 * MAX_LENGTH])))
    shown = "".join(_tidied(readable)).strip()
    if len(shown) > MAX_LENGTH:
        shown = shown[: MAX_LENGTH - 1].rstrip(" \u200c\u200d") + "…"
    return shown if any(unicodedata.category(character)[0] in "LNPS" for character in shown) else ""


def _readable(name: str) -> Iterator[str]:
    """The characters that may stand in a line, every gap as a plain space."""
    for character in name:
        if character.isspace() or character in _BLANK:
            yield " "
        elif character in _JOINERS or not (unicodedata.category(character) in _DROPPED or character in _UNSEEN):
            yield character


def _tidied(name: str) -> Iterator[str]:
    """*name* with single spaces, a few marks on each character, and joiners only where there is something to join."""
    last, joiner, marks = " ", "", 0
    for character in name:
        if character in _JOINERS:
            joiner = joiner or character
            continue
        category = unicodedata.category(character)
        # A mark that has nothing to stand on would sit on the word before the name.
        if last == " " and (character == " " or category[0] == "M"):
            continue
        marks = marks + 1 if category in _PILING or unicodedata.combining(character) else 0
        if marks > MAX_MARKS:
            continue
        if joiner and " " not in (last, character):
            yield joiner
        joiner, last = "", character
        yield character
