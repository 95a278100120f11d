"""What the host may decide, and the one line about what he may not."""

from __future__ import annotations

import re
import traceback
from dataclasses import FrozenInstanceError, fields
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot import texts
from bot.config import LANGUAGES, Config, ConfigError, ShardChoice, load, read_environment

ROOT: Final = Path(__file__).parent.parent.parent

# Made up, of the shape of real ones.
DISCORD: Final = "MTA1Mjk2MTU0MTg3Mzc1MDA3Ng.GabcdE.0123456789abcdefghijklmnopqrstuvwxyz_-"
TELEGRAM: Final = "123456789:AAabcdefghijklmnopqrstuvwxyz_-01234"
SECRET: Final = "a-secret_of-the-webhook-0123"
REDIS: Final = "redis://ana:sesame@redis.example.org:6379/0"
SECRETS: Final = {
    "DISCORD_TOKEN": DISCORD,
    "TELEGRAM_TOKEN": TELEGRAM,
    "TELEGRAM_WEBHOOK_SECRET": SECRET,
    "REDIS_URL": REDIS,
}

INVISIBLE: Final = "holds a line break or another character that cannot be seen: type it again"


def test_the_defaults() -> None:
    config = load({})
    assert config.data_dir.name == "bandada"
    assert config.data_dir.is_absolute()
    assert config == Config(
        data_dir=config.data_dir,
        redis_url="",
        discord_token="",
        discord_shards=None,
        telegram_token="",
        telegram_webhook_secret="",
        telegram_sends_per_second=28.0,
        public_url="",
        host="127.0.0.1",
        port=None,
        metrics_port=None,
        language="en",
        log_level="INFO",
        log_format="console",
    )
    assert (config.configured, config.secrets) == ((), ())


