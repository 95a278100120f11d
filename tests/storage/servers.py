"""Servers of a test's own, which it may kill, stop or fill."""

from __future__ import annotations

import os
import signal
import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

import redis

from storage.embedded import ensure_server, stop_server


@contextmanager
def own_server(data_dir: Path, settings: Mapping[str, str] | None = None) -> Iterator[str]:
    """The URL of a server in *data_dir*, durable unless *settings* say otherwise; stopped afterwards."""
    url = ensure_server(data_dir, settings=settings)
    try:
        yield url
    finally:
        assert stop_server(data_dir), "the server did not stop; is a client still connected?"


def server_pid(data_dir: Path) -> int:
    """The process id of the running server."""
    return int((data_dir / "valkey.pid").read_text())


def kill_server(data_dir: Path) -> None:
    """Kill the server of *data_dir* as a power cut would, and wait until it is gone."""
    pid = server_pid(data_dir)
    os.kill(pid, signal.SIGKILL)
    while _alive(pid):
        time.sleep(0.001)


def _alive(pid: int) -> bool:
    """False too for a process that has ended and that nobody has asked about yet."""
    try:
        os.kill(pid, 0)
        state = Path(f"/proc/{pid}/stat")
        return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


def free_port() -> int:
    """A TCP port that nobody listens on now."""
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def one_node_cluster(data_dir: Path) -> Iterator[str]:
    """The URL of a Redis Cluster of one node, which owns all slots."""
    port = free_port()
    settings = {
        "port": str(port),
        "bind": "127.0.0.1",
        "cluster-enabled": "yes",
        "cluster-port": str(free_port()),
        "appendonly": "no",
        "save": "",
    }
    with own_server(data_dir, settings) as url:
        with closing(redis.Redis.from_url(url)) as client:
            client.cluster("ADDSLOTSRANGE", 0, 16383)
            while client.cluster("INFO")["cluster_state"] != "ok":
                time.sleep(0.02)
        yield f"redis://127.0.0.1:{port}"
