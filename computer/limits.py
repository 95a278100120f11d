"""How hard the computer tries: the five levels as data, and any limit in seconds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

STRONGEST: Final = 5
"""The highest level."""

ARENA_SECONDS: Final = 0.3
"""What level 5 takes for a move where nothing else is said: what its strength was measured with."""

CHAT_SECONDS: Final = 2.0
"""What level 5 takes for a move against people."""


@dataclass(frozen=True, slots=True)
class Limit:
    """How a move is searched for.

    *seconds* is the time for one move. *depth* is the deepest search in plies (1: the best move at first sight).
    *noise* is the standard deviation of the error that is added to each move's value, as a share of `Mind.step` (what
    one move is worth). *blind* is the chance that a move that decides the game is not seen as such.
    """

    seconds: float = ARENA_SECONDS
    depth: int = 40
    noise: float = 0.0
    blind: float = 0.0


# Found by arena games (docs/computer.md): each level wins two thirds or more against the one below.
LEVELS: Final[Mapping[str, tuple[Limit, ...]]] = MappingProxyType(
    {
        "ayu": (
            Limit(depth=1, noise=4.0, blind=0.5),
            Limit(depth=1, noise=1.2, blind=0.1),
            Limit(depth=1, noise=0.35),
            Limit(depth=2),
            Limit(),
        ),
        "volo": (
            Limit(depth=1, noise=6.0, blind=0.5),
            Limit(depth=1, noise=2.0, blind=0.15),
            Limit(depth=1, noise=0.3),
            Limit(depth=2),
            Limit(),
        ),
    }
)


def level_limit(game: str, level: int, seconds: float = ARENA_SECONDS) -> Limit:
    """The limit of *level* (1 to `STRONGEST`) of *game*, with *seconds* for a move.

    :raises KeyError: for an unknown game; ValueError for an unknown level.
    """
    levels = LEVELS[game]
    if not 1 <= level <= len(levels):
        raise ValueError(f"levels are 1 to {len(levels)}")
    return replace(levels[level - 1], seconds=seconds)
