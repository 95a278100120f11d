"""The slash commands: what Discord shows of them, and what was typed into one as a line of text.

They are declared here and dispatched by `interactions`: nothing but the table is in memory, so an older or a newer
process answers them as well.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

import discord
from discord import app_commands
from discord.app_commands import Choice, locale_str

from bot.adapters.discord_adapter.words import LANGUAGE_OF, Words
from bot.config import LANGUAGES

GAMES: Final = ("ayu", "volo")
_SUGGESTED: Final = frozenset({"move", "match", "code", "size"})
THEMES: Final = ("light", "dark", "patterns")
MOVE_LENGTH: Final = 200
ID_LENGTH: Final = 12
SWITCHES: Final = ("ping", "confirm", "file")

Said = tuple[str, tuple[discord.abc.User, ...]]
AnyInteraction = discord.Interaction[discord.Client]
_Callback = Callable[..., Coroutine[Any, Any, None]]


# ---- what their options are ------------------------------------------------------------------------------------------
# discord.py reads an option's name and type from a function's arguments.


async def _nothing(interaction: AnyInteraction) -> None: ...


async def _of_match(interaction: AnyInteraction, match: app_commands.Range[str, 1, 20] | None = None) -> None: ...


async def _of_code(interaction: AnyInteraction, code: app_commands.Range[str, 1, 20] | None = None) -> None: ...


async def _move(
    interaction: AnyInteraction,
    move: app_commands.Range[str, 1, 200] | None = None,
    match: app_commands.Range[str, 1, 20] | None = None,
) -> None: ...


async def _challenge(  # noqa: PLR0917 - one argument for each option that people see
    interaction: AnyInteraction,
    opponent: discord.User | None = None,
    game: str | None = None,
    size: app_commands.Range[int, 1, 99] | None = None,
    pie: bool | None = None,  # noqa: FBT001 - an option that people set
    computer: app_commands.Range[int, 1, 5] | None = None,
    thread: bool | None = None,  # noqa: FBT001 - the same
) -> None: ...


async def _rules(interaction: AnyInteraction, game: str | None = None) -> None: ...


async def _settings(  # noqa: PLR0913, PLR0917 - one argument for each option that people see
    interaction: AnyInteraction,
    my_language: str | None = None,
    language: str | None = None,
    theme: str | None = None,
    ping: bool | None = None,  # noqa: FBT001 - an option that people set
    confirm: bool | None = None,  # noqa: FBT001 - the same
    file: bool | None = None,  # noqa: FBT001 - the same
    block: discord.User | None = None,
    unblock: discord.User | None = None,
) -> None: ...


async def _suggest(interaction: AnyInteraction, current: str) -> list[Choice[str]]:
    del interaction, current
    return []  # never asked: `interactions` answers


_CALLBACKS: Final[Mapping[str, _Callback]] = MappingProxyType(
    {
        **dict.fromkeys(("games", "next", "help", "mydata", "forget"), _nothing),
        **dict.fromkeys(("start", "accept"), _of_code),
        "challenge": _challenge,
        "move": _move,
        "rules": _rules,
        "settings": _settings,
    }
)
"""All others are about a match."""


class Translator(app_commands.Translator):
    """Gives names and descriptions their words; a text's ``key`` is that of the catalogs."""

    def __init__(self, words: Words) -> None:
        self._words = words

    async def translate(
        self,
        string: locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        """The text in the language of *locale*; None where it is English that is shown."""
        del context
        language = LANGUAGE_OF.get(locale)
        key = string.extras.get("key")
        return None if language is None or key is None else self._words(language).get(key)


def declare(tree: app_commands.CommandTree[discord.Client], names: Sequence[str], words: Words) -> None:
    """Put the commands called *names* into the *tree*, in that order."""
    english = words("en")

    def said(key: str) -> locale_str:
        return locale_str(english[key], key=key)

    for name in names:
        callback = _CALLBACKS.get(name, _of_match)
        command: app_commands.Command[Any, ..., Any] = app_commands.Command(
            name=locale_str(name, key=f"discord.command.{name}"),
            description=said(f"command.{name}"),
            callback=callback,
        )
        options = [parameter.name for parameter in command.parameters]
        app_commands.describe(**{option: said(f"discord.describe.{option}") for option in options})(command)
        renamed = {option: locale_str(_shown(option), key=f"discord.option.{option}") for option in options}
        app_commands.rename(**renamed)(command)
        _offer(command, options, words)
        tree.add_command(command)


def _offer(command: app_commands.Command[Any, ..., Any], options: Sequence[str], words: Words) -> None:
    """What can be chosen from, and what is suggested while it is typed."""
    for option in options:
        if option in _SUGGESTED:
            command.autocomplete(option)(_suggest)
    english = words("en")
    languages = [Choice(name=words(language)["language.name"], value=language) for language in LANGUAGES]
    choices = {
        "my_language": languages,
        "language": languages,
        "game": [Choice(name=key.title(), value=key) for key in GAMES],
        "theme": [
            Choice(name=locale_str(english[f"button.theme.{key}"], key=f"button.theme.{key}"), value=key)
            for key in THEMES
        ],
    }
    app_commands.choices(**{option: found for option, found in choices.items() if option in options})(command)


def _shown(option: str) -> str:
    """The option's name: Discord's may hold a dash, an argument's may not."""
    return option.replace("_", "-")


# ---- what was typed --------------------------------------------------------------------------------------------------


def typed(interaction: AnyInteraction) -> Sequence[Said]:
    """The command as people type it elsewhere, and whom it names; several lines if it sets several things."""
    data: Mapping[str, Any] = interaction.data or {}
    name = str(data.get("name", ""))
    given = {one["name"]: getattr(interaction.namespace, one["name"], None) for one in data.get("options", ())}
    if name == "challenge":
        return [_challenge_line(given)]
    if name == "settings":
        return _settings_lines(given) or [("/settings", ())]
    words = [str(value) for value in given.values() if value is not None]
    return [(" ".join((f"/{name}", *words)), ())]


def _challenge_line(given: Mapping[str, Any]) -> Said:
    words = ["/challenge"]
    if given.get("game"):
        words.append(str(given["game"]))
    if given.get("size") is not None:
        words.append(str(given["size"]))
    if given.get("pie") is not None:
        words.append("pie" if given["pie"] else "nopie")
    if given.get("computer") is not None:
        words += ["computer", str(given["computer"])]
    if given.get("thread"):
        words.append("thread")
    opponent = given.get("opponent")
    return " ".join(words), () if opponent is None else (opponent,)


def _settings_lines(given: Mapping[str, Any]) -> list[Said]:
    lines: list[Said] = []
    for key, value in given.items():
        if key in SWITCHES:
            lines.append((f"/settings {key} {'on' if value else 'off'}", ()))
        elif key in ("block", "unblock"):
            lines.append((f"/settings {key}", (value,)))
        else:
            lines.append((f"/settings {key} {value}", ()))
    return lines
