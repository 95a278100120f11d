"""The slash commands as Discord has them: complete, in four locales, within the limits, sent only when they differ."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import Any

import pytest
from redis.asyncio import Redis

from bot.parse import COMMANDS
from rules import GAMES
from tests.bot.table import sentence
from tests.discord import calls
from tests.discord.command_limits import is_command_name, problems_of_commands
from tests.discord.house import house
from tests.discord.server import DiscordServer

LOCALES = ("es-ES", "es-419", "ru")
MOST_CHARACTERS = 8000
"""Discord: "the combined name, description, and value properties … for a command must not exceed 8000 characters"."""


async def synced(service: DiscordServer, client: Redis) -> list[dict[str, Any]]:
    async with house(service, client):
        return service.world.commands


async def test_every_command_is_there_in_every_locale(service: DiscordServer, redis_client: Redis) -> None:
    commands = await synced(service, redis_client)
    assert [one["name"] for one in commands] == [name for name in COMMANDS if name != "m"]
    for locale in LOCALES:
        names = [one["name_localizations"][locale] for one in commands]
        assert len(set(names)) == len(names)
        for one in (*commands, *(option for command in commands for option in command.get("options") or ())):
            assert one["description_localizations"][locale]
            name = one["name_localizations"][locale]
            assert is_command_name(name)
            assert name == unicodedata.normalize("NFC", name).lower()
    assert problems_of_commands(commands) == []


def characters(value: object, locale: str | None) -> int:
    """What counts of a command, options and choices included, with the longer of the default and *locale*."""
    if isinstance(value, list):
        return sum(characters(one, locale) for one in value)
    if not isinstance(value, dict):
        return 0
    total = 0
    for key in ("name", "description"):
        translated = (value.get(f"{key}_localizations") or {}).get(locale, "")
        total += max(len(value.get(key) or ""), len(translated))
    total += len(value["value"]) if isinstance(value.get("value"), str) else 0
    return total + characters(value.get("options"), locale) + characters(value.get("choices"), locale)


@pytest.mark.parametrize("locale", LOCALES)
async def test_no_command_is_too_long(service: DiscordServer, redis_client: Redis, locale: str) -> None:
    assert max(characters(one, locale) for one in await synced(service, redis_client)) < MOST_CHARACTERS / 4


async def test_games_and_themes_are_the_bot_s(service: DiscordServer, redis_client: Redis) -> None:
    commands = {one["name"]: one for one in await synced(service, redis_client)}
    options = {option["name"]: option for option in commands["challenge"]["options"]}
    assert [choice["value"] for choice in options["game"]["choices"]] == list(GAMES)
    assert options["size"]["autocomplete"]
    for command in ("move", "board", "resign", "replay"):
        assert {option["name"] for option in commands[command]["options"]} >= {"match"}


async def test_they_work_where_the_bot_is_and_where_people_bring_it(
    service: DiscordServer, redis_client: Redis
) -> None:
    for command in await synced(service, redis_client):
        assert sorted(command["contexts"]) == [0, 1, 2]
        assert sorted(command["integration_types"]) == [0, 1]


async def test_they_are_sent_only_when_they_differ(service: DiscordServer, redis_client: Redis) -> None:
    await synced(service, redis_client)
    assert service.sent("bulk_set_application_commands") == 1
    await synced(service, redis_client)
    assert service.sent("bulk_set_application_commands") == 1
    spoils: list[Callable[[Any], object]] = [
        lambda commands: commands.pop(),
        lambda commands: commands[3].update(description="another"),
        lambda commands: commands[3]["name_localizations"].update(ru="другое"),
        lambda commands: commands[5]["options"].clear(),
    ]
    for spoil in spoils:
        before = service.sent("bulk_set_application_commands")
        spoil(service.world.commands)
        await synced(service, redis_client)
        assert service.sent("bulk_set_application_commands") == before + 1


@pytest.mark.parametrize(("locale", "language"), [("en-GB", "en"), ("es-419", "es"), ("ru", "ru"), ("ja", "en")])
async def test_answers_are_in_the_asker_s_language(
    service: DiscordServer, redis_client: Redis, locale: str, language: str
) -> None:
    ana = service.person("Ana", locale)
    channel = service.channel(service.guild("Casa", ana))
    async with house(service, redis_client):
        seen = await ana.slash(channel, "rules")
        assert (seen.text, seen.is_private) == (sentence("ask.rules", language), True)


async def test_every_command_answers_without_arguments(service: DiscordServer, redis_client: Redis) -> None:
    ana = service.person("Ana")
    channel = service.channel(service.guild("Casa", ana))
    async with house(service, redis_client):
        for name in COMMANDS:
            if name == "m":
                continue
            for where in (channel, service.dm(ana)):
                seen = await ana.slash(where, name)
                assert not seen.failed, name
                assert seen.text, name
        assert channel.public == []


async def test_several_settings_in_one_command(service: DiscordServer, redis_client: Redis) -> None:
    ana, bo = service.person("Ana"), service.person("Бо")
    channel = service.channel(service.guild("Casa", ana, bo))
    async with house(service, redis_client) as home:
        seen = await ana.slash(channel, "settings", ping=False, confirm=True, block=bo, **{"my-language": "ru"})
        assert seen.is_private
        assert sentence("settings.saved", "ru") in seen.text
        assert sentence("settings.blocked", "ru", n=1) in seen.text
        profile = await home.core.store.profile(f"discord:{ana.id}")  # type: ignore[arg-type]  # a person's id
        assert (profile.ping, profile.confirm, profile.language) == (False, True, "ru")
        assert f"discord:{bo.id}" in profile.blocked
        seen = await bo.slash(channel, "challenge", opponent=ana, game="ayu")
        assert seen.text == sentence("notice.blocked")


async def test_a_command_of_another_version_is_answered(service: DiscordServer, redis_client: Redis) -> None:
    ana = service.person("Ana")
    channel = service.channel(service.guild("Casa", ana))
    async with house(service, redis_client):
        old = {**service.world.commands[-1], "id": str(service.world.new_id()), "name": "castle", "options": []}
        service.world.commands.append(old)
        seen = await ana.slash(channel, "castle")
        assert seen.is_private
        assert seen.text.replace("`", "") == sentence("notice.unknown-command", command="/castle")


async def test_the_login_is_tried_again(
    service: DiscordServer, redis_client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.adapters.discord_adapter.adapter.LOGIN_SECONDS", 0.05)
    ana = service.person("Ana")
    channel = service.channel(service.guild("Casa", ana))
    service.faults.plant("get_my_user", calls.cut(), 6)
    async with house(service, redis_client):
        assert service.faults.are_used_up
        assert (await ana.slash(channel, "help")).text
