"""Promise 6: every input gets an answer or a listed silence, and never a message that a platform would refuse."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from redis.asyncio import Redis

from bot.messages import Incoming, Mention, Outgoing, Silence
from bot.names import shown_name
from bot.parse import COMMANDS, RESERVED, parse
from bot.payload import LIMIT
from bot.texts import LANGUAGES, plain
from tests.bot.harness import World
from tests.bot.table import begun, first_line, moved, placed, said, sentence
from tests.rules.games import recorded

PEOPLE: Final = ("Ana", "Бо", "Carla")

# What the narrowest platform takes.
TEXT_LENGTH: Final = 2000
CAPTION_LENGTH: Final = 1024
ALT_LENGTH: Final = 1000
LABEL_LENGTH: Final = 80
BUTTONS: Final = 25

WORDS: Final = (
    *("{ayu}", "{volo}", "{open}", "#{ayu}", "{VOLO}", "zzzz", "kfwt"),
    *("b1", "b1b2", "b1-b2", "B1 → B2", "d1", "a2", "e5", "z99", "c6", "б1б2", "a1-NE2", "a1:a3-E1/b2", "pass", "swap"),
    *("ayu", "volo", "аю", "chess", "9", "11", "7", "8", "1000000", "9x9", "nopie", "pie", "open", "computer", "bot"),
    *("@bo", "@Ana", "@somebody", "@", "@ы", "@" + "x" * 80, "yes", "да", "on", "off", "si"),
    *("language", "idioma", "es", "ru", "xx", "theme", "dark", "ping", "confirm", "file", "block", "unblock"),
    *(
        "\u202e",
        "\u200b",
        "\ud800",
        "\x00",
        "a\u0301\u0301\u0301\u0301",
        "`",
        "**",
        "{n}",
        "{name}",
        "|",
        "!",
        "*",
        "b*",
    ),
)
FIELDS: Final = (*WORDS, "0", "1", "2", "3", "99999", "", "add", "fly", "draw", "takeback", "test:бо", "b", "a*", "e5*")
LETTERS: Final = "adwlRbvermgpsoyncutGNhkz"
GAMES_PLAYED: Final = [
    (game["game"], game["size"], tuple(game["moves"]))
    for name in ("ayu.ndjson.gz", "volo.ndjson.gz", "volo_literal.ndjson.gz")
    for game in recorded(name, 3, 10)
] + [("ayu", 19, ()), ("ayu", 17, ())]


def texts() -> st.SearchStrategy[str]:
    """Anything that people may type, and much that nobody would."""
    characters = st.characters()  # lone surrogates too: a browser may send them
    some = st.text(characters, max_size=60)
    long = st.builds(
        lambda part, times: (part * times)[:10_000], st.text(characters, min_size=1), st.integers(1, 10_000)
    )
    names = st.sampled_from([*COMMANDS, *sorted(RESERVED), "nothing", "start@bandada_bot", "d\u0131raw"])
    words = st.lists(st.sampled_from(WORDS) | some, max_size=5).map(" ".join)
    return st.one_of(some, long, words, st.builds("/{} {}".format, names, words), st.builds("/{}".format, some))


def payloads() -> st.SearchStrategy[str]:
    """Any bytes, and those that look like a button's."""
    fields = st.lists(st.sampled_from(FIELDS), max_size=5).map("|".join)
    anything = st.binary(min_size=1, max_size=100).map(lambda data: data.decode("latin-1"))
    return anything | st.builds("{}|{}".format, st.sampled_from(LETTERS), fields)


inputs = st.tuples(
    st.sampled_from(PEOPLE), texts().map(lambda text: (text, "")) | payloads().map(lambda sent: ("", sent))
)


async def a_lively_chat(client: Redis, language: str = "en") -> tuple[World, dict[str, str]]:
    """A chat with a match of each game and an open challenge, and their ids by name."""
    await client.flushdb()
    world = World(client, language=language)
    world.language = language
    ayu = await moved(world, await begun(world, "ayu 9"), "b1b2")
    volo = await begun(world, "volo 6", "Бо", "Ana")
    (challenge,) = await world.say("Carla", "/challenge ayu 11")
    ids = {"ayu": ayu.id, "volo": volo.id, "VOLO": volo.id.upper(), "open": challenge.match or ""}
    return world, ids


def filled(text: str, ids: dict[str, str]) -> str:
    """The text with the ids of matches in it."""
    for name, match in ids.items():
        text = text.replace(f"{{{name}}}", match)
    return text


async def answered(world: World, update: Incoming) -> list[Outgoing]:
    """What is said because of *update*, which must be something, and something that can be sent."""
    messages = await world.handle(update)
    if isinstance(parse(update), Silence):
        assert messages == []
    else:
        assert messages, update
    for outgoing in messages:
        check(outgoing)
        assert outgoing.only_for in (None, update.person.id)
    broken = sentence("error.unexpected", world.language or "en", incident="").rstrip(". ")
    assert not first_line(messages).startswith(broken[:40]), said(messages)
    return messages


