"""The long runs: left out unless BANDADA_FAULTS_SECONDS says how long they may take, as `make faults` does."""

from __future__ import annotations

import os

import pytest

SECONDS = float(os.environ.get("BANDADA_FAULTS_SECONDS", "0"))


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known."""
    config.addinivalue_line("markers", "faults: kills processes for a long time; `make faults` runs it")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the long runs out, or give them the time they need."""
    long = [item for item in items if item.get_closest_marker("faults")]
    for item in long:
        item.add_marker(pytest.mark.timeout(SECONDS + 120))
    if not SECONDS and long:
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if item not in long]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what the runs were like, whichever worker they ran on."""
    for report in (*terminalreporter.getreports("passed"), *terminalreporter.getreports("failed")):
        for name, figures in report.user_properties:
            if name == "figures":
                terminalreporter.write_line(f"{report.nodeid.rpartition('::')[2]}: {figures}")


@pytest.fixture
def seconds() -> float:
    """How long people play in the longest run."""
    return SECONDS
