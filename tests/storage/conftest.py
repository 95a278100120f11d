"""The stores of these tests run twice: on one server and on a Redis Cluster of one node."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio
from redis.asyncio import Redis
from redis.asyncio.cluster import RedisCluster

from storage.redis_store import RedisStore
from storage.server import Client
from storage.transcript import RedisTranscript
from tests.storage.servers import one_node_cluster


@pytest.fixture(scope="session")
def cluster_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a cluster that belongs to the tests of this worker."""
    with one_node_cluster(tmp_path_factory.mktemp("cluster")) as url:
        yield url


@pytest_asyncio.fixture
async def cluster_client(cluster_url: str) -> AsyncIterator[RedisCluster]:
    """A client of an empty cluster."""
    # The cluster's client knows no pool that lets callers wait, so it may open as many connections as a test needs.
    client = RedisCluster.from_url(cluster_url, max_connections=1000)
    await client.flushdb()
    yield client
    await client.aclose()


@pytest.fixture(params=["server", "cluster"])
def client(request: pytest.FixtureRequest) -> Client:
    """A client of an empty server, or of an empty cluster."""
    name = {"server": "redis_client", "cluster": "cluster_client"}[request.param]
    found = request.getfixturevalue(name)
    assert isinstance(found, Redis | RedisCluster)
    return found


@pytest.fixture
def store(client: Client) -> RedisStore:
    """An empty store."""
    return RedisStore(client)


@pytest.fixture
def transcript(client: Client) -> RedisTranscript:
    """An empty transcript."""
    return RedisTranscript(client)
