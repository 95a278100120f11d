"""What the host decides: read once from the environment and the `.env` file, checked, frozen.

A wrong value stops the start with one clear line that names the variable.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeVar
from urllib.parse import urlsplit

from dotenv.parser import Original, parse_stream
from platformdirs import user_data_path

LANGUAGES: Final = ("en", "es", "ru")
LOG_LEVELS: Final = ("DEBUG", "INFO", "WARNING", "ERROR")
LOG_FORMATS: Final = ("console", "json")
PARTS: Final = ("discord", "telegram")
"""The platforms that `bandada run` knows."""

VARIABLES: Final = (
    "DISCORD_TOKEN",
    "DISCORD_SHARDS",
    "TELEGRAM_TOKEN",
    "TELEGRAM_WEBHOOK_SECRET",
    "TELEGRAM_SENDS_PER_SECOND",
    "TELEGRAM_API_URL",
    "REDIS_URL",
    "REDIS_SERVER_BIN",
    "BANDADA_DATA_DIR",
    "BANDADA_LANGUAGE",
    "PUBLIC_URL",
    "HOST",
    "PORT",
    "METRICS_PORT",
    "METRICS_HOST",
    "LOG_LEVEL",
    "LOG_FORMAT",
)
"""The names of all settings."""

_Value = TypeVar("_Value")


class ConfigError(Exception):
    """A setting that makes no sense: the host's to mend. The message is one line and holds no secret."""


@dataclass(frozen=True, slots=True)
class ShardChoice:
    """Which of *count* shards this process runs: the *ids*, ascending."""

    count: int
    ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Config:
    """All settings. Secrets are left out of the repr; empty strings and None stand for "not set"."""

    data_dir: Path
    redis_url: str = field(default="", repr=False)
    discord_token: str = field(default="", repr=False)
    discord_shards: ShardChoice | None = None
    telegram_token: str = field(default="", repr=False)
    telegram_webhook_secret: str = field(default="", repr=False)
    telegram_sends_per_second: float = 28.0
    telegram_api_url: str = "https://api.telegram.org"
    public_url: str = ""
    host: str = "127.0.0.1"
    port: int | None = None
    metrics_host: str = "127.0.0.1"
    metrics_port: int | None = None
    language: str = "en"
    log_level: str = "INFO"
    log_format: str = "console"

    @property
    def configured(self) -> tuple[str, ...]:
        """The platforms that have a token."""
        tokens = {"discord": self.discord_token, "telegram": self.telegram_token}
        return tuple(part for part in PARTS if tokens[part])

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must be in no log line."""
        address = self.redis_url if "@" in self.redis_url else ""
        telegram = self.telegram_token.partition(":")[2]  # before the colon stands the bot's id, which is public
        found = (self.discord_token, telegram, self.telegram_webhook_secret, address)
        return tuple(secret for secret in found if secret)


def read_environment(environment: Mapping[str, str], dotenv: Path | None = None) -> dict[str, str]:
    """The variables of *environment*, and those of the file *dotenv* that it does not have.

    :raises ConfigError: if the file cannot be read.
    """
    variables = _read_file(dotenv) if dotenv is not None and dotenv.is_file() else {}
    variables.update(environment)
    return variables


def _read_file(dotenv: Path) -> dict[str, str]:
    variables: dict[str, str] = {}
    try:
        # Some editors put a mark before the first character.
        with dotenv.open(encoding="utf-8-sig") as stream:
            for binding in parse_stream(stream):
                if binding.error:
                    raise ConfigError(f"{dotenv}, line {_line(binding.original)}: is not NAME=value")
                if binding.key is not None and binding.value is not None:
                    variables[binding.key] = binding.value
    except UnicodeDecodeError as error:
        raise ConfigError(f"{dotenv} cannot be read: it is not UTF-8") from error
    except OSError as error:
        raise ConfigError(f"{dotenv} cannot be read: {error.strerror}") from error
    return variables


def _line(statement: Original) -> int:
    """The line on which *statement* begins; empty lines before it belong to it."""
    text = statement.string
    return statement.line + text[: len(text) - len(text.lstrip())].count("\n")


def load(variables: Mapping[str, str]) -> Config:
    """The settings in *variables*; what is unset or empty has its default.

    :raises ConfigError: for the first wrong value.
    """
    reader = _Reader(variables)
    port = reader.optional("PORT", _port)
    return Config(
        data_dir=reader.value("BANDADA_DATA_DIR", _directory, user_data_path("bandada")),
        redis_url=reader.value("REDIS_URL", _redis_url, ""),
        discord_token=reader.value("DISCORD_TOKEN", _token, ""),
        discord_shards=reader.optional("DISCORD_SHARDS", _shards),
        telegram_token=reader.value("TELEGRAM_TOKEN", _telegram_token, ""),
        telegram_webhook_secret=reader.value("TELEGRAM_WEBHOOK_SECRET", _webhook_secret, ""),
        telegram_sends_per_second=reader.value("TELEGRAM_SENDS_PER_SECOND", _rate, 28.0),
        telegram_api_url=reader.value("TELEGRAM_API_URL", _api_url, "https://api.telegram.org"),
        public_url=reader.value("PUBLIC_URL", _public_url, ""),
        host=reader.value("HOST", _host, "127.0.0.1" if port is None else "0.0.0.0"),  # noqa: S104 - PORT asks for it
        port=port,
        metrics_host=reader.value("METRICS_HOST", _host, "127.0.0.1"),
        metrics_port=reader.optional("METRICS_PORT", _port),
        language=reader.value("BANDADA_LANGUAGE", _one_of(LANGUAGES, str.lower), "en"),
        log_level=reader.value("LOG_LEVEL", _one_of(LOG_LEVELS, str.upper), "INFO"),
        log_format=reader.value("LOG_FORMAT", _one_of(LOG_FORMATS, str.lower), "console"),
    )


class _WrongError(ValueError):
    """What a value must be; the message goes behind the variable's name."""


