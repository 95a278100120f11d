"""How the log looks: lines for people or JSON for machines; what other libraries log of addresses is silenced."""

from __future__ import annotations

import logging
import sys
from typing import Final

import msgspec

_SILENCED: Final = ("httpx", "httpcore", "aiohttp.access")
"""These log whole addresses, which may hold tokens."""


class _JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        entry = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname,
            "part": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            entry["trace"] = self.formatException(record.exc_info)
        return msgspec.json.encode(entry).decode()


def start_logging(level: str, style: str) -> None:
    """Write to the standard error stream from *level* on, as ``console`` or ``json`` lines."""
    handler = logging.StreamHandler(sys.stderr)
    if style == "json":
        handler.setFormatter(_JsonLines())
    else:
        handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s", "%H:%M:%S"))
    logging.basicConfig(level=level, handlers=[handler], force=True)
    for name in _SILENCED:
        logging.getLogger(name).setLevel(logging.WARNING)
