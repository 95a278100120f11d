"""A running page for each test."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from aiohttp import ClientSession
from playwright.async_api import Browser, async_playwright, expect

from storage.connect import connect
from storage.embedded import stop_server
from storage.transcript import RedisTranscript
from tests.web.process import PlayProcess
from tests.web.site import Site, serve
from tests.web.windows import OPTIONS, Windows


@pytest_asyncio.fixture
async def site(transcript: RedisTranscript) -> AsyncIterator[Site]:
    """A site on loopback with an empty room."""
    async with serve(transcript) as running:
        yield running


@pytest_asyncio.fixture
async def session() -> AsyncIterator[ClientSession]:
    """An HTTP client that knows no cookies and follows no redirects by itself."""
    async with ClientSession() as client:
        yield client


# ---- a real browser; tests that take it run in their module's loop ---------------------------------------------------


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def browser(chromium_path: str) -> AsyncIterator[Browser]:
    """One Chromium for the module."""
    expect.set_options(timeout=10_000)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium_path, args=list(OPTIONS))
        yield browser
        await browser.close()


@pytest_asyncio.fixture(loop_scope="module")
async def memory(redis_url: str) -> AsyncIterator[RedisTranscript]:
    """An empty transcript in the module's loop."""
    client = connect(redis_url)
    await client.flushdb()
    yield RedisTranscript(client)
    await client.aclose()


@pytest_asyncio.fixture(loop_scope="module")
async def live(memory: RedisTranscript) -> AsyncIterator[Site]:
    """A site with an empty room."""
    async with serve(memory) as site:
        yield site


@pytest_asyncio.fixture(loop_scope="module")
async def windows(browser: Browser) -> AsyncIterator[Windows]:
    """Windows to open."""
    windows = Windows(browser)
    yield windows
    await windows.close()


@pytest.fixture
def played(tmp_path: Path) -> Iterator[PlayProcess]:
    """`bandada play`, started; stopped after the test, with the server of its games."""
    process = PlayProcess(tmp_path)
    process.start()
    yield process
    process.close()
    stop_server(tmp_path)
