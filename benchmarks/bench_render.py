"""What a picture costs: a new move, a cold start, a replay, memory after a thousand boards; and what a peer takes."""

from __future__ import annotations

import itertools
import random
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from benchmarks import svg_peer
from benchmarks.machine import slowness
from renderers.png import Renderer
from renderers.replay import replay
from renderers.scene import Card, CardState, Scene
from renderers.theme import THEMES
from rules import GAMES
from rules.core import Change, Game, Position, Side

MATCHES: Final = 4  # a board
MOVES: Final = 40  # a match
BOARDS: Final = 1000

NEW_MOVE_MEDIAN: Final = 5.0  # milliseconds on the reference machine
NEW_MOVE_P95: Final = 15.0
LARGEST: Final = 100_000  # bytes
COLD_START: Final = 1.0  # seconds
REPLAY_SECONDS: Final = 0.3
REPLAY_BYTES: Final = 300_000
PEER_RATIO: Final = 15.0  # how many times longer the peer may at least take for the same position

_SYLLABLES: Final = ("А", "ле", "ксан", "дра", "Jo", "sé", "Nú", "ñez", "Ζω", "ή", "علي", "דוד", "सीता", "สม", "თამარ")


def names(dice: random.Random) -> tuple[str, str]:
    """Two names that were most likely never drawn before."""
    first, second = ("".join(dice.choices(_SYLLABLES, k=4)) + str(dice.randrange(10_000)) for _ in Side)
    return first, second


def scene(position: Position, change: Change, players: tuple[str, str], theme: str) -> Scene:
    """The picture of *position* after *change*, as a chat would see it."""
    cards = []
    for side, name in zip(Side, players, strict=True):
        moves = side is position.to_move
        line = f"{len(position.groups(side))} units · {position.pieces(side).bit_count()} pieces"
        state = CardState.TO_MOVE if moves else CardState.WAITS
        cards.append(Card(name, f"To move · {line}" if moves else line, state))
    board = position.board
    return Scene(
        game=position.game.key,
        size=position.size,
        cards=(cards[0], cards[1]),
        first=board.names(position.pieces(Side.FIRST)),
        second=board.names(position.pieces(Side.SECOND)),
        mover=position.to_move.other.value,
        moved=change.moved,
        added=change.added,
        removed=change.removed,
        theme=theme,
    )


def match(game: Game, size: int, theme: str, dice: random.Random, moves: int) -> Iterator[Scene]:
    """The pictures of a random match of at most *moves* moves, the opening's first."""
    position, players = game.opening(size), names(dice)
    yield scene(position, Change(), players, theme)
    for _ in range(moves):
        if position.outcome() is not None:
            return
        move = dice.choice(position.legal_moves())
        change, position = position.change(move), position.play(move)
        yield scene(position, change, players, theme)


def boards() -> list[tuple[Game, int, str]]:
    """Every game, size and theme that people are offered."""
    return [(game, size, theme) for game in GAMES.values() for size in game.sizes for theme in THEMES]


def new_moves(slow: float) -> None:
    """Print what a picture never drawn before costs, by game and theme."""
    renderer, dice = Renderer(), random.Random(1)
    all_times, all_sizes = [], []
    for game, theme in itertools.product(GAMES.values(), THEMES):
        times, sizes = [], []
        for size in game.sizes:
            renderer.warm(game.key, size, theme)
            for picture in itertools.chain(*(match(game, size, theme, dice, MOVES) for _ in range(MATCHES))):
                started = time.perf_counter()
                data = renderer.draw(picture)
                times.append((time.perf_counter() - started) * 1000 / slow)
                sizes.append(len(data))
        _line(f"new move, {game.key} {theme}", times, sizes)
        all_times += times
        all_sizes += sizes
    _line("new move, all", all_times, all_sizes)
    _verdict("median", statistics.median(all_times), NEW_MOVE_MEDIAN, "ms")
    _verdict("p95", _p95(all_times), NEW_MOVE_P95, "ms")
    _verdict("largest", max(all_sizes), LARGEST, "bytes")


def shuffled(slow: float) -> None:
    """Print the same with all games, sizes and themes mixed, and what is kept after it."""
    renderer, dice = Renderer(), random.Random(2)
    pictures = [
        picture
        for game, size, theme in boards()
        for picture in itertools.islice(match(game, size, theme, dice, 60), 31)
    ]
    dice.shuffle(pictures)
    pictures = [*pictures, *pictures][:BOARDS]
    times, most = [], 0
    for picture in pictures:
        started = time.perf_counter()
        renderer.draw(picture)
        times.append((time.perf_counter() - started) * 1000 / slow)
        most = max(most, renderer.cached_bytes)
    _line(f"{len(pictures)} boards of all kinds mixed, cold", times, [])
    print(f"  kept at most {most / 1e6:.1f} MB; the process grew to {_peak_mb():.0f} MB")
    _verdict("kept", most, renderer.limit, "bytes")


