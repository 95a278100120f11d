"""The entries of a room's transcript: what is kept of what was said and shown, and what a seat gets to see of it.

An entry is JSON with a tag; a new form of an entry gets a new tag, and the old one stays readable.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, Literal

import msgspec

from bot.messages import Bold, Button, Code, Mention, Moment, Outgoing, Picture, Span, Text


class DamagedEntryError(Exception):
    """An entry that cannot be read: damaged, or written by a newer version. The host's fault, no player's."""


class Words(msgspec.Struct, frozen=True, omit_defaults=True):
    """A span: *kind* says how *text* stands out; *person* is whom it mentions, *seconds* the point in time."""

    kind: Literal["text", "bold", "code", "mention", "moment"]
    text: str
    person: str = ""
    seconds: int = 0


class File(msgspec.Struct, frozen=True):
    """A file of a message; its content is entry *number* of the room's files. *size* in bytes, 0: not made yet."""

    name: str
    media_type: str
    size: int
    number: int


class Said(msgspec.Struct, frozen=True, tag_field="kind", tag="said"):
    """What the person on *seat* typed at *at* (milliseconds since the epoch); *id* is the one his page gave it."""

    seat: int
    name: str
    text: str
    id: str
    at: int


class Worded(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is said in a message in another *language*: its *text*, the buttons' *labels* by row, the *picture*'s words.

    The picture's scene lacks the pieces, which no language changes.
    """

    language: str
    text: tuple[Words, ...]
    labels: tuple[tuple[str, ...], ...] = ()
    picture: Picture | None = None


class Message(msgspec.Struct, frozen=True, tag_field="kind", tag="message", omit_defaults=True):
    """What the bot said: an `Outgoing`, its picture as a scene, its file apart.

    *version* is that of the match that it shows. *replaces* is the number of the message in whose place it comes (0:
    none). *others* are its words in the other languages, as far as it was said in them.
    """

    at: int
    text: tuple[Words, ...]
    language: str = "en"
    picture: Picture | None = None
    buttons: tuple[tuple[Button, ...], ...] = ()
    file: File | None = None
    only_for: str = ""
    ping: str = ""
    match: str = ""
    version: int = 0
    board: bool = False
    replaces: int = 0
    others: tuple[Worded, ...] = ()

    def picture_in(self, language: str) -> Picture | None:
        """The picture with its words in *language*, if they are known; else as it was sent."""
        there = next((one.picture for one in self.others if one.language == language), None)
        if self.picture is None or there is None:
            return self.picture
        return Picture(replace(self.picture.scene, cards=there.scene.cards), there.alt)


class Retired(msgspec.Struct, frozen=True, tag_field="kind", tag="retired"):
    """The buttons of the entry with the number *message* are good for nothing any more."""

    message: int


Entry = Said | Message | Retired

_DECODER: Final = msgspec.json.Decoder(Entry)


def encode(entry: Entry) -> bytes:
    """The entry as it is stored."""
    return msgspec.json.encode(entry)


def decode(content: bytes) -> Entry:
    """The entry that was stored.

    :raises DamagedEntryError: if it is none.
    """
    try:
        return _DECODER.decode(content)
    except msgspec.MsgspecError as error:
        raise DamagedEntryError(str(error)) from error


def message(outgoing: Outgoing, file: File | None, replaces: int, at: int) -> Message:
    """The entry for *outgoing*, whose file (if any) was stored as *file*."""
    picture = outgoing.picture
    return Message(
        at,
        tuple(_words(span) for span in outgoing.text),
        outgoing.language,
        None if picture is None else Picture(picture.scene, picture.alt),
        outgoing.buttons,
        file,
        outgoing.only_for or "",
        outgoing.ping or "",
        outgoing.match or "",
        outgoing.version,
        outgoing.board,
        replaces,
        tuple(_worded(other) for other in outgoing.others),
    )


def _worded(outgoing: Outgoing) -> Worded:
    picture = outgoing.picture
    if picture is not None:
        bare = replace(picture.scene, first=(), second=(), moved=(), added=(), removed=(), winners=())
        picture = Picture(bare, picture.alt)
    labels = tuple(tuple(button.label for button in row) for row in outgoing.buttons)
    return Worded(outgoing.language, tuple(_words(span) for span in outgoing.text), labels, picture)


def is_visible(entry: Entry, person: str) -> bool:
    """True if *person* may see the entry."""
    return not isinstance(entry, Message) or entry.only_for in ("", person)


def view(number: int, entry: Entry, person: str) -> Mapping[str, Any]:
    """What the page of *person*, who may see it, is told of the entry; JSON values alone."""
    picture, pictures = None, list[Picture | None]()
    if isinstance(entry, Message):
        # A scene is most of an entry, and no page reads it.
        picture, pictures = entry.picture, [one.picture for one in entry.others]
        others = tuple(msgspec.structs.replace(one, picture=None) for one in entry.others)
        entry = msgspec.structs.replace(entry, picture=None, others=others)
    shown: dict[str, Any] = msgspec.to_builtins(entry)
    shown["number"] = number
    if isinstance(entry, Said) and f"web:{entry.seat}" != person:
        del shown["id"]
    if isinstance(entry, Message):
        shown.pop("only_for", None)
        shown["private"] = bool(entry.only_for)
        shown["ping"] = entry.ping == person
        if picture is not None:
            shown["picture"] = {"alt": picture.alt}
        for worded, there in zip(shown.get("others", ()), pictures, strict=False):
            if there is not None:
                worded["alt"] = there.alt
        if entry.file is not None:
            del shown["file"]["number"]
    return shown


def _words(span: Span) -> Words:
    match span:
        case Text(text):
            return Words("text", text)
        case Bold(text):
            return Words("bold", text)
        case Code(text):
            return Words("code", text)
        case Mention(person, name):
            return Words("mention", name, person=person)
        case Moment(seconds, text):
            return Words("moment", text, seconds=seconds)
