"""`bandada arena` on the terminal: a progress bar while games are played, then a table with intervals."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import median
from time import process_time

import click

from computer.arena import GameResult, Score, make_player, play_match
from computer.reference import REFERENCE_SECONDS, loop_seconds


def hold_arena(game: str, size: int, names: tuple[str, str], games: int, *, jobs: int = 1, seed: int = 0) -> None:
    """Play *games* games between the players *names* and print how they went, also when it is stopped before the end.

    :raises UnknownPlayerError: if one of them is no player; Abort, after the table, if it was stopped.
    """
    for name in names:
        make_player(game, name)  # a wrong name is told before anything is measured
    seconds = loop_seconds(process_time)
    slowness = seconds / REFERENCE_SECONDS
    click.echo(
        f"This machine: the reference loop takes {seconds:.2f} s, {slowness:.2f} times the reference; so much longer "
        "the players think."
    )
    results: list[GameResult] = []
    stopped = False
    played = play_match(game, size, names, games, slowness=slowness, seed=seed, jobs=jobs)
    try:
        for result in _shown(played, names, games):
            results.append(result)  # noqa: PERF402 - those before an interruption count
    except KeyboardInterrupt:
        stopped = True
        click.echo(f"\nStopped after {len(results)} of {games} games.")
    for line in table(game, size, names, results, slowness):
        click.echo(line)
    if stopped:
        raise click.Abort


def _shown(played: Iterator[GameResult], names: tuple[str, str], games: int) -> Iterator[GameResult]:
    """The results as they come, with a progress bar on a terminal, with a line for each tenth of them elsewhere."""
    score = Score()
    if sys.stdout.isatty():
        with click.progressbar(length=games, label=f"{names[0]} - {names[1]}", item_show_func=str) as bar:
            for result in played:
                yield result
                score = score.plus(result)
                bar.update(1, f"{score.wins + score.draws / 2:g}/{score.games}")
        return
    for result in played:
        yield result
        score = score.plus(result)
        if 10 * score.games // games > 10 * (score.games - 1) // games:
            click.echo(f"{score.games} of {games} games: {names[0]} {score.wins + score.draws / 2:g}")


def table(
    game: str, size: int, names: tuple[str, str], results: Sequence[GameResult], slowness: float
) -> tuple[str, ...]:
    """The result of *results* in lines; times scaled to the reference machine."""
    score = Score()
    for result in results:
        score = score.plus(result)
    low, high = score.interval
    plies = sorted(result.plies for result in results) or [0]
    ends = Counter(result.ended for result in results)
    width = max(map(len, names))
    counts = f"{score.wins} won, {score.draws} drawn, {score.losses} lost"
    share = f"{100 * score.share:.0f} % (95 %: {100 * low:.0f} to {100 * high:.0f} %)"
    lines = [f"{game} {size}, {score.games} games", f"{names[0]:<{width}}  {counts}: {share}"]
    for who, name in enumerate(names):
        moves = sum(result.moves[who] for result in results)
        thought = sum(result.seconds[who] for result in results) / slowness
        lines.append(f"{name:<{width}}  {1000 * thought / max(1, moves):.0f} ms a move, scaled")
    told = ", ".join(f"{ending} {count}" for ending, count in ends.most_common())
    lines.append(f"{'plies':<{width}}  {median(plies):.0f} ({plies[0]} to {plies[-1]}); {told}")
    return tuple(lines)
