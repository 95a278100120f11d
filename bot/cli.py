"""The command line: reads what the host typed, calls the app, says in one line what is wrong."""

from __future__ import annotations

import asyncio
import os
import sys
import webbrowser
from collections.abc import Coroutine
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Final

import click

from bot import app, backup, config, inspect
from bot.contest import hold_arena
from bot.doctor import Finding, Level, examine
from bot.engine import Engine, EngineError, run_codecup, run_jsonl
from bot.logs import start_logging
from bot.oneboard import FORMATS, BoardError, draw_board
from bot.server import StartError, use_server_program
from computer.arena import UnknownPlayerError, players
from computer.limits import ARENA_SECONDS, STRONGEST, level_limit
from rules import GAMES, find_game
from rules.core import Game, UnknownGameError


class _CommandError(click.ClickException):
    """Something that the host can mend: one line, exit code 1."""

    def show(self, file: object = None) -> None:
        del file
        click.echo(f"bandada: {' '.join(self.format_message().splitlines())}", err=True)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="bandada")
def main() -> None:
    """Play Ayu and Volo with friends: in chats, and on a page in the browser."""


@main.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Where to listen; 0.0.0.0 for the whole network.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="0: any free one.")
@click.option("--data-dir", type=click.Path(file_okay=False, path_type=Path), help="Where the games are kept.")
@click.option("--no-open", is_flag=True, help="Do not open the browser.")
def play(host: str, port: int, data_dir: Path | None, *, no_open: bool) -> None:
    """Open the local page: a chat with two seats, no token, nothing to install."""
    settings = _settings(data_dir)

    def ready(first: str, second: str) -> None:
        click.echo(f"Your seat:           {first}")
        click.echo(f"Your friend's seat:  {second}")
        kept = "REDIS_URL" if settings.redis_url else settings.data_dir
        click.echo(f"The games are kept in {kept}. Stop with Ctrl-C.")
        if not no_open and _has_screen():
            webbrowser.open(first)

    _run(app.play(settings, host, port, ready))


@main.command()
@click.argument("names", nargs=-1, type=click.Choice(config.PARTS), metavar="[discord] [telegram]")
@click.option("--require-redis", is_flag=True, help="Refuse to start without REDIS_URL.")
def run(names: tuple[str, ...], *, require_redis: bool) -> None:
    """Run the bot on the named platforms, or on all that have a token."""
    _run(app.run(_settings(), names, must_have_url=require_redis))


@main.command()
def doctor() -> None:
    """Check settings, the games' server, fonts, disk and ports; say what to do."""
    findings = asyncio.run(_examined())
    if any(finding.level is Level.FAIL for finding in findings):
        sys.exit(1)


async def _examined() -> list[Finding]:
    findings = []
    async for finding in examine(os.environ, Path(".env")):
        click.echo(f"{finding.level:<5} {' '.join(finding.line.splitlines())}")
        findings.append(finding)
    return findings


@main.command(name="inspect")
def inspect_positions() -> None:
    """Answer JSON lines about positions: legal moves, the board, how a game ended."""
    inspect.run(sys.stdin.buffer, sys.stdout.buffer)


@main.command()
@click.option("--game", "game_name", default="ayu", show_default=True, help=f"One of {', '.join(GAMES)}.")
@click.option("--size", type=int, help="The game's usual size, if not given.")
@click.option("--moves", default="", help='The moves so far, such as "b1-b2 a2-a3".')
@click.option("--theme", default="light", show_default=True, help="light, dark or patterns.")
@click.option("--names", default="", help='The players, such as "Ana,Бо".')
@click.option("--language", default="en", show_default=True, type=click.Choice(config.LANGUAGES))
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help=f"The file to write: {', '.join(FORMATS)}.",
)
def render(
    game_name: str, size: int | None, moves: str, *, theme: str, names: str, language: str, output: Path
) -> None:
    """Draw one board: a picture (.png), the whole game (.gif), or text (.txt)."""
    try:
        content = draw_board(
            game_name,
            size,
            moves.split(),
            theme=theme,
            names=names.split(","),
            language=language,
            suffix=output.suffix.lower(),
        )
    except BoardError as error:
        raise _CommandError(str(error)) from error
    try:
        output.write_bytes(content)
    except OSError as error:
        raise _CommandError(f"{output} cannot be written: {error.strerror}") from error


