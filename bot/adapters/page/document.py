"""The page as one document: page.html with the styles, the scripts and what a seat needs to know put into it."""

from __future__ import annotations

import base64
import hashlib
import html
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any, Final

import msgspec

_SCRIPTS: Final = (
    "words.js",
    "connection.js",
    "entries.js",
    "composer.js",
    "layout.js",
    "paint.js",
    "picture.js",
    "captions.js",
    "taps.js",
    "hands.js",
    "board.js",
    "page.js",
)
"""In this order: each may use what the earlier ones define."""


@dataclass(frozen=True, slots=True)
class Source:
    """The parts as they stand in this folder: two templates, the styles, the scripts as one."""

    page: str
    notice: str
    style: str
    script: str

    @classmethod
    def load(cls) -> Source:
        """The package's own files."""
        folder = resources.files(__package__)
        page, notice, style, *scripts = (
            (folder / name).read_text(encoding="utf-8") for name in ("page.html", "notice.html", "page.css", *_SCRIPTS)
        )
        return cls(page, notice, style, '"use strict";\n' + "".join(scripts))

    def seat(self, setup: Mapping[str, Any], language: str, words: Mapping[str, str]) -> str:
        """The page of a seat: *setup* is handed to its scripts as JSON."""
        # In a script element only "<" can end the data too early.
        data = msgspec.json.encode(setup).decode().replace("<", "\\u003c")
        return _filled(
            self.page,
            {
                "language": language,
                "title": words["page.title"],
                "needs_script": words["page.needs_script"],
                "other": str(3 - setup["seat"]),
            },
            {"style": self.style, "script": self.script, "setup": data},
        )

    def message(self, language: str, title: str, text: str) -> str:
        """A page that only says something."""
        return _filled(self.notice, {"language": language, "title": title, "text": text}, {"style": self.style})

    def policy(self, host: str) -> str:
        """The Content-Security-Policy under which these pages work when they were fetched from *host* (checked)."""
        return "; ".join(
            [
                "default-src 'none'",
                f"script-src '{_hash(self.script)}'",
                f"style-src '{_hash(self.style)}'",
                "img-src 'self' data:",
                # Older browsers do not count a WebSocket to the same host as 'self'.
                f"connect-src 'self' ws://{host} wss://{host}",
                "base-uri 'none'",
                "form-action 'none'",
                "frame-ancestors 'none'",
            ]
        )


def _filled(template: str, texts: Mapping[str, str], parts: Mapping[str, str]) -> str:
    """The *template* with its ``%%names%%`` replaced: *texts* escaped, *parts* as they are."""
    first, *pieces = template.split("%%")
    values = {name: html.escape(text) for name, text in texts.items()} | dict(parts)
    return first + "".join(values[piece] if index % 2 == 0 else piece for index, piece in enumerate(pieces))


def _hash(content: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
