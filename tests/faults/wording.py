"""Reads the bot's sentences back: which moves a message tells, and who is to move."""

from __future__ import annotations

import re
from typing import Final

from bot.messages import Code, Mention
from bot.texts import LANGUAGES, Texts
from rules.actions import PersonId
from rules.match import SWAP
from tests.faults.wire import Sent, marked

_PERSON: Final = "PERSON"
_MOVE: Final = "MOVE"


class Wording:
    """The sentences of all languages as patterns."""

    def __init__(self) -> None:
        texts = Texts.load()
        self._moved = {language: _pattern(texts, language, "event.moved") for language in LANGUAGES}
        self._passed = {language: _pattern(texts, language, "event.passed") for language in LANGUAGES}
        self._swapped = {language: _pattern(texts, language, "event.swapped") for language in LANGUAGES}
        self._to_move = {language: _pattern(texts, language, "status.to-move") for language in LANGUAGES}
        self._broken = {
            language: _pattern(texts, language, key)
            for language in LANGUAGES
            for key in ("error.unexpected", "error.damaged")
        }

    def told(self, sent: Sent) -> tuple[str, ...]:
        """The moves that the message tells, as tokens of a record, in order."""
        tokens = []
        for line in sent.text.split("\n"):
            if found := self._moved[sent.language].fullmatch(line):
                tokens.append(found["move"])
            elif self._passed[sent.language].fullmatch(line):
                tokens.append("pass")
            elif self._swapped[sent.language].fullmatch(line):
                tokens.append(SWAP)
        return tuple(tokens)

    def to_move(self, sent: Sent) -> str:
        """Who is to move, or the empty string."""
        found = next(filter(None, map(self._to_move[sent.language].match, sent.text.split("\n"))), None)
        return "" if found is None else found["person"]

    def is_broken(self, sent: Sent) -> bool:
        """True if the message excuses itself for something unexpected."""
        return self._broken[sent.language].search(sent.text) is not None


def is_shortened(sent: Sent) -> bool:
    """True if the first of what happened was left out, because it would not fit."""
    return sent.text.startswith("…")


def _pattern(texts: Texts, language: str, key: str) -> re.Pattern[str]:
    spans = texts.say(
        language, key, name=Mention(PersonId(_PERSON), ""), move=Code(_MOVE), side="SIDE", incident=Code(_MOVE)
    )
    pattern = re.escape(marked(spans)).replace("SIDE", ".+")
    return re.compile(pattern.replace(_PERSON, "(?P<person>[^>]+)", 1).replace(_MOVE, "(?P<move>[^`]+)", 1))
