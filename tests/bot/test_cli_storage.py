"""`bandada storage export` and `import` as the host types them; what they hold is tests/storage/test_dump.py's."""

from __future__ import annotations

import asyncio
import json
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from storage.connect import connect
from storage.embedded import ensure_server, stop_server
from storage.redis_store import RedisStore
from tests.bot.commands import bandada, clean_folder, refused
from tests.storage.matches import ANA, draft
from tests.storage.servers import own_server


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[Path]:
    with clean_folder(tmp_path):
        yield tmp_path


def put_match(url: str) -> None:
    async def put() -> None:
        client = connect(url)
        await RedisStore(client).create(draft(), "op")
        await client.aclose()

    asyncio.run(put())


def matches(url: str) -> int:
    async def count() -> int:
        client = connect(url)
        try:
            return len(await RedisStore(client).matches_of(ANA))
        finally:
            await client.aclose()

    return asyncio.run(count())


def test_from_the_data_directory_to_a_server(folder: Path) -> None:
    games, file = folder / "games", folder / "backup.jsonl"
    put_match(ensure_server(games))
    assert stop_server(games)
    result = bandada("storage", "export", str(file), BANDADA_DATA_DIR=str(games))
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == f"4 lines in {file}. It holds secrets: keep it where nobody else reads it.\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [json.loads(line)["kind"] for line in file.read_text().splitlines()] == [
        "bandada storage", "match", "operation", "end",
    ]  # fmt: skip
    assert list(folder.glob("*.part")) == []
    with pytest.raises(redis.ConnectionError), redis.Redis(unix_socket_path=str(games / "valkey.sock")) as client:
        client.ping()

    with own_server(folder / "other") as url:
        result = bandada("storage", "import", str(file), REDIS_URL=url)
        assert (result.exit_code, result.output) == (0, f"Imported from {file}: 1 match, 1 operation.\n")
        assert matches(url) == 1
        line = refused(bandada("storage", "import", str(file), REDIS_URL=url))
        assert line.startswith(
            "the server of REDIS_URL holds data already; export it first, then repeat with --replace"
        )
        assert bandada("storage", "import", str(file), "--replace", REDIS_URL=url).exit_code == 0
        assert matches(url) == 1


def test_a_backup_that_fails_leaves_the_one_before(folder: Path) -> None:
    file = folder / "backup.jsonl"
    file.write_text("the one before")
    line = refused(bandada("storage", "export", str(file), REDIS_URL=f"unix://{folder}/none"))
    assert line.startswith("the server of REDIS_URL cannot be reached: ")
    assert [path.name for path in folder.iterdir()] == ["backup.jsonl"]
    assert file.read_text() == "the one before"
    missing = folder / "none" / "backup.jsonl"
    games = folder / "games"
    games.mkdir()
    assert refused(bandada("storage", "export", str(missing), "--data-dir", str(games))) == (
        f"{missing} cannot be written: No such file or directory"
    )


def test_no_backup_is_made_of_what_is_not_there(folder: Path) -> None:
    line = refused(bandada("storage", "export", "backup.jsonl", "--data-dir", str(folder / "gmaes")))
    assert line == f"there are no games in {folder / 'gmaes'}: set --data-dir, BANDADA_DATA_DIR or REDIS_URL"
    assert list(folder.iterdir()) == []


def test_what_is_left_out_ends_with_an_error(folder: Path) -> None:
    with own_server(folder / "games") as url:
        put_match(url)
        with redis.Redis.from_url(url) as client:
            client.set("{bandada}:person:web:1", "nonsense")
        result = bandada("storage", "export", "backup.jsonl", REDIS_URL=url)
    assert result.exit_code == 1
    first, last = result.stderr.splitlines()
    assert first.startswith("bandada: left out: person web:1: the checksum does not fit")
    assert last == "bandada: backup.jsonl holds all but these (1)"
    assert len((folder / "backup.jsonl").read_text().splitlines()) == 4


def test_a_damaged_file(folder: Path) -> None:
    (folder / "backup.jsonl").write_text('{"kind":"bandada storage","schema":1}\n{"kind":"match"}\n')
    line = refused(bandada("storage", "import", "backup.jsonl", BANDADA_DATA_DIR=str(folder / "games")))
    assert line == "backup.jsonl, line 2: Object missing required field `id`"
    assert bandada("storage", "import", "none.jsonl").exit_code == 2
