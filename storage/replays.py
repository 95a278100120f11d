"""Records of games that were replayed lately, so that a match that is loaded again costs no replay."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from rules.core import Game
from rules.record import Record

POSITIONS: Final = 50_000
"""How many positions are kept, counted for each record; about 300 bytes each."""

_Key = tuple[str, int, str]


class Replays:
    """The records last used, by game, size and moves. Not for several threads at once."""

    def __init__(self, positions: int = POSITIONS) -> None:
        self._room = positions
        self._records: OrderedDict[_Key, Record] = OrderedDict()

    def record(self, game: Game, size: int, moves: str) -> Record:
        """The record of *moves* (canonical texts with a space between them).

        :raises BadSizeError: if the game has no board of that size.
        :raises MoveError: for the first move that is none in its place.
        """
        key = (game.key, size, moves)
        known = self._records.get(key)
        if known is not None:
            self._records.move_to_end(key)
            return known
        record, rest = self._longest_prefix(game, size, moves)
        for text in rest:
            record = record.play(record.read(text))
        self.remember(game, size, moves, record)
        return record

    def remember(self, game: Game, size: int, moves: str, record: Record) -> None:
        """Keep *record*, whose moves are *moves*, in place of the same game a move earlier."""
        before = self._records.pop((game.key, size, moves.rpartition(" ")[0]), None)
        self._room += _size(before)
        key = (game.key, size, moves)
        self._room += _size(self._records.pop(key, None)) - _size(record)
        self._records[key] = record
        while self._room < 0:
            self._room += _size(self._records.popitem(last=False)[1])

    def _longest_prefix(self, game: Game, size: int, moves: str) -> tuple[Record, list[str]]:
        """The longest known beginning of *moves*, and the moves that follow it."""
        rest: list[str] = []
        while moves:
            moves, _, last = moves.rpartition(" ")
            rest.insert(0, last)
            known = self._records.get((game.key, size, moves))
            if known is not None:
                return known, rest
        return Record.opening(game, size), rest


def _size(record: Record | None) -> int:
    return 0 if record is None else len(record.positions)
