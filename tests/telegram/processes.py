"""The bot as a process of its own: `bandada run telegram`, to be killed and started again."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import Process
from pathlib import Path
from typing import Final

from tests.telegram.server import Telegram

_COMMAND: Final = (sys.executable, "-c", "from bot.cli import main; main()", "run", "telegram")


class BotProcess:
    """One process with its games in *data_dir*; its log is written to *log*."""

    def __init__(self, telegram: Telegram, data_dir: Path) -> None:
        self._telegram = telegram
        self._data_dir = data_dir
        self.log = data_dir.parent / f"{data_dir.name}.log"
        self._process: Process | None = None

    async def start(self, **settings: str) -> None:
        """Start it; it may take a while until it listens."""
        # Settings of whoever runs the tests must not reach it.
        kept = {key: value for key, value in os.environ.items() if key in ("PATH", "HOME", "LANG", "TMPDIR")}
        own = {
            "TELEGRAM_TOKEN": self._telegram.token,
            "TELEGRAM_API_URL": self._telegram.url,
            "TELEGRAM_SENDS_PER_SECOND": "1000",
            "BANDADA_DATA_DIR": str(self._data_dir),
            "LOG_LEVEL": "DEBUG",
        }
        with self.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *_COMMAND, stdout=log, stderr=log, env={**kept, **own, **settings}, cwd=self._data_dir
            )

    async def end(self, number: signal.Signals = signal.SIGKILL) -> int:
        """End it as a power cut would, or ask it to end; its exit code."""
        process = self._process
        assert process is not None
        self._process = None
        if process.returncode is None:
            process.send_signal(number)
        async with asyncio.timeout(30):
            return await process.wait()

    async def ended(self) -> int:
        """The exit code, when it has ended by itself."""
        assert self._process is not None
        async with asyncio.timeout(30):
            return await self._process.wait()

    async def close(self) -> None:
        """Stop it if it runs."""
        if self._process is not None:
            await self.end(signal.SIGTERM)
