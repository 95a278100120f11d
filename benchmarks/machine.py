"""How fast this machine is now: what `computer.reference` measures, under the name that the benchmarks use."""

from __future__ import annotations

from computer.reference import REFERENCE_SECONDS, loop_seconds, slowness

__all__ = ["REFERENCE_SECONDS", "loop_seconds", "slowness"]
