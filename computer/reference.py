"""How fast this machine is now, so that a time measured or allowed here can be compared with one elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

REFERENCE_SECONDS: Final = 0.33
"""What the reference loop takes on the machine that all times in this project are scaled to."""

# Compiled at module level on purpose: there the names are globals, as they were when the reference was measured.
# Inside a function the same loop takes about half the time.
_LOOP: Final = """
s = 0
for i in range(10_000_000):
    s += i & 7
"""


def loop_seconds(clock: Callable[[], float] = time.perf_counter) -> float:
    """Seconds by *clock* that the reference loop takes now, the best of three runs."""
    return min(_run_once(clock) for _ in range(3))


def slowness(clock: Callable[[], float] = time.perf_counter) -> float:
    """How many times slower than the reference machine this one is now: divide a measured time by it."""
    return loop_seconds(clock) / REFERENCE_SECONDS


def _run_once(clock: Callable[[], float]) -> float:
    code = compile(_LOOP, "reference loop", "exec")
    started = clock()
    exec(code, {})  # noqa: S102 - the constant above
    return clock() - started
