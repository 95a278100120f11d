"""`bandada doctor`: every line says what to do, and none holds a secret."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import pytest
from redis.asyncio import Redis

from bot import doctor
from bot.config import VARIABLES, load
from bot.doctor import Finding, Level, examine
from renderers.cache import ByteCache
from renderers.fontbook import FontBook
from storage import connect
from storage.embedded import find_binary
from tests.bot.commands import bandada, clean_folder
from tests.bot.test_config import DISCORD, SECRET, TELEGRAM
from tests.storage.servers import own_server


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[Path]:
    with clean_folder(tmp_path):
        yield tmp_path


async def findings(**variables: str) -> list[Finding]:
    return [finding async for finding in examine(variables, Path(".env"))]


def said(found: Sequence[Finding], start: str) -> Finding:
    """The one finding that begins like that."""
    (finding,) = (finding for finding in found if finding.line.startswith(start))
    return finding


def worst(found: Sequence[Finding]) -> Level:
    return max((finding.level for finding in found), key=list(Level).index)


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


SERVER: Final = "games: kept by the server of REDIS_URL, which answers and saves: "


async def test_a_host_with_everything_right(redis_url: str) -> None:
    found = await findings(REDIS_URL=redis_url, TELEGRAM_TOKEN=TELEGRAM, DISCORD_TOKEN=DISCORD, PORT=" ")
    line = said(found, "settings:").line
    assert line.startswith("settings: DISCORD_TOKEN, TELEGRAM_TOKEN, REDIS_URL set; not set: DISCORD_SHARDS, ")
    assert sorted(re.findall(r"[A-Z_]{4,}", line)) == sorted(VARIABLES)
    assert said(found, "platforms:") == Finding(Level.OK, "platforms: discord, telegram")
    assert "client_id=1052961541873750076&scope=bot" in said(found, "discord:").line
    assert re.fullmatch(r"(Valkey|Redis) \d+\.\d+\.\d+", said(found, SERVER).line.removeprefix(SERVER))
    assert worst(found) is not Level.FAIL


async def test_no_line_holds_a_secret(folder: Path) -> None:
    url = "redis://ana:sesame@127.0.0.1:1/0"
    secrets = {
        "REDIS_URL": url,
        "TELEGRAM_TOKEN": TELEGRAM,
        "DISCORD_TOKEN": DISCORD,
        "TELEGRAM_WEBHOOK_SECRET": SECRET,
    }
    (folder / ".env").write_text("".join(f"{name}={value}\n" for name, value in secrets.items()))
    lines = [finding.line for finding in await findings()]
    for damage in ("{}\n{}", "x {}"):
        lines += [
            finding.line for finding in await findings(**{k: damage.replace("{}", v) for k, v in secrets.items()})
        ]
    for hidden in (url, "sesame", TELEGRAM, TELEGRAM[12:], DISCORD, SECRET):
        assert not any(hidden in line for line in lines)
    assert all(line.isprintable() for line in lines)


# ---- settings --------------------------------------------------------------------------------------------------------


async def test_every_wrong_value_is_named_and_the_rest_is_looked_at(redis_url: str) -> None:
    found = await findings(PORT="x", LOG_LEVEL="loud", REDIS_URL=redis_url)
    failed = [finding.line for finding in found if finding.level is Level.FAIL]
    assert failed == [
        'settings: PORT must be a whole number from 1 to 65535, not "x"',
        'settings: LOG_LEVEL must be one of DEBUG, INFO, WARNING, ERROR, not "loud"',
    ]
    assert said(found, SERVER).level is Level.OK


async def test_an_address_that_is_none_tries_no_other_server(folder: Path) -> None:
    found = await findings(REDIS_URL="http://h", BANDADA_DATA_DIR=str(folder / "games"))
    assert not any(finding.line.startswith("games:") for finding in found)
    assert said(found, "settings: REDIS_URL must begin with").level is Level.FAIL


def test_all_settings_are_known() -> None:
    class Asked(dict[str, str]):
        def get(self, name: str, default: str = "") -> str:  # type: ignore[override]  # as it is called
            self[name] = ""
            return default

    asked = Asked()
    load(asked)
    assert {*asked, "REDIS_SERVER_BIN"} == set(VARIABLES)
    example = (Path(__file__).parents[2] / ".env.example").read_text(encoding="utf-8")
    assert set(re.findall(r"^#?([A-Z_]+)=", example, re.MULTILINE)) == set(VARIABLES)


async def test_what_is_odd_in_the_file(folder: Path, redis_url: str) -> None:
    file = folder / ".env"
    file.write_text(f"DISCORD_TOKN=a\nOTHER=b\nREDIS_URL={redis_url}\n")
    file.chmod(0o644)
    found = await findings()
    assert said(found, "settings: DISCORD_TOKN in .env is none; did you mean DISCORD_TOKEN?").level is Level.WARN
    assert said(found, "settings: OTHER in .env is none; see .env.example").level is Level.WARN
    assert said(found, "settings: others on this machine may read").line.endswith("chmod 600 .env")
    assert said(found, SERVER).level is Level.OK, "settings of the file count"
    file.chmod(0o600)
    assert not any("chmod" in finding.line for finding in await findings())
    file.write_text("REDIS_URL: x\n")
    assert said(await findings(REDIS_URL=redis_url), "settings: .env, line 1").level is Level.FAIL


@pytest.mark.parametrize(
    ("variables", "start"),
    [
        ({}, "platforms: none, so only `bandada play` can run: set DISCORD_TOKEN or TELEGRAM_TOKEN"),
        (
            {"DISCORD_TOKEN": "a" * 64},
            "platforms: DISCORD_TOKEN is not made like a bot's token: take the one under Bot",
        ),
        ({"DISCORD_TOKEN": f"{'a' * 24}.b.c"}, "platforms: DISCORD_TOKEN is not made like"),
        ({"TELEGRAM_TOKEN": "123456:" + "a" * 34}, "platforms: TELEGRAM_TOKEN is longer or shorter than tokens are"),
        ({"PUBLIC_URL": "https://x.example"}, "platforms: PUBLIC_URL is set, but TELEGRAM_TOKEN is not"),
        ({"PUBLIC_URL": "https://x.example"}, "platforms: PUBLIC_URL is set, but PORT is not"),
    ],
)
async def test_what_is_odd_about_platforms(redis_url: str, variables: dict[str, str], start: str) -> None:
    assert said(await findings(REDIS_URL=redis_url, **variables), start).level is Level.WARN


async def test_a_webhook_without_a_port_cannot_run(redis_url: str) -> None:
    token = "123456:" + "a" * 35
    found = await findings(REDIS_URL=redis_url, PUBLIC_URL="https://x.example", TELEGRAM_TOKEN=token)
    assert said(found, "platforms: PUBLIC_URL is set, but PORT is not").level is Level.FAIL


# ---- the machine -----------------------------------------------------------------------------------------------------


async def test_ports(redis_url: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        found = await findings(REDIS_URL=redis_url, HOST="127.0.0.1", PORT=str(port), METRICS_PORT=str(port + 1))
        assert said(found, f"PORT: 127.0.0.1:{port} cannot be used (").level is Level.WARN
        assert said(found, "PORT:").line.endswith(": choose another PORT, unless Bandada runs already")
        found = await findings(REDIS_URL=redis_url, PORT="8000", METRICS_PORT="8000")
        assert said(found, "METRICS_PORT:").level is Level.FAIL
    found = await findings(REDIS_URL=redis_url, HOST="127.0.0.1", PORT=str(port), METRICS_PORT="9", METRICS_HOST="a..b")
    assert said(found, "PORT:") == Finding(Level.OK, f"PORT: 127.0.0.1:{port} is free")


async def test_a_host_that_is_none(redis_url: str) -> None:
    found = await findings(REDIS_URL=redis_url, METRICS_PORT="9999", METRICS_HOST="192.0.2.1")
    assert said(found, "METRICS_PORT: 192.0.2.1:9999 cannot be used (").level is Level.FAIL


async def test_the_disk(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    variables = {"BANDADA_DATA_DIR": str(folder / "not" / "yet")}
    assert said(await findings(**variables), "disk:").level is Level.OK
    monkeypatch.setattr(doctor, "FREE_BYTES", 10**18)
    line = said(await findings(**variables), "disk:")
    assert (line.level, line.line.endswith(": make room, or set BANDADA_DATA_DIR to another disk")) == (
        Level.WARN,
        True,
    )
    monkeypatch.setattr(doctor, "LEAST_BYTES", 10**18)
    assert said(await findings(**variables), "disk:").level is Level.FAIL
    assert files(folder) == [], "nothing is left behind"


# ---- the server ------------------------------------------------------------------------------------------------------


async def test_a_private_server_is_started_and_stopped(folder: Path) -> None:
    found = await findings(BANDADA_DATA_DIR=str(folder))
    assert said(found, f"games: kept by a private server in {folder}, which answers and saves: ").level is Level.OK
    assert "valkey.sock" not in files(folder)


async def test_the_server_s_program(folder: Path) -> None:
    program = folder / "server"
    program.write_text(f'#!/bin/sh\ntouch {folder}/used\nexec {find_binary()} "$@"\n')
    program.chmod(0o755)
    (folder / ".env").write_text(f"REDIS_SERVER_BIN={program}\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("REDIS_SERVER_BIN", "")  # put back afterwards
        assert worst(await findings(BANDADA_DATA_DIR=str(folder / "games"))) is not Level.FAIL
        assert (folder / "used").exists()
        found = await findings(BANDADA_DATA_DIR=str(folder / "games"), REDIS_SERVER_BIN="/no/such/program")
    assert said(found, "games: REDIS_SERVER_BIN is no program: /no/such/program").level is Level.FAIL


async def test_a_server_that_would_lose_games(redis_url: str, redis_client: Redis) -> None:
    found = await findings(REDIS_URL=redis_url)
    assert any(f.level is Level.WARN and "appendonly yes" in f.line for f in found), "the tests' server keeps nothing"
    assert await redis_client.dbsize() <= 1, "what was tried passes by itself"


async def test_a_server_that_is_away_or_takes_nothing(folder: Path) -> None:
    found = await findings(REDIS_URL=f"unix://{folder}/nobody")
    assert said(found, "games: the server of REDIS_URL cannot be reached: ").level is Level.FAIL
    with own_server(folder / "full", {"maxmemory": "1"}) as url:
        assert said(await findings(REDIS_URL=url), "games: the server of REDIS_URL cannot save: ").level is Level.FAIL


async def test_a_server_that_is_too_old(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connect, "_OLDEST", 99)
    found = await findings(REDIS_URL=redis_url)
    (line,) = (finding for finding in found if "is too old: use Redis 7, Valkey 8 or newer" in finding.line)
    assert line.level is Level.FAIL


# ---- fonts, exit code ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("there", [True, False])
def test_fonts(folder: Path, there: bool) -> None:
    fonts = FontBook(ByteCache(1000), [folder])
    fonts.can_shape = there
    fonts.cjk = [folder] if there else []
    fonts.emoji = fonts.ui if there else None
    found = list(doctor._fonts(fonts))
    assert [finding.level for finding in found] == [Level.OK if there else Level.WARN] * 3
    assert all("install" in finding.line for finding in found) is not there


@pytest.mark.parametrize(("port", "code"), [("1x", 1), ("", 0)])
def test_the_exit_code_tells(redis_url: str, port: str, code: int) -> None:
    result = bandada("doctor", REDIS_URL=redis_url, PORT=port)
    assert (result.exit_code, result.stderr) == (code, "")
    lines = result.stdout.splitlines()
    assert len(lines) > 5
    assert all(re.match(r"(OK   |WARN |FAIL ) \S", line) for line in lines)
    assert any(line.startswith("FAIL") for line in lines) is bool(code)
