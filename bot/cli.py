"""The command line: reads what the host typed, calls the app, says in one line what is wrong."""

from __future__ import annotations

import asyncio
import os
import sys
import webbrowser
from collections.abc import Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Final

import click

from bot import app, backup, config, inspect
from bot.doctor import Finding, Level, examine
from bot.logs import start_logging
from bot.oneboard import FORMATS, BoardError, draw_board
from bot.server import StartError, use_server_program
from rules import GAMES


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
