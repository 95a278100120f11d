"""All data to a file and back, for the command line."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from bot.config import Config
from bot.server import StartError, reached
from storage.base import StoreUnavailableError
from storage.dump import DumpError
from storage.exporting import Exporter
from storage.importing import DataExistsError, Importer


def export_to(config: Config, path: Path) -> tuple[int, Sequence[str]]:
    """How many lines were written to *path*, and a line for each thing that could not be read and is not in them.

    The file is there as a whole or not at all. It holds the secrets of the page's links: nobody else may read it.

    :raises StartError: if there are no games, the server cannot be reached or the file cannot be written.
    """
    if not config.redis_url and not config.data_dir.is_dir():
        raise StartError(f"there are no games in {config.data_dir}: set --data-dir, BANDADA_DATA_DIR or REDIS_URL")
    with _new_file(path) as file:
        return asyncio.run(_export(config, file))


def import_from(config: Config, path: Path, *, replace: bool) -> Mapping[str, int]:
    """How many lines of each kind were imported.

    :raises StartError: if the server cannot be reached, the file is damaged, or there is data that is not to be
        replaced.
    """
    try:
        with path.open("rb") as file:
            return asyncio.run(_import(config, file, path, replace=replace))
    except OSError as error:
        raise StartError(f"{path} cannot be read: {error.strerror}") from error


async def _export(config: Config, file: BinaryIO) -> tuple[int, Sequence[str]]:
    async with reached(config) as (client, _):
        exporter = Exporter(client)
        try:
            async for line in exporter.export():
                file.write(line)
        except StoreUnavailableError as error:
            raise StartError(f"the server cannot be reached any more: {error}") from error
        return exporter.lines + 1, exporter.problems


async def _import(config: Config, file: BinaryIO, path: Path, *, replace: bool) -> Mapping[str, int]:
    async with reached(config) as (client, _):
        try:
            return await Importer(client).load(file, replace=replace)
        except DumpError as error:
            raise StartError(f"{path}, {error}") from error
        except DataExistsError:
            where = "the server of REDIS_URL" if config.redis_url else str(config.data_dir)
            raise StartError(
                f"{where} holds data already; export it first, then repeat with --replace to delete it all"
            ) from None
        except StoreUnavailableError as error:
            raise StartError(
                f"the server cannot be reached any more, and a part is missing there; repeat with --replace: {error}"
            ) from error


@contextmanager
def _new_file(path: Path) -> Iterator[BinaryIO]:
    """A file that takes the place of *path* when all is written and on disk."""
    beside = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            with os.fdopen(descriptor, "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise StartError(f"{path} cannot be written: {error.strerror}") from error
