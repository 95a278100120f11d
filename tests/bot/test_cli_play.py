"""Playing and running from the command line, and the one line where that cannot be."""

from __future__ import annotations

import errno
import os
import signal
import socket
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final
from urllib.request import urlopen

import pytest

from bot import app
from bot.config import load
from bot.server import StartError
from tests.bot.commands import SECONDS, bandada, clean_folder, refused, start

TOKENS: Final = {"discord": "a" * 30, "telegram": "123456:" + "a" * 30}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[Path]:
    with clean_folder(tmp_path):
        yield tmp_path


# ---- run -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "environment", "line"),
    [
        ([], {}, "nothing to run: set DISCORD_TOKEN or TELEGRAM_TOKEN (see .env.example)"),
        (["--require-redis"], {}, "nothing to run: set DISCORD_TOKEN or TELEGRAM_TOKEN (see .env.example)"),
        (["discord"], {}, "DISCORD_TOKEN is not set (see .env.example)"),
        (["telegram"], {"DISCORD_TOKEN": TOKENS["discord"]}, "TELEGRAM_TOKEN is not set (see .env.example)"),
        ([], {"PORT": "http"}, 'PORT must be a whole number from 1 to 65535, not "http"'),
        ([], {"LOG_LEVEL": "loud"}, 'LOG_LEVEL must be one of DEBUG, INFO, WARNING, ERROR, not "loud"'),
        (
            ["discord"],
            {"DISCORD_TOKEN": "sesame"},
            "DISCORD_TOKEN does not look like a token; copy it again from the developer portal",
        ),
    ],
)
def test_what_cannot_be_run(arguments: list[str], environment: Mapping[str, str], line: str) -> None:
    assert refused(bandada("run", *arguments, **environment)) == line


async def test_a_host_with_a_throw_away_disk_must_have_redis() -> None:
    with pytest.raises(StartError) as caught:
        async with app.opened(load({}), must_have_url=True):
            pytest.fail("opened")
    assert (
        str(caught.value) == "REDIS_URL is not set: without it this host would forget all games with its next restart"
    )


def test_settings_of_the_folder(folder: Path) -> None:
    (folder / ".env").write_text("DISCORD_TOKEN=sesame\n")
    line = "DISCORD_TOKEN does not look like a token; copy it again from the developer portal"
    assert refused(bandada("run")) == line
    nothing = {"DISCORD_TOKEN": ""}
    assert "nothing to run" in refused(bandada("run", **nothing)), "the environment goes before the file"
    (folder / ".env").write_text("DISCORD_TOKEN: sesame\n")
    assert refused(bandada("run")) == ".env, line 1: is not NAME=value"


# ---- play ------------------------------------------------------------------------------------------------------------


def test_play_and_a_second_time_on_the_same_port(folder: Path) -> None:
    options = ["--no-open", "--data-dir", str(folder / "games")]
    with start("play", *options, "--port", "0") as first:
        assert first.stdout is not None
        assert first.stderr is not None
        lines = [first.stdout.readline() for _ in range(3)]
        links = [line.split()[-1] for line in lines[:2]]
        assert lines[0].startswith("Your seat: ")
        assert lines[1].startswith("Your friend's seat: ")
        assert lines[2] == f"The games are kept in {folder / 'games'}. Stop with Ctrl-C.\n"
        port = links[0].split(":")[2].partition("/")[0]

        with start("play", *options, "--port", port) as second:
            out, err = second.communicate(timeout=SECONDS)
        taken = os.strerror(errno.EADDRINUSE)
        assert err == f"bandada: 127.0.0.1:{port} cannot be used ({taken}): choose another --port\n"
        assert (out, second.returncode) == ("", 1)

        for link in links:
            with urlopen(link, timeout=SECONDS) as page:  # noqa: S310 - a page of this machine
                assert page.status == 200
        first.send_signal(signal.SIGINT)
        out, err = first.communicate(timeout=SECONDS)
    assert (out, err, first.returncode) == ("", "", 0)


@pytest.mark.parametrize("host", ["a..b", "x" * 70, "192.0.2.1"])
def test_a_host_that_is_none(host: str, redis_url: str) -> None:
    with start("play", "--no-open", "--host", host, "--port", "0", REDIS_URL=redis_url) as process:
        out, err = process.communicate(timeout=SECONDS)
    assert err.splitlines()[-1] == f'bandada: "{host}" is no address of this machine: choose another --host'
    assert (out, process.returncode, "Traceback" in err) == ("", 1, False)


def test_a_server_that_is_not_there() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"redis://ana:sesame@127.0.0.1:{unused.getsockname()[1]}/0"
        with start("play", "--no-open", "--port", "0", REDIS_URL=url) as process:
            out, err = process.communicate(timeout=SECONDS)
    (line,) = err.splitlines()
    assert line.startswith("bandada: the server of REDIS_URL cannot be reached: ")
    assert "sesame" not in line
    assert (out, process.returncode) == ("", 1)


@pytest.mark.parametrize(
    ("environment", "line"),
    [
        ({"REDIS_URL": "http://ana:sesame@h"}, "REDIS_URL must begin with redis://, rediss:// or unix://"),
        (
            {"REDIS_URL": "redis://[::1"},
            (
                "REDIS_URL must look like redis://user:password@host:6379/0, rediss://… (TLS) or "
                "unix:///path/to/socket, with special characters of the password percent-encoded"
            ),
        ),
        ({"BANDADA_LANGUAGE": "fr"}, 'BANDADA_LANGUAGE must be one of en, es, ru, not "fr"'),
    ],
)
def test_what_cannot_be_played(environment: Mapping[str, str], line: str) -> None:
    assert refused(bandada("play", "--no-open", "--port", "0", **environment)) == line


def test_a_data_directory_that_is_none(folder: Path) -> None:
    (folder / "file").write_text("")
    result = bandada("play", "--no-open", "--port", "0", "--data-dir", str(folder / "file" / "games"))
    assert refused(result).startswith(f"the data directory {folder / 'file' / 'games'} cannot be used (")
    assert bandada("play", "--data-dir", str(folder / "file")).exit_code == 2
    assert "must be a directory" in refused(bandada("play", BANDADA_DATA_DIR=str(folder / "file")))
