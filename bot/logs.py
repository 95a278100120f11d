"""How the log looks: lines for people or JSON for machines. No secret is in it, whoever logs."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterable
from typing import Final

import msgspec

_SILENCED: Final = ("httpx", "httpcore", "aiohttp.access")
"""These log whole addresses, which may hold tokens."""


_MASK: Final = "***"


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


def start_logging(level: str, style: str, secrets: Iterable[str] = ()) -> None:
    """Write to the standard error stream from *level* on, as ``console`` or ``json`` lines, without the *secrets*."""
    lines = (
        _JsonLines()
        if style == "json"
        else logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s", "%H:%M:%S")
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Masking(lines, secrets))
    logging.basicConfig(level=level, handlers=[handler], force=True)
    for name in _SILENCED:
        logging.getLogger(name).setLevel(logging.WARNING)
