"""A real server for the tests: one for each worker, empty for each test, without a disk.

`TEST_REDIS_URL` names another one, whose databases (0, 1, … by worker) are emptied before each test.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator
from contextlib import closing

import pytest
import pytest_asyncio
import redis
from redis.asyncio import Redis

from storage.connect import connect
from storage.embedded import ensure_server, stop_server
from storage.redis_store import RedisStore
from storage.transcript import RedisTranscript


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a server that belongs to the tests of this worker."""
    if url := os.environ.get("TEST_REDIS_URL"):
        worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
        yield f"{url}{'&' if '?' in url else '?'}db={worker}"
        return
    data_dir = tmp_path_factory.mktemp("redis")
    url = ensure_server(data_dir, settings={"appendonly": "no", "save": ""})
    yield url
    left_alone = stop_server(data_dir)
    if not left_alone:
        with closing(redis.Redis.from_url(url)) as client:
            client.shutdown(nosave=True)
    assert left_alone, "a test left a client connected"


@pytest_asyncio.fixture
async def redis_client(redis_url: str) -> AsyncIterator[Redis]:
    """A client of an empty server."""
    client = connect(redis_url)
    await client.flushdb()
    yield client
    await client.aclose()


@pytest.fixture
def store(redis_client: Redis) -> RedisStore:
    """An empty store."""
    return RedisStore(redis_client)


@pytest.fixture
def transcript(redis_client: Redis) -> RedisTranscript:
    """An empty transcript."""
    return RedisTranscript(redis_client)