@main.command()
@click.option("--game", "game_name", help=f"For codecup, one of {', '.join(GAMES)}; ayu, if not given.")
@click.option("--size", type=int, help="For codecup; the game's usual size, if not given.")
@click.option("--level", type=click.IntRange(1, STRONGEST), help=f"1 to {STRONGEST}; {STRONGEST}, if not given.")
@click.option("--seconds", type=click.FloatRange(0.01, 600), help="The highest level with this time for a move.")
@click.option("--protocol", default="jsonl", show_default=True, type=click.Choice(["codecup", "jsonl"]))
def engine(game_name: str | None, size: int | None, level: int | None, *, seconds: float | None, protocol: str) -> None:
    """Let other programs play against the computer, on standard input and output."""
    if level is not None and seconds is not None:
        raise _CommandError("--level and --seconds cannot be both: --seconds is the highest level's time")
    chosen, time = level or STRONGEST, seconds or ARENA_SECONDS
    machine = Engine({key: level_limit(key, chosen, time) for key in GAMES}, Random())  # noqa: S311 - play, no secret
    if protocol == "jsonl":
        if game_name is not None or size is not None:
            raise _CommandError("--game and --size are for --protocol codecup: a line of JSON names its own")
        run_jsonl(machine, sys.stdin.buffer, sys.stdout.buffer)
        return
    game, size = _board(game_name or "ayu", size)
    try:
        run_codecup(machine, game, size, sys.stdin, sys.stdout)
    except EngineError as error:
        raise _CommandError(str(error)) from error


_PLAYERS: Final = "\n".join(f"{game}: {', '.join(players(game))}" for game in GAMES)


@main.command(epilog=f"\b\nA and B in each game (seconds: the computer's time for a move):\n{_PLAYERS}")
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.option("--game", "game_name", default="ayu", show_default=True, help=f"One of {', '.join(GAMES)}.")
@click.option("--size", type=int, help="The game's usual size, if not given.")
@click.option("--games", default=20, show_default=True, type=click.IntRange(1, 10_000), help="How many are played.")
@click.option("--jobs", default=1, show_default=True, type=click.IntRange(1, 256), help="Games at the same time.")
@click.option("--seed", default=0, show_default=True, type=int, help="Of the openings: the same give the same.")
def arena(first: str, second: str, *, game_name: str, size: int | None, games: int, jobs: int, seed: int) -> None:
    """Let the computer play against itself or simpler players.

    Each pair of games begins with the same four random plies, colours swapped. Times are CPU time, as long as this
    machine needs for what the reference machine does in the named time.
    """
    game, size = _board(game_name, size)
    try:
        hold_arena(game.key, size, (first, second), games, jobs=jobs, seed=seed)
    except UnknownPlayerError as error:
        raise _CommandError(str(error)) from error


def _board(game_name: str, size: int | None) -> tuple[Game, int]:
    """The game and the size that were typed."""
    try:
        game = find_game(game_name)
    except UnknownGameError as error:
        raise _CommandError(f'no game "{game_name}"; there are {", ".join(GAMES)}') from error
    if size is not None and size not in game.all_sizes:
        raise _CommandError(f"{game.key} is played on the sizes {', '.join(map(str, game.all_sizes))}")
    return game, game.default_size if size is None else size


@main.group()
def storage() -> None:
    """Back up all data, or move them to another server."""


@storage.command(name="export")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--data-dir", type=click.Path(file_okay=False, path_type=Path), help="Where the games are kept.")
def export_data(file: Path, data_dir: Path | None) -> None:
    """Write all data to FILE, one record a line. The bot may go on meanwhile."""
    try:
        lines, problems = backup.export_to(_settings(data_dir), file)
    except StartError as error:
        raise _CommandError(str(error)) from error
    for problem in problems:
        click.echo(f"bandada: {problem}", err=True)
    if problems:
        raise _CommandError(f"{file} holds all but these ({len(problems)})")
    click.echo(f"{lines} lines in {file}. It holds secrets: keep it where nobody else reads it.")


@storage.command(name="import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--data-dir", type=click.Path(file_okay=False, path_type=Path), help="Where the games are kept.")
@click.option("--replace", "replace_all", is_flag=True, help="Delete all data that is there.")
def import_data(file: Path, data_dir: Path | None, *, replace_all: bool) -> None:
    """Read all data from FILE. Stop the bot first; FILE is checked before anything is changed."""
    try:
        counts = backup.import_from(_settings(data_dir), file, replace=replace_all)
    except StartError as error:
        raise _CommandError(str(error)) from error
    told = ", ".join(f"{count} {kind}" for kind, count in counts.items())
    click.echo(f"Imported from {file}: {told or 'nothing'}.")


def _settings(data_dir: Path | None = None) -> config.Config:
    try:
        variables = config.read_environment(os.environ, Path(".env"))
        settings = config.load(variables)
    except config.ConfigError as error:
        raise _CommandError(str(error)) from error
    start_logging(settings.log_level, settings.log_format, settings.secrets)
    use_server_program(variables.get("REDIS_SERVER_BIN", ""))
    return settings if data_dir is None else replace(settings, data_dir=data_dir)


def _run(main_task: Coroutine[object, object, None]) -> None:
    try:
        asyncio.run(main_task)
    except (StartError, config.ConfigError) as error:
        raise _CommandError(str(error)) from error


_SCREENS: Final = ("DISPLAY", "WAYLAND_DISPLAY")


def _has_screen() -> bool:
    """True if a browser would open a window; without a screen it would take over the terminal."""
    return sys.platform == "darwin" or any(os.environ.get(name) for name in _SCREENS)
