"""A loopback Discord for every test that asks for one."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.discord.server import DiscordServer


@pytest.fixture
async def service() -> AsyncIterator[DiscordServer]:
    """The service; at the end nothing may have been asked of it that Discord's rules forbid (`DiscordServer.wrong`)."""
    async with DiscordServer() as service:
        yield service
        assert service.wrong == []
