"""Kerning of Inter's most visible pairs.

Pillow's basic layout, which draws Latin, Cyrillic and Greek the same on every machine, does not kern. The rows hold the
larger values of the font's own GPOS table, classes shortened to common letters.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

_ROWS: Final = (  # first letters, second letters, hundredths of the size to move closer
    ("TТГ", "ДЛдл", 12),
    ("TТГ", "cdegoqèéêëòóôöеёзосфэAАJ", 9),
    ("TТГ", "asuàáâäùúûüатъя", 8),
    ("TТГ", "vwyýу", 7),
    ("TТГ", "mnprzñвгийкмнпрцчшщьюж", 6),
    ("YУ", "acdegoqàáâäèéêëòóôöаеёзосфэ", 10),
    ("YУ", "AА", 9),
    ("YУ", "sя", 7),
    ("YУ", "mnpruñùúûüвгийкмнпрцчшщью.,", 5),
    ("V", "AАJ.,", 9),
    ("VW", "acdegoqàáâäèéêëòóôöаеёзосфэ", 6),
    ("W", "AА.,", 8),
    ("AА", "TYТ", 9),
    ("AА", "VУ", 8),
    ("AА", "vwyýWуч", 7),
    ("PРF", "AАJ", 8),
    ("L", "TYТ", 9),
    ("L", "vyýVУу", 7),
    ("KXКХ", "acdegoqóОOCСоевуч", 4),
    ("DOДОФЭ", "AVXYАУХЖ", 4),
    ("rгт", ".,", 6),
    ("vwyу", ".,", 5),
    ("ЬЪьъ", "TVТУ", 9),
)


class Kerning:
    """Cuts texts where a letter moves closer to the one before it."""

    def __init__(self) -> None:
        self._pairs = {a + b: share / 100 for firsts, seconds, share in _ROWS for a in firsts for b in seconds}

    def pieces(self, text: str) -> Iterator[tuple[str, float]]:
        """*text* cut before each letter that moves closer: the piece, and how far it moves, in sizes."""
        start, closer = 0, 0.0
        for i in range(1, len(text)):
            if shift := self._pairs.get(text[i - 1 : i + 1]):
                yield text[start:i], closer
                start, closer = i, shift
        yield text[start:], closer
