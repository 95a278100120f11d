"""The real thing: `bandada play` as a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

_COMMAND: Final = (sys.executable, "-c", "from bot.cli import main; main()", "play", "--no-open")


class PlayProcess:
    """One `bandada play` with its games in *data_dir*; the first start chooses a port that later ones keep."""

    def __init__(self, data_dir: Path) -> None:
        self._data_dir = data_dir
        self._port = 0
        self._process: subprocess.Popen[str] | None = None
        self.seats: tuple[str, str] = ("", "")

    def start(self) -> tuple[str, str]:
        """The two seats' links, once the page can be opened."""
        # Settings of whoever runs the tests must not reach it.
        environment = {key: value for key, value in os.environ.items() if key in ("PATH", "HOME", "LANG", "TMPDIR")}
        process = subprocess.Popen(
            [*_COMMAND, "--port", str(self._port), "--data-dir", str(self._data_dir)],
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
            cwd=self._data_dir,
        )
        self._process = process
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(3)]
        assert str(self._data_dir) in lines[2], lines
        first, second = (line.split()[-1] for line in lines[:2])
        self._port = int(first.split(":")[2].partition("/")[0])
        self.seats = (first, second)
        return self.seats

    def kill(self) -> None:
        """End it as a power cut would; the server of the games goes on or not, as it likes."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """Ask it to end, and return its exit code."""
        return self._end(signal.SIGTERM)

    def _end(self, number: signal.Signals) -> int:
        process = self._process
        assert process is not None
        assert process.stdout is not None
        process.send_signal(number)
        code = process.wait(30)
        process.stdout.close()
        self._process = None
        return code

    def close(self) -> None:
        """Stop it if it runs."""
        if self._process is not None:
            self.stop()
