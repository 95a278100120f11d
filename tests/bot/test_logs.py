"""The log: lines for people or for machines, and nothing in it that is secret."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.logs import REMEMBERED, start_logging

SECRET = "AAabcdefghijklmnopqrstuvwxyz_-01234"


@pytest.fixture(autouse=True)
def _log_as_before() -> Iterator[None]:
    """The root's handlers and all levels are put back."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    names = ("httpx", "httpcore", "aiohttp.access")
    levels = {name: logging.getLogger(name).level for name in names}
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    for name, before in levels.items():
        logging.getLogger(name).setLevel(before)


def written(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().err.splitlines()


def entries(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in written(capsys)]


def test_lines_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    start_logging("INFO", "console")
    logging.getLogger("bot.app").info("running %s", "telegram")
    logging.getLogger("bot.app").debug("unseen")
    (line,) = written(capsys)
    assert re.fullmatch(r"\d\d:\d\d:\d\d INFO bot\.app: running telegram", line)


def test_lines_for_machines(capsys: pytest.CaptureFixture[str]) -> None:
    start_logging("WARNING", "json")
    log = logging.getLogger("storage.server")
    log.warning('slow "%s"\nñ', "a\tb")
    log.info("unseen")
    (entry,) = entries(capsys)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4}", entry.pop("time"))
    assert entry == {"level": "WARNING", "part": "storage.server", "message": 'slow "a\tb"\nñ'}


def test_an_error_is_one_line_with_its_trace(capsys: pytest.CaptureFixture[str]) -> None:
    start_logging("INFO", "json")
    logging.getLogger("bot").error("broken", exc_info=ValueError("sesame \ud800"))
    (entry,) = entries(capsys)
    assert entry["message"] == "broken"
    assert entry["trace"] == "ValueError: sesame \\ud800"


@given(st.text(st.characters(exclude_categories=())))
@example("\ud800\n\u2028")
def test_any_message_is_one_line_of_json(message: str) -> None:
    record = logging.makeLogRecord({"msg": "%s", "args": (message,), "name": "bot", "levelname": "INFO"})
    line = _handler("json").format(record)
    assert "\n" not in line
    assert json.loads(line)["message"] == message.encode("utf-8", "backslashreplace").decode()


def _handler(style: str, *secrets: str) -> logging.Handler:
    start_logging("INFO", style, secrets)
    (handler,) = logging.getLogger().handlers
    return handler


@pytest.mark.parametrize("name", ["httpx", "httpcore", "httpcore.connection", "httpcore.http11", "aiohttp.access"])
def test_what_logs_addresses_is_silent(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    start_logging("DEBUG", "console")
    logging.getLogger(name).debug("https://api.example.org/bot123:sesame/getMe")
    logging.getLogger(name).info("https://api.example.org/bot123:sesame/getMe")
    logging.getLogger("bot").debug("seen")
    assert [line[9:] for line in written(capsys)] == ["DEBUG bot: seen"]


@pytest.mark.parametrize("style", ["console", "json"])
def test_secrets_are_masked_whoever_logs_them(style: str, capsys: pytest.CaptureFixture[str]) -> None:
    start_logging("DEBUG", style, [SECRET, "webhook-secret-0123"])
    log = logging.getLogger("telegram.Bot")
    log.debug("address: %s", f"https://api.example.org/bot123:{SECRET}/getMe")
    log.warning(f"{SECRET} and webhook-secret-0123")
    log.error("failed", exc_info=RuntimeError(f"refused: {SECRET}"))
    output = capsys.readouterr().err
    assert "bot123:***/getMe" in output
    assert "*** and ***" in output
    assert "RuntimeError: refused: ***" in output
    assert SECRET not in output
    assert "webhook-secret" not in output


def test_what_comes_again_and_again_is_one_line_a_minute(capsys: pytest.CaptureFixture[str]) -> None:
    seconds = [0.0]
    start_logging("INFO", "json", now=lambda: seconds[0])
    log = logging.getLogger("bot.courier")
    for second in range(130):
        seconds[0] = second
        log.warning("cannot look: %s", "gone")
        log.error("incident %d: %% {}", second)
        log.info("seen")
    told = [entry["message"] for entry in entries(capsys)]
    assert [message for message in told if message.startswith("cannot")] == [
        "cannot look: gone",
        "cannot look: gone (59 more since)",
        "cannot look: gone (59 more since)",
    ]
    assert len([message for message in told if message.startswith("incident")]) == 130, "each is another"
    assert told.count("seen") == 130


def test_few_lines_are_remembered() -> None:
    (handler,) = [_handler("json")]
    (once,) = handler.filters
    for number in range(3 * REMEMBERED):
        logging.getLogger("bot").error("incident %d", number)
    assert len(once._seen) == REMEMBERED  # type: ignore[union-attr]  # the one filter there is


def test_starting_again_replaces_the_handler(capsys: pytest.CaptureFixture[str]) -> None:
    start_logging("INFO", "console")
    start_logging("INFO", "json")
    logging.getLogger("bot").info("once")
    assert len(entries(capsys)) == 1
