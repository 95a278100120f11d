"""How the computer keeps its time and its memory: the time of a move against its limit, and the process's peak.

Positions are plies 0 to 80 of games of the computer against itself. Time is this process's CPU time: what other
programs take is not the search's fault.
"""

from __future__ import annotations

import resource
import sys
import time
from random import Random
from statistics import median
from typing import Final

from benchmarks.machine import slowness
from computer.limits import STRONGEST, Limit, level_limit
from computer.player import choose, think
from rules import GAMES
from rules.record import Record

_LIMIT: Final = 0.3
_PROMISED_MB: Final = 150
_MOVES: Final = 200


def main() -> None:
    """Print a line for each game, and the memory at the end."""
    slow = slowness(time.process_time)
    for game, size in (("ayu", 11), ("ayu", 19), ("volo", 7), ("volo", 8)):
        times, depths = _measured(game, size, _MOVES if size in (11, 7) else _MOVES // 4)
        times.sort()
        late = times[min(len(times) - 1, len(times) * 99 // 100)]
        print(
            f"{game} {size}: limit {1000 * _LIMIT:.0f} ms, {len(times)} moves: median {1000 * median(times):.0f} ms, "
            f"p99 {1000 * late:.0f} ms ({100 * late / _LIMIT - 100:+.1f} %; promised +10 %), worst "
            f"{1000 * times[-1]:.0f} ms; depth {median(depths):.0f} plies; machine x{slow:.2f}"
        )
    think(GAMES["volo"].opening(8), Limit(10 * slow), Random(1))
    think(GAMES["ayu"].opening(11), Limit(10 * slow), Random(1))
    unit = 1 if sys.platform == "darwin" else 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6
    print(f"memory: {peak:.0f} MB at most, two searches of ten seconds included (promised {_PROMISED_MB} MB)")


def _measured(game: str, size: int, count: int) -> tuple[list[float], list[int]]:
    """CPU seconds and depths of *count* moves that may take `_LIMIT`."""
    rng = Random(f"{game} {size}")
    quick = level_limit(game, 3)
    times: list[float] = []
    depths: list[int] = []
    record = Record.opening(GAMES[game], size)
    while len(times) < count:
        if record.outcome is not None or len(record.moves) > 80:
            record = Record.opening(GAMES[game], size)
        started = time.process_time()
        thought = think(
            record.position, level_limit(game, STRONGEST, _LIMIT), rng, record.positions[:-1], time.process_time
        )
        times.append(time.process_time() - started)
        depths.append(thought.depth)
        record = record.play(thought.move)
        for _ in range(2):
            if record.outcome is None:
                record = record.play(choose(record.position, quick, rng))
    return times, depths
