"""The catalogs as they stand in their files, read without the code that the bot reads them with."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from babel.messages.pofile import read_po

FOLDER = Path(__file__).parents[2] / "locales"
SOURCE, *TRANSLATIONS = LANGUAGES = ("en", "es", "ru")
FORMS = {"en": 2, "es": 2, "ru": 3}

_MSGID = re.compile(r'^(?:msgctxt "(.+)"\n)?msgid "(.+)"$', re.MULTILINE)
_PLACEHOLDER = re.compile(r"\{(\w*)\}")
_CODE = re.compile(r"`[^`]*`")


@dataclass(frozen=True, slots=True)
class Entry:
    """One text with its *forms*: one, or one for each plural form."""

    file: str
    key: str
    forms: tuple[str, ...]
    has_plurals: bool
    is_fuzzy: bool

    @property
    def placeholders(self) -> list[frozenset[str]]:
        """The names in braces, form by form."""
        return [frozenset(_PLACEHOLDER.findall(form)) for form in self.forms]

    @property
    def words(self) -> tuple[str, ...]:
        """The forms without placeholders, code and marks of bold."""
        return tuple(_PLACEHOLDER.sub("", _CODE.sub("", form)).replace("**", "") for form in self.forms)


def files(language: str) -> list[Path]:
    return sorted((FOLDER / language).glob("*.po"))


def keys_as_written(language: str) -> list[tuple[str, str]]:
    """File and key of each entry in the order of the files, also of those that stand there twice; no variants."""
    found = ((path.name, _MSGID.findall(path.read_text(encoding="utf-8"))) for path in files(language))
    return [(name, key) for name, keys in found for context, key in keys if not context]


def entries(language: str) -> dict[str, Entry]:
    """Key to entry, all files together."""
    return {key: entry for (context, key), entry in _read(language).items() if not context}


def variants(language: str) -> dict[tuple[str, str], Entry]:
    """The entries with other words for a certain game: game and key to entry."""
    return {key: entry for key, entry in _read(language).items() if key[0]}


@cache
def _read(language: str) -> dict[tuple[str, str], Entry]:
    """Context (mostly none) and key to entry."""
    found: dict[tuple[str, str], Entry] = {}
    for path in files(language):
        with path.open("rb") as stream:
            for message in read_po(stream, locale=language):
                if not message.id:
                    continue
                has_plurals = not isinstance(message.id, str)
                key = message.id[0] if has_plurals else str(message.id)
                forms = (message.string,) if isinstance(message.string, str) else tuple(message.string or ())
                found[message.context or "", key] = Entry(path.name, key, forms, has_plurals, message.fuzzy)
    return found


def all_entries(*languages: str) -> list[tuple[str, Entry]]:
    """Every entry with its language, variants too."""
    return [(language, entry) for language in languages or LANGUAGES for entry in _read(language).values()]
