"""The words: reads the catalogs of locales/ and makes spans from keys and plain parameters.

A text may hold ``{placeholders}``, ``**bold**`` and backquoted code. Knows gettext's .po files, plural forms and
how numbers and dates are written; knows no game and no platform.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import resources
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Final

from babel import Locale
from babel.dates import format_datetime
from babel.lists import format_list
from babel.messages.pofile import read_po
from babel.numbers import format_decimal

from bot.messages import Bold, Code, Mention, Moment, Span, Text

LANGUAGES: Final = ("en", "es", "ru")
"""The languages that are complete; the first is the source."""

Param = str | int | Span | tuple[Span, ...]

_MARKUP: Final = re.compile(r"\*\*(?P<bold>.+?)\*\*|`(?P<code>.+?)`|\{(?P<name>\w+)\}", re.DOTALL)
_PLACEHOLDER: Final = re.compile(r"\{(\w+)\}")

# Real Academia Española, Diccionario panhispánico de dudas: "u" before the sound o (ocho, once), "e" before i.
_CLASHES: Final = (
    ("o", "u", re.compile(r"h?[oó]|8|11(?!\d)", re.IGNORECASE)),
    ("y", "e", re.compile(r"h?[ií](?![aeo])", re.IGNORECASE)),
)


class MissingTextError(LookupError):
    """A key that a catalog does not have: our fault, found by the tests."""


@dataclass(frozen=True, slots=True)
class Catalog:
    """One language's texts: key to its forms (one, or one for each plural form), and the choice among them.

    *variants* are the forms where the language has other words in a certain context (gettext's ``msgctxt``: a game's
    key), by context and key.
    """

    language: str
    locale: Locale
    forms: Mapping[str, tuple[str, ...]]
    variants: Mapping[tuple[str, str], tuple[str, ...]]

    def form(self, key: str, params: Mapping[str, Param], context: str = "") -> str:
        """The template of *key* in this *context*; where it has plural forms, the one for parameter ``n``.

        :raises MissingTextError: if there is none, KeyError if it has plural forms and ``n`` is no integer.
        """
        forms = self.variants.get((context, key)) or self.forms.get(key)
        if not forms:
            raise MissingTextError(f"{self.language}: {key}")
        if len(forms) == 1:
            return forms[0]
        number = params.get("n")
        if not isinstance(number, int):
            raise KeyError("n")
        return forms[_plural_index(self.language, self.locale.plural_form(number))]


def _plural_index(language: str, category: str) -> int:
    """Where the catalogs of *language* keep the plural *category* of CLDR (en, es: one, other; ru: one, few, many)."""
    if language == "ru":
        return {"one": 0, "few": 1}.get(category, 2)
    return 0 if category == "one" else 1


class Texts:
    """All languages' texts, read once."""

    def __init__(self, catalogs: Mapping[str, Catalog]) -> None:
        self._catalogs = MappingProxyType(dict(catalogs))

    @classmethod
    def load(cls) -> Texts:
        """The texts of the package's own catalogs."""
        root = resources.files("locales")
        return cls({language: _read(language, root / language) for language in LANGUAGES})

    def catalog(self, language: str) -> Catalog:
        """The catalog of *language*, which must be one of `LANGUAGES`."""
        return self._catalogs[language]

    def say(self, language: str, key: str, context: str = "", /, **params: Param) -> tuple[Span, ...]:
        """The text of *key* as spans; *context* is the key of the game it is about, where that may change the words.

        Integers are written as the language writes them, and ``n`` chooses the plural form. Spans stay spans.

        :raises MissingTextError: for an unknown key, KeyError for a missing parameter: our fault.
        """
        return tuple(_merged(self._spans(language, self._catalogs[language].form(key, params, context), params)))

    def plain(self, language: str, key: str, context: str = "", /, **params: Param) -> str:
        """The text of *key* without any markup."""
        return plain(self.say(language, key, context, **params))

    def words(self, language: str, prefix: str) -> Mapping[str, str]:
        """The raw templates of all keys that begin with *prefix* and have no plural forms."""
        forms = self._catalogs[language].forms
        return {key: found[0] for key, found in forms.items() if key.startswith(prefix) and len(found) == 1}

    def number(self, language: str, value: int) -> str:
        """The number as the language writes it."""
        return str(format_decimal(value, locale=self._catalogs[language].locale))

    def listing(self, language: str, items: tuple[str, ...], *, either: bool = False) -> str:
        """The items as one enumeration: "a, b, and c" (or "a, b, or c"), as the language writes it."""
        locale = self._catalogs[language].locale
        written = str(format_list(items, style="or" if either else "standard", locale=locale))
        return _eased(written, items[-1]) if language == "es" and len(items) > 1 else written

    def moment(self, language: str, seconds: int) -> Moment:
        """A point in time, written for people in UTC where the platform has no form of its own."""
        when = datetime.fromtimestamp(seconds, UTC)
        written = format_datetime(when, "d MMM, HH:mm", locale=self._catalogs[language].locale)
        return Moment(seconds, f"{written} UTC")

    def _spans(self, language: str, template: str, params: Mapping[str, Param]) -> Iterator[Span]:
        end = 0
        for found in _MARKUP.finditer(template):
            if found.start() > end:
                yield Text(template[end : found.start()])
            end = found.end()
            if (bold := found["bold"]) is not None:
                yield Bold(self._filled(language, bold, params))
            elif (code := found["code"]) is not None:
                yield Code(self._filled(language, code, params))
            else:
                yield from self._param(language, params[found["name"]])
        if end < len(template):
            yield Text(template[end:])

    def _param(self, language: str, value: Param) -> tuple[Span, ...]:
        if isinstance(value, tuple):
            return value
        if isinstance(value, str):
            return (Text(value),)
        if isinstance(value, int):
            return (Text(self.number(language, value)),)
        return (value,)

    def _filled(self, language: str, template: str, params: Mapping[str, Param]) -> str:
        return _PLACEHOLDER.sub(lambda found: plain(self._param(language, params[found[1]])), template)


