"""The numbers for the host: what is counted, and how it is written."""

from __future__ import annotations

import asyncio
import logging
import re

import pytest
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from bot.core import build
from bot.messages import Outgoing, Text
from bot.metered import MeteredRender, MeteredSender, MeteredStore
from bot.metrics import LAG_SECONDS, LogMeter, Metrics, measure_lag
from bot.ports import PlaceGoneError, SendLaterError
from rules.actions import Accept
from storage.base import Conflict, Place, StoreUnavailableError
from storage.transcript import RedisTranscript
from tests.bot.harness import PLATFORM, NoRender, World
from tests.bot.table import begun
from tests.storage.matches import BO, after, draft
from tests.web.site import SCENE

LINE = re.compile(
    r'[a-z_]+(\{[a-z]+="([^"\\\n]|\\[\\"n])*"(,[a-z]+="([^"\\\n]|\\[\\"n])*")*\})? (\d+(\.\d+)?(e[+-]\d+)?)'
)


class SetNow:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


def value(metrics: Metrics, name: str) -> float:
    """The value of the line that begins with *name*; 0 if there is none."""
    found = [line for line in metrics.text().splitlines() if line.startswith(f"{name} ")]
    return float(found[0].rpartition(" ")[2]) if found else 0


def metered(client: Redis) -> tuple[World, Metrics]:
    """A world in which all is counted."""
    world, metrics = World(client), Metrics()
    world.store = MeteredStore(client, metrics)
    world.core = build(
        world.store, RedisTranscript(client), NoRender(), language="en", clock=world.clock, metrics=metrics
    )
    world.core.senders[PLATFORM] = MeteredSender(PLATFORM, world.inbox, metrics)
    return world, metrics


def test_the_format() -> None:
    metrics = Metrics()
    metrics.handled('odd "\\\n')
    metrics.sent(1, "telegram", "sent", again=True)
    metrics.looked(3)
    for seconds in (0.001, 0.005, 0.3, 70.0):
        metrics.rendered("png", seconds)
    lines = metrics.text().splitlines()
    families = [line.split()[2] for line in lines if line.startswith("# HELP")]
    assert families == [line.split()[2] for line in lines if line.startswith("# TYPE")]
    assert len(families) == len(set(families)) > 10
    for line in lines:
        assert line.startswith("# ") or LINE.fullmatch(line), line
    assert 'bandada_updates_total{outcome="odd \\"\\\\\\n"} 1' in lines
    assert 'bandada_sends_total{platform="telegram",outcome="sent"} 1' in lines
    assert 'bandada_render_seconds_bucket{kind="png",le="0.005"} 2' in lines
    assert 'bandada_render_seconds_bucket{kind="png",le="0.5"} 3' in lines
    assert 'bandada_render_seconds_bucket{kind="png",le="10"} 3' in lines
    assert 'bandada_render_seconds_bucket{kind="png",le="+Inf"} 4' in lines
    assert 'bandada_render_seconds_count{kind="png"} 4' in lines
    assert 'bandada_render_seconds_sum{kind="png"} 70.306000' in lines
    assert "bandada_saves_total 0" in lines, "what did not happen yet is there too"


async def test_what_comes_of_updates(redis_client: Redis) -> None:
    world, metrics = metered(redis_client)
    stored = await begun(world)
    update = world.incoming("Ana", "b1b2")
    for incoming in (update, update, world.incoming("Ana", "b2b3"), world.incoming("Ana", "/help")):
        await world.handle(incoming)
    await redis_client.hset(f"{{bandada}}:match:{stored.id}", "s", b"x")
    await world.say("Ana", f"/board {stored.id}")
    for outcome, count in {"done": 3, "repeated": 1, "refused": 1, "answered": 1, "damaged": 1}.items():
        assert value(metrics, f'bandada_updates_total{{outcome="{outcome}"}}') == count, outcome
    assert value(metrics, "bandada_saves_total") == 3
    assert value(metrics, f'bandada_sends_total{{platform="{PLATFORM}",outcome="sent"}}') == 3
    assert value(metrics, "bandada_places_behind") == 0


