"""Discord: see `bot.adapters.discord_adapter.adapter`."""

from bot.adapters.discord_adapter.adapter import DiscordAdapter, DiscordParts
from bot.adapters.discord_adapter.ids import PLATFORM

__all__ = ["PLATFORM", "DiscordAdapter", "DiscordParts"]