class _Reader:
    def __init__(self, variables: Mapping[str, str]) -> None:
        self._variables = variables

    def optional(self, name: str, read: Callable[[str], _Value]) -> _Value | None:
        text = self._variables.get(name, "").strip()
        if not text:
            return None
        if not text.isprintable():
            raise ConfigError(f"{name} holds a line break or another character that cannot be seen: type it again")
        try:
            return read(text)
        except _WrongError as error:
            raise ConfigError(f"{name} {error}") from None

    def value(self, name: str, read: Callable[[str], _Value], default: _Value) -> _Value:
        found = self.optional(name, read)
        return default if found is None else found


def _whole(text: str, low: int, high: int) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 9 and low <= int(text) <= high):
        raise _WrongError(f"must be a whole number from {low} to {high}, not {_quoted(text)}")
    return int(text)


def _port(text: str) -> int:
    return _whole(text, 1, 65535)


def _shards(text: str) -> ShardChoice:
    """``4``: all of four; ``0-1/4`` or ``0,3/4``: those of four."""
    chosen, slash, number = text.rpartition("/")
    count = _whole(number.strip(), 1, 16384)
    if not slash:
        return ShardChoice(count, tuple(range(count)))
    ids: set[int] = set()
    for part in chosen.split(","):
        first, dash, last = part.strip().partition("-")
        low = _whole(first, 0, count - 1)
        ids.update(range(low, _whole(last, low, count - 1) + 1) if dash else (low,))
    return ShardChoice(count, tuple(sorted(ids)))


def _rate(text: str) -> float:
    try:
        rate = float(text)
    except ValueError:
        rate = 0.0
    if not 0 < rate <= 1000:
        raise _WrongError(f"must be a number above 0 and at most 1000, not {_quoted(text)}")
    return rate


def _one_of(choices: tuple[str, ...], fold: Callable[[str], str]) -> Callable[[str], str]:
    def read(text: str) -> str:
        folded = fold(text)
        if folded not in choices:
            raise _WrongError(f"must be one of {', '.join(choices)}, not {_quoted(text)}")
        return folded

    return read


def _directory(text: str) -> Path:
    try:
        path = Path(text).expanduser()
        is_other = path.exists() and not path.is_dir()
    except (OSError, RuntimeError):  # not allowed to look, too long, no such user's home
        raise _WrongError(f"must be a directory, but {_quoted(text)} cannot be one") from None
    if is_other:
        raise _WrongError(f"must be a directory, but {_quoted(text)} is none")
    return path


def _redis_url(text: str) -> str:
    if text.partition("://")[0].lower() not in ("redis", "rediss", "unix"):
        raise _WrongError("must begin with redis://, rediss:// or unix://")
    return text


def _public_url(text: str) -> str:
    with contextlib.suppress(ValueError):  # brackets that do not match, a port that is none
        parts = urlsplit(text)
        plain = parts.port != 0 and not any(character.isspace() or character in "?#@" for character in text)
        if plain and parts.scheme == "https" and parts.hostname:
            return text.rstrip("/")
    raise _WrongError("must be an address such as https://bot.example.org, without a user, ? or #")


def _api_url(text: str) -> str:
    with contextlib.suppress(ValueError):  # as above
        parts = urlsplit(text)
        plain = parts.port != 0 and not any(character.isspace() or character in "?#@" for character in text)
        if plain and parts.scheme in ("http", "https") and parts.hostname:
            return text.rstrip("/")
    raise _WrongError("must be an address such as http://localhost:8081, without a user, ? or #")


def _host(text: str) -> str:
    if any(character.isspace() or character in "/?#@" for character in text):
        raise _WrongError(f"must be a host name or an address, not {_quoted(text)}")
    return text


def _token(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9._-]{20,}", text):
        raise _WrongError("does not look like a token; copy it again from the developer portal")
    return text


def _telegram_token(text: str) -> str:
    if not re.fullmatch(r"[0-9]+:[A-Za-z0-9_-]{20,}", text):
        raise _WrongError("does not look like a token (123456:ABC…); copy it again from @BotFather")
    return text


def _webhook_secret(text: str) -> str:
    allowed = all(character.isascii() and (character.isalnum() or character in "_-") for character in text)
    if not allowed or not 16 <= len(text) <= 256:
        raise _WrongError("must be 16 to 256 letters, digits, _ or -")
    return text


def _quoted(text: str) -> str:
    return f'"{text[:60]}"'
