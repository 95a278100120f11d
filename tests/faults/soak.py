"""One run: people play, somebody kills processes, and in the end everything comes to rest and is judged."""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from storage.base import MatchId, StoredMatch, StoreUnavailableError
from storage.codec import MatchCodec
from storage.connect import connect
from storage.dump import MatchLine, read
from storage.embedded import ensure_server, stop_server
from storage.redis_store import RedisStore
from tests.faults.judge import Evidence, judge, repeats
from tests.faults.loopback import CALM, Platform, Trouble
from tests.faults.players import Crowd, Size
from tests.faults.processes import Bots
from tests.faults.wire import PLATFORM

CROWD: Final = Size()
TROUBLE: Final = Trouble()


@dataclass(frozen=True, slots=True)
class Run:
    """How a run is to be.

    It takes *seconds*, and longer until *kills* processes were killed and *boards* have arrived; then everything may
    take *rest_seconds* to come to rest. *kill_seconds* are the shortest and the longest time between two kills.
    """

    seconds: float
    seed: int
    kills: int = 0
    boards: int = 0
    rest_seconds: float = 40.0
    bots: int = 3
    crowd: Size = CROWD
    pause: float = 0.25
    trouble: Trouble = TROUBLE
    kill_seconds: tuple[float, float] = (2.0, 3.6)
    planted: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found wrong, and what the run was like."""

    wrong: tuple[str, ...]
    figures: Mapping[str, int]

    def __str__(self) -> str:
        return ", ".join(f"{number} {what}" for what, number in self.figures.items())


async def run(wanted: Run, data_dir: Path) -> Verdict:
    """Play, kill, come to rest, judge."""
    rng = random.Random(wanted.seed)
    platform = Platform(random.Random(rng.random()), wanted.trouble)
    await platform.start()
    url = await asyncio.to_thread(ensure_server, data_dir)
    bots = Bots(platform.url, data_dir, wanted.bots, wanted.planted)
    client = connect(url)
    try:
        crowd = Crowd(platform, random.Random(rng.random()), wanted.crowd, wanted.pause)
        await _ready(platform, bots)
        async with asyncio.TaskGroup() as group:
            group.create_task(crowd.play())
            await _kill(bots, platform, rng, wanted)
            crowd.stop()
        platform.trouble = CALM
        store = RedisStore(client)
        rested = await _rest(platform, bots, store, wanted.rest_seconds)
        await asyncio.to_thread(bots.close)
        export = await asyncio.to_thread(_export, data_dir)
    finally:
        await asyncio.to_thread(bots.close)
        await client.aclose()
        await platform.stop()
        await asyncio.to_thread(stop_server, data_dir)
    evidence = Evidence(list(platform.deeds.values()), platform.messages, bots.deaths, export)
    wrong = [*judge(evidence), *bots.unexpected, *([] if rested else ["undelivered: the outbox does not get empty"])]
    return Verdict(tuple(wrong), _figures(platform, bots, evidence))


async def _ready(platform: Platform, bots: Bots) -> None:
    """Return when every process asks for updates, or one of them has ended."""
    while not bots.unexpected and not platform.bots.issuperset(bots.names):
        await asyncio.sleep(0.05)
        bots.mourn()
    assert not bots.unexpected, bots.unexpected


async def _kill(bots: Bots, platform: Platform, rng: random.Random, wanted: Run) -> None:
    """Kill one process after the other for as long as the run takes, and start others in their place."""
    end = time.monotonic() + wanted.seconds
    async with asyncio.TaskGroup() as group:
        while time.monotonic() < end or bots.kills < wanted.kills or len(platform.messages) < wanted.boards:
            await asyncio.sleep(rng.uniform(*wanted.kill_seconds))
            bots.mourn()
            if not any(name in platform.bots for name in bots.names):
                continue  # a slow machine: else nobody would ever do anything
            victim = rng.choice(bots.names)
            chance = rng.random()
            if chance < 0.1 and victim in platform.bots:
                bots.start()
                group.create_task(asyncio.to_thread(bots.stop, victim))
            elif chance < 0.6 or not await asyncio.to_thread(bots.kill_server):
                await asyncio.to_thread(bots.kill, victim)
                bots.start()


async def _rest(platform: Platform, bots: Bots, store: RedisStore, seconds: float) -> bool:
    """True once nothing is to be done any more: no update, no board; False if that takes too long."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        await asyncio.sleep(0.2)
        bots.mourn()
        try:
            if platform.is_settled and not await store.behind([PLATFORM], 10**15):
                return True
        except StoreUnavailableError:
            continue
    return False


def _export(data_dir: Path) -> dict[MatchId, StoredMatch]:
    """All matches as `bandada storage export` writes them."""
    file = data_dir.parent / f"{data_dir.name}.jsonl"
    command = (sys.executable, "-c", "from bot.cli import main; main()", "storage", "export", str(file))
    # Settings of whoever runs the tests must not reach it.
    environment = {key: value for key, value in os.environ.items() if key in ("PATH", "HOME", "LANG", "TMPDIR")}
    subprocess.run(
        [*command, "--data-dir", str(data_dir)], cwd=data_dir, env=environment, check=True, stdout=subprocess.DEVNULL
    )
    codec = MatchCodec()
    found: dict[MatchId, StoredMatch] = {}
    with file.open("rb") as lines:
        for line in read(lines):
            if isinstance(line, MatchLine):
                match = MatchId(line.id)
                found[match] = codec.decode(match, line.version, bytes(line.record), tuple(line.operations))
    return found


def _figures(platform: Platform, bots: Bots, evidence: Evidence) -> dict[str, int]:
    deliveries = sum(deed.deliveries for deed in evidence.deeds)
    boards = sum(message.sent.board for message in evidence.messages)
    return {
        "kills of bots": bots.counts["bots"],
        "kills of the server": bots.counts["servers"],
        "updates": len(evidence.deeds),
        "redeliveries": deliveries - len(evidence.deeds),
        "matches": len(evidence.matches),
        "moves": sum(len(stored.match.tokens) for stored in evidence.matches.values()),
        "boards": boards,
        "repeats": sum(1 for _ in repeats(evidence)),
        "sends that failed": sum(
            platform.counts[name] for name in ("wait", "refuse", "cut", "refuse_after", "cut_after")
        ),
    }
