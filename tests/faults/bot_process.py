"""A bot as a process of its own, on the loopback platform.

Everything is the real thing but the platform, the pictures (no one looks at them) and the clock, which runs fast.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing import parent_process
from multiprocessing.process import BaseProcess
from pathlib import Path

from bot.app import serve
from bot.core import build
from bot.logs import start_logging
from renderers.scene import Scene
from storage.connect import connect
from storage.embedded import EmbeddedServerError, ensure_server, supervise
from storage.transcript import RedisTranscript
from tests.faults.planted import PLANTED, SOUND
from tests.faults.wire import PLATFORM, SPEED

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class FastClock:
    """The machine's clock from *start* (milliseconds since the epoch) on, `SPEED` times as fast."""

    start: int

    def now_ms(self) -> int:
        """Milliseconds since the epoch."""
        return self.start + SPEED * (time.time_ns() // 1_000_000 - self.start)


class NoPictures:
    """A Render port that costs nothing: the loopback platform takes the cells from the scene."""

    async def png(self, scene: Scene) -> bytes:
        """A few bytes."""
        return scene.game.encode()

    async def gif(self, scenes: Sequence[Scene]) -> bytes:
        """A few bytes."""
        return str(len(scenes)).encode()


@dataclass(frozen=True, slots=True)
class Setting:
    """What all processes of a run have in common.

    *url* is the platform's. The clocks run fast from *start* on. *planted* may name one of
    `tests.faults.planted.PLANTED`: a fault that the judge must see.
    """

    url: str
    data_dir: Path
    start: int
    planted: str = ""

    @property
    def log(self) -> Path:
        """The file into which all processes write their logs."""
        return self.data_dir.parent / f"{self.data_dir.name}.log"


def run_bot(name: str, setting: Setting) -> None:
    """Run the process *name* until SIGTERM."""
    with setting.log.open("ab") as file:
        os.dup2(file.fileno(), sys.stdout.fileno())
        os.dup2(file.fileno(), sys.stderr.fileno())
    start_logging("INFO", "console")
    parent = parent_process()
    assert parent is not None
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    asyncio.run(_run(name, setting))


async def _run(name: str, setting: Setting) -> None:
    fault = PLANTED.get(setting.planted, SOUND)
    client = connect(await asyncio.to_thread(ensure_server, setting.data_dir))
    store = fault.store(client)
    core = build(store, RedisTranscript(client), NoPictures(), language="en", clock=FastClock(setting.start))
    adapter = fault.adapter(core.handle, setting.url, name, store)
    async with asyncio.TaskGroup() as group:
        keeper = group.create_task(supervise(setting.data_dir, _server_failed))
        await serve(core, {PLATFORM: adapter}, None, lambda: log.info("%s is ready", name))
        keeper.cancel()
    await client.aclose()
    log.info("%s has ended", name)


def _server_failed(error: EmbeddedServerError) -> None:
    log.error("%s", error)


def _end_with(parent: BaseProcess) -> None:
    """End this process when the one that started it is gone, however it went."""
    parent.join()
    os._exit(3)
