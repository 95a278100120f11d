"""Looks at everything that a host can get wrong, and says in one line each what to do.

Values of settings are never shown: they may be secret. The server is tried for real; else nothing is changed.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import contextlib
import difflib
import errno
import os
import platform
import re
import secrets
import shutil
import socket
import stat
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from importlib.metadata import version
from pathlib import Path
from typing import Final

from bot.adapters.discord_adapter.permissions import invite_link
from bot.config import PARTS, VARIABLES, Config, ConfigError, load, read_environment
from bot.server import StartError, reached, use_server_program
from renderers.fontbook import FontBook
from renderers.png import Renderer
from storage.base import Place, StoreUnavailableError
from storage.connect import server_info
from storage.redis_store import RedisStore

FREE_BYTES: Final = 500_000_000
"""Less room than this on the disk of the games is worth a warning: a full disk stops all games."""

LEAST_BYTES: Final = 50_000_000
"""With less than this there will soon be none."""


class Level(StrEnum):
    """How bad a finding is; only FAIL keeps Bandada from running."""

    OK = "OK"
    WARN = "WARN"
    FAIL = "FAIL"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line for the host: what was looked at, and what to do if it is not right. Holds no secret."""

    level: Level
    line: str


async def examine(environment: Mapping[str, str], dotenv: Path) -> AsyncIterator[Finding]:
    """All findings, one after the other, for the settings in *environment* and in the file *dotenv*."""
    yield Finding(Level.OK, f"Bandada {version('bandada')}, Python {platform.python_version()}, {platform.platform()}")
    try:
        of_file = read_environment({}, dotenv)
    except ConfigError as error:
        yield Finding(Level.FAIL, f"settings: {error}")
        of_file = {}
    for finding in _file(dotenv, of_file):
        yield finding
    variables = {**of_file, **environment}
    config, findings = _settings(variables)
    for finding in (*findings, *_platforms(config), *_ports(config)):
        yield finding
    if not config.redis_url:
        for finding in _disk(config.data_dir):
            yield finding
    # Of an address that is none enough was said.
    if config.redis_url or not variables.get("REDIS_URL", "").strip():
        async for finding in _games(config, variables.get("REDIS_SERVER_BIN", "")):
            yield finding
    for finding in await asyncio.to_thread(lambda: tuple(_fonts(Renderer().fonts))):
        yield finding


# ---- settings --------------------------------------------------------------------------------------------------------


def _file(dotenv: Path, of_file: Mapping[str, str]) -> Iterator[Finding]:
    if not of_file:
        return
    for name in of_file:
        if name not in VARIABLES:
            meant = difflib.get_close_matches(name, VARIABLES, 1)
            hint = f"did you mean {meant[0]}?" if meant else "see .env.example"
            yield Finding(Level.WARN, f"settings: {name[:60]} in {dotenv} is none; {hint}")
    is_open = os.name == "posix" and stat.S_IMODE(dotenv.stat().st_mode) & 0o077
    if is_open and any(name.endswith(("_TOKEN", "_SECRET")) or name == "REDIS_URL" for name in of_file):
        yield Finding(
            Level.WARN, f"settings: others on this machine may read the secrets in {dotenv}: chmod 600 {dotenv}"
        )


def _settings(variables: Mapping[str, str]) -> tuple[Config, list[Finding]]:
    """The settings as far as they make sense, and a line for each that does not."""
    findings: list[Finding] = []
    good: dict[str, str] = {}
    for name in VARIABLES:
        if not (text := variables.get(name, "")).strip():
            continue
        try:
            load({name: text})
        except ConfigError as error:
            findings.append(Finding(Level.FAIL, f"settings: {error}"))
        else:
            good[name] = text
    unset = ", ".join(name for name in VARIABLES if not variables.get(name, "").strip())
    findings.append(Finding(Level.OK, f"settings: {', '.join(good) or 'nothing'} set; not set: {unset or 'nothing'}"))
    return load(good), findings


def _platforms(config: Config) -> Iterator[Finding]:
    if config.configured:
        yield Finding(Level.OK, f"platforms: {', '.join(config.configured)}")
    else:
        names = " or ".join(f"{part.upper()}_TOKEN" for part in PARTS)
        yield Finding(Level.WARN, f"platforms: none, so only `bandada play` can run: set {names}")
    application = _discord_application(config.discord_token)
    if application:
        yield Finding(Level.OK, f"discord: whoever manages a server invites it with {invite_link(application)}")
    elif config.discord_token:
        yield Finding(
            Level.WARN,
            "platforms: DISCORD_TOKEN is not made like a bot's token: take the one under Bot, Reset Token, not the "
            "public key or the client secret",
        )
    if config.telegram_token and not re.fullmatch(r"\d{6,12}:[A-Za-z0-9_-]{35}", config.telegram_token):
        yield Finding(
            Level.WARN, "platforms: TELEGRAM_TOKEN is longer or shorter than tokens are: copy it again from @BotFather"
        )
    if config.public_url and not config.telegram_token:
        yield Finding(Level.WARN, "platforms: PUBLIC_URL is set, but TELEGRAM_TOKEN is not: nothing is delivered there")
    if config.public_url and config.port is None:
        level = Level.FAIL if config.telegram_token else Level.WARN
        yield Finding(
            level, "platforms: PUBLIC_URL is set, but PORT is not: set it to the port that your proxy sends to"
        )