def check(outgoing: Outgoing) -> None:
    """Fail if a platform would refuse the message, or show it oddly."""
    text = plain(outgoing.text)
    text.encode()  # no lone surrogates
    assert not any(ord(character) < 32 and character != "\n" for character in text)
    assert "\u202e" not in text
    assert "{" not in text.replace("{n}", "").replace("{name}", ""), text
    assert 0 < len(text) <= (TEXT_LENGTH if outgoing.picture is None else CAPTION_LENGTH), len(text)
    assert all(span.name if isinstance(span, Mention) else span.text for span in outgoing.text)
    if outgoing.picture is not None:
        assert 0 < len(outgoing.picture.alt) <= ALT_LENGTH
    buttons = [button for row in outgoing.buttons for button in row]
    assert len(buttons) <= BUTTONS
    assert len({button.payload for button in buttons}) == len(buttons)
    for button in buttons:
        assert 0 < len(button.label) <= LABEL_LENGTH
        assert 0 < len(button.payload.encode("ascii")) <= LIMIT


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.lists(inputs, min_size=1, max_size=6))
async def test_every_input_is_answered(redis_client: Redis, said_by: list[tuple[str, tuple[str, str]]]) -> None:
    world, ids = await a_lively_chat(redis_client)
    for name, (text, pressed) in said_by:
        await answered(world, world.incoming(name, filled(text, ids), filled(pressed, ids)))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(inputs, st.booleans(), st.sampled_from(["", "Ayu 9×9 · #{ayu}", "#zzzz", "hello"]), st.sampled_from(LANGUAGES))
async def test_every_input_in_a_group(
    redis_client: Redis, input_: tuple[str, tuple[str, str]], addressed: bool, quoted: str, language: str
) -> None:
    world, ids = await a_lively_chat(redis_client, language)
    name, (text, pressed) = input_
    update = world.incoming(
        name,
        filled(text, ids),
        filled(pressed, ids),
        private=False,
        addressed=addressed,
        quoted=filled(quoted, ids),
        mentions=(world.person("Бо"),) if "@bo" in text else (),
    )
    await answered(world, update)


positions = st.tuples(st.sampled_from(GAMES_PLAYED), st.floats(0, 1))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=100)
@given(positions, st.sampled_from(LANGUAGES), st.lists(st.integers(0, 24), min_size=1, max_size=8))
async def test_every_button_leads_somewhere(
    redis_client: Redis, place: tuple[tuple[str, int, tuple[str, ...]], float], language: str, presses: list[int]
) -> None:
    """From any position on, whatever is pressed of what was offered: something else is said, or something happens."""
    (game, size, moves), part = place
    await redis_client.flushdb()
    world = World(redis_client, language=language)
    world.language = language
    stored = await placed(world, game, size, moves[: round(part * len(moves))])
    names = {world.person(name).id: name for name in PEOPLE}
    who = names[stored.match.person_to_move or world.person("Ana").id]
    messages = await answered(world, world.incoming(who, f"/board {stored.id}"))
    await answered(world, world.incoming(who, f"/moves {stored.id}"))
    await answered(world, world.incoming(who, f"pass {stored.id}"))
    for press in presses:
        offered = [button.payload for one in messages for row in one.buttons for button in row]
        if not offered:
            break
        update = world.incoming(who, payload=offered[press % len(offered)])
        messages = await answered(world, update)
        assert first_line(messages) != sentence("notice.unknown-button", language).split("\n")[0], update.payload
        assert first_line(messages) != sentence("fault.stale", language), update.payload


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", COMMANDS)
async def test_every_command_without_arguments(redis_client: Redis, name: str, language: str) -> None:
    """Useful in a lively chat, and where nothing is played."""
    world, _ = await a_lively_chat(redis_client, language)
    for who in PEOPLE:
        await answered(world, world.incoming(who, f"/{name}"))
        await answered(world, world.incoming(who, f"/{name}", private=False))
    stranger = World(redis_client, language=language)
    stranger.language = language
    await redis_client.flushdb()
    await answered(stranger, stranger.incoming("Diego", f"/{name}"))


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("good morning", {"addressed": False}),
        ("b1b2", {"addressed": False}),
        ("", {"addressed": False}),
        ("yes, in my #garden", {"addressed": False, "quoted": "how are the birds?"}),
        ("/weather@other_bot", {"addressed": False}),
        ("/", {"addressed": False}),
    ],
)
async def test_the_silences(redis_client: Redis, text: str, more: dict[str, object]) -> None:
    """In a group, what is not meant for the bot: talk, even if it looks like a move, and other bots' commands."""
    world, _ = await a_lively_chat(redis_client)
    update = world.incoming("Ana", text, "", private=False, **more)
    assert isinstance(parse(update), Silence)
    assert await world.handle(update) == []


async def test_names_that_would_disturb_are_tamed(redis_client: Redis) -> None:
    world = World(redis_client)
    for name in (
        "\u202eeve\u202c",
        "A\nB\nC",
        "z" + "\u0301" * 40,
        "\u200b\u200b",
        "",
        "W" * 4000,
        "\ud800x",
        "@everyone",
    ):
        person = world.person("Eve")
        update = world.incoming("Eve", "/challenge ayu 9", person=type(person)(person.id, name, "eve"))
        for outgoing in await answered(world, update):
            assert len(plain(outgoing.text).split("\n")) == 3, name
        (match,) = await world.store.matches_in(world.place)
        for outgoing in await answered(world, world.incoming("Eve", f"/cancel {match}", person=update.person)):
            check(outgoing)


async def test_a_text_without_a_button_that_can_carry_it(redis_client: Redis) -> None:
    """A user name that no platform has, in a challenge whose game is asked for by buttons."""
    world = World(redis_client)
    for name in ("ы", "x" * 64, "a|b"):
        (answer,) = await answered(world, world.incoming("Ana", f"/challenge @{name}"))
        assert first_line([answer]) == sentence(
            "notice.unknown-word", command="/challenge", word=shown_name(f"@{name}")
        )
    (answer,) = await answered(world, world.incoming("Ana", f"/challenge @{'x' * 32}"))
    assert first_line([answer]) == sentence("ask.game")
