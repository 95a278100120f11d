"""The guided move as people go through it: every question that pressing buttons leads to."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from bot.guide import Question, ask
from rules import GAMES
from rules.core import Position
from rules.record import Record
from tests.rules.games import ALL_SIZES, random_record, recorded

Chosen = tuple[str, ...]

FILES: Final = ("ayu.ndjson.gz", "volo.ndjson.gz", "volo_literal.ndjson.gz")


def recorded_positions(name: str, games: int, every: int) -> Iterator[Position]:
    """Every so manieth position of the first *games* of each size of a file, and each last one but one."""
    seen: dict[int, int] = {}
    for game in recorded(name):
        seen[game["size"]] = seen.get(game["size"], 0) + 1
        if seen[game["size"]] > games:
            continue
        positions = Record.replay(GAMES[game["game"]], game["size"], game["moves"]).positions
        yield from islice(positions, 0, None, every)
        yield positions[-2]


def positions_of_all_sizes(plies: int, every: int) -> Iterator[Position]:
    """Every so manieth position of a random game of each size of both games."""
    for game, size in ALL_SIZES:
        yield from islice(random_record(game, size, 1, plies).positions, 0, None, every)


def questions(position: Position) -> Iterator[tuple[Chosen, Question]]:
    """Every question of the guided move, with the choices that lead to it."""
    waiting: list[Chosen] = [()]
    while waiting:
        chosen = waiting.pop()
        question = ask(position, chosen)
        if isinstance(question, Question):
            yield chosen, question
            waiting += [(*chosen, text) for text, left in question.options if len(left) > 1]