def _discord_application(token: str) -> str:
    """The application's id, which is public: the first of a token's three parts, in Base64; or the empty string."""
    first, *others = token.split(".")
    try:
        number = base64.urlsafe_b64decode(first + "=" * (-len(first) % 4))
    except binascii.Error:
        return ""
    return number.decode() if len(others) == 2 and number.isdigit() else ""


# ---- the machine -----------------------------------------------------------------------------------------------------


def _ports(config: Config) -> Iterator[Finding]:
    if config.port is not None and config.port == config.metrics_port:
        yield Finding(Level.FAIL, f"METRICS_PORT: is {config.port}, as PORT is: choose another METRICS_PORT")
        return
    wanted = (("PORT", config.host, config.port), ("METRICS_PORT", config.metrics_host, config.metrics_port))
    for name, host, port in wanted:
        if port is None:
            continue
        at = f"{name}: {host}:{port}"
        try:
            with socket.create_server((host, port)):
                yield Finding(Level.OK, f"{at} is free")
        except OSError as error:
            # A Bandada that runs has its ports: nothing is wrong then.
            level = Level.WARN if error.errno == errno.EADDRINUSE else Level.FAIL
            advice = f"choose another {name}" + (", unless Bandada runs already" if level is Level.WARN else " or host")
            yield Finding(level, f"{at} cannot be used ({error.strerror}): {advice}")


def _disk(data_dir: Path) -> Iterator[Finding]:
    there = next(folder for folder in (data_dir, *data_dir.absolute().parents) if folder.exists())
    if not os.access(there, os.W_OK | os.X_OK):
        yield Finding(Level.FAIL, f"disk: {there} may not be written to: set BANDADA_DATA_DIR to another directory")
    free = shutil.disk_usage(there).free
    line = f"disk: {free / 1e9:.1f} GB free where the data directory is"
    if free >= FREE_BYTES:
        yield Finding(Level.OK, line)
    else:
        level = Level.WARN if free >= LEAST_BYTES else Level.FAIL
        yield Finding(level, f"{line}: make room, or set BANDADA_DATA_DIR to another disk")


async def _games(config: Config, program: str) -> AsyncIterator[Finding]:
    where = "the server of REDIS_URL" if config.redis_url else f"a private server in {config.data_dir}"
    with contextlib.ExitStack() as stack:
        if not config.redis_url and not config.data_dir.exists():
            elsewhere = stack.enter_context(tempfile.TemporaryDirectory(prefix="bandada-"))
            config = replace(config, data_dir=Path(elsewhere))
            where += " (which does not exist yet; it was tried elsewhere)"
        try:
            use_server_program(program)
            async with reached(config) as (client, warnings):
                info = await server_info(client)
                holder = secrets.token_hex(8)
                await RedisStore(client).lease(Place("doctor", holder), holder, 1000)
                yield Finding(Level.OK, f"games: kept by {where}, which answers and saves: {info.name} {info.version}")
                if not info.supported:
                    yield Finding(
                        Level.FAIL, f"games: {info.name} {info.version} is too old: use Redis 7, Valkey 8 or newer"
                    )
                for line in warnings:
                    yield Finding(Level.WARN, f"games: {line}")
        except StoreUnavailableError as error:
            yield Finding(Level.FAIL, f"games: {where} cannot save: {error}")
        except StartError as error:
            yield Finding(Level.FAIL, f"games: {' '.join(str(error).split())}")


def _fonts(fonts: FontBook) -> Iterator[Finding]:
    if fonts.can_shape:
        yield Finding(Level.OK, "names: Arabic, Devanagari and their like are joined (FriBiDi is there)")
    else:
        yield Finding(
            Level.WARN,
            "names: Arabic, Devanagari and their like come out letter by letter: install FriBiDi (Debian: libfribidi0)",
        )
    for found, what, package in (
        (fonts.cjk, "Chinese, Japanese and Korean", "fonts-noto-cjk"),
        (fonts.emoji, "emoji", "fonts-noto-color-emoji"),
    ):
        if found:
            yield Finding(Level.OK, f"names: {what} can be drawn")
        else:
            yield Finding(Level.WARN, f"names: {what} are left out of pictures: install a font (Debian: {package})")
