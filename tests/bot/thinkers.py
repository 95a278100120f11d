"""Thinkers for tests: the real search without a process, and one that waits until it is let go."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from bot.ports import Opinion, Question, ThinkingError
from bot.thinking import opinion_of, written_question
from computer.worker import answer
from tests.bot.harness import World


class QuickThinker:
    """Thinks at once, in this process; keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[Question] = []

    async def think(self, question: Question) -> Opinion:
        self.asked.append(question)
        await asyncio.sleep(0)
        return opinion_of(answer(written_question(replace(question, seconds=0.02))))


class SlowThinker(QuickThinker):
    """Thinks only when it is let."""

    def __init__(self) -> None:
        super().__init__()
        self.go = asyncio.Event()
        self.cancelled = 0

    async def think(self, question: Question) -> Opinion:
        try:
            await self.go.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        return await super().think(question)


class BrokenThinker(QuickThinker):
    """Cannot think."""

    async def think(self, question: Question) -> Opinion:
        self.asked.append(question)
        raise ThinkingError("no process")


@asynccontextmanager
async def playing(world: World) -> AsyncIterator[None]:
    """The computer answers inside the block."""
    assert world.core.computer is not None
    async with asyncio.TaskGroup() as group:
        task = group.create_task(world.core.computer.run())
        try:
            yield
        finally:
            task.cancel()
