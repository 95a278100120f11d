"""Games to test with: the recorded ones, and random ones that reach what random play seldom does."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from rules import GAMES
from rules.ayu import AyuPosition
from rules.board import Board, hexagon, square
from rules.core import MoveError, Position, Refusal, Side
from rules.record import Record
from rules.volo import VoloPosition

DATA: Final = Path(__file__).parent.parent / "data" / "vectors"
ALL_SIZES: Final = [(game.key, size) for game in GAMES.values() for size in game.all_sizes]


def lines(name: str, chunk: int = 0, chunks: int = 1) -> Iterator[str]:
    """Every *chunks*-th line of a packed file, from line *chunk* on."""
    with gzip.open(DATA / name, "rt", encoding="utf-8") as file:
        for index, line in enumerate(file):
            if index % chunks == chunk:
                yield line.rstrip("\n")


def recorded(name: str, chunk: int = 0, chunks: int = 1) -> Iterator[dict[str, Any]]:
    """Every *chunks*-th recorded game of a file, from game *chunk* on."""
    return map(json.loads, lines(name, chunk, chunks))


def written(position: Position) -> list[str]:
    """The legal moves, sorted as the recorded lists are."""
    return sorted(map(position.write, position.legal_moves()))


def random_record(game: str, size: int, seed: int, plies: int) -> Record:
    """The first *plies* moves (fewer if the game ends) of a random game that brings pieces together and cuts them off.

    In Volo additions are many and flights few, so what kind of move is made is drawn first, and choices are preferred.
    """
    random = Random(seed)
    record = Record.opening(GAMES[game], size)
    while record.outcome is None and len(record.moves) < plies:
        position = record.position
        moves = sorted(position.legal_moves(), key=position.write)
        kinds: dict[str, list[Any]] = {}
        for move in moves:
            text = position.write(move)
            kind = "pass" if text == "pass" else "choice" if "/" in text else "fly" if "-" in text else "add"
            kinds.setdefault(kind, []).append(move)
        weights = {"add": 4, "fly": 4, "choice": 2, "pass": 4}
        kind = random.choices(list(kinds), [weights[kind] for kind in kinds])[0]
        record = record.play(random.choice(kinds[kind]))
    return record


def _sets(board: Board, diagram: str) -> tuple[int, int]:
    """The two sides' pieces in *diagram* (rows from the top joined by ``/``)."""
    names = [name for row in board.rows for name in row]
    cells = list(zip(names, diagram.replace("/", ""), strict=True))
    first, second = (board.bits(name for name, sign in cells if name and sign == of) for of in "12")
    return first, second


def ayu(diagram: str, side: Side = Side.FIRST) -> AyuPosition:
    """The position of Ayu that *diagram* shows."""
    size = diagram.count("/") + 1
    return AyuPosition(size, *_sets(square(size), diagram), side)


def volo_shown(diagram: str, side: Side = Side.FIRST, passes: int = 0) -> VoloPosition:
    """The position of Volo that *diagram* shows."""
    size = diagram.count("/") // 2 + 1
    return VoloPosition(size, *_sets(hexagon(size), diagram), side, passes)


def volo(size: int, first: str, second: str, side: Side = Side.FIRST, passes: int = 0) -> VoloPosition:
    """The position of Volo with birds on the named spaces."""
    bits = hexagon(size).bits
    return VoloPosition(size, bits(first.split()), bits(second.split()), side, passes)


def refused(position: Position, text: str) -> tuple[type[MoveError], Refusal]:
    """How reading *text* fails."""
    with pytest.raises(MoveError) as caught:
        position.read(text)
    return caught.type, caught.value.refusal
