"""Telegram: groups, topics and private chats, by long polling or by a webhook."""

from bot.adapters.telegram_adapter.adapter import Core, TelegramAdapter
from bot.adapters.telegram_adapter.incoming import PLATFORM
from bot.adapters.telegram_adapter.pace import NO_LIMITS, Limits

__all__ = ["NO_LIMITS", "PLATFORM", "Core", "Limits", "TelegramAdapter"]
