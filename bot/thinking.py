"""Thinking off the event loop: processes that search, each one question at a time.

A task that is cancelled stops its search. A process that dies is replaced; whoever asked it asks again.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from bot.ports import Opinion, Question, ThinkingError
from computer.limits import level_limit
from computer.worker import READY, STOP

log = logging.getLogger(__name__)

_COMMAND: Final = (sys.executable, "-c", "from computer.worker import main; main()")
_PASSED_ON: Final = ("PATH", "HOME", "LANG", "LC_ALL", "PYTHONPATH", "SYSTEMROOT", "TMPDIR")
"""Of the environment the processes get no more than this: they need no secret."""

_GRACE_SECONDS: Final = 20.0
"""A process that is so much later than it should be is stuck, and is replaced."""

_LEAST_SECONDS: Final = 0.1


class Workers:
    """The Thinker port over at most *count* processes, started when they are needed (or by `warm`)."""

    def __init__(self, count: int | None = None) -> None:
        self._count = count or max(1, min(4, (os.cpu_count() or 2) - 1))
        self._idle: list[Process] = []
        self._all: set[Process] = set()
        self._free = asyncio.Semaphore(self._count)
        self._waiting = 0
        self._closed = False

    async def think(self, question: Question) -> Opinion:
        """See `bot.ports.Thinker`; where many ask at once, each gets less time.

        :raises ThinkingError: if the process that was asked failed twice.
        """
        self._waiting += 1
        try:
            async with self._free:
                for _ in range(2):
                    try:
                        return await self._asked(self._shortened(question))
                    except (EOFError, OSError, TimeoutError) as error:
                        log.warning("a thinking process is replaced: %s", str(error) or type(error).__name__)
                raise ThinkingError("two thinking processes failed in turn")
        finally:
            self._waiting -= 1

    async def warm(self) -> None:
        """Start the processes, so that nobody waits for that."""
        for _ in range(self._count):
            with contextlib.suppress(OSError, EOFError):
                self._idle.append(await self._started())

    async def close(self) -> None:
        """End all processes, whatever they think about."""
        self._closed = True
        for process in tuple(self._all):
            await self._end(process)

    def _shortened(self, question: Question) -> Question:
        queues = max(1.0, self._waiting / self._count)
        return replace(question, seconds=max(min(_LEAST_SECONDS, question.seconds), question.seconds / queues))

    async def _asked(self, question: Question) -> Opinion:
        process = self._idle.pop() if self._idle else await self._started()
        try:
            async with asyncio.timeout(question.seconds + _GRACE_SECONDS):
                said = await _exchanged(process, question)
        except asyncio.CancelledError:
            # The search is told to end; its answer, which nobody wants, is read before the next question.
            if not await _stopped(process):
                await self._end(process)
            else:
                self._idle.append(process)
            raise
        except BaseException:
            await self._end(process)
            raise
        self._idle.append(process)
        if "error" in said:
            raise ThinkingError(str(said["error"]))
        return opinion_of(said)

    async def _started(self) -> Process:
        environment = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
        process = await asyncio.create_subprocess_exec(
            *_COMMAND,
            stdin=PIPE,
            stdout=PIPE,
            env=environment,
            start_new_session=True,  # Ctrl-C is for the bot, which then ends them
        )
        self._all.add(process)
        if READY not in await _line(process):
            await self._end(process)
            raise EOFError("it does not start")
        if self._closed:
            await self._end(process)
            raise EOFError("the bot is stopping")
        return process

    async def _end(self, process: Process) -> None:
        self._all.discard(process)
        if process in self._idle:
            self._idle.remove(process)
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def _exchanged(process: Process, question: Question) -> Mapping[str, Any]:
    await _send(process, json.dumps(written_question(question)))
    return await _line(process)


async def _send(process: Process, line: str) -> None:
    if process.stdin is None:
        raise EOFError
    process.stdin.write(f"{line}\n".encode())
    await process.stdin.drain()


async def _line(process: Process) -> Mapping[str, Any]:
    """The next line that *process* says.

    :raises EOFError: if it says no more.
    """
    if process.stdout is None:
        raise EOFError
    line = await process.stdout.readline()
    if not line:
        raise EOFError("it has ended")
    found: Mapping[str, Any] = json.loads(line)
    return found


async def _stopped(process: Process) -> bool:
    """True if the search was stopped and its answer read away."""
    try:
        await _send(process, STOP)
        async with asyncio.timeout(1.0):
            await _line(process)
    except (EOFError, OSError, TimeoutError, ValueError):
        return False
    return True


def written_question(question: Question) -> dict[str, Any]:
    """The question as `computer.worker.answer` takes it."""
    limit = level_limit(question.game, question.level, question.seconds)
    return {
        "game": question.game,
        "size": question.size,
        "moves": list(question.moves),
        "seconds": limit.seconds,
        "depth": min(limit.depth, question.depth),
        "noise": limit.noise,
        "blind": limit.blind,
        "seed": question.seed,
        "even": question.even,
    }


def opinion_of(said: Mapping[str, Any]) -> Opinion:
    """What `computer.worker.answer` said."""
    kind, own, theirs, count, threat = said["grounds"]
    return Opinion(said["move"], said["chance"], said["end"], said["depth"], kind, own, theirs, count, threat)
