"""`bandada` as the host types it, in this process or in one of its own."""

from __future__ import annotations

import logging
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner, Result

from bot.cli import main

SCRIPT: Final = Path(sys.executable).with_name("bandada")
SECONDS: Final = 60.0
"""How long a test waits for a process."""

_EXAMPLE: Final = Path(__file__).parent.parent.parent / ".env.example"


@contextmanager
def clean_folder(folder: Path) -> Iterator[Path]:
    """The empty *folder* to work in, none of this machine's settings; afterwards all is as before, the log too."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    names = re.findall(r"^#?([A-Z_]+)=", _EXAMPLE.read_text(encoding="utf-8"), re.MULTILINE)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for name in names:
            patch.delenv(name, raising=False)
        yield folder
    root.handlers[:] = handlers
    root.setLevel(level)


def bandada(*arguments: str, **environment: str) -> Result:
    """What becomes of the command, run in this process."""
    result = CliRunner().invoke(main, arguments, env=environment)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def refused(result: Result) -> str:
    """The one line that the command ends with."""
    assert (result.exit_code, result.stdout) == (1, "")
    (line,) = result.stderr.splitlines()
    assert line.startswith("bandada: ")
    return line.removeprefix("bandada: ")


def start(*arguments: str, **environment: str) -> subprocess.Popen[str]:
    """The command in a process of its own, with *environment* alone."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "REDIS_SERVER_BIN") if name in os.environ}
    return subprocess.Popen(
        [SCRIPT, *arguments],
        env=kept | environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
