"""Bot processes on one data directory, to be killed and started again."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections import Counter
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Final

from tests.faults.bot_process import Setting, run_bot
from tests.storage.servers import kill_server

_END_SECONDS: Final = 20.0


class Bots:
    """*number* processes of `tests.faults.bot_process`; *planted* is the fault they have, if any.

    They are forked from a process that has imported everything already: being killed, they are soon back.
    """

    def __init__(self, url: str, data_dir: Path, number: int, planted: str = "") -> None:
        self.deaths: dict[str, float] = {}
        self.counts: Counter[str] = Counter()
        self.unexpected: list[str] = []
        self._setting = Setting(url, data_dir, time.time_ns() // 1_000_000, planted)
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(["tests.faults.bot_process"])
        self._running: dict[str, ForkServerProcess] = {}
        self._generation = 0
        for _ in range(number):
            self.start()

    @property
    def kills(self) -> int:
        """How many processes were killed."""
        return self.counts.total()

    @property
    def names(self) -> list[str]:
        """The processes that run, as far as is known."""
        return list(self._running)

    def start(self) -> str:
        """One more process; its name."""
        self._generation += 1
        name = f"bot{self._generation}"
        process = self._context.Process(target=run_bot, args=(name, self._setting), name=name)
        process.start()
        self._running[name] = process
        return name

    def kill(self, name: str) -> None:
        """End the process as a power cut would."""
        process = self._running.pop(name)
        process.kill()
        self._ended(name, process)
        self.deaths[name] = time.monotonic()
        self.counts["bots"] += 1

    def stop(self, name: str) -> None:
        """Ask the process to end, and wait until it has."""
        process = self._running.pop(name)
        process.terminate()
        if (code := self._ended(name, process)) != 0:
            self.unexpected.append(f"{name} ended with {code} when it was asked to stop")

    def kill_server(self) -> bool:
        """End the server as a power cut would; False if there is none just now."""
        try:
            kill_server(self._setting.data_dir)
        except (FileNotFoundError, ProcessLookupError, ValueError):
            return False
        self.counts["servers"] += 1
        return True

    def mourn(self) -> None:
        """Note the processes that have ended by themselves, and start others in their place."""
        for name, process in list(self._running.items()):
            if process.exitcode is not None:
                self.unexpected.append(f"{name} ended by itself with {process.exitcode}")
                self._running.pop(name)
                self.start()

    def close(self) -> None:
        """Stop all that run."""
        for process in self._running.values():
            if process.pid is not None:
                os.kill(process.pid, signal.SIGTERM)
        while self._running:
            name, process = self._running.popitem()
            if (code := self._ended(name, process)) != 0:
                self.unexpected.append(f"{name} ended with {code} when everything was to stop")

    def _ended(self, name: str, process: ForkServerProcess) -> int | None:
        """The exit code; a process that does not end is killed after a while."""
        process.join(_END_SECONDS)
        if process.exitcode is None:
            self.unexpected.append(f"{name} does not end")
            process.kill()
            process.join()
        return process.exitcode