def plain(spans: tuple[Span, ...]) -> str:
    """The spans' words without markup."""
    return "".join(span.name if isinstance(span, Mention) else span.text for span in spans)


def joined(parts: tuple[tuple[Span, ...], ...], between: str = "\n") -> tuple[Span, ...]:
    """The non-empty *parts* one after the other with *between* in between."""
    spans: list[Span] = []
    for part in parts:
        if part and spans:
            spans.append(Text(between))
        spans.extend(part)
    return tuple(_merged(iter(spans)))


def supported(language: str) -> str:
    """The one of `LANGUAGES` that a platform's language code (``es-419``, ``ru_RU``) means, or the empty string."""
    main = re.split(r"[-_]", language.strip().lower(), maxsplit=1)[0]
    return main if main in LANGUAGES else ""


def _eased(written: str, last: str) -> str:
    """A Spanish enumeration whose "o" or "y" before the *last* item makes way for the same sound: "6, 7 u 8"."""
    for word, instead, sound in _CLASHES:
        if sound.match(last) and written.endswith(end := f" {word} {last}"):
            return f"{written.removesuffix(end)} {instead} {last}"
    return written


def _merged(spans: Iterator[Span]) -> Iterator[Span]:
    """The *spans* with neighbouring texts made one, and without those that say nothing: no platform takes them."""
    waiting = ""
    for span in spans:
        if isinstance(span, Text):
            waiting += span.text
            continue
        if isinstance(span, Bold | Code) and not span.text:
            continue
        if waiting:
            yield Text(waiting)
            waiting = ""
        yield span
    if waiting:
        yield Text(waiting)


def _read(language: str, folder: Traversable) -> Catalog:
    forms: dict[str, tuple[str, ...]] = {}
    variants: dict[tuple[str, str], tuple[str, ...]] = {}
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if not file.name.endswith(".po"):
            continue
        with file.open("rb") as stream:
            for message in read_po(stream, locale=language):
                key = message.id if isinstance(message.id, str) else message.id[0]
                strings = (message.string,) if isinstance(message.string, str) else tuple(message.string or ())
                if not key or not all(strings):
                    continue
                if message.context:
                    variants[message.context, key] = strings
                else:
                    forms[key] = strings
    return Catalog(language, Locale.parse(language), MappingProxyType(forms), MappingProxyType(variants))
