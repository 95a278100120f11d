"""The bot as a whole on the loopback Telegram, in the test's own process: real client, core and server of games."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest
from PIL import Image
from redis.asyncio import Redis

from bot.adapters.http import HttpServer
from bot.adapters.telegram_adapter import NO_LIMITS, PLATFORM, Limits, TelegramAdapter
from bot.config import load
from bot.core import Core, build, build_telegram
from bot.ports import Clock, Render
from renderers.scene import Scene
from storage.base import Place
from storage.redis_store import RedisStore
from storage.transcript import RedisTranscript
from tests.telegram.model import Chat
from tests.telegram.server import Telegram

# aiohttp leaves the file of an upload that is cut off to the collector.
CUT_OFF = (
    pytest.mark.filterwarnings("ignore:Unclosed file:ResourceWarning"),
    pytest.mark.filterwarnings("ignore:.*SpooledTemporaryFile:pytest.PytestUnraisableExceptionWarning"),
)

PUBLIC_URL = "https://play.example"


class SmallPictures:
    """A Render port for tests in which nobody looks at the pictures; no two are alike."""

    def __init__(self) -> None:
        self.drawn: list[Scene] = []

    async def png(self, scene: Scene) -> bytes:
        """A small picture."""
        self.drawn.append(scene)
        return _png(len(self.drawn))

    async def gif(self, scenes: Sequence[Scene]) -> bytes:
        """A small moving picture."""
        data = io.BytesIO()
        first, *others = (Image.new("L", (16, 16), 16 * number % 256) for number in range(max(2, len(scenes))))
        first.save(data, "GIF", save_all=True, append_images=others)
        return data.getvalue()


def _png(number: int) -> bytes:
    data = io.BytesIO()
    Image.new("RGB", (8, 8), (number % 256, number // 256 % 256, 7)).save(data, "PNG")
    return data.getvalue()


@dataclass(slots=True)
class Bot:
    """A running bot. *server* is the one of its webhook, if it has one."""

    telegram: Telegram
    core: Core
    adapter: TelegramAdapter
    server: HttpServer | None = None

    async def settle(self, seconds: float = 20.0) -> None:
        """Wait until every update is confirmed, every place has been shown the newest, and all is quiet."""
        deadline = asyncio.get_running_loop().time() + seconds
        while True:
            await self.telegram.idle(0.03, seconds)
            if not await self.core.store.behind([PLATFORM], self.core.clock.now_ms()) and not self._is_giving():
                return
            assert asyncio.get_running_loop().time() < deadline, "something is never sent"
            await asyncio.sleep(0.02)

    async def caught_up(self, seconds: float = 30.0) -> None:
        """Wait until every place has been shown the newest, however long Telegram or the pace asks to wait."""
        deadline = asyncio.get_running_loop().time() + seconds
        later = self.core.clock.now_ms() + 10**9
        while await self.core.store.behind([PLATFORM], later):
            assert asyncio.get_running_loop().time() < deadline, "something is never sent"
            await asyncio.sleep(0.05)
        await self.settle()

    def _is_giving(self) -> bool:
        return bool(self.adapter._running) or bool(self.core.courier._busy)

    @staticmethod
    def place(chat: Chat, topic: int | None = None) -> Place:
        """The chat as the bot calls it."""
        return Place(PLATFORM, str(chat.id), str(topic or ""))


@asynccontextmanager
async def running_bot(
    telegram: Telegram,
    client: Redis,
    *,
    render: Render | None = None,
    clock: Clock | None = None,
    webhook: bool = False,
    limits: Limits = NO_LIMITS,
    **settings: str,
) -> AsyncIterator[Bot]:
    """A bot that has told Telegram what it can do, without limits of its own; *settings* are those of the host."""
    core = build(RedisStore(client), RedisTranscript(client), render or SmallPictures(), language="en", clock=clock)
    variables = {
        "TELEGRAM_TOKEN": telegram.token,
        "TELEGRAM_API_URL": telegram.url,
        "TELEGRAM_SENDS_PER_SECOND": "1000",
        **settings,
    }
    if webhook:
        variables["PUBLIC_URL"] = PUBLIC_URL
    adapter = build_telegram(load(variables), core, limits)
    core.senders[PLATFORM] = adapter
    server = None
    if webhook:
        server = HttpServer(adapter.parts, core.words, ("en",), port=0, names=("play.example",))
        await server.start()
        telegram.route(PUBLIC_URL, server.url)
    running = Bot(telegram, core, adapter, server)
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(adapter.run()), group.create_task(core.courier.run())]
            try:
                await telegram.world.bell.until(lambda: len(telegram.own.commands) >= 8, 20, "the commands")
                yield running
            finally:
                core.courier.close()
                await tasks[1]
                tasks[0].cancel()
    finally:
        if server is not None:
            await server.stop()
