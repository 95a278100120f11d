"""What holds for every test: hypothesis' settings, no network but this machine, the browser that page tests drive."""

from __future__ import annotations

import ipaddress
import logging
import os
import shutil
import sys
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
from hypothesis import HealthCheck, settings

pytest_plugins = ["tests.fixtures_redis"]

# On this machine, or on the one that TEST_REDIS_URL names.
_ALLOWED_HOSTS: Final = frozenset({None, "", "localhost", urlsplit(os.environ.get("TEST_REDIS_URL", "")).hostname})
_BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome")
_NO_BROWSER: Final = (
    f"no Chromium: none of {', '.join(_BROWSERS)} is installed and BANDADA_CHROMIUM is not set; "
    "the tests marked `browser` are left out"
)


def _register_hypothesis_profiles() -> None:
    # No deadline and no complaint about slowness: how fast a shared machine is says nothing about the code.
    common = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.register_profile("quick", common, max_examples=50)
    # The same examples in every run, so that a red build is the change's doing.
    settings.register_profile("ci", common, max_examples=50, derandomize=True, database=None, print_blob=True)
    settings.register_profile("thorough", common, max_examples=2000)
    settings.load_profile("ci" if os.environ.get("CI") else "quick")


def _is_here(host: object) -> bool:
    if host in _ALLOWED_HOSTS:
        return True
    text = host.decode() if isinstance(host, bytes) else str(host)
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return text in _ALLOWED_HOSTS
    return address.is_loopback or address.is_unspecified


def _forbid_network(event: str, args: tuple[Any, ...]) -> None:
    """Audit hook: raise when a test looks up or connects to another machine."""
    if event in ("socket.getaddrinfo", "socket.gethostbyname"):
        host = args[0]
    elif event in ("socket.connect", "socket.sendto") and isinstance(args[1], tuple):
        host = args[1][0]
    else:
        return
    if not _is_here(host):
        raise RuntimeError(f"a test wants the network: {event} {host!r}; tests talk to loopback servers only")


def _find_chromium() -> str | None:
    """The path of a Chromium: `BANDADA_CHROMIUM` (a path or a name), else the first usual name on PATH, else None.

    :raises pytest.UsageError: if `BANDADA_CHROMIUM` is set and is no program.
    """
    named = os.environ.get("BANDADA_CHROMIUM")
    if named:
        path = shutil.which(named)
        if path is None:
            raise pytest.UsageError(f"BANDADA_CHROMIUM={named} is no program")
        return path
    return next((path for name in _BROWSERS if (path := shutil.which(name))), None)


def pytest_configure(config: pytest.Config) -> None:
    """Settle what the whole run needs, before anything is collected."""
    del config
    _register_hypothesis_profiles()
    sys.addaudithook(_forbid_network)
    if _find_chromium() is None and os.environ.get("BANDADA_REQUIRE_BROWSER") == "1":
        raise pytest.UsageError("BANDADA_REQUIRE_BROWSER=1, but there is " + _NO_BROWSER.partition(";")[0])


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what drives a browser, and leave it out where none is."""
    for item in items:
        if isinstance(item, pytest.Function) and "chromium_path" in item.fixturenames:
            item.add_marker("browser")
    if _find_chromium() is not None:
        return
    left_out = [item for item in items if item.get_closest_marker("browser")]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if not item.get_closest_marker("browser")]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in one line that tests were left out."""
    if _find_chromium() is None:
        terminalreporter.write_line(_NO_BROWSER, yellow=True)


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """The path of the Chromium to drive; a test that takes it is marked `browser` by itself."""
    path = _find_chromium()
    assert path is not None, _NO_BROWSER
    return path


@pytest.fixture(autouse=True)
def no_server_breaks(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """A server in this process, the page's or a loopback platform's, answers nothing by its own fault.

    aiohttp answers 500 for it and logs it; the client tries again, and the test would only be slow.
    """
    yield
    broken = [
        one for one in caplog.get_records("call") if one.levelno >= logging.ERROR and one.name == "aiohttp.server"
    ]
    assert [one.getMessage() for one in broken] == []
