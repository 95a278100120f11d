"""`bandada inspect`: JSON lines in, JSON lines out, one answer for each line, whatever it holds.

A request names a game, a size and moves; the answer tells the position they lead to. For scripts: its messages are
English and not for players.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import BinaryIO, Final

import msgspec

from rules import find_game
from rules.core import AmbiguousMoveError, BadSizeError, InvalidMoveError, MoveError, UnknownGameError
from rules.record import Record

LONGEST_LINE: Final = 256 * 1024
"""Bytes of the longest line that is looked at."""
MOST_MOVES: Final = 5_000
"""Moves of the longest game that is replayed."""
_SHOWN: Final = 60
"""How many characters of something typed an error message repeats."""


class Request(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """One line: the *moves* of a game, leniently read, from its opening.

    Without *size* the game's default. With *trace* the answer lists the legal moves of every position on the way.
    """

    game: str
    size: int | None = None
    moves: list[str] = []
    trace: bool = False


class RequestError(ValueError):
    """The line cannot be answered: the fault of whoever wrote it.

    *code* is one of ``illegal``, ``invalid``, ``ambiguous``, ``unknown-game``, ``bad-size``, ``bad-json``; *reason*
    says more, for a move as `rules.core.Reason`; *at* is the ply of the move that is meant (0: the first), else None.
    """

    def __init__(self, code: str, reason: str, message: str, at: int | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.reason = reason
        self.at = at

    @property
    def described(self) -> Mapping[str, object]:
        """The error as an answer holds it."""
        return {"code": self.code, "reason": self.reason, "at": self.at, "message": str(self)}


def answer(line: bytes | str) -> bytes:
    """The answer to one line, without a line break: a JSON object, in UTF-8."""
    try:
        return msgspec.json.encode(_describe(parse(line)))
    except RequestError as error:
        return msgspec.json.encode({"error": error.described})


def run(stdin: BinaryIO, stdout: BinaryIO) -> None:
    """Answer each line of *stdin* on *stdout*, at once, until the end."""
    while line := stdin.readline(LONGEST_LINE + 1):
        rest = line
        while rest and not rest.endswith(b"\n"):
            rest = stdin.readline(LONGEST_LINE)
        stdout.write(answer(line) + b"\n")
        stdout.flush()


def parse(line: bytes | str) -> Request:
    """The request that *line* holds.

    :raises RequestError: ``bad-json``, if it holds none.
    """
    data = line.encode("utf-8", "surrogatepass") if isinstance(line, str) else line
    if len(data.rstrip(b"\r\n")) > LONGEST_LINE:
        raise RequestError("bad-json", "too-long", f"the line is longer than {LONGEST_LINE} bytes")
    try:
        request = msgspec.json.decode(data, type=Request)
        # Of two equal keys msgspec takes the last without a word.
        json.loads(data, object_pairs_hook=_without_duplicates)
    except msgspec.ValidationError as error:
        raise RequestError("bad-json", "wrong-shape", _short(str(error))) from error
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise RequestError("bad-json", "not-json", _short(str(error))) from error
    if len(request.moves) > MOST_MOVES:
        raise RequestError("bad-json", "too-many-moves", f"more than {MOST_MOVES} moves")
    return request


def _without_duplicates(pairs: list[tuple[str, object]]) -> Mapping[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise RequestError("bad-json", "duplicate-key", "a key stands twice")
    return found


def _short(text: str) -> str:
    """*text*, cut to what a message may repeat of it, with nothing that cannot be encoded."""
    kept = text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
    return kept.encode("utf-8", "backslashreplace").decode("utf-8")


def opening(request: Request) -> Record:
    """The record of the request's game and size without a move.

    :raises RequestError: ``unknown-game`` or ``bad-size``.
    """
    try:
        game = find_game(request.game)
    except UnknownGameError as error:
        message = f"there is no game {_short(request.game)!r}"
        raise RequestError("unknown-game", "unknown-game", message) from error
    size = game.default_size if request.size is None else request.size
    try:
        return Record.opening(game, size)
    except BadSizeError as error:
        sizes = ", ".join(map(str, game.all_sizes))
        raise RequestError("bad-size", "bad-size", f"{game.key} is played on the sizes {sizes}") from error


def play(record: Record, text: str) -> Record:
    """*record* with the move *text* added.

    :raises RequestError: ``illegal``, ``invalid`` or ``ambiguous``.
    """
    try:
        return record.play(record.read(text))
    except MoveError as error:
        at = len(record.moves)
        match error:
            case InvalidMoveError():
                code = "invalid"
            case AmbiguousMoveError():
                code = "ambiguous"
            case _:
                code = "illegal"
        message = f"move {at} {_short(text)!r}: {error}"
        raise RequestError(code, error.refusal.reason.value, message, at) from error


def _legal(record: Record) -> list[str]:
    """The legal moves in canonical writing, sorted by code points; none after the end."""
    if record.outcome is not None:
        return []
    position = record.position
    return sorted(map(position.write, position.legal_moves()))


def _describe(request: Request) -> dict[str, object]:
    """The answer to *request*.

    :raises RequestError: if a move is none, or the game or the size does not exist.
    """
    record = opening(request)
    plies = []
    for text in request.moves:
        if request.trace:
            plies.append({"n": len(record.moves), "legal": _legal(record)})
        record = play(record, text)
    legal = _legal(record)
    plies.append({"n": len(record.moves), "legal": legal})
    outcome = record.outcome
    described: dict[str, object] = {
        "legal": legal,
        "to_move": record.to_move.value,
        "over": outcome is not None,
        "winner": None if outcome is None else outcome.winner or "draw",
        "reason": None if outcome is None else outcome.ending.value,
        "board": record.position.diagram(),
    }
    return described | {"plies": plies} if request.trace else described