def cold(slow: float) -> None:
    """Print what the first picture of a game and theme costs, in a process of its own."""
    for game, theme in itertools.product(GAMES.values(), THEMES):
        code = (
            "import time; started = time.perf_counter()\n"
            "from renderers.png import Renderer; imported = time.perf_counter()\n"
            "renderer = Renderer()\n"
            f"renderer.warm({game.key!r}, {game.default_size}, {theme!r})\n"
            "print(imported - started, time.perf_counter() - imported)"
        )
        ran = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
        imported, warmed = (float(part) / slow for part in ran.stdout.split())
        print(f"cold start, {game.key} {theme}: import {imported:.2f} s, warm {warmed:.2f} s")
        _verdict("cold start", imported + warmed, COLD_START, "s")


def replays(slow: float) -> None:
    """Print what a match of 60 moves costs as a GIF."""
    for game, theme in itertools.product(GAMES.values(), THEMES):
        renderer, dice = Renderer(), random.Random(3)
        renderer.warm(game.key, game.default_size, theme)
        pictures: Sequence[Scene] = ()
        while len(pictures) < 61:
            pictures = list(match(game, game.default_size, theme, dice, 60))
        started = time.perf_counter()
        data = replay(pictures, renderer)
        seconds = (time.perf_counter() - started) / slow
        print(f"replay of 60 moves, {game.key} {theme}: {seconds:.2f} s, {len(data) / 1000:.0f} kB")
        _verdict("time", seconds, REPLAY_SECONDS, "s")
        _verdict("size", len(data), REPLAY_BYTES, "bytes")


def peer(slow: float) -> None:
    """Print what the same positions cost as SVG, built from the same scenes and drawn by resvg.

    Ours is the new move of a match that is played on: each picture is drawn once, and the peer draws every twentieth.
    """
    renderer, dice = Renderer(), random.Random(4)
    worst = []
    for game in GAMES.values():
        ours, theirs = [], []
        for size, theme in itertools.product(game.sizes, THEMES):
            renderer.warm(game.key, size, theme)
            for number, picture in enumerate(match(game, size, theme, dice, MOVES)):
                took = _milliseconds(renderer.draw, picture) / slow
                if number % 20 == 10:
                    ours.append(took)
                    theirs.append(_milliseconds(svg_peer.draw, picture) / slow)
        _line(f"peer, {game.key}: the renderer", ours, [])
        _line(f"peer, {game.key}: SVG and resvg_py", theirs, [])
        worst.append(statistics.median(theirs) / statistics.median(ours))
    _verdict_at_least("ratio of the medians", min(worst), PEER_RATIO)


def main() -> None:
    """Print all figures, times divided by how much slower this machine is than the reference."""
    slow = slowness()
    print(f"this machine is {slow:.2f} times slower than the reference; times are divided by that")
    cold(slow)
    new_moves(slow)
    replays(slow)
    shuffled(slow)
    peer(slow)


def _p95(times: Sequence[float]) -> float:
    return statistics.quantiles(times, n=20)[-1]


def _line(what: str, times: Sequence[float], sizes: Sequence[int]) -> None:
    weight = f", mean {statistics.mean(sizes) / 1000:.0f} kB, largest {max(sizes) / 1000:.0f} kB" if sizes else ""
    print(
        f"{what}: {len(times)} pictures, median {statistics.median(times):.1f} ms, p95 {_p95(times):.1f} ms, "
        f"longest {max(times):.0f} ms{weight}"
    )


def _verdict(what: str, value: float, bound: float, unit: str) -> None:
    print(f"  {'ok' if value <= bound else 'TOO MUCH'}: {what} {value:.4g} {unit}, at most {bound:g}")


def _verdict_at_least(what: str, value: float, bound: float) -> None:
    print(f"  {'ok' if value >= bound else 'TOO LITTLE'}: {what} {value:.4g}, at least {bound:g}")


def _milliseconds(draw: Callable[[Scene], bytes], picture: Scene) -> float:
    started = time.perf_counter()
    draw(picture)
    return (time.perf_counter() - started) * 1000


def _peak_mb() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1e6 if sys.platform == "darwin" else peak / 1e3


if __name__ == "__main__":
    main()
