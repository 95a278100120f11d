"""What Discord refuses in commands and autocompletion although its description of the API lets it pass.

Source: https://discord.com/developers/docs/interactions/application-commands.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

import discord

JSON = dict[str, Any]

LOCALES: Final = frozenset(locale.value for locale in discord.Locale)
CHARACTERS: Final = 8000
"""Names, descriptions and values of one command together, of each the longest localisation."""
_CHAT_INPUT: Final = 1
_GROUPS: Final = frozenset({1, 2})
_TEXT, _WHOLE, _NUMBER = 3, 4, 10


def problems_of_commands(commands: Sequence[JSON]) -> list[str]:
    """What is wrong with the whole list of an app's global commands."""
    return [*_problems_of_list(commands)]


def _problems_of_list(commands: Sequence[JSON]) -> Iterator[str]:
    kinds = Counter(command.get("type") or _CHAT_INPUT for command in commands)
    for kind, most in ((_CHAT_INPUT, 100), (2, 15), (3, 15)):
        if kinds[kind] > most:
            yield f"{kinds[kind]} commands of type {kind}, at most {most}"
    names = Counter((command.get("type") or _CHAT_INPUT, command["name"]) for command in commands)
    yield from (f"/{name}: stands there twice" for (_, name), n in names.items() if n > 1)
    for command in commands:
        kind = command.get("type") or _CHAT_INPUT
        path = f"/{command['name']}"
        if kind == _CHAT_INPUT:
            yield from _problems_of_named(command, path)
            yield from _problems_of_options(command.get("options") or [], path)
            if _length(command) > CHARACTERS:
                yield f"{path}: {_length(command)} characters, at most {CHARACTERS}"
        elif command.get("description") or command.get("options"):
            yield f"{path}: a menu command has neither description nor options"


def _problems_of_named(one: JSON, path: str) -> Iterator[str]:
    names = {"": one["name"], **(one.get("name_localizations") or {})}
    texts = {"": one.get("description") or "", **(one.get("description_localizations") or {})}
    for locale in (*names, *texts):
        if locale and locale not in LOCALES:
            yield f"{path}: {locale} is no locale"
    for locale, name in names.items():
        if not is_command_name(name):
            yield f"{path}: {name!r} ({locale or 'default'}) is no name of a command"
    if not texts[""].strip():
        yield f"{path}: no description"


def is_command_name(name: str) -> bool:
    """True if a slash command or an option may be called so: letters and digits, lower case, ``-_'``."""

    def is_allowed(character: str) -> bool:
        # Letters and numbers of every script; with the vowel signs of Devanagari and Thai, which are marks.
        if character in "-_'" or unicodedata.category(character)[0] in "LN":
            return True
        return unicodedata.name(character, "").startswith(("DEVANAGARI ", "THAI "))

    return 1 <= len(name) <= 32 and name == name.lower() and all(map(is_allowed, name))


def _problems_of_options(options: Sequence[JSON], path: str) -> Iterator[str]:
    for key in ("name", "name_localizations"):
        yield from _problems_of_same_names(options, key, path)
    groups = [option["type"] in _GROUPS for option in options]
    if any(groups) and not all(groups):
        yield f"{path}: subcommands and options side by side"
    required = [bool(option.get("required")) for option in options]
    if required != sorted(required, reverse=True):
        yield f"{path}: an optional option before a required one"
    for option in options:
        inner = f"{path} {option['name']}"
        yield from _problems_of_named(option, inner)
        yield from _problems_of_choices(option, inner)
        for low, high in (("min_value", "max_value"), ("min_length", "max_length")):
            if option.get(low) is not None and option.get(high) is not None and option[low] > option[high]:
                yield f"{inner}: {low} above {high}"
        yield from _problems_of_options(option.get("options") or [], inner)


def _problems_of_same_names(options: Sequence[JSON], key: str, path: str) -> Iterator[str]:
    localised = [{"": option["name"]} if key == "name" else option.get(key) or {} for option in options]
    counts = Counter((locale, name) for names in localised for locale, name in names.items())
    yield from (f"{path}: two options called {name!r} ({locale})" for (locale, name), n in counts.items() if n > 1)


def _problems_of_choices(option: JSON, path: str) -> Iterator[str]:
    choices = option.get("choices") or []
    if choices and option.get("autocomplete"):
        yield f"{path}: choices and autocomplete"
    for key in ("name", "value"):
        counts = Counter(choice[key] for choice in choices)
        yield from (f"{path}: two choices with the {key} {one!r}" for one, n in counts.items() if n > 1)
    for choice in choices:
        if isinstance(choice["value"], str) is not (option["type"] == _TEXT):
            yield f"{path}: the value {choice['value']!r} is not of the option's type"
        for locale in choice.get("name_localizations") or {}:
            if locale not in LOCALES:
                yield f"{path}: {locale} is no locale"


def _length(one: JSON) -> int:
    """How many characters count, of a command or an option."""
    own = _longest(one, "name") + _longest(one, "description")
    choices = sum(_longest(choice, "name") + len(str(choice["value"])) for choice in one.get("choices") or [])
    return own + choices + sum(map(_length, one.get("options") or []))


def _longest(one: JSON, key: str) -> int:
    texts = [one.get(key) or "", *(one.get(f"{key}_localizations") or {}).values()]
    return max(map(len, texts))


def problems_of_suggestions(choices: Sequence[JSON], kind: int) -> list[str]:
    """What is wrong with the choices that autocompletion of an option of this type suggests."""
    found = []
    if len(choices) > 25:
        found.append(f"{len(choices)} choices, at most 25")
    for choice in choices:
        name, value = choice["name"], choice["value"]
        if not 1 <= len(name) <= 100:
            found.append(f"the name {name!r:.40} has not 1 to 100 characters")
        if isinstance(value, str) is not (kind == _TEXT) or (isinstance(value, str) and len(value) > 100):
            found.append(f"the value {value!r:.40} does not suit the option")
    return found
