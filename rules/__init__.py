"""The games' rules: pure, standard library only. No clock, no I/O, no language, no colour."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from rules.ayu import AYU
from rules.core import Game, UnknownGameError
from rules.volo import VOLO

GAMES: Final[Mapping[str, Game]] = MappingProxyType({game.key: game for game in (AYU, VOLO)})


def find_game(name: str) -> Game:
    """The game called *name*, by its key or an alias, in any letter case.

    :raises UnknownGameError: if there is none.
    """
    wanted = name.strip().casefold()
    for game in GAMES.values():
        if wanted == game.key or wanted in game.aliases:
            return game
    raise UnknownGameError(name)
