"""Discord over loopback sockets: how soon an interaction is acknowledged, how soon the board stands in the channel.

The bot is the program itself in a process of its own, over a private server that saves to the disk before it answers;
the loopback Discord and the people are in this process. What is slowed down on purpose runs in this process as a whole,
so those numbers hold Discord's part too.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Final

from benchmarks.machine import slowness
from bot.drawing import ThreadRender
from renderers.geometry import POSTED_WIDTH
from renderers.png import Renderer
from renderers.scene import Scene
from storage.connect import connect
from storage.embedded import ensure_server, stop_server
from tests.discord.house import house
from tests.discord.people import Person
from tests.discord.server import DiscordServer
from tests.discord.world import Channel, Interaction
from tests.rules.games import random_record

AT_ONCE: Final = 50
ROUNDS: Final = 4
ALONE: Final = 50

ACKNOWLEDGED_MS: Final = (50.0, 500.0)
BOARD_MS: Final = 60.0
STALLED_MS: Final = 2500.0


def line_of_play(plies: int) -> list[str]:
    """A game of Ayu 9×9, as far as *plies*."""
    return list(random_record("ayu", 9, 1, plies).texts)


class SleepyRenderer(Renderer):
    """Takes three seconds for a board while it is *sleepy*."""

    def __init__(self) -> None:
        super().__init__()
        self.sleepy = threading.Event()

    def draw(self, scene: Scene, width: int = POSTED_WIDTH) -> bytes:
        """See `Renderer.draw`."""
        if self.sleepy.is_set():
            time.sleep(3)
        return super().draw(scene, width)


@contextlib.asynccontextmanager
async def program(service: DiscordServer, folder: str) -> AsyncIterator[None]:
    """``bandada run discord``, ready."""
    environment = {
        "PATH": os.environ["PATH"],
        "TEST_DISCORD_URL": service.url,
        "DISCORD_TOKEN": service.token,
        "BANDADA_DATA_DIR": folder,
        "LOG_LEVEL": "WARNING",
    }
    bot = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.discord.bot_process", "run", "discord", env=environment
    )
    try:
        await service.until(lambda: service.gateway.connections and service.world.commands, 60)
        await asyncio.sleep(8)  # the pictures' parts are made
        yield
    finally:
        bot.terminate()
        await bot.wait()


async def tables(service: DiscordServer, count: int) -> list[tuple[Channel, tuple[Person, Person]]]:
    """So many matches that have begun, each in a channel of its own; the first of the two is to move."""
    made = []
    people = [(service.person(f"Ana {number}"), service.person(f"Бо {number}")) for number in range(count)]
    guild = service.guild("Casa", *(person for pair in people for person in pair))
    for pair in people:
        channel = service.channel(guild)
        await pair[0].slash(channel, "challenge", game="ayu", size=9, pie=False, opponent=pair[1])
        await service.until(lambda channel=channel: channel.public)  # type: ignore[misc]  # bound at once
        await pair[1].press(channel.last, "Accept")
        await service.until(lambda channel=channel: len(channel.public) == 2)  # type: ignore[misc]  # the same
        made.append((channel, pair))
    return made


async def move(channel: Channel, person: Person, text: str) -> tuple[Interaction, float]:
    """The interaction, and the seconds until the board was there."""
    before, start = len(channel.public), time.perf_counter()
    came = asyncio.ensure_future(_comes(channel, before))
    interaction = await person.slash(channel, "move", move=text)
    async with asyncio.timeout(20):
        await came
    return interaction, came.result() - start


async def _comes(channel: Channel, before: int) -> float:
    while len(channel.public) == before:  # noqa: ASYNC110 - the loopback service tells nobody
        await asyncio.sleep(0.001)
    return time.perf_counter()


def told(what: str, seconds: Sequence[float | None], wanted: str) -> None:
    """Print median, 99th percentile and maximum in milliseconds."""
    missing = sum(one is None for one in seconds)
    known = sorted(1000 * one for one in seconds if one is not None)
    p99 = known[min(len(known) - 1, round(0.99 * len(known)))]
    line = f"{what:48} median {statistics.median(known):7.1f} ms   p99 {p99:7.1f} ms   max {known[-1]:7.1f} ms"
    print(f"{line}   ({wanted}){f'   UNANSWERED {missing}' if missing else ''}", flush=True)


async def of_the_program() -> None:
    """One after the other, and fifty at once."""
    moves = line_of_play(ALONE)
    with tempfile.TemporaryDirectory(prefix="bandada-") as folder:
        async with DiscordServer() as service, program(service, folder):
            made = await tables(service, AT_ONCE)
            channel, pair = made[0]
            alone = [await move(channel, pair[ply % 2], text) for ply, text in enumerate(moves)]
            told("one move after the other: acknowledged", [one.seconds for one, _ in alone], "median 50")
            told("one move after the other: board", [seconds for _, seconds in alone], f"median {BOARD_MS:g}")
            many: list[tuple[Interaction, float]] = []
            for ply in range(ROUNDS):
                many += await asyncio.gather(*(move(channel, pair[ply % 2], moves[ply]) for channel, pair in made[1:]))
            told(f"{AT_ONCE - 1} moves at once: acknowledged", [one.seconds for one, _ in many], "median 50, p99 500")
            told(f"{AT_ONCE - 1} moves at once: board", [seconds for _, seconds in many], "no limit")


async def of_what_is_slow() -> None:
    """Fifty at once while a picture takes three seconds; twenty while Redis stalls for one."""
    renderer = SleepyRenderer()
    render = ThreadRender(renderer)
    with tempfile.TemporaryDirectory(prefix="bandada-") as folder:
        client = connect(await asyncio.to_thread(ensure_server, Path(folder)))
        async with DiscordServer() as service, house(service, client, render):
            await render.warm("ayu", 9, "light")
            made = await tables(service, AT_ONCE)
            renderer.sleepy.set()
            text = line_of_play(1)[0]
            acting = [asyncio.ensure_future(pair[0].slash(channel, "move", move=text)) for channel, pair in made]
            await asyncio.sleep(2)
            renderer.sleepy.clear()
            told(
                f"{AT_ONCE} moves while a picture takes 3 s: acknowledged",
                [one.seconds for one in await asyncio.gather(*acting)],
                "median 50, p99 500",
            )
            await client.client_pause(1000)
            seen = await asyncio.gather(*(pair[1].press(channel.public[1], "Move") for channel, pair in made[:20]))
            told("20 presses while Redis stalls for 1 s", [one.seconds for one in seen], f"max {STALLED_MS:g}")
        await client.aclose()
        await asyncio.to_thread(stop_server, Path(folder))
    render.close()


def main() -> None:
    """Print the numbers beside what is wanted of the reference machine."""
    print(f"wanted of the reference machine; this one takes {slowness():.1f} times as long", flush=True)
    asyncio.run(of_the_program())
    asyncio.run(of_what_is_slow())
