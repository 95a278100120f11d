"""`bandada doctor`: every line says what to do, and none holds a secret."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from click.testing import CliRunner

from bot import doctor
from bot.cli import main
from bot.doctor import Finding, Level, examine

TOKEN = "123456:" + "s3cr3t_" * 5


async def findings(**variables: str) -> list[Finding]:
    return [finding async for finding in examine(variables)]


def said(found: list[Finding], start: str) -> Finding:
    return next(finding for finding in found if finding.line.startswith(start))


async def test_a_host_with_everything_right(redis_url: str) -> None:
    found = await findings(REDIS_URL=redis_url, TELEGRAM_TOKEN=TOKEN)
    assert said(found, "settings:") == Finding(Level.OK, "settings: TELEGRAM_TOKEN, REDIS_URL")
    assert said(found, "platforms:").level is Level.OK
    assert said(found, "games: kept by the server of REDIS_URL").level is Level.OK
    assert said(found, "disk:").level is Level.OK
    assert all(TOKEN[7:] not in finding.line and redis_url not in finding.line for finding in found)
    assert Level.FAIL not in {finding.level for finding in found}


async def test_a_server_that_would_lose_games(redis_url: str) -> None:
    found = await findings(REDIS_URL=redis_url)
    assert any(f.level is Level.WARN and "appendonly yes" in f.line for f in found), "the tests' server keeps nothing"


async def test_a_private_server_is_started_and_stopped(tmp_path: Path) -> None:
    found = await findings(BANDADA_DATA_DIR=str(tmp_path))
    assert said(found, "games:") == Finding(Level.OK, f"games: kept by a private server in {tmp_path}, which answers")


async def test_no_platform_no_server_no_port() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        found = await findings(REDIS_URL="redis://127.0.0.1:1", HOST="127.0.0.1", PORT=str(port))
    assert said(found, "platforms:").level is Level.WARN
    assert said(found, "games: the server of REDIS_URL cannot be reached").level is Level.FAIL
    assert said(found, "PORT:").level is Level.FAIL
    assert "choose another PORT" in said(found, "PORT:").line


async def test_a_wrong_value_ends_the_examination() -> None:
    assert [finding.level for finding in await findings(PORT="x")] == [Level.FAIL]


async def test_a_disk_that_is_nearly_full(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "FREE_BYTES", 10**18)
    line = said(await findings(REDIS_URL=redis_url), "disk:")
    assert line.level is Level.WARN
    assert "BANDADA_DATA_DIR" in line.line


def test_the_exit_code_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "x")
    result = CliRunner().invoke(main, ["doctor"])
    assert result.exit_code == 1
    assert result.output.startswith("FAIL ")
    assert "Traceback" not in result.output
