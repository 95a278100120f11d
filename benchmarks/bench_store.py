"""What a move costs in the store, on the private server with a sync to disk for each write, and what a match weighs."""

from __future__ import annotations

import asyncio
import random
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final

from redis.asyncio import Redis

from benchmarks.machine import slowness
from rules import GAMES
from rules.actions import Accept, PersonId, Play
from rules.core import Game
from rules.match import Match, apply, challenge
from storage.base import LOG_LENGTH, LogEntry, MatchId, Place, StoredMatch
from storage.codec import MatchCodec
from storage.connect import connect
from storage.embedded import ensure_server, stop_server
from storage.redis_store import RedisStore

MOVES: Final = 60
MATCHES: Final = 101
SAVES: Final = 300

_ANA: Final = PersonId("discord:184405311681986560")
_BO: Final = PersonId("discord:175928847299117063")
_CHANNEL: Final = Place("discord", "1052961541873750076")
_START: Final = 1_700_000_000


def _operation(number: int) -> str:
    return f"discord:{1_312_345_678_901_234_567 + number * 7_919_000_000}"


def _mover(match: Match) -> PersonId:
    return match.person_to_move or _ANA


def _played(game: Game, rng: random.Random) -> list[Match]:
    """A match after each of `MOVES` random moves, none of which ends the game; first the accepted challenge."""
    while True:
        match, _ = apply(challenge(game, game.default_size, _ANA, _START, invited=_BO), Accept(_BO), _START + 60)
        matches = [match]
        while match.live and len(matches) <= MOVES:
            move = rng.choice(match.record.position.legal_moves())
            match, _ = apply(match, Play(_mover(match), move), _START + 60 * len(matches))
            matches.append(match)
        if match.live:
            return matches


async def _save_all(store: RedisStore, game: Game, rng: random.Random, first_operation: int) -> StoredMatch:
    """A match of `MOVES` moves, saved move by move."""
    matches = _played(game, rng)
    draft = StoredMatch(MatchId(""), 0, matches[0], (_CHANNEL,), ((_ANA, "Ana"), (_BO, "Бо")))
    stored = await store.create(draft, _operation(first_operation))
    for number, match in enumerate(matches[1:], first_operation + 1):
        _, events = apply(stored.match, Play(_mover(stored.match), match.record.moves[-1]), match.changed)
        entries = tuple(LogEntry(stored.version + 1, event) for event in events)
        after = replace(stored, match=match, log=(*stored.log, *entries)[-LOG_LENGTH:])
        stored = await store.save(after, _operation(number))
    await store.mark_pinged(stored.id, _CHANNEL, stored.version)
    await store.mark_shown(stored.id, _CHANNEL, stored.version - 1, "1312345678901234567")
    return stored


def _line(what: str, seconds: list[float], slow: float) -> None:
    median = statistics.median(seconds) * 1000
    p95 = statistics.quantiles(seconds, n=20)[-1] * 1000
    print(f"{what:<52} median {median:7.3f} ms  p95 {p95:7.3f} ms  (reference: {median / slow:.3f}, {p95 / slow:.3f})")


async def _timed(count: int, action: Callable[[int], Awaitable[object]]) -> list[float]:
    seconds = []
    for number in range(count):
        started = time.perf_counter()
        await action(number)
        seconds.append(time.perf_counter() - started)
    return seconds


async def _moves(client: Redis, stored: StoredMatch, slow: float) -> None:
    store = RedisStore(client)
    current = stored

    async def save(number: int) -> None:
        nonlocal current
        current = await store.save(current, f"save:{number}")

    async def load_and_save(number: int) -> None:
        await store.save(await store.load(stored.id) or stored, f"both:{number}")

    _line("save (compare and set, synced)", await _timed(SAVES, save), slow)
    _line("load", await _timed(SAVES, lambda _: store.load(stored.id)), slow)
    _line("load and save", await _timed(SAVES, load_and_save), slow)


async def _at_once(client: Redis, matches: list[StoredMatch]) -> None:
    store = RedisStore(client)

    started = time.perf_counter()
    await asyncio.gather(*(store.save(stored, "at once") for stored in matches))
    seconds = time.perf_counter() - started
    print(f"{len(matches)} matches saved at once: {seconds:.3f} s, {len(matches) / seconds:.0f} moves a second")


async def _weigh(client: Redis, game: Game, slow: float) -> list[StoredMatch]:
    rng = random.Random(1)
    store = RedisStore(client, rng=rng)
    await store.create(  # what is there only once: keys, scripts, connections
        StoredMatch(MatchId(""), 0, challenge(game, game.default_size, _ANA, _START), (_CHANNEL,)), "first"
    )
    before = (await client.info("memory"))["used_memory"]
    matches = [await _save_all(store, game, rng, 100 * number) for number in range(MATCHES)]
    whole = ((await client.info("memory"))["used_memory"] - before) / MATCHES
    own = [await client.memory_usage(f"{{bandada}}:match:{stored.id}", samples=0) or 0 for stored in matches]
    codec = MatchCodec()
    record = codec.encode(matches[-1])
    print(
        f"{game.key}: a match of {MOVES} moves: record {len(record)} bytes, its key {statistics.median(own):.0f} bytes "
        f"of memory, with its entries in all indexes {whole:.0f}"
    )
    decoding = []
    for _ in range(50):
        started = time.perf_counter()
        MatchCodec().decode(matches[-1].id, 1, record, ())
        middle = time.perf_counter()
        codec.decode(matches[-1].id, 1, record, ())
        ended = time.perf_counter()
        codec.encode(matches[-1])
        decoding.append((middle - started, ended - middle, time.perf_counter() - ended))
    for what, seconds in zip(("decode, replayed", "decode, known", "encode"), zip(*decoding, strict=True), strict=True):
        _line(f"{game.key}: {what}", list(seconds), slow)
    return matches


async def _measure(game: Game, url: str, slow: float) -> None:
    client = connect(url)
    matches = await _weigh(client, game, slow)
    await _moves(client, matches[0], slow)
    await _at_once(client, matches[1:])
    await client.aclose()


def main() -> None:
    """Print all figures."""
    slow = slowness()
    for game in GAMES.values():
        with tempfile.TemporaryDirectory() as data_dir:
            asyncio.run(_measure(game, ensure_server(data_dir), slow))
            stop_server(data_dir)
