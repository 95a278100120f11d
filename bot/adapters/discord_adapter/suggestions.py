"""What is suggested while somebody types an option: nothing is said if it comes too late."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any, Final

import discord
from discord.app_commands import Choice

from bot.adapters.discord_adapter.incoming import AnyInteraction, completing
from bot.ports import Complete, StoreUnavailableError

log = logging.getLogger(__name__)

LIMIT: Final = 25
"""Discord: "autocomplete choices (max of 25 choices)"."""

_LENGTH: Final = 100


async def suggest(interaction: AnyInteraction, complete: Complete) -> None:
    """Answer an autocompletion."""
    choices: Sequence[Choice[Any]] = ()
    try:
        choices = await _choices(interaction, complete)
    except StoreUnavailableError as error:
        log.debug("nothing is suggested: %s", error)
    except Exception:
        log.exception("nothing is suggested")
    try:
        await interaction.response.autocomplete(choices)
    except discord.DiscordException as error:
        log.debug("a suggestion came too late: %s", error)


async def _choices(interaction: AnyInteraction, complete: Complete) -> Sequence[Choice[Any]]:
    data: Mapping[str, Any] = interaction.data or {}
    given = {one["name"]: one for one in data.get("options", ())}
    focused = next((one for one in given.values() if one.get("focused")), None)
    if focused is None:
        return ()
    text = str(focused.get("value", ""))
    if focused["name"] == "size":
        game = str(given["game"]["value"]) if "game" in given else ""
        return [Choice(name=str(size), value=size) for size in complete.sizes(game, text)[:LIMIT]]
    incoming = completing(interaction, text)
    if focused["name"] == "move":
        match = str(given["match"]["value"]) if "match" in given else ""
        found = await complete.moves(incoming, match, LIMIT)
    else:
        found = await complete.matches(incoming, LIMIT)
    return [Choice(name=one.label[:_LENGTH], value=one.value) for one in found if len(one.value) <= _LENGTH]
