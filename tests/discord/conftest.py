"""A loopback Discord for every test that asks for one."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterator

import aiohttp
import pytest

from tests.discord.raw import Table
from tests.discord.server import DiscordServer


@pytest.fixture(autouse=True)
def nothing_breaks(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Whatever Discord does, no error is logged: trouble that is to be expected is handled."""
    yield
    broken = [one for one in caplog.get_records("call") if one.levelno >= logging.ERROR and one.name.startswith("bot")]
    assert [one.getMessage() for one in broken] == []


@pytest.fixture
async def service() -> AsyncIterator[DiscordServer]:
    """The service; at the end nothing may have been asked of it that Discord's rules forbid (`DiscordServer.wrong`)."""
    async with DiscordServer() as service:
        yield service
        assert service.wrong == []


@pytest.fixture
async def table() -> AsyncIterator[Table]:
    """Ana and the bot in a channel of a service of their own, which is asked wrong things on purpose."""
    async with DiscordServer() as service, aiohttp.ClientSession() as http:
        ana = service.person("Ana")
        service.world.acknowledge_within = 0.5
        yield Table(service, ana, service.channel(service.guild("Casa", ana)), http)
