"""/healthz and /metrics of a running bot: what they answer when all is well, and when it is not."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Sequence
from pathlib import Path

import pytest
from aiohttp import ClientSession
from redis.asyncio import Redis

from bot import app
from bot.adapters.http import HttpServer, Part
from bot.adapters.status import HealthPart, MetricsPart
from bot.config import Config, load
from bot.core import Core
from bot.health import KEPT_SECONDS, LOOK_SECONDS, SEND_SECONDS, Health
from bot.metrics import Metrics
from bot.server import StartError
from bot.texts import LANGUAGES
from storage.connect import connect
from storage.redis_store import RedisStore
from tests.bot.harness import Inbox
from tests.bot.test_metrics import SetNow
from tests.storage.servers import free_port, own_server, server_pid
from tests.web.site import words


async def test_all_is_well_as_long_as_somebody_looks_and_sends_end(redis_client: Redis) -> None:
    now = SetNow()
    metrics = Metrics(now)
    health = Health(RedisStore(redis_client), metrics, now)
    assert await health.trouble() == ""
    now.seconds += LOOK_SECONDS + 1
    assert await health.trouble() == "the courier has not looked for 31 s what is to be sent"
    metrics.looked(0)
    assert await health.trouble() != "", "the same answer for a moment"
    now.seconds += KEPT_SECONDS
    assert await health.trouble() == ""
    metrics.sending("message")
    now.seconds += SEND_SECONDS + 1
    metrics.looked(0)
    assert await health.trouble() == "a message has been under way for 181 s"
    metrics.sent("message", "telegram", "sent", again=False)
    now.seconds += KEPT_SECONDS
    assert await health.trouble() == ""


@pytest.mark.parametrize("how", ["refuses", "is silent"])
async def test_nothing_can_be_saved(tmp_path: Path, how: str) -> None:
    now = SetNow()
    with own_server(tmp_path) as url:
        client = connect(f"{url}&socket_timeout=0.2")
        health = Health(RedisStore(client), Metrics(now), now)
        assert await health.trouble() == ""
        if how == "refuses":
            await client.config_set("maxmemory", "1")
        else:
            os.kill(server_pid(tmp_path), signal.SIGSTOP)
        now.seconds += KEPT_SECONDS
        assert await health.trouble() == "nothing can be saved: the database does not answer or refuses"
        if how == "refuses":
            await client.config_set("maxmemory", "0")
        else:
            os.kill(server_pid(tmp_path), signal.SIGCONT)
        now.seconds += KEPT_SECONDS
        assert await health.trouble() == ""
        await client.aclose()


async def test_whatever_name_the_server_is_called_by() -> None:
    metrics, troubles = Metrics(), [""]

    async def trouble() -> str:
        return troubles[-1]

    parts: list[Part] = [HealthPart(trouble), MetricsPart(metrics.text)]
    server = HttpServer(parts, words, LANGUAGES, port=0, open_paths=("/healthz",))
    await server.start()
    strange = {"Host": "bandada.internal", "Origin": "http://evil.example"}
    async with ClientSession(server.url) as session:
        async with session.get("/healthz", headers=strange) as answer:
            assert (answer.status, await answer.text()) == (200, "ok\n")
            assert answer.headers["Cache-Control"] == "no-store"
        troubles.append("all is lost")
        async with session.get("/healthz", headers=strange) as answer:
            assert (answer.status, await answer.text()) == (503, "all is lost\n")
        async with session.head("/healthz") as answer:
            assert answer.status == 503
        async with session.get("/metrics", headers=strange) as answer:
            assert answer.status == 403
        async with session.get("/metrics") as answer:
            assert answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
            assert (await answer.text()).startswith("# HELP bandada_updates_total ")
        async with session.post("/healthz") as answer:
            assert answer.status == 405
    await server.stop()


# ---- bandada run -----------------------------------------------------------------------------------------------------


class Quiet(Inbox):
    """A platform on which nobody says anything."""

    async def run(self) -> None:
        await asyncio.Event().wait()


async def told(url: str, path: str, holding: str = "") -> tuple[int, str]:
    """The answer, as soon as somebody listens and it holds the text."""
    async with asyncio.timeout(20), ClientSession() as session:
        while True:
            try:
                async with session.get(url + path) as answer:
                    if holding in (text := await answer.text()):
                        return answer.status, text
            except OSError:
                pass  # not yet
            await asyncio.sleep(0.02)


def settings(url: str, *ports: int) -> Config:
    names: Sequence[str] = ("PORT", "METRICS_PORT")
    given = {name: str(port) for name, port in zip(names, ports, strict=True)}
    return load({"REDIS_URL": url, "TELEGRAM_TOKEN": "123456:" + "a" * 30, "HOST": "127.0.0.1", **given})


async def test_of_a_bot_that_runs(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    platform = Quiet()

    def build(config: Config, core: Core) -> Quiet:
        del config, core
        return platform

    monkeypatch.setattr(app, "PLATFORMS", {"telegram": build})
    port, metrics_port = free_port(), free_port()
    running = asyncio.ensure_future(app.run(settings(redis_url, port, metrics_port), []))
    assert await told(f"http://127.0.0.1:{port}", "/healthz") == (200, "ok\n")
    assert (await told(f"http://127.0.0.1:{port}", "/metrics"))[0] == 404, "not for everybody"
    # The number is there once the courier has looked for the first time.
    assert (await told(f"http://127.0.0.1:{metrics_port}", "/metrics", "bandada_places_behind 0"))[0] == 200
    assert (await told(f"http://127.0.0.1:{metrics_port}", "/healthz"))[0] == 200
    os.kill(os.getpid(), signal.SIGTERM)
    await running


async def test_a_metrics_port_that_is_taken(redis_url: str) -> None:
    port = free_port()
    server = HttpServer([], words, LANGUAGES, port=port)
    await server.start()
    line = rf"^127\.0\.0\.1:{port} cannot be used \(.+\): choose another METRICS_PORT$"
    with pytest.raises(StartError, match=line):
        async with app.opened(settings(redis_url, 1, port)):
            pytest.fail("opened")
    await server.stop()
