"""How typed moves are cut into words, for all games: any letter case, many separators, Cyrillic look-alikes."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from rules.core import IllegalMoveError, InvalidMoveError, MoveError, Reason, Refusal

LONGEST: Final = 200
"""Characters of the longest text that is looked at."""
MOST_WORDS: Final = 4
"""Words of the longest move: a line of birds by its ends, and the ends of its goal."""
MOST_MOVES: Final = 60
"""How many legal moves a refusal lists at most."""

PASS_WORDS: Final = frozenset({"pass", "pasar", "paso", "пас", "пропустить", "пропустить ход"})
SWAP_WORD: Final = "swap"

# "Cyrillic letters that look like Latin ones (а в с е н к м о р т х у) are read as those, and д ф г и й л б as
# d f g i j l b."
_LOOKALIKES: Final = str.maketrans("авсенкмортхудфгийлб", "abcehkmoptxydfgijlb")
# "spaces, `-`, `–`, `→`, `>`, `:`, `,` or nothing between cells"; the other dashes are what phones make of them.
_SEPARATORS: Final = re.compile(r"[\s\-‐‑‒–—−→>:,]*")
_WORD: Final = re.compile(r"([^\W\d_]++)\s*+([0-9]{0,3}+)(?![0-9])")


@dataclass(frozen=True, slots=True)
class Word:
    """Letters and a number, as in ``a3`` or ``NE2``.

    *typed* are the letters in lower case, *letters* the same with look-alikes read as Latin; *number* is None if there
    was none.
    """

    typed: str
    letters: str
    number: int | None

    @property
    def cell(self) -> str | None:
        """The name of the cell that the word may mean, on some board; None if it can mean none."""
        if self.number is None or len(self.letters) != 1 or not "a" <= self.letters <= "z":
            return None
        return f"{self.letters}{self.number}"


def clean(text: str) -> str:
    """*text* in lower case without space around it.

    :raises InvalidMoveError: if it is too long for a move.
    """
    if len(text) > LONGEST:
        raise InvalidMoveError(Refusal(Reason.NOT_NOTATION))
    return text.strip().lower()


def folded(text: str) -> str:
    """*text* without what may stand differently in the same move: letter case, look-alikes, separators."""
    return _SEPARATORS.sub("", text.lower()).translate(_LOOKALIKES)


def words(text: str) -> tuple[Word, ...]:
    """The words of *text* (in lower case), one to `MOST_WORDS`.

    :raises InvalidMoveError: if it holds anything else than words and separators.
    """
    found: list[Word] = []
    position = _skip_separators(text, 0)
    while position < len(text) and len(found) < MOST_WORDS:
        word = _WORD.match(text, position)
        if word is None:
            break
        letters, number = word.groups()
        found.append(Word(letters, letters.translate(_LOOKALIKES), int(number) if number else None))
        position = _skip_separators(text, word.end())
    if not found or position < len(text):
        raise InvalidMoveError(Refusal(Reason.NOT_NOTATION))
    return tuple(found)


def _skip_separators(text: str, position: int) -> int:
    match = _SEPARATORS.match(text, position)
    return match.end() if match else position


def error(refusal: Refusal) -> MoveError:
    """The error for a text that is refused for this reason and fits no legal move."""
    if refusal.reason in (Reason.NOT_NOTATION, Reason.OFF_BOARD):
        return InvalidMoveError(refusal)
    return IllegalMoveError(refusal)


def with_moves(refusal: Refusal, moves: list[str]) -> Refusal:
    """*refusal* with the first of the legal *moves* that fit what was typed."""
    return replace(refusal, moves=tuple(moves[:MOST_MOVES]))