@pytest.mark.parametrize("empty", ["", "  ", "\t"])
def test_what_is_empty_is_not_set(empty: str) -> None:
    names = re.findall(r"^#?([A-Z_]+)=", (ROOT / ".env.example").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(names) > 12
    assert load(dict.fromkeys(names, empty)) == load({})


@pytest.mark.parametrize(
    ("name", "text", "field", "value"),
    [
        ("DISCORD_TOKEN", DISCORD, "discord_token", DISCORD),
        ("DISCORD_TOKEN", f"  {DISCORD}\n", "discord_token", DISCORD),
        ("DISCORD_SHARDS", "1", "discord_shards", ShardChoice(1, (0,))),
        ("DISCORD_SHARDS", "16384", "discord_shards", ShardChoice(16384, tuple(range(16384)))),
        ("DISCORD_SHARDS", "0-1/4", "discord_shards", ShardChoice(4, (0, 1))),
        ("DISCORD_SHARDS", "3, 0/4", "discord_shards", ShardChoice(4, (0, 3))),
        ("TELEGRAM_TOKEN", TELEGRAM, "telegram_token", TELEGRAM),
        ("TELEGRAM_WEBHOOK_SECRET", SECRET, "telegram_webhook_secret", SECRET),
        ("TELEGRAM_WEBHOOK_SECRET", "a" * 16, "telegram_webhook_secret", "a" * 16),
        ("TELEGRAM_WEBHOOK_SECRET", "a" * 256, "telegram_webhook_secret", "a" * 256),
        ("TELEGRAM_SENDS_PER_SECOND", "0.5", "telegram_sends_per_second", 0.5),
        ("TELEGRAM_SENDS_PER_SECOND", "1000", "telegram_sends_per_second", 1000.0),
        ("PUBLIC_URL", "https://bot.example.org", "public_url", "https://bot.example.org"),
        ("PUBLIC_URL", "https://bot.example.org:8443/games/", "public_url", "https://bot.example.org:8443/games"),
        ("PUBLIC_URL", "https://[2001:db8::1]/", "public_url", "https://[2001:db8::1]"),
        ("REDIS_URL", REDIS, "redis_url", REDIS),
        ("REDIS_URL", "rediss://h", "redis_url", "rediss://h"),
        ("REDIS_URL", "unix:///run/redis.sock?db=1", "redis_url", "unix:///run/redis.sock?db=1"),
        ("BANDADA_DATA_DIR", "/tmp", "data_dir", Path("/tmp")),  # noqa: S108 - a directory that is there, only named
        ("BANDADA_DATA_DIR", "games/of ñandúes", "data_dir", Path("games/of ñandúes")),
        ("BANDADA_DATA_DIR", "~/games", "data_dir", Path.home() / "games"),
        ("HOST", "0.0.0.0", "host", "0.0.0.0"),  # noqa: S104 - only read
        ("HOST", "::1", "host", "::1"),
        ("PORT", "1", "port", 1),
        ("PORT", "65535", "port", 65535),
        ("PORT", "080", "port", 80),
        ("METRICS_PORT", "9100", "metrics_port", 9100),
        ("BANDADA_LANGUAGE", "ES", "language", "es"),
        ("BANDADA_LANGUAGE", "ru", "language", "ru"),
        ("LOG_LEVEL", "debug", "log_level", "DEBUG"),
        ("LOG_LEVEL", "Warning", "log_level", "WARNING"),
        ("LOG_FORMAT", "JSON", "log_format", "json"),
    ],
)
def test_right_values(name: str, text: str, field: str, value: object) -> None:
    assert getattr(load({name: text}), field) == value


# For each variable values that are wrong, and what is said of them; {} stands for the value.
WRONG: Final[list[tuple[str, str, list[str]]]] = [
    (
        "DISCORD_TOKEN",
        "does not look like a token; copy it again from the developer portal",
        ["secret", "a" * 19, f'"{DISCORD}"', f"Bot {DISCORD}", f"{DISCORD}ñ"],
    ),
    (
        "TELEGRAM_TOKEN",
        "does not look like a token (123456:ABC…); copy it again from @BotFather",
        ["123456", "123:short", *(start + "a" * 35 for start in (":", "id:", "١٢٣:", "123: ")), "123:" + "я" * 35],
    ),
    (
        "TELEGRAM_WEBHOOK_SECRET",
        "must be 16 to 256 letters, digits, _ or -",
        ["a" * 15, "a" * 257, "a" * 20 + "!", "ñ" * 20, "a" * 20 + " b"],
    ),
    (
        "REDIS_URL",
        "must begin with redis://, rediss:// or unix://",
        ["localhost:6379", "http://redis", "sesame", "redis:/h", "://"],
    ),
    (
        "PUBLIC_URL",
        "must be an address such as https://bot.example.org, without a user, ? or #",
        [
            *(
                "bot.example.org",
                "http://bot.example.org",
                "https://",
                "https://[x",
                "https:///x",
                "https://bot example.org",
            ),
            *("https://ana:sesame@bot.example.org", "https://h/?token=sesame", "https://h/#sesame"),
            *("https://h:99999", "https://h:x", "https://h:0"),
        ],
    ),
    *(
        (name, 'must be a whole number from 1 to 65535, not "{}"', ["0", "65536", "-1", "http", "80.0", "８０", "1 2"])
        for name in ("PORT", "METRICS_PORT")
    ),
    (
        "DISCORD_SHARDS",
        'must be a whole number from 1 to 16384, not "{}"',
        ["0", "16385", "many", "9" * 50, "9" * 5000],
    ),
    (
        "TELEGRAM_SENDS_PER_SECOND",
        'must be a number above 0 and at most 1000, not "{}"',
        ["0", "-1", "1001", "nan", "inf", "fast", "1,5"],
    ),
    ("HOST", 'must be a host name or an address, not "{}"', ["http://h", "a b", "a?b", "a#b", "ana@h"]),
    ("BANDADA_LANGUAGE", 'must be one of en, es, ru, not "{}"', ["fr", "english"]),
    ("LOG_LEVEL", 'must be one of DEBUG, INFO, WARNING, ERROR, not "{}"', ["loud", "10"]),
    ("LOG_FORMAT", 'must be one of console, json, not "{}"', ["xml", "x" * 100]),
    ("BANDADA_DATA_DIR", 'must be a directory, but "{}" is none', [__file__]),
    ("BANDADA_DATA_DIR", 'must be a directory, but "{}" cannot be one', ["~nobody-of-that-name/x", "/" + "x" * 5000]),
    *(
        (name, INVISIBLE, [f"a{character}b" for character in "\n\x00\u200b\u202e\ud800"])
        for name in (*SECRETS, "LOG_LEVEL", "BANDADA_DATA_DIR", "PUBLIC_URL", "HOST", "PORT")
    ),
]


@pytest.mark.parametrize(
    ("name", "line", "text"),
    [(name, line, text) for name, line, wrong in WRONG for text in wrong],
    ids=lambda value: ascii(value)[:24],
)
def test_wrong_values(name: str, line: str, text: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load({name: text})
    assert str(caught.value) == f"{name} {line.format(text[:60])}"


def test_the_first_wrong_value_is_named() -> None:
    with pytest.raises(ConfigError, match=r"^PORT must"):
        load({"PORT": "x", "LOG_LEVEL": "x"})


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"PORT": "8000"}, "0.0.0.0"),  # noqa: S104 - only read
        ({"PORT": "8000", "HOST": "localhost"}, "localhost"),
        ({"HOST": "localhost"}, "localhost"),
        ({"METRICS_PORT": "9100"}, "127.0.0.1"),
    ],
)
def test_a_port_asks_for_the_whole_network(variables: dict[str, str], expected: str) -> None:
    assert load(variables).host == expected


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({}, ()),
        ({"TELEGRAM_TOKEN": TELEGRAM}, ("telegram",)),
        ({"DISCORD_TOKEN": DISCORD}, ("discord",)),
        ({"TELEGRAM_TOKEN": TELEGRAM, "DISCORD_TOKEN": DISCORD}, ("discord", "telegram")),
        ({"TELEGRAM_WEBHOOK_SECRET": SECRET, "DISCORD_SHARDS": "2"}, ()),
    ],
)
def test_what_is_configured(variables: dict[str, str], expected: tuple[str, ...]) -> None:
    assert load(variables).configured == expected


