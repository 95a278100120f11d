"""How fast this machine is now, so that a figure measured here can be compared with one measured elsewhere."""

from __future__ import annotations

import time
from typing import Final

REFERENCE_SECONDS: Final = 0.33

# Compiled at module level on purpose: there the names are globals, as they were when the reference was measured.
# Inside a function the same loop takes about half the time.
_LOOP: Final = """
s = 0
for i in range(10_000_000):
    s += i & 7
"""


def loop_seconds() -> float:
    """Seconds that the reference loop takes now, the best of three runs; the reference needs `REFERENCE_SECONDS`."""
    return min(_run_once() for _ in range(3))


def slowness() -> float:
    """How many times slower than the reference machine this one is now: divide a measured time by it."""
    return loop_seconds() / REFERENCE_SECONDS


def _run_once() -> float:
    code = compile(_LOOP, "reference loop", "exec")
    started = time.perf_counter()
    exec(code, {})  # noqa: S102 - the constant above
    return time.perf_counter() - started
