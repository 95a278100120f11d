"""How the log looks: lines for people or JSON for machines. No secret is in it, whoever logs."""

from __future__ import annotations

import logging
import sys
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Final

import msgspec

_SILENCED: Final = ("httpx", "httpcore", "aiohttp.access")
"""These log whole addresses, which may hold tokens."""


_MASK: Final = "***"

QUIET_SECONDS: Final = 60.0
"""How long the same warning or error is not written again: what is tried four times a second would fill the disk."""

REMEMBERED: Final = 500
"""How many lines are remembered for that."""


class _JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        entry = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname,
            "part": record.name,
            "message": _encodable(record.getMessage()),
        }
        if record.exc_info:
            entry["trace"] = _encodable(self.formatException(record.exc_info))
        return msgspec.json.encode(entry).decode()


def _encodable(text: str) -> str:
    """*text* with what is no character of UTF-8 spelled out: a log line must not fail."""
    return text.encode("utf-8", "backslashreplace").decode()


class _Masking(logging.Formatter):
    """The lines of another formatter without the secrets: libraries log addresses that hold tokens."""

    def __init__(self, inner: logging.Formatter, secrets: Iterable[str]) -> None:
        super().__init__()
        self._inner = inner
        self._secrets = tuple(secrets)

    def format(self, record: logging.LogRecord) -> str:
        line = self._inner.format(record)
        for secret in self._secrets:
            line = line.replace(secret, _MASK)
        return line


class _Once(logging.Filter):
    """Lets a warning or an error pass once in `QUIET_SECONDS`, the next time with how often it came meanwhile."""

    def __init__(self, now: Callable[[], float]) -> None:
        super().__init__()
        self._now = now
        self._seen: OrderedDict[tuple[str, int, str], tuple[float, int]] = OrderedDict()

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING:
            return True
        message = record.getMessage()
        key = (record.name, record.levelno, message)
        since, times = self._seen.get(key, (float("-inf"), 0))
        if self._now() - since < QUIET_SECONDS:
            self._seen[key] = (since, times + 1)
            return False
        self._seen[key] = (self._now(), 0)
        self._seen.move_to_end(key)
        if len(self._seen) > REMEMBERED:
            self._seen.popitem(last=False)
        if times:
            record.msg, record.args = f"{message} ({times} more since)", ()
        return True


def start_logging(
    level: str, style: str, secrets: Iterable[str] = (), now: Callable[[], float] = time.monotonic
) -> None:
    """Write to the standard error stream from *level* on, as ``console`` or ``json`` lines, without the *secrets*.

    What comes again and again is written once in a minute. *now* is a clock that never goes back, in seconds.
    """
    lines = (
        _JsonLines()
        if style == "json"
        else logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s", "%H:%M:%S")
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Masking(lines, secrets))
    handler.addFilter(_Once(now))
    logging.basicConfig(level=level, handlers=[handler], force=True)
    for name in _SILENCED:
        logging.getLogger(name).setLevel(logging.WARNING)