def test_the_languages_are_those_of_the_texts() -> None:
    assert LANGUAGES == texts.LANGUAGES


# ---- secrets ---------------------------------------------------------------------------------------------------------


def test_no_secret_in_the_repr() -> None:
    config = load(SECRETS)
    assert {getattr(config, name.lower()) for name in SECRETS} == set(SECRETS.values())
    for shown in (repr(config), str(config), f"{config}"):
        assert not any(part in shown for part in (*SECRETS.values(), "sesame"))
    hidden = {field.name for field in fields(Config) if not field.repr}
    assert hidden == {name.lower() for name in SECRETS}


def test_the_secrets_to_mask() -> None:
    assert load(SECRETS).secrets == (DISCORD, TELEGRAM.partition(":")[2], SECRET, REDIS)
    assert load({"REDIS_URL": "redis://localhost"}).secrets == (), "nothing secret in it"


@pytest.mark.parametrize("name", SECRETS)
@pytest.mark.parametrize("damage", ["{} ", " {}", "{}\n{}", "{}!", "'{}'", "http://{}", "\u200b{}", "{}{}"])
def test_no_secret_in_an_error(name: str, damage: str) -> None:
    wrong = damage.replace("{}", "sesame-0123456789 sesame-0123456789")
    with pytest.raises(ConfigError) as caught:
        load({name: wrong})
    assert "sesame" not in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "sesame" not in "".join(traceback.format_exception(caught.value)), "nor what it came from"


def test_settings_do_not_change() -> None:
    with pytest.raises(FrozenInstanceError):
        load({}).port = 1  # type: ignore[misc]  # what must not work


