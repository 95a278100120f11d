"""A running page for each test."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest_asyncio
from aiohttp import ClientSession

from storage.transcript import RedisTranscript
from tests.web.site import Site, serve


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
