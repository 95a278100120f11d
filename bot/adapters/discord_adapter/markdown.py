"""Spans as Discord's Markdown, escaped so that no name and no word changes what stands around it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from bot.adapters.discord_adapter.ids import user_of
from bot.messages import Bold, Code, Mention, Moment, Span, Text

CONTENT_LENGTH: Final = 2000
"""Discord: "Message contents (up to 2000 characters)"."""

_MARKS: Final = re.compile(r"([\\`*_~|<\[\]]|:(?=//|\w+:)|@(?=everyone|here))")
_LINE_STARTS: Final = re.compile(r"^(\s*)([-+>#]|\d+\.)", re.MULTILINE)
_FENCE: Final = "`"


def written(spans: Iterable[Span], ping: int | None = None) -> str:
    """The *spans* as one text; the person with the id *ping* is mentioned so that he can be notified."""
    return "".join(_span(span, ping) for span in spans)


def pieces(text: str, length: int = CONTENT_LENGTH) -> Sequence[str]:
    """The text in pieces of at most *length* characters, cut between lines where that is possible."""
    found: list[str] = []
    while len(text) > length:
        at = text.rfind("\n", 1, length + 1)
        at = at if at > 0 else length
        found.append(text[:at])
        text = text[at:].lstrip("\n")
    return (*found, text) if text else found


def escaped(text: str) -> str:
    """*text* so that it is shown as it is."""
    return _LINE_STARTS.sub(_escaped_start, _MARKS.sub(r"\\\1", text))


def _escaped_start(match: re.Match[str]) -> str:
    space, mark = match.groups()
    return f"{space}{mark[:-1]}\\{mark[-1]}"


def _span(span: Span, ping: int | None) -> str:
    match span:
        case Text():
            return escaped(span.text)
        case Bold():
            return f"**{escaped(span.text)}**"
        case Code():
            return _code(span.text)
        case Moment():
            return f"<t:{span.seconds}:f>"
        case Mention():
            user = user_of(span.person)
            return f"<@{user}>" if user is not None and user == ping else escaped(span.name)


def _code(text: str) -> str:
    # Inside there is no escaping: a longer fence holds what has a backtick in it.
    fence = _FENCE
    while fence in text:
        fence += _FENCE
    space = " " if text.startswith(_FENCE) or text.endswith(_FENCE) else ""
    return f"{fence}{space}{text}{space}{fence}"
