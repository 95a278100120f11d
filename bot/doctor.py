"""Looks at everything that a host can get wrong, and says in one line each what to do. Changes nothing."""

from __future__ import annotations

import shutil
import socket
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from bot.config import PARTS, Config, ConfigError, load
from bot.server import StartError, reached
from renderers.fontbook import FontBook
from renderers.png import Renderer

FREE_BYTES: Final = 500_000_000
"""Less room than this on the disk of the games is worth a warning: a full disk stops all games."""

SETTINGS: Final = (
    "DISCORD_TOKEN",
    "DISCORD_SHARDS",
    "TELEGRAM_TOKEN",
    "TELEGRAM_WEBHOOK_SECRET",
    "TELEGRAM_SENDS_PER_SECOND",
    "REDIS_URL",
    "REDIS_SERVER_BIN",
    "BANDADA_DATA_DIR",
    "BANDADA_LANGUAGE",
    "PUBLIC_URL",
    "HOST",
    "PORT",
    "METRICS_PORT",
    "METRICS_HOST",
    "LOG_LEVEL",
    "LOG_FORMAT",
)


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


async def examine(variables: Mapping[str, str]) -> AsyncIterator[Finding]:
    """All findings, one after the other, for the settings in *variables*."""
    try:
        config = load(variables)
    except ConfigError as error:
        yield Finding(Level.FAIL, str(error))
        return
    chosen = [name for name in SETTINGS if variables.get(name, "").strip()]
    yield Finding(Level.OK, f"settings: {', '.join(chosen) if chosen else 'all left at their defaults'}")
    yield _platforms(config)
    async for finding in _games(config):
        yield finding
    yield _disk(config.data_dir)
    for finding in (*_fonts(Renderer().fonts), *_ports(config)):
        yield finding


def _platforms(config: Config) -> Finding:
    if config.configured:
        return Finding(Level.OK, f"platforms: {', '.join(config.configured)} (the tokens have the right shape)")
    names = " or ".join(f"{part.upper()}_TOKEN" for part in PARTS)
    return Finding(Level.WARN, f"platforms: none, so only `bandada play` can run: set {names}")


async def _games(config: Config) -> AsyncIterator[Finding]:
    where = "the server of REDIS_URL" if config.redis_url else f"a private server in {config.data_dir}"
    try:
        async with reached(config) as (_, warnings):
            yield Finding(Level.OK, f"games: kept by {where}, which answers")
            for line in warnings:
                yield Finding(Level.WARN, f"games: {line}")
    except StartError as error:
        yield Finding(Level.FAIL, f"games: {error}")


def _disk(data_dir: Path) -> Finding:
    there = next(folder for folder in (data_dir, *data_dir.absolute().parents) if folder.exists())
    free = shutil.disk_usage(there).free
    line = f"disk: {free / 1e9:.1f} GB free where the data directory is"
    if free >= FREE_BYTES:
        return Finding(Level.OK, line)
    return Finding(Level.WARN, f"{line}: make room, or set BANDADA_DATA_DIR to another disk")


def _fonts(fonts: FontBook) -> Iterator[Finding]:
    if fonts.can_shape:
        yield Finding(Level.OK, "names: Arabic, Devanagari and their like are joined (FriBiDi is there)")
    else:
        yield Finding(Level.WARN, "names: Arabic comes out unjoined: install FriBiDi (Debian: libfribidi0)")
    for found, what, package in (
        (fonts.cjk, "Chinese, Japanese and Korean", "fonts-noto-cjk"),
        (fonts.emoji, "emoji", "fonts-noto-color-emoji"),
    ):
        if found:
            yield Finding(Level.OK, f"names: {what} can be drawn")
        else:
            yield Finding(Level.WARN, f"names: {what} are left out of pictures: install a font (Debian: {package})")


def _ports(config: Config) -> Iterator[Finding]:
    wanted = (("PORT", config.host, config.port), ("METRICS_PORT", "127.0.0.1", config.metrics_port))
    for name, host, port in wanted:
        if port is None:
            continue
        try:
            with socket.create_server((host, port), reuse_port=False):
                yield Finding(Level.OK, f"{name}: {host}:{port} is free")
        except OSError as error:
            yield Finding(Level.FAIL, f"{name}: {host}:{port} cannot be used ({error.strerror}): choose another {name}")
