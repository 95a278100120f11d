"""Whole conversations as text: what people type and press, and every word that comes back.

A script line is ``Name: text``, ``Name presses Label`` (on the newest message with such a button that he can see), or
``# comment``, ``wait 73 hours``, ``language es``. The answers below it are compared; ``BANDADA_GOLDEN=1`` writes
them anew, and the change is read in the review.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from redis.asyncio import Redis

from bot.messages import Outgoing
from tests.bot.harness import World, transcript

HERE = Path(__file__).parent / "conversations"
SCRIPTS = sorted(HERE.glob("*.txt"))


async def _play(world: World, script: list[str], lines: list[str]) -> None:
    said: list[Outgoing] = []
    for line in script:
        lines.append(line)
        if not line or line.startswith("#"):
            continue
        if found := re.fullmatch(r"wait (\d+) hours", line):
            world.clock.forward(hours=int(found[1]))
            await world.core.service.expire(world.clock.now_ms() // 1000)
            new = await world.delivered()
        elif found := re.fullmatch(r"language (\w*)", line):
            world.language = found[1]
            continue
        elif found := re.fullmatch(r"(\w+) presses (.+)", line):
            new = await world.press(found[1], _payload(said, world.person(found[1]).id, found[2]))
        else:
            name, _, text = line.partition(": ")
            new = await world.say(name, text.replace("\\n", "\n"))
        said += new
        for outgoing in new:
            lines += transcript(outgoing)


def _payload(said: list[Outgoing], person: str, label: str) -> str:
    for outgoing in reversed(said):
        if outgoing.only_for not in (None, person):
            continue
        for row in outgoing.buttons:
            for button in row:
                if button.label == label:
                    return button.payload
    raise AssertionError(f"nobody offers the button {label!r}")


@pytest.mark.parametrize("path", SCRIPTS, ids=[path.stem for path in SCRIPTS])
async def test_conversation(path: Path, redis_client: Redis) -> None:
    expected = _read(path)
    script = [line for line in expected if not line.startswith("  ")]
    lines: list[str] = []
    try:
        await _play(World(redis_client), script, lines)
    finally:
        if os.environ.get("BANDADA_GOLDEN") == "1":
            _write(path, [*lines, *script[_typed(lines) :]])
    assert lines == expected


def _read(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def _write(path: Path, lines: list[str]) -> None:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _typed(lines: list[str]) -> int:
    return sum(not line.startswith("  ") for line in lines)


def test_there_are_conversations_in_all_languages() -> None:
    assert {path.stem[-2:] for path in SCRIPTS} == {"en", "es", "ru"}
