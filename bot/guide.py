"""The guided move: from the legal moves to the next question, the same on every platform. Pure.

A move is a path of steps (`rules.core.Step`). What was chosen so far leaves some moves; where they still differ, people
are asked; where they do not, the step is taken by itself. Where there would be too many choices, the first letter (a
column or a row) is asked for first: it is written as ``b*``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from rules.core import Move, Position, Step, StepKind

MAX_OPTIONS: Final = 24
"""More choices than this are grouped by their first letter."""

GROUP: Final = "*"

Path = tuple[Step, ...]
Paths = list[tuple[Path, Move]]


@dataclass(frozen=True, slots=True)
class Question:
    """What to choose next: each option's text, and the moves that are left if it is chosen."""

    kind: StepKind
    options: tuple[tuple[str, tuple[Move, ...]], ...]
    taken: Path
    left: tuple[Move, ...]


def ask(position: Position, chosen: Sequence[str], moves: Iterable[Move] | None = None) -> Question | Move | None:
    """The next question, the only move that is left, or None if *chosen* fits no legal move.

    A step that is the same for all that is left needs not be in *chosen*, but the first ones may be: `Question.taken`
    and an option's text lead on, whatever *moves* the question was about.
    """
    paths = [(position.steps(move), move) for move in (position.legal_moves() if moves is None else moves)]
    for whole in range(len(chosen) + 1):
        left, depth = _follow(paths, chosen, whole)
        if left:
            return left[0][1] if len(left) == 1 else _question(left, depth)
    return None


def _follow(paths: Paths, chosen: Sequence[str], whole: int) -> tuple[Paths, int]:
    """The paths that *chosen* leaves, and where they differ.

    The first *whole* texts are steps from the beginning on, none left out.
    """
    depth = 0
    for place, text in enumerate(chosen):
        depth = depth if place < whole else _skip(paths, depth)
        grouped = text.endswith(GROUP)
        start = text.removesuffix(GROUP)
        paths = [
            (steps, move)
            for steps, move in paths
            if depth < len(steps) and (steps[depth].text.startswith(start) if grouped else steps[depth].text == text)
        ]
        depth += not grouped
    return paths, _skip(paths, depth)


def _skip(paths: Paths, depth: int) -> int:
    """The depth at which the paths differ, from *depth* on."""
    while all(depth < len(steps) for steps, _ in paths) and len({steps[depth] for steps, _ in paths}) == 1:
        depth += 1
    return depth


def _question(paths: Paths, depth: int) -> Question:
    by_text: dict[str, list[Move]] = {}
    for steps, move in paths:
        by_text.setdefault(steps[depth].text, []).append(move)
    kind = paths[0][0][depth].kind
    if len(by_text) > MAX_OPTIONS:
        by_letter: dict[str, list[Move]] = {}
        for text, moves in by_text.items():
            by_letter.setdefault(text[0] + GROUP, []).extend(moves)
        if len(by_letter) > 1:
            by_text = by_letter
    options = tuple((text, tuple(moves)) for text, moves in sorted(by_text.items(), key=lambda item: _order(item[0])))
    return Question(kind, options, paths[0][0][:depth], tuple(move for _, move in paths))


def _order(text: str) -> tuple[str, int, int, str]:
    """Cells in cell order: the letter, then the number as a number."""
    number = "".join(character for character in text.partition(":")[0][1:] if character.isdecimal())
    return text[:1], int(number or 0), len(text), text