async def test_what_cannot_be_saved(redis_client: Redis) -> None:
    metrics = Metrics()
    store = MeteredStore(redis_client, metrics)
    stored = await store.create(draft(), "op")
    await store.save(after(stored, Accept(BO)), "one")
    with pytest.raises(Conflict):
        await store.save(after(stored, Accept(BO)), "other")
    assert (value(metrics, "bandada_saves_total"), value(metrics, "bandada_save_conflicts_total")) == (2, 1)
    nobody = Redis(unix_socket_path="/nobody", retry=Retry(NoBackoff(), 0))
    away = MeteredStore(nobody, metrics)
    with pytest.raises(StoreUnavailableError):
        await away.create(draft(), "op")
    with pytest.raises(StoreUnavailableError):
        await away.save(stored, "op")
    assert value(metrics, "bandada_store_errors_total") == 2
    core = build(away, RedisTranscript(nobody), NoRender(), language="en", metrics=metrics)
    with pytest.raises(StoreUnavailableError):
        await core.handle(World(redis_client).incoming("Ana", "/help"))
    assert value(metrics, 'bandada_updates_total{outcome="unavailable"}') == 1
    await nobody.aclose()


class Planned:
    """A sender that does what it is told."""

    def __init__(self) -> None:
        self.error: Exception | None = None

    async def send(self, outgoing: Outgoing) -> str:
        del outgoing
        if self.error is not None:
            raise self.error
        return "1"

    async def retire(self, place: Place, message: str) -> None:
        del place, message


async def test_what_comes_of_sends() -> None:
    now = SetNow()
    metrics, planned = Metrics(now), Planned()
    sender = MeteredSender("telegram", planned, metrics)
    board = Outgoing(Place("telegram", "1"), (Text("board"),), key="kfwt:3")
    for error in (SendLaterError(1), PlaceGoneError(), RuntimeError(), RuntimeError()):
        planned.error = error
        with pytest.raises(type(error)):
            await sender.send(board)
    planned.error = None
    assert [await sender.send(board) for _ in range(2)] == ["1", "1"]
    await sender.retire(board.place, "1")
    for outcome, count in {"sent": 2, "later": 1, "gone": 1, "failed": 2}.items():
        assert value(metrics, f'bandada_sends_total{{platform="telegram",outcome="{outcome}"}}') == count
    # Of the six the fourth and the fifth follow one of which nobody knew what came of it.
    assert value(metrics, 'bandada_sends_repeated_total{platform="telegram"}') == 2
    assert metrics.seconds_under_way() == 0


async def test_pictures_are_timed() -> None:
    metrics, now = Metrics(), SetNow()

    class Slow(NoRender):
        async def png(self, scene: object) -> bytes:
            del scene
            now.seconds += 0.75
            return b""

    render = MeteredRender(Slow(), metrics, now)
    await render.png(SCENE)
    await render.gif([SCENE])
    assert value(metrics, 'bandada_render_seconds_sum{kind="png"}') == 0.75
    assert value(metrics, 'bandada_render_seconds_count{kind="gif"}') == 1


async def test_how_late_the_loop_is() -> None:
    metrics, now = Metrics(), SetNow()
    task = asyncio.ensure_future(measure_lag(metrics, now))
    await asyncio.sleep(0)
    now.seconds += LAG_SECONDS + 3
    async with asyncio.timeout(5):
        while not value(metrics, "bandada_loop_lag_seconds_count"):  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)
    task.cancel()
    assert value(metrics, "bandada_loop_lag_seconds_sum") == 3


def test_the_log_is_counted() -> None:
    metrics = Metrics()
    handler = LogMeter(metrics)
    for level in (logging.INFO, logging.WARNING, logging.ERROR):
        record = logging.LogRecord("bot", level, __file__, 1, "seen", (), None)
        if level >= handler.level:
            handler.handle(record)
    assert value(metrics, 'bandada_log_lines_total{level="WARNING"}') == 1
    assert value(metrics, 'bandada_log_lines_total{level="ERROR"}') == 1
    assert value(metrics, 'bandada_log_lines_total{level="INFO"}') == 0
