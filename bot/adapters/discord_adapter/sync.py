"""Telling Discord the commands: only when they differ from what it has."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any, Final

import discord
from discord import app_commands
from discord.http import Route

log = logging.getLogger(__name__)

_MADE_BY_DISCORD: Final = frozenset(
    {"id", "application_id", "version", "guild_id", "dm_permission", "default_permission", "nsfw", "handler"}
)
_IN_ANY_ORDER: Final = frozenset({"contexts", "integration_types"})


async def sync(tree: app_commands.CommandTree[discord.Client], translator: app_commands.Translator) -> bool:
    """True if the commands were sent to Discord, False if it has them already.

    :raises discord.DiscordException: if Discord cannot be asked, or does not take them.
    """
    client = tree.client
    await tree.set_translator(translator)
    ours = [await command.get_translated_payload(tree, translator) for command in tree.get_commands()]
    route = Route(
        "GET",
        "/applications/{application_id}/commands?with_localizations=true",
        application_id=client.application_id or 0,
    )
    theirs: Sequence[Mapping[str, Any]] = await client.http.request(route)
    if _normal(ours) == _normal(theirs):
        return False
    await tree.sync()
    log.info("Discord was told %d commands", len(ours))
    return True


def _normal(commands: Sequence[Mapping[str, Any]]) -> dict[tuple[int, str], object]:
    """The commands by kind and name, without what Discord adds and what says nothing."""
    return {(int(one.get("type") or 1), str(one["name"])): _stripped(one) for one in commands}


def _stripped(value: object) -> object:
    if isinstance(value, Mapping):
        kept = {
            key: sorted(inner) if key in _IN_ANY_ORDER and inner else _stripped(inner)
            for key, inner in value.items()
            if key not in _MADE_BY_DISCORD
        }
        return {key: inner for key, inner in kept.items() if inner not in (None, False, [], {}, "")}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_stripped(one) for one in value]
    return int(value) if isinstance(value, int) and not isinstance(value, bool) else value
