"""How long the rules take: all legal moves of one position with nothing remembered, and `inspect` with a trace.

The positions are plies 20 to 60 of the recorded games. Times are scaled to the reference machine by the reference loop,
run right before.
"""

from __future__ import annotations

import gzip
import json
import time
from pathlib import Path
from statistics import median
from typing import Any, Final

from benchmarks.machine import slowness
from bot.inspect import answer
from rules import GAMES
from rules.core import Position
from rules.record import Record
from rules.volo_flights import sky

_VECTORS: Final = Path(__file__).parent.parent / "tests" / "data" / "vectors"
_PLIES: Final = range(20, 61)
_MICROSECONDS: Final = {("ayu", 11): 120, ("volo", 7): 330}
"""What is promised for the median of one list, on the reference machine."""
_POSITIONS_A_MINUTE: Final = 100_000


def main() -> None:
    """Print a line for each game's move lists and for each game's `inspect`."""
    for (game, size), promised in _MICROSECONDS.items():
        slow = slowness()
        positions = [position for record in _games(game) if record["size"] == size for position in _replayed(record)]
        cold, warm = (median(_list_times(positions, forget=forget)) * 1e6 / slow for forget in (True, False))
        print(
            f"{game} {size}: all legal moves, {len(positions)} positions: median {cold:.0f} us scaled "
            f"(promised {promised}), with what is remembered between positions {warm:.0f} us; machine x{slow:.2f}"
        )
    for game in ("ayu", "volo"):
        slow = slowness()
        count, seconds = _inspect(game)
        scaled = seconds / slow
        print(
            f"inspect {game} with trace, {count} positions: {scaled / count * 1000:.2f} ms each scaled, "
            f"{count / scaled * 60:,.0f} a minute (promised {_POSITIONS_A_MINUTE:,}); machine x{slow:.2f}"
        )


def _games(game: str) -> list[dict[str, Any]]:
    with gzip.open(_VECTORS / f"{game}.ndjson.gz", "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def _replayed(recorded: dict[str, Any]) -> list[Position]:
    """The positions of one recorded game that are measured."""
    moves = recorded["moves"][: _PLIES.stop - 1]
    record = Record.replay(GAMES[recorded["game"]], recorded["size"], moves)
    return list(record.positions[_PLIES.start :])


def _list_times(positions: list[Position], *, forget: bool) -> list[float]:
    """Seconds for each position's list; with *forget* nothing that earlier calls worked out is at hand."""
    times = []
    for position in positions:
        if forget and position.game.key == "volo":
            sky(position.size).forget()
        started = time.perf_counter()
        position.legal_moves()
        times.append(time.perf_counter() - started)
    return times


def _inspect(game: str) -> tuple[int, float]:
    """How many positions of all recorded games were traced, and the seconds that it took."""
    requests = [
        json.dumps({"game": game, "size": record["size"], "moves": record["moves"], "trace": True})
        for record in _games(game)
    ]
    count = 0
    seconds = 0.0
    for request in requests:
        started = time.perf_counter()
        answered = answer(request)
        seconds += time.perf_counter() - started
        count += len(json.loads(answered)["plies"])
    return count, seconds
