"""What a host may want to know in numbers: counted in this process, written in Prometheus' text format (0.0.4).

One `Metrics` for a process, handed in as the port `bot.ports.Meter`; those who count stand in `bot.metered`.
"""

from __future__ import annotations

import asyncio
import logging
import time
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from bot.ports import Meter

BUCKETS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper bounds of the histograms' buckets, in seconds."""

LAG_SECONDS: Final = 0.25
"""How often it is looked how late the event loop is."""

_PAGE_BYTES: Final = 4096
_MEMORY: Final = Path("/proc/self/statm")

_Labels = tuple[tuple[str, str], ...]


@dataclass(slots=True)
class _Histogram:
    counts: list[int] = field(default_factory=lambda: [0] * (len(BUCKETS) + 1))
    total: float = 0.0

    def add(self, seconds: float) -> None:
        self.counts[bisect_left(BUCKETS, seconds)] += 1
        self.total += seconds


@dataclass(slots=True)
class _Family:
    """All values of one name."""

    name: str
    kind: str
    told: str
    values: dict[_Labels, float] = field(default_factory=dict)
    histograms: dict[_Labels, _Histogram] = field(default_factory=dict)

    def add(self, *labels: tuple[str, str], by: float = 1) -> None:
        self.values[labels] = self.values.get(labels, 0) + by

    def observe(self, seconds: float, *labels: tuple[str, str]) -> None:
        self.histograms.setdefault(labels, _Histogram()).add(seconds)

    def lines(self) -> Iterator[str]:
        yield f"# HELP {self.name} {self.told}"
        yield f"# TYPE {self.name} {self.kind}"
        for labels, value in sorted(self.values.items()):
            yield f"{self.name}{_written(labels)} {_number(value)}"
        for labels, histogram in sorted(self.histograms.items()):
            below = 0
            for bound, count in zip((*BUCKETS, float("inf")), histogram.counts, strict=True):
                below += count
                yield f"{self.name}_bucket{_written((*labels, ('le', _number(bound))))} {below}"
            yield f"{self.name}_sum{_written(labels)} {histogram.total:.6f}"
            yield f"{self.name}_count{_written(labels)} {below}"


class Metrics:
    """Counts; implements `bot.ports.Meter`. *now* is a clock that never goes back, in seconds."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._looked_at = now()
        self._under_way: dict[object, float] = {}
        self._updates = _Family("bandada_updates_total", "counter", "Updates, by what came of them.")
        self._saves = _Family("bandada_saves_total", "counter", "Changes of matches that were saved.", {(): 0})
        self._conflicts = _Family(
            "bandada_save_conflicts_total", "counter", "Saves that came too late: somebody else saved first.", {(): 0}
        )
        self._store_errors = _Family(
            "bandada_store_errors_total", "counter", "Saves that the database did not take.", {(): 0}
        )
        self._sends = _Family("bandada_sends_total", "counter", "Boards given to a platform, by what came of it.")
        self._repeats = _Family(
            "bandada_sends_repeated_total", "counter", "Boards sent once more since nobody knew what came of it."
        )
        self._behind = _Family("bandada_places_behind", "gauge", "Chats that wait for a board now, 100 at most.")
        self._renders = _Family("bandada_render_seconds", "histogram", "From the wish for a picture to the picture.")
        self._lag = _Family("bandada_loop_lag_seconds", "histogram", "How late the event loop is.")
        self._errors = _Family("bandada_log_lines_total", "counter", "Warnings and errors in the log.")

    # ---- what is told ------------------------------------------------------------------------------------------------

    def handled(self, outcome: str) -> None:
        """See `Meter.handled`."""
        self._updates.add(("outcome", outcome))

    def saved(self) -> None:
        """See `Meter.saved`."""
        self._saves.add()

    def conflicted(self) -> None:
        """See `Meter.conflicted`."""
        self._conflicts.add()

    def not_saved(self) -> None:
        """See `Meter.not_saved`."""
        self._store_errors.add()

    def looked(self, places: int) -> None:
        """See `Meter.looked`."""
        self._looked_at = self._now()
        self._behind.values[()] = places

    def sending(self, message: object) -> None:
        """See `Meter.sending`."""
        self._under_way[message] = self._now()

    def sent(self, message: object, platform: str, outcome: str, *, again: bool) -> None:
        """See `Meter.sent`."""
        self._under_way.pop(message, None)
        self._sends.add(("platform", platform), ("outcome", outcome))
        if again:
            self._repeats.add(("platform", platform))

    def rendered(self, kind: str, seconds: float) -> None:
        """See `Meter.rendered`."""
        self._renders.observe(seconds, ("kind", kind))

    def lagged(self, seconds: float) -> None:
        """See `Meter.lagged`."""
        self._lag.observe(seconds)

    def logged(self, level: str) -> None:
        """See `Meter.logged`."""
        self._errors.add(("level", level))

    # ---- what is asked -----------------------------------------------------------------------------------------------

    def seconds_since_look(self) -> float:
        """How long ago somebody looked what is to be sent; since the start, if nobody did."""
        return self._now() - self._looked_at

    def seconds_under_way(self) -> float:
        """How long the message takes by now that has been under way longest; 0 if none is."""
        return max((self._now() - begun for begun in self._under_way.values()), default=0.0)

    def text(self) -> str:
        """All of it in Prometheus' text format."""
        families = (
            self._updates,
            self._saves,
            self._conflicts,
            self._store_errors,
            self._sends,
            self._repeats,
            self._behind,
            self._renders,
            self._lag,
            self._errors,
            *_process(),
        )
        return "".join(f"{line}\n" for family in families for line in family.lines())


class LogMeter(logging.Handler):
    """Counts the log's warnings and errors."""

    def __init__(self, meter: Meter) -> None:
        super().__init__(logging.WARNING)
        self._meter = meter

    def emit(self, record: logging.LogRecord) -> None:
        """Count one line."""
        self._meter.logged(record.levelname)


async def measure_lag(meter: Meter, now: Callable[[], float] = time.monotonic) -> None:
    """Tell again and again how late the event loop is, for ever."""
    while True:
        due = now() + LAG_SECONDS
        await asyncio.sleep(LAG_SECONDS)
        meter.lagged(max(0.0, now() - due))


def _process() -> tuple[_Family, ...]:
    cpu = _Family("process_cpu_seconds_total", "counter", "Processor time used.", {(): time.process_time()})
    if not _MEMORY.exists():
        return (cpu,)
    resident = float(_MEMORY.read_text(encoding="ascii").split()[1]) * _PAGE_BYTES
    return (cpu, _Family("process_resident_memory_bytes", "gauge", "Memory in use.", {(): resident}))


def _number(value: float) -> str:
    if value == float("inf"):
        return "+Inf"
    return str(int(value)) if value == int(value) else f"{value:g}"


def _written(labels: _Labels) -> str:
    if not labels:
        return ""
    pairs = ",".join(f'{name}="{_escaped(value)}"' for name, value in labels)
    return f"{{{pairs}}}"


def _escaped(value: str) -> str:
    return value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
