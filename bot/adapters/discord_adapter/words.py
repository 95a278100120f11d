"""The words that only Discord shows, and which of Discord's languages they are for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from discord import Locale

Words = Callable[[str], Mapping[str, str]]
"""By language: the keys of locales/*/discord.po, ``command.<name>``, ``button.theme.<name>``, ``permission.<name>``."""

LANGUAGE_OF: Final[Mapping[Locale, str]] = MappingProxyType(
    {Locale.spain_spanish: "es", Locale.latin_american_spanish: "es", Locale.russian: "ru"}
)
"""The languages that commands are translated into; all others see English."""


def language_of(locale: str) -> str:
    """The language of a person or a place whose Discord is set to *locale* (``es-419``)."""
    return {str(known): language for known, language in LANGUAGE_OF.items()}.get(locale, "en")
