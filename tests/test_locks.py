"""The lock files: what `make play` and `make test` install, and that they say nothing about where they were made."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
RUNTIME = "requirements.lock"
DEV = "requirements-dev.lock"
PIN = re.compile(r"^(?P<name>[a-z0-9-]+)(\[[a-z0-9,-]+\])?==(?P<version>[^ ;]+)", re.MULTILINE)


def read_pins(lock: str) -> set[tuple[str, str]]:
    """Names and versions; a name may stand with two versions, for two kinds of machine."""
    return {(pin["name"], pin["version"]) for pin in PIN.finditer((ROOT / lock).read_text(encoding="utf-8"))}


def read_requirements() -> dict[str, list[str]]:
    """The names asked for in pyproject.toml, by extra ("" for the runtime's), in the lock's spelling."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = {"": project["dependencies"], **project["optional-dependencies"]}
    spell = re.compile(r"[A-Za-z0-9._-]+")
    return {
        extra: [re.sub(r"[._-]+", "-", found[0]).lower() for line in lines if (found := spell.match(line))]
        for extra, lines in groups.items()
    }


def test_development_lock_holds_the_runtime_lock() -> None:
    assert len(read_pins(RUNTIME)) > 10
    assert read_pins(RUNTIME) - read_pins(DEV) == set()


@pytest.mark.parametrize(("lock", "extras"), [(RUNTIME, ["", "build"]), (DEV, ["", "build", "dev"])])
def test_locks_hold_what_the_project_asks_for(lock: str, extras: list[str]) -> None:
    pinned = {name for name, _version in read_pins(lock)}
    wanted = {name for extra in extras for name in read_requirements()[extra]}
    assert wanted - pinned == set()


@pytest.mark.parametrize("lock", [RUNTIME, DEV])
def test_every_pin_has_a_hash(lock: str) -> None:
    text = (ROOT / lock).read_text(encoding="utf-8")
    entries = re.split(r"\n(?=\S)", text.partition("make lock\n")[2])
    assert len(entries) == len(read_pins(lock))
    assert [entry.split()[0] for entry in entries if "--hash=sha256:" not in entry] == []


@pytest.mark.parametrize("lock", [RUNTIME, DEV])
def test_locks_name_no_place(lock: str) -> None:
    text = (ROOT / lock).read_text(encoding="utf-8")
    assert re.findall(r"\S*(?:://|index-url|find-links|file:| @ )\S*|(?:^|\s)/\S+", text) == []
