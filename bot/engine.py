"""`bandada engine`: the computer player for other programs, on standard input and output.

Two protocols. ``jsonl``: a line as `bandada inspect` takes it, answered with ``{"move":"b1-b2"}`` (``{"move":null}``
where the game is over, or longer than 1,000 plies). ``codecup``: that of the CodeCup contest's managers, one game:
``Start`` asks for the first move, any other line is the opponent's move, each is answered with a move in upper case,
``Quit`` ends.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import BinaryIO, Final, TextIO

import msgspec

from bot.inspect import LONGEST_LINE, RequestError, opening, parse, play
from computer.arena import MOST_PLIES
from computer.limits import Limit
from computer.player import choose
from rules.core import Game, MoveError
from rules.record import Record

_START: Final = "start"
_QUIT: Final = "quit"


class EngineError(ValueError):
    """The opponent's line is no move: the fault of whoever wrote it. The message is one line."""


@dataclass(frozen=True, slots=True)
class Engine:
    """The computer player with one limit; *limits* has one for each game."""

    limits: Mapping[str, Limit]
    rng: Random

    def move(self, record: Record) -> str | None:
        """Its move after *record* in canonical writing; None where there is none to make."""
        if record.outcome is not None or len(record.moves) >= MOST_PLIES:
            return None
        position = record.position
        return position.write(choose(position, self.limits[position.game.key], self.rng, record.positions[:-1]))

    def answer(self, line: bytes) -> bytes:
        """The answer to one line of the jsonl protocol, without a line break."""
        try:
            request = parse(line)
            record = opening(request)
            for text in request.moves:
                record = play(record, text)
        except RequestError as error:
            return msgspec.json.encode({"error": error.described})
        return msgspec.json.encode({"move": self.move(record)})


def run_jsonl(engine: Engine, stdin: BinaryIO, stdout: BinaryIO) -> None:
    """Answer each line of *stdin* on *stdout*, at once, until the end."""
    while line := stdin.readline(LONGEST_LINE + 1):
        rest = line
        while rest and not rest.endswith(b"\n"):
            rest = stdin.readline(LONGEST_LINE)
        stdout.write(engine.answer(line) + b"\n")
        stdout.flush()


def run_codecup(engine: Engine, game: Game, size: int, stdin: TextIO, stdout: TextIO) -> None:
    """Play one game by the CodeCup protocol.

    :raises EngineError: for a line that is no move.
    """
    record = Record.opening(game, size)
    for line in stdin:
        text = line.strip()
        if text.casefold() == _QUIT:
            return
        if not text:
            continue
        if text.casefold() != _START:
            try:
                record = record.play(record.read(text))
            except MoveError as error:
                raise EngineError(f'move {len(record.moves)} "{text[:60]}": {error}') from error
        move = engine.move(record)
        if move is None:
            continue
        record = record.play(record.read(move))
        stdout.write(move.upper() + "\n")
        stdout.flush()
