"""A loopback Telegram for each test, and the real client to ask it with."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from redis.asyncio import Redis
from telegram.ext import ExtBot

from tests.telegram.bot import Bot, running_bot
from tests.telegram.server import Telegram, serve


@pytest_asyncio.fixture
async def telegram() -> AsyncIterator[Telegram]:
    """A platform without anybody. The test fails if the bot makes a mistake."""
    async with serve() as running:
        yield running


@pytest_asyncio.fixture
async def client(telegram: Telegram, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[ExtBot[None]]:
    """The real python-telegram-bot, talking to it."""
    monkeypatch.setenv("PTB_TIMEDELTA", "1")  # the type of RetryAfter.retry_after to come; the old one warns
    bot: ExtBot[None] = ExtBot(telegram.token, telegram.base_url, telegram.base_file_url)
    async with bot:
        yield bot


@pytest_asyncio.fixture
async def bot(telegram: Telegram, redis_client: Redis) -> AsyncIterator[Bot]:
    """The bot on it, polling."""
    async with running_bot(telegram, redis_client) as running:
        yield running