@given(
    name=st.sampled_from([field.name.upper() for field in fields(Config)] + ["BANDADA_DATA_DIR", "BANDADA_LANGUAGE"]),
    text=st.one_of(
        st.text(st.characters(exclude_categories=())),
        st.builds("{}{}".format, st.sampled_from(["https://", "redis://", "1", "~", "https://[", "123:"]), st.text()),
    ),
)
def test_any_value_is_taken_or_refused_in_one_line(name: str, text: str) -> None:
    try:
        load({name: text})
    except ConfigError as error:
        line = str(error)
        assert line.startswith(f"{name} ")
        assert line.isprintable()
        assert len(line) < 200


# ---- the file --------------------------------------------------------------------------------------------------------


def dotenv(folder: Path, content: bytes) -> Path:
    path = folder / ".env"
    path.write_bytes(content)
    return path


def test_the_environment_goes_before_the_file(tmp_path: Path) -> None:
    path = dotenv(tmp_path, b"PORT=1000\nLOG_LEVEL=debug\nHOST=a\n")
    variables = read_environment({"PORT": "2000", "HOST": "", "OTHER": "x"}, path)
    assert variables == {"PORT": "2000", "LOG_LEVEL": "debug", "HOST": "", "OTHER": "x"}
    config = load(variables)
    assert (config.port, config.log_level, config.host) == (2000, "DEBUG", "0.0.0.0")  # noqa: S104 - only read


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", {}),
        (b"# nothing\n\n", {}),
        (b"PORT=1\nPORT=2", {"PORT": "2"}),
        (b"export PORT=1", {"PORT": "1"}),
        (b" PORT = 1 # the usual\r\nHOST='a'\r\n", {"PORT": "1", "HOST": "a"}),
        (b'A="b c"\nB=b c\nC="\\n"', {"A": "b c", "B": "b c", "C": "\n"}),
        (b"\xef\xbb\xbfPORT=1", {"PORT": "1"}),
        (b"A=$HOME ${HOME}", {"A": "$HOME ${HOME}"}),
        ("A=ñ".encode(), {"A": "ñ"}),
        (b"A", {}),
        (b"A=", {"A": ""}),
    ],
)
def test_what_a_file_says(tmp_path: Path, content: bytes, expected: dict[str, str]) -> None:
    assert read_environment({}, dotenv(tmp_path, content)) == expected


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"\xff\xfeP\x00", "{} cannot be read: it is not UTF-8"),
        (b"PORT=1\nTOKEN: sesame\n", "{}, line 2: is not NAME=value"),
        (b"PORT=1\n\nTOKEN 'sesame'\n", "{}, line 3: is not NAME=value"),
        (b'TOKEN="sesame\n', "{}, line 1: is not NAME=value"),
    ],
)
def test_a_broken_file(tmp_path: Path, content: bytes, line: str) -> None:
    path = dotenv(tmp_path, content)
    with pytest.raises(ConfigError) as caught:
        read_environment({}, path)
    assert str(caught.value) == line.format(path)


def test_no_file_is_needed(tmp_path: Path) -> None:
    variables = {"PORT": "1"}
    assert read_environment(variables) == variables
    assert read_environment(variables, tmp_path / "missing") == variables
    assert read_environment(variables, tmp_path) == variables, "a folder of that name is no file"


def test_the_example_is_a_file_like_that() -> None:
    text = (ROOT / ".env.example").read_text(encoding="utf-8")
    assert load(read_environment({}, ROOT / ".env.example")) == load({})
    on = re.sub(r"^#([A-Z_]+=)", r"\1", text, flags=re.MULTILINE)
    assert on != text


def test_what_the_example_shows_is_right(tmp_path: Path) -> None:
    text = (ROOT / ".env.example").read_text(encoding="utf-8")
    path = dotenv(tmp_path, re.sub(r"^#([A-Z_]+=)", r"\1", text, flags=re.MULTILINE).encode())
    config = load(read_environment({}, path))
    assert (config.port, config.metrics_port, config.language) == (8000, 9100, "en")
    assert config.public_url.startswith("https://")
