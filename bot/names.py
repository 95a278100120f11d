"""People's names as they may appear in sentences and on cards: nothing in them can disturb a line."""

from __future__ import annotations

import unicodedata
from typing import Final

MAX_LENGTH: Final = 64
MAX_MARKS: Final = 3
"""Combining marks in a row that are kept; scripts that need more than this are not known to us."""

_DROPPED: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_JOINERS: Final = frozenset("\u200c\u200d")
"""Needed inside words of some scripts and inside emoji."""


def shown_name(name: str) -> str:
    """The name without controls, direction overrides, piled-up marks and surplus space, at most 64 characters.

    Empty if nothing that can be seen is left.
    """
    kept: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFC", name[: 16 * MAX_LENGTH]):
        category = unicodedata.category(character)
        if category in _DROPPED and character not in _JOINERS:
            continue
        marks = marks + 1 if category in {"Mn", "Me"} else 0
        if marks <= MAX_MARKS:
            kept.append(" " if category == "Zs" else character)
    shown = " ".join("".join(kept).split())
    if len(shown) > MAX_LENGTH:
        shown = shown[: MAX_LENGTH - 1].rstrip() + "…"
    return shown if any(unicodedata.category(character)[0] in "LNPS" for character in shown) else ""
