"""Real processes of the program: killed between save and send, started twice, refused, stopped."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.discord import calls
from tests.discord.server import DiscordServer

ENDS_WITHIN: float = 30.0


@asynccontextmanager
async def process(
    service: DiscordServer, redis_url: str, log: Path, **more: str
) -> AsyncIterator[asyncio.subprocess.Process]:
    """``bandada run discord`` on the loopback service and the tests' server; killed at the end if it still runs."""
    environment = {
        "PATH": os.environ["PATH"],
        "TEST_DISCORD_URL": service.url,
        "DISCORD_TOKEN": service.token,
        "REDIS_URL": redis_url,
        "LOG_LEVEL": "DEBUG",
        **more,
    }
    with log.open("ab") as out:
        running = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.discord.bot_process", "run", "discord", env=environment, stdout=out, stderr=out
        )
    try:
        yield running
    finally:
        if running.returncode is None:
            running.kill()
        await running.wait()


async def ready(service: DiscordServer, sessions: int) -> None:
    await service.until(lambda: len(service.gateway.identified) >= sessions and service.world.commands, 40)
    await service.until(lambda: service.gateway.connections, 10)


async def ended(running: asyncio.subprocess.Process) -> int:
    async with asyncio.timeout(ENDS_WITHIN):
        return await running.wait()


@pytest.fixture
async def clean_url(redis_client: object, redis_url: str) -> str:
    """The URL of the tests' server, which is empty."""
    del redis_client
    return redis_url


async def test_killed_between_save_and_send_the_board_is_posted(
    service: DiscordServer, clean_url: str, tmp_path: Path
) -> None:
    ana, bo = service.person("Ana"), service.person("Бо")
    channel = service.channel(service.guild("Casa", ana, bo))
    log = tmp_path / "log"
    async with process(service, clean_url, log) as first:
        await ready(service, 1)
        await ana.slash(channel, "challenge", game="ayu", size=9, pie=False, opponent=bo)
        await service.until(lambda: channel.public)
        challenge = channel.last
        # Discord has an ache: the board is tried again after a second, but nobody is there any more.
        service.faults.plant("create_message", calls.bad_gateway())
        seen = await bo.press(challenge, "Accept")
        await service.until(lambda: any(one.status == 502 for one in service.requests))
        first.kill()
        assert await ended(first) == -signal.SIGKILL
    assert not seen.failed, "it was accepted"
    assert channel.last is challenge
    async with process(service, clean_url, log) as second:
        await service.until(lambda: channel.last is not challenge, 40)
        assert channel.last.file.content.startswith(b"\x89PNG")
        await ready(service, 2)
        await service.until(lambda: not challenge.buttons)
        assert (await ana.press(channel.last, "Move")).is_private
        assert len(channel.public) == 2, "once"
        second.send_signal(signal.SIGTERM)
        assert await ended(second) == 0
    assert service.token not in log.read_text()


async def test_a_second_process_with_the_same_shard_refuses_to_start(
    service: DiscordServer, clean_url: str, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    async with process(service, clean_url, tmp_path / "first", DISCORD_SHARDS="0/2"):
        await service.until(lambda: len(service.gateway.identified) == 1, 40)
        async with process(service, clean_url, log) as second:
            assert await ended(second) == 1
        assert "another process runs shard 0 of this Discord bot: stop it" in log.read_text().splitlines()[-1]
        assert "Traceback" not in log.read_text()
        async with process(service, clean_url, tmp_path / "third", DISCORD_SHARDS="1/2"):
            await service.until(lambda: len(service.gateway.identified) == 2, 40)


async def test_a_token_that_discord_refuses_ends_the_start_with_one_line(
    service: DiscordServer, clean_url: str, tmp_path: Path
) -> None:
    log, wrong = tmp_path / "log", service.token.replace("Loopback", "Elsewhere")
    async with process(service, clean_url, log, DISCORD_TOKEN=wrong) as running:
        assert await ended(running) == 1
    assert "Discord refuses DISCORD_TOKEN" in log.read_text().splitlines()[-1]
    assert "Traceback" not in log.read_text()
    assert wrong not in log.read_text()
    service.wrong.clear()  # it was
