"""The import law, and what no contract can say about the shape of the code.

The contracts stand in pyproject.toml under [tool.importlinter]; `lint-imports` alone shows them too.
"""

from __future__ import annotations

import subprocess
import sys
from itertools import permutations
from pathlib import Path

import grimp
import pytest

from rules import GAMES

ROOT = Path(__file__).parent.parent
PACKAGES = ("bot", "computer", "renderers", "rules", "storage")
LONGEST_FILE = 450


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    return grimp.build_graph(*PACKAGES, include_external_packages=True, cache_dir=None)


def source_files() -> list[Path]:
    """Every Python file of the project, relative to its root."""
    folders = (*PACKAGES, "benchmarks", "tests")
    return sorted(path.relative_to(ROOT) for folder in folders for path in (ROOT / folder).rglob("*.py"))


def test_the_import_law_holds() -> None:
    command = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    options = ["--no-cache", "--no-logo"]
    run = subprocess.run(
        [sys.executable, "-c", command, *options], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "0 broken" in run.stdout


def test_rules_import_the_standard_library_only(graph: grimp.ImportGraph) -> None:
    own = {"rules", *graph.find_descendants("rules")}
    imported = {name for module in own for name in graph.find_modules_directly_imported_by(module)} - own
    assert imported, "the graph must hold the standard library, or this test says nothing"
    assert {name for name in imported if name.partition(".")[0] not in sys.stdlib_module_names} == set()


def find_acquaintances(graph: grimp.ImportGraph, modules: list[str]) -> list[tuple[str, ...]]:
    """The chains of imports by which one of *modules* reaches another."""
    chains = [graph.find_shortest_chain(one, other) for one, other in permutations(modules, 2)]
    return [chain for chain in chains if chain]


def test_games_do_not_know_each_other(graph: grimp.ImportGraph) -> None:
    games = sorted({type(game).__module__ for game in GAMES.values()})
    assert len(games) == len(GAMES), "a game is a module of its own"
    assert find_acquaintances(graph, games) == []


def test_adapters_do_not_know_each_other(graph: grimp.ImportGraph) -> None:
    adapters = sorted(module for module in graph.find_children("bot.adapters") if module.endswith("_adapter"))
    assert find_acquaintances(graph, adapters) == []


def test_files_are_short() -> None:
    lengths = {str(path): len((ROOT / path).read_text(encoding="utf-8").splitlines()) for path in source_files()}
    assert len(lengths) > len(PACKAGES)
    assert {path: lines for path, lines in lengths.items() if lines > LONGEST_FILE} == {}


def test_no_module_is_called_utils() -> None:
    assert [str(path) for path in source_files() if {"util", "utils"} & set(path.with_suffix("").parts)] == []
